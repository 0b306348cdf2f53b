"""Options said once: a plan's field declares default, help and range.

The command line, `--show`, the check of recipes and the reference pages are made from them. Nothing
heavy is imported here: names of choices are looked up when a help text is shown.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field, fields
from importlib import import_module
from typing import Any, NamedTuple, TypeVar

from runoff.errors import UsageError, unknown_choice

_KEY = "option"

CHOICES = {
    "EXTRACTORS": "runoff.features.extract",
    "READ": "runoff.data.formats",
    "WRITTEN": "runoff.data.formats",
    "LEARNERS": "runoff.learners",
    "METRICS": "runoff.metrics",
    "PARSERS": "runoff.proposers.parsing",
}
"""Registries that help texts may name, as `{LEARNERS}`, and their modules."""

Value = TypeVar("Value")
Plan = TypeVar("Plan")


class About(NamedTuple):
    """The description of an option: all but its type and default.

    Parameters
    ----------
    help : a sentence that stands alone; `{LEARNERS}` stands for the names of that registry.
    min, max : the range of a number, or of the numbers of a sequence.
    flags : how the command line spells it, where that is not `--name`.
    metavar : what the value is called in help texts, where the type does not say it.
    """

    help: str
    min: float | None = None
    max: float | None = None
    flags: tuple[str, ...] = ()
    metavar: str | None = None


def option(
    default: Value,
    help: str,
    *,
    min: float | None = None,
    max: float | None = None,
    flags: tuple[str, ...] = (),
    metavar: str | None = None,
) -> Value:
    """A field of a plan that users may set; see `About`."""
    made: Value = _field(default, About(help, min, max, flags, metavar))
    return made


def redefined(plan: type, name: str, default: Value, *, help: str | None = None) -> Value:
    """An option of another plan, with a default of its own and perhaps another help text."""
    about = plan_options(plan)[name]
    made: Value = _field(default, about if help is None else about._replace(help=help))
    return made


def _field(default: Any, about: About) -> Any:
    if isinstance(default, Mapping):
        return field(default_factory=lambda: dict(default), metadata={_KEY: about})
    return field(default=default, metadata={_KEY: about})


def plan_options(plan: Any) -> dict[str, About]:
    """The options of a plan, or of its class: its own first, then those that it inherits."""
    kind = plan if isinstance(plan, type) else type(plan)
    known = {one.name: one.metadata[_KEY] for one in fields(plan) if _KEY in one.metadata}
    first = {name: one for one in kind.__mro__ for name in vars(one).get("__annotations__", ())}
    return {
        name: about for one in kind.__mro__ for name, about in known.items() if first[name] is one
    }


def help_text(text: str) -> str:
    """A help text with the names of the registries that it speaks of.

    Examples
    --------
    >>> help_text("Base parser: {PARSERS}.")
    'Base parser: classification, collins or pcfg.'
    """
    return re.sub(r"\{([A-Z]+)\}", lambda found: _choices(found[1]), text)


def _choices(registry: str) -> str:
    *names, last = getattr(import_module(CHOICES[registry]), registry)
    return f"{', '.join(names)} or {last}"


def check_ranges(plan: Any) -> None:
    """Raise an error for a value that lies outside the range of its option."""
    for name, about in plan_options(plan).items():
        value = getattr(plan, name)
        numbers = value if isinstance(value, tuple | list) else (value,)
        for number in numbers:
            if not isinstance(number, int | float):
                continue
            if about.min is not None and number < about.min:
                raise UsageError(f"{name} must be at least {about.min:g}, not {number:g}")
            if about.max is not None and number > about.max:
                raise UsageError(f"{name} must be at most {about.max:g}, not {number:g}")


def plan_from(kind: type[Plan], given: Mapping[str, Any]) -> Plan:
    """A plan with the options that are given; one that it does not have is an error."""
    known = plan_options(kind)
    for name in given:
        if name not in known:
            raise unknown_choice("option", name, known)
    return kind(**given)
