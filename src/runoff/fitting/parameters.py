"""Options of learners and base systems, which may come as text from the command line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, fields
from typing import Any, TypeVar

from runoff.errors import UsageError, unknown_choice

Made = TypeVar("Made")


def with_options(kind: type[Made], given: Mapping[str, Any], what: str) -> Made:
    """An instance of a dataclass with these options; texts become what their defaults are.

    Parameters
    ----------
    what : what errors call it.

    Examples
    --------
    >>> from runoff.learners.perceptron.averaged import Perceptron
    >>> with_options(Perceptron, {"epochs": "5"}, "perceptron")
    Perceptron(epochs=5, seed=0)
    """
    known = defaults_of(kind)
    arguments: dict[str, Any] = {}
    for key, value in given.items():
        if key not in known:
            raise unknown_choice(f"option of {what}", key, known)
        try:
            arguments[key] = _converted(value, known[key])
        except (KeyError, TypeError, ValueError):
            wanted = type(known[key]).__name__.replace("tuple", "list of numbers, e.g. 1,2.5")
            raise UsageError(f"{what}: {key} must be of the type {wanted}, not {value!r}") from None
    return kind(**arguments)


def defaults_of(kind: type) -> dict[str, Any]:
    """The options of a dataclass with their defaults."""
    return {
        one.name: one.default if one.default_factory is MISSING else one.default_factory()
        for one in fields(kind)
        if one.init
    }


def options_of(made: Any) -> dict[str, Any]:
    """The options that an instance of a dataclass was made with."""
    return {one.name: getattr(made, one.name) for one in fields(made) if one.init}


def _converted(value: Any, default: Any) -> Any:
    """An option in the type of its default, where it came as text or from a model file."""
    if isinstance(default, tuple):
        parts = value.split(",") if isinstance(value, str) else value
        parts = [parts] if isinstance(parts, int | float) else parts
        kind = type(default[0]) if default else float
        return tuple(kind(part) for part in parts)
    number = (int, float) if isinstance(default, float) else type(default)
    if isinstance(value, number) and isinstance(value, bool) == isinstance(default, bool):
        return value
    if not isinstance(value, str):
        raise TypeError
    if isinstance(default, bool):
        return {"yes": True, "true": True, "no": False, "false": False}[value.lower()]
    return type(default)(value)
