"""Checking n-best files: every problem with its place."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from runoff.data.files import FilePath, read_lines
from runoff.data.formats import format_of, read_nbest
from runoff.data.formats.jsonl import decode_line
from runoff.data.nbest import NBest
from runoff.errors import FormatError

PARTS = ("id", "input", "gold", "output", "logprob", "quality", "features")


@dataclass(frozen=True)
class Problem:
    """Something wrong with a file: where, and what."""

    line: int | None
    key: str | None
    message: str


@dataclass
class Check:
    """The size of a file of lists, and the problems found in it."""

    lists: int = 0
    candidates: int = 0
    problems: list[Problem] = field(default_factory=list)


def check(
    path: FilePath,
    format: str | None = None,
    *,
    watch: Callable[[Iterable[Any]], Iterable[Any]] = iter,
) -> Check:
    """Read a file of n-best lists from end to end and collect every problem.

    Memory grows with the ids and the problems, not with the lists. `watch` sees the lists pass.

    Examples
    --------
    >>> from pathlib import Path
    >>> _ = Path("broken.jsonl").write_text('{"candidates": [{"output": "a", "logprob": NaN}]}')
    >>> check("broken.jsonl").problems
    [Problem(line=1, key='candidates[0].logprob', message='not a finite number: nan')]
    """
    result = Check()
    seen: dict[str, str] = {}
    parts = _Parts()
    try:
        for place, line, item in watch(_read(path, format)):
            if isinstance(item, Problem):
                result.problems.append(item)
                continue
            result.lists += 1
            result.candidates += len(item)
            parts.add(item, place)
            for key, message in _findings(item, place, seen):
                result.problems.append(Problem(line, key, message))
    except FormatError as error:
        if error.line is None:  # no such file, a directory
            raise
        # what follows cannot be read
        result.problems.append(Problem(error.line, error.key, error.problem))
    if result.lists == 0 and not result.problems:
        result.problems.append(Problem(None, None, "the file has no lists"))
    result.problems.extend(parts.uneven())
    return result


def _read(path: FilePath, format: str | None) -> Iterator[tuple[str, int | None, NBest | Problem]]:
    """Name of the place, line where it is known, and the list or what is wrong with it."""
    if (format or format_of(path)) != "jsonl":
        for number, nbest in enumerate(read_nbest(path, format), start=1):
            yield f"list {number}", None, nbest
        return
    for number, line in read_lines(path):
        if not line or line.isspace():
            continue
        try:
            yield f"line {number}", number, decode_line(line, path, number)
        except FormatError as error:
            for key, message in _all_errors(line, error):
                yield f"line {number}", number, Problem(number, key, message)


def _all_errors(line: bytes, first: FormatError) -> Iterable[tuple[str | None, str]]:
    """Every error of a line that is JSON but not a list: each candidate is tried by itself."""
    try:
        value = json.loads(line)
        candidates = value["candidates"]
        alone = [
            ("candidates[0]", _error({**value, "candidates": [{"output": ""}]})),
            *((f"candidates[{i}]", _error({"candidates": [c]})) for i, c in enumerate(candidates)),
        ]
    except (ValueError, TypeError, KeyError, RecursionError):
        return [(first.key, first.problem)]
    errors = [
        ((error.key or "").replace("candidates[0]", place, 1) or None, error.problem)
        for place, error in alone
        if error is not None
    ]
    return errors or [(first.key, first.problem)]


def _error(value: Any) -> FormatError | None:
    try:
        decode_line(json.dumps(value).encode())
    except FormatError as error:
        return error
    return None


def _findings(nbest: NBest, place: str, seen: dict[str, str]) -> Iterator[tuple[str, str]]:
    """The problems of a list that can be read."""
    prefix = "" if place.startswith("line") else f"{place}: "
    if nbest.id is not None:
        before = seen.setdefault(str(nbest.id), place)
        if before != place:
            yield f"{prefix}id", f"{nbest.id!r} is also the id of {before}"
    outputs: dict[str, int] = {}
    for number, candidate in enumerate(nbest.candidates):
        if candidate.output is not None:
            same = outputs.setdefault(repr(candidate.output), number)
            if same != number:
                yield f"{prefix}candidates[{number}].output", f"the same as candidates[{same}]"
    for part in ("output", "logprob", "quality", "features"):
        missing = [i for i, c in enumerate(nbest.candidates) if getattr(c, part) is None]
        if missing and len(missing) < len(nbest):
            message = f"missing, and other candidates of the list have it ({len(missing)} do not)"
            yield f"{prefix}candidates[{missing[0]}].{part}", message


class _Parts:
    """Which parts lists have, to find lists that lack what others have."""

    def __init__(self) -> None:
        self.lists = 0
        self.first: dict[str, str] = {}
        self.lacking = dict.fromkeys(PARTS, 0)

    def add(self, nbest: NBest, place: str) -> None:
        self.lists += 1
        for part in PARTS:
            whole = getattr(nbest, part) if part in ("id", "input", "gold") else None
            if whole is None and all(getattr(c, part, None) is None for c in nbest.candidates):
                self.lacking[part] += 1
                self.first.setdefault(part, place)

    def uneven(self) -> Iterator[Problem]:
        for part in PARTS:
            lacking = self.lacking[part]
            if 0 < lacking < self.lists:
                message = (
                    f"{lacking} of {self.lists} lists have none, the first is {self.first[part]}"
                )
                yield Problem(None, part, message)
