"""JSON in and out, strictly: whatever is not sound JSON gives an error that names the key.

Reading is fast and strict; only when it fails is the text read again, slowly, to say why. Of a
key that stands twice in one object the last counts, as everywhere in Python.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from typing import Any

import msgspec

from runoff.data.files import decode
from runoff.data.formats.common import shown
from runoff.errors import FormatError


def _plain(value: Any) -> Any:
    """Numpy's numbers and arrays as Python's; anything else is not JSON."""
    if not hasattr(value, "tolist"):
        raise TypeError(f"{type(value).__name__} is not a JSON value")
    unsound = find_unsound(plain := value.tolist())
    if unsound is not None:
        raise ValueError(unsound[1])
    return plain


_DECODER = msgspec.json.Decoder()
_ENCODER = msgspec.json.Encoder(enc_hook=_plain)


def decode_json(data: bytes, path: object = None, line: int | None = None) -> Any:
    """The value of a JSON text in UTF-8.

    Errors say that it stands at a line of a file; without a line it is the whole file.

    Examples
    --------
    >>> decode_json(b'{"a": [1, 2.5]}')
    {'a': [1, 2.5]}
    """
    try:
        return _DECODER.decode(data)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        problem = str(error)
    raise _diagnosis(data, path, 1 if line is None else line, problem)


def _diagnosis(data: bytes, path: object, line: int, problem: str) -> FormatError:
    """Why a JSON text could not be read."""
    for number, part in enumerate(data.split(b"\n"), start=line):
        decode(part, path, number)
    try:
        value = json.loads(data.decode())
    except json.JSONDecodeError as error:
        problem = f"broken JSON at column {error.colno}: {error.msg[:1].lower()}{error.msg[1:]}"
        return FormatError(problem, path=path, line=line + error.lineno - 1)
    except RecursionError:
        return FormatError("the JSON is nested too deeply", path=path, line=line)
    except ValueError:
        return FormatError("a number has too many digits", path=path, line=line)
    key, problem = find_unsound(value) or (None, problem)
    return FormatError(problem, path=path, line=line, key=key)


def encode_json(value: Any) -> bytes:
    """The value as compact JSON.

    Raises
    ------
    ValueError : a value that JSON has no word for, such as NaN; the message names the key.
    """
    try:
        data = _ENCODER.encode(value)
    except RecursionError:
        raise ValueError("is nested too deeply") from None
    except (TypeError, ValueError, OverflowError) as error:
        key, problem = find_unsound(value) or ("", str(error))
        raise ValueError(f"{key}: {problem}" if key else problem) from None
    if b"null" in data:  # the encoder turns NaN into null without a word
        unsound = find_unsound(value)
        if unsound is not None:
            raise ValueError(": ".join(unsound))
    return data


def find_unsound(value: Any) -> tuple[str, str] | None:
    """Key and problem of the first number or text that JSON cannot hold.

    Examples
    --------
    >>> find_unsound({"candidates": [{"logprob": float("nan")}]})
    ('candidates[0].logprob', 'not a finite number: nan')
    """
    todo: list[tuple[str, Any]] = [("", value)]
    while todo:
        key, value = todo.pop()
        if isinstance(value, dict):
            todo.extend((join_key(key, k), v) for k, v in reversed(value.items()))
            value = "".join(k for k in value if isinstance(k, str))
        if isinstance(value, list | tuple):
            todo.extend((f"{key}[{i}]", value[i]) for i in reversed(range(len(value))))
        elif isinstance(value, float) and not math.isfinite(value):
            return key, f"not a finite number: {value}"
        elif isinstance(value, str) and any("\ud800" <= c <= "\udfff" for c in value):
            return key, f"an unpaired surrogate: {shown(value)}"
    return None


def join_key(parent: str, key: object) -> str:
    """The name of a key below another, safe to print.

    Examples
    --------
    >>> join_key("candidates[3]", "logprob")
    'candidates[3].logprob'
    """
    name = str(key).encode(errors="backslashreplace").decode()
    return f"{parent}.{name}" if parent else name


def repeated_keys(line: bytes) -> list[str]:
    """The keys of a line of JSON that one object has twice.

    Examples
    --------
    >>> repeated_keys(b'{"id": 1, "candidates": [{"output": "a", "output": "b"}]}')
    ['candidates[0].output']
    """
    repeated = False

    def pairs(given: list[tuple[str, Any]]) -> dict[str, Any]:
        nonlocal repeated
        found = dict(given)
        repeated = repeated or len(found) < len(given)
        return found

    json.loads(line, object_pairs_hook=pairs)
    if not repeated:
        return []
    keys, todo = list[str](), [("", json.loads(line, object_pairs_hook=_Object))]
    while todo:
        place, value = todo.pop()
        if isinstance(value, _Object):
            names = [join_key(place, name) for name, _ in value]
            keys += [name for name, times in Counter(names).items() if times > 1]
            todo += [(name, one) for name, (_, one) in zip(names, value, strict=True)]
        elif isinstance(value, list):
            todo += [(f"{place}[{number}]", one) for number, one in enumerate(value)]
    return sorted(set(keys))


class _Object(list[tuple[str, Any]]):
    """An object of JSON with all its keys."""
