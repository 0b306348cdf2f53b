"""JSON Lines, one list per line: the format that holds everything.

    {"id": "s1", "input": "…", "gold": …, "candidates": [{"output": "…", "logprob": -12.3}]}

A candidate needs `output` or `features`; everything else may be left out, and a text alone is a
candidate too. Numbers may be written as text, and true is 1. Keys that Runoff does not know are
kept in `extra` and written back. Blank lines are skipped.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from runoff.data.files import FilePath, read_lines
from runoff.data.formats.any_keys.candidates import as_number
from runoff.data.formats.any_keys.mapping import no_outputs
from runoff.data.formats.common import Numbered, numbered
from runoff.data.formats.json_text import decode_json, encode_json, join_key
from runoff.data.nbest import Candidate, NBest
from runoff.errors import FormatError

LIST_KEYS = {"id", "input", "gold", "candidates"}
CANDIDATE_KEYS = set(Candidate.__struct_fields__) - {"extra"}
EXACT = float(1 << 53)  # whole numbers below this are written without a point, and lose nothing


def read(path: FilePath) -> Iterator[NBest]:
    """The lists of a JSON Lines file, one by one."""
    for number, line in read_lines(path):
        if line and not line.isspace():
            yield decode_line(line, path, number)


def encode(lists: Iterable[NBest]) -> Iterator[bytes]:
    """The lists as lines."""
    return (_encode_list(item) + b"\n" for item in numbered(lists))


def decode_line(line: bytes, path: object = None, number: int | None = None) -> NBest:
    """The list of one line.

    Raises
    ------
    FormatError : broken JSON or a wrong value, with file, line and key.

    Examples
    --------
    >>> decode_line(b'{"id": 7, "candidates": [{"output": "a", "beam": 3}]}').candidates
    [Candidate(output='a', extra={'beam': 3})]
    >>> decode_line(b'{"candidates": [{"output": "a", "logprob": "high"}]}', "a.jsonl", 7)
    Traceback (most recent call last):
    runoff.errors.FormatError: a.jsonl:7: candidates[0].logprob: expected float, got str
    """
    value = decode_json(line, path, number)
    if not isinstance(value, dict):
        raise FormatError("expected one JSON object, a list", path=path, line=number)
    if value and "candidates" not in value:
        raise no_outputs(value, path, number)
    nbest = _converted(_with_extra(value), path, number)
    if not nbest.candidates:
        raise FormatError("must not be empty", path=path, line=number, key="candidates")
    for place, candidate in enumerate(nbest.candidates):
        if candidate.output is None and candidate.features is None:
            key = f"candidates[{place}]"
            raise FormatError("has neither output nor features", path=path, line=number, key=key)
    return nbest


def _converted(value: dict[str, Any], path: object, number: int | None) -> NBest:
    """The list; what is not quite as it should be is tried again as it may be meant."""
    try:
        return msgspec.convert(value, NBest)
    except msgspec.ValidationError:
        pass
    try:
        return msgspec.convert(_as_meant(value), NBest)
    except msgspec.ValidationError as error:
        key, problem = _explain(error, value)
        raise FormatError(problem, path=path, line=number, key=key) from None


def _as_meant(value: dict[str, Any]) -> dict[str, Any]:
    """The list with texts as candidates, numbers written as text, and true or false as numbers."""
    candidates = value.get("candidates")
    if isinstance(candidates, list):
        value = {**value, "candidates": [_candidate_as_meant(one) for one in candidates]}
    return value


def _candidate_as_meant(one: Any) -> Any:
    if isinstance(one, str):
        return {"output": one}
    if not isinstance(one, dict):
        return one
    numbers = {key: _number(one[key]) for key in ("logprob", "quality", "score") if key in one}
    features = one.get("features")
    if isinstance(features, dict):
        numbers["features"] = {name: _number(number) for name, number in features.items()}
    return {**one, **numbers}


def _number(value: Any) -> Any:
    number = as_number(value) if isinstance(value, str | bool) else None
    return value if number is None else number


def _with_extra(value: dict[str, Any]) -> dict[str, Any]:
    """The list as decoded, its unknown keys and those of its candidates moved to `extra`."""
    _move_unknown(value, LIST_KEYS)
    candidates = value.get("candidates")
    if isinstance(candidates, list):
        for candidate in candidates:
            if isinstance(candidate, dict):
                _move_unknown(candidate, CANDIDATE_KEYS)
    return value


def _move_unknown(value: dict[str, Any], known: set[str]) -> None:
    if not value.keys() <= known:
        extra = {key: value.pop(key) for key in list(value) if key not in known}
        value["extra"] = extra


def _explain(error: msgspec.ValidationError, value: Any) -> tuple[str, str]:
    """Key and problem of a value of the wrong type."""
    problem, _, key = str(error).partition(" - at `$")
    problem = problem[:1].lower() + problem[1:].replace("`", "").replace(" | null", "")
    key = key.rstrip("`").removeprefix(".")
    match = re.fullmatch(r"candidates\[(\d+)\]\.features\[\.\.\.\]", key)
    if match:  # the decoder does not say which feature
        key = key.removesuffix("[...]")
        for name, number in value["candidates"][int(match[1])]["features"].items():
            if not _is_number(number):
                return join_key(key, name), problem
    return key, problem


def _is_number(value: object) -> bool:
    if not isinstance(value, int | float) or isinstance(value, bool):
        return False
    try:
        return math.isfinite(value)
    except OverflowError:
        return False


def _encode_list(item: Numbered) -> bytes:
    nbest = item.nbest
    fields = {"id": nbest.id, "input": nbest.input, "gold": nbest.gold}
    line = {key: value for key, value in fields.items() if value is not None}
    line["candidates"] = [_fields(candidate, item) for candidate in nbest.candidates]
    line |= _extra(nbest.extra, LIST_KEYS, item)
    try:
        return encode_json(line)
    except ValueError as error:
        raise item.error(str(error)) from None


def _fields(candidate: Candidate, item: Numbered) -> dict[str, Any]:
    fields = {k: v for k in _WRITTEN if (v := getattr(candidate, k)) is not None}
    if "output" not in fields and "features" not in fields:
        raise item.error("has a candidate with neither output nor features")
    if "features" in fields:
        fields["features"] = {name: _short(v) for name, v in fields["features"].items()}
    return fields | _extra(candidate.extra, CANDIDATE_KEYS, item) if candidate.extra else fields


_WRITTEN = [name for name in Candidate.__struct_fields__ if name != "extra"]


def _short(value: float) -> float:
    """The number, as an integer where that is the same."""
    return int(value) if -EXACT < value < EXACT and value == int(value) else float(value)


def _extra(extra: dict[str, Any], known: set[str], item: Numbered) -> dict[str, Any]:
    clash = known & extra.keys()
    if clash:
        raise item.error(f"has an extra key with the name of a field: {min(clash)}")
    return extra
