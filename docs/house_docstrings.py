"""Lets mkdocstrings read our code as it is written.

Docstrings have `name : what it is`, types being in the signature, where NumPy's layout has the type
behind the colon and what it is on the next line. Structs and named tuples get the constructor that
Python makes for them.
"""

from __future__ import annotations

import re
from typing import Any

import griffe

_ITEM = re.compile(r"^(?P<names>\*{0,2}\w+(?:, \*{0,2}\w+)*) : (?P<text>.+)$")
_RECORDS = {"NamedTuple", "msgspec.Struct"}


def rewritten(text: str) -> str:
    """The docstring with what each parameter or error is on a line of its own."""
    lines: list[str] = []
    section = ""
    given = text.splitlines()
    for place, line in enumerate(given):
        if line and place + 1 < len(given) and given[place + 1] == "-" * len(line):
            section = line
        item = _ITEM.match(line) if section in ("Parameters", "Raises") else None
        lines += [line] if item is None else [item["names"], f"    {item['text']}"]
    return "\n".join(lines)


def constructor(fields: list[griffe.Attribute]) -> griffe.Function:
    """The constructor that takes these fields."""
    kind = griffe.ParameterKind.positional_or_keyword
    parameters = [griffe.Parameter("self", kind=kind)]
    for field in fields:
        default = None if field.value is None else str(field.value)
        if default is not None and "default_factory=dict" in default:
            default = "{}"
        parameters.append(
            griffe.Parameter(field.name, annotation=field.annotation, kind=kind, default=default)
        )
    return griffe.Function("__init__", parameters=griffe.Parameters(*parameters))


class HouseDocstrings(griffe.Extension):
    """Rewrites what griffe collects."""

    def on_instance(self, *, obj: griffe.Object, **_: Any) -> None:
        """Called for each module, class, function and attribute."""
        if obj.docstring is not None:
            obj.docstring.value = rewritten(obj.docstring.value)

    def on_class_members(self, *, cls: griffe.Class, **_: Any) -> None:
        """Called when the members of a class are known."""
        if "__init__" not in cls.members and any(str(base) in _RECORDS for base in cls.bases):
            fields = [
                member
                for member in cls.members.values()
                if isinstance(member, griffe.Attribute) and "property" not in member.labels
            ]
            cls.set_member("__init__", constructor([f for f in fields if f.annotation]))
