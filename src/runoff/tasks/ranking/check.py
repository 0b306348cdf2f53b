"""Checking n-best files: every problem with its place, and what is odd but may be meant."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from runoff.data.files import FilePath, read_lines
from runoff.data.formats import found_format, read_nbest
from runoff.data.formats.any_keys.mapping import Map
from runoff.data.formats.json_text import join_key, repeated_keys
from runoff.data.formats.jsonl import decode_line
from runoff.data.nbest import Candidate, NBest
from runoff.errors import FormatError

LIKE_LOGPROB = set(
    "logprob logp lp prob p probability logprobability likelihood loglikelihood".split()
)
"""Keys that may have been meant as `logprob`, without capitals and what is between letters."""

PARTS = ("id", "input", "gold", "output", "logprob", "quality", "features")


@dataclass(frozen=True)
class Problem:
    """Something wrong with a file: where, and what."""

    line: int | None
    key: str | None
    message: str


@dataclass(frozen=True)
class Remark:
    """Something odd that may be meant: where it is first, and how many candidates have it."""

    line: int | None
    key: str
    message: str
    candidates: int


@dataclass
class Check:
    """The size of a file of lists, the problems found in it, and remarks, one of each kind."""

    lists: int = 0
    candidates: int = 0
    problems: list[Problem] = field(default_factory=list)
    remarks: list[Remark] = field(default_factory=list)


def check(
    path: FilePath,
    format: str | None = None,
    map: Map | str | None = None,
    *,
    watch: Callable[[Iterable[Any]], Iterable[Any]] = iter,
) -> Check:
    """Read a file of n-best lists from end to end and collect every problem and remark.

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
    parts, odd = _Parts(), _Odd()
    try:
        for place, line, item in watch(_read(path, format, Map.parse(map))):
            if isinstance(item, Problem):
                result.problems.append(item)
                continue
            result.lists += 1
            result.candidates += len(item)
            parts.add(item, place)
            odd.add(item, place, line)
            for key, message in _findings(item, place, seen):
                result.problems.append(Problem(line, key, message))
    except FormatError as error:
        if error.line is None:  # no such file, a directory
            raise
        # what follows cannot be read
        remedy = f"; {error.hint}" if error.hint else ""
        result.problems.append(Problem(error.line, error.key, error.problem + remedy))
    if result.lists == 0 and not result.problems:
        result.problems.append(Problem(None, None, "the file has no lists"))
    result.problems.extend(parts.uneven())
    result.remarks.extend(odd.remarks.values())
    return result


def _read(
    path: FilePath, format: str | None, map: Map
) -> Iterator[tuple[str, int | None, NBest | Problem]]:
    """Name of the place, line where it is known, and the list or what is wrong with it."""
    found = format or found_format(path, map)
    if found != "jsonl":
        for number, nbest in enumerate(read_nbest(path, found, map), start=1):
            yield f"list {number}", None, nbest
        return
    for number, line in read_lines(path):
        if not line or line.isspace():
            continue
        try:
            nbest = decode_line(line, path, number)
        except FormatError as error:
            for key, message in _all_errors(line, error):
                yield f"line {number}", number, Problem(number, key, message)
        else:
            for key in repeated_keys(line):
                message = "comes more than once in its object, and only the last one counts"
                yield f"line {number}", number, Problem(number, key, message)
            yield f"line {number}", number, nbest


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
    prefix = _prefix(place)
    if nbest.id is not None:
        before = seen.setdefault(str(nbest.id), place)
        if before != place:
            yield f"{prefix}id", f"{nbest.id!r} is also the id of {before}"
    for part in ("output", "logprob", "quality", "features"):
        missing = [i for i, c in enumerate(nbest.candidates) if getattr(c, part) is None]
        if missing and len(missing) < len(nbest):
            message = f"missing, and other candidates of the list have it ({len(missing)} do not)"
            yield f"{prefix}candidates[{missing[0]}].{part}", message


def _prefix(place: str) -> str:
    """The beginning of keys; a list that has a line of its own is not named again."""
    return "" if place.startswith("line") else f"{place}: "


class _Odd:
    """Counts candidates that look odd, by what is odd about them."""

    def __init__(self) -> None:
        self.remarks: dict[str, Remark] = {}

    def add(self, nbest: NBest, place: str, line: int | None) -> None:
        for kind, key, message in _oddities(nbest):
            first = Remark(line, f"{_prefix(place)}{key}", message, 0)
            known = self.remarks.get(kind, first)
            self.remarks[kind] = replace(known, candidates=known.candidates + 1)


def _oddities(nbest: NBest) -> Iterator[tuple[str, str, str]]:
    """Kind, key and description of what is odd about candidates of a list."""
    outputs: dict[str, int] = {}
    for number, candidate in enumerate(nbest.candidates):
        key = f"candidates[{number}]"
        if candidate.output is not None:
            same = outputs.setdefault(repr(candidate.output), number)
            if same != number:
                yield "duplicate", f"{key}.output", f"the same as candidates[{same}]"
        if candidate.logprob is None:
            for name in _like_logprob(candidate):
                yield name, join_key(key, name), "not read: log-probabilities are called logprob"
        elif candidate.logprob > 0:
            message = f"{candidate.logprob:g} is positive, which no log-probability is"
            yield "positive", f"{key}.logprob", message


def _like_logprob(candidate: Candidate) -> Iterator[str]:
    """Keys that may have been meant as `logprob`; rerankers write `score` along with `rank`."""
    if candidate.score is not None and candidate.rank is None:
        yield "score"
    for name in candidate.extra:
        if re.sub("[^a-z]", "", name.lower()) in LIKE_LOGPROB:
            yield name


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
