"""The errors users see: one sentence with file and line, then a hint where there is a remedy."""

from __future__ import annotations

import difflib
import math
from collections.abc import Iterable
from importlib import import_module
from types import ModuleType


class RunoffError(Exception):
    """Base of every error that Runoff raises on purpose.

    `hint` is what the user can do about it; it is printed on a line of its own.

    Examples
    --------
    >>> import runoff as ro
    >>> try:
    ...     ro.Tree.parse("(NP (NN vote)")
    ... except ro.RunoffError as error:
    ...     print(error)
    line 1: the tree that starts here leaves 1 bracket open
    """

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return self.message if self.hint is None else f"{self.message}\n\nHint: {self.hint}"


class FormatError(RunoffError, ValueError):
    """Input that cannot be read; says where.

    Examples
    --------
    >>> print(FormatError("not a number: 'x'", path="a.jsonl", line=7, key="logprob"))
    a.jsonl:7: logprob: not a number: 'x'
    """

    def __init__(
        self,
        message: str,
        *,
        path: object = None,
        line: int | None = None,
        key: str | None = None,
        hint: str | None = None,
    ) -> None:
        place = "" if path is None else str(path)
        if line is not None:
            place += f":{line}" if place else f"line {line}"
        parts = [part for part in (place, key, message) if part]
        super().__init__(": ".join(parts), hint=hint)
        self.problem, self.path, self.line, self.key = message, path, line, key

    def __reduce__(self) -> tuple[object, ...]:  # keeps its parts on the way out of a worker
        return _rebuild_format_error, (self.problem, self.path, self.line, self.key, self.hint)


def _rebuild_format_error(
    problem: str, path: object, line: int | None, key: str | None, hint: str | None
) -> FormatError:
    return FormatError(problem, path=path, line=line, key=key, hint=hint)


class TooLongError(FormatError):
    """A sentence, line or file that is longer than the longest that is taken."""


class UsageError(RunoffError, ValueError):
    """An option or argument that makes no sense, with the choices."""


class NotFittedError(RunoffError):
    """A ranker that was asked for scores before it was fitted or loaded."""


class ModelError(FormatError):
    """A file that is not a sound Runoff model."""


class ModelVersionError(ModelError):
    """A model file of a version this Runoff does not read."""


class MissingExtraError(RunoffError, ImportError):
    """A package of an optional extra that is not installed."""


def unknown_choice(what: str, name: str, choices: Iterable[str]) -> UsageError:
    """The error for a name that is not among the choices, with the nearest spelling.

    Examples
    --------
    >>> print(unknown_choice("learner", "perceptrn", ["base", "perceptron"]))
    unknown learner 'perceptrn'; choose from: base, perceptron
    <BLANKLINE>
    Hint: did you mean 'perceptron'?
    """
    known = sorted(choices)
    near = difflib.get_close_matches(name, known, n=1)
    shown = ", ".join(one if one.isprintable() else repr(one) for one in known)  # fields of a file
    return UsageError(
        f"unknown {what} {name!r}; choose from: {shown}",
        hint=f"did you mean {near[0]!r}?" if near else None,
    )


def check_at_least(least: float, **numbers: float) -> None:
    """Raise an error for the first number that is below the least allowed, or not finite.

    Examples
    --------
    >>> check_at_least(1, epochs=5, rounds=0)
    Traceback (most recent call last):
    ...
    runoff.errors.UsageError: rounds must be at least 1, not 0
    """
    for name, number in numbers.items():
        if not least <= number < math.inf:
            raise UsageError(f"{name} must be at least {least}, not {number}")


def check_seed(seed: int) -> int:
    """The seed, if every generator takes it: a whole number of 32 bits.

    Examples
    --------
    >>> check_seed(7)
    7
    """
    if not 0 <= seed < 1 << 32:
        raise UsageError(f"a seed must lie between 0 and {(1 << 32) - 1:,}, not {seed:,}")
    return seed


def import_extra(module: str, extra: str) -> ModuleType:
    """Import a module of an optional extra, or say which extra to install."""
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        package = module.partition(".")[0]
        if error.name is None or error.name.partition(".")[0] != package:
            raise
        message = f"this needs the package {package!r}, which is not installed"
        raise MissingExtraError(message, hint=f"pip install 'runoff[{extra}]'") from None
