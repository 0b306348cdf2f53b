"""The JSON values of a file, however it holds them: one per line, one array, one after another."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from runoff.data.files import FilePath, decode, peek, read_lines, read_whole
from runoff.data.formats.json_text import decode_json, find_unsound
from runoff.errors import FormatError


def read_values(path: FilePath) -> Iterator[tuple[int | None, Any]]:
    """The values of a file, with the line that each begins at.

    JSON Lines stream; any other file is read whole, since its values are over several lines.
    """
    if starts_with_value(peek(path)):
        for number, line in read_lines(path):
            if line and not line.isspace():
                yield number, decode_json(line, path, number)
        return
    text = decode(read_whole(path), path, 1)
    decoder = json.JSONDecoder()
    place = _next(text, 0)
    while place < len(text):
        at = text.count("\n", 0, place) + 1
        try:
            value, place = decoder.raw_decode(text, place)
        except (ValueError, RecursionError):
            decode_json(text[place:].encode(), path, at)
            raise FormatError("broken JSON", path=path, line=at) from None
        unsound = find_unsound(value)
        if unsound is not None:
            raise FormatError(unsound[1], path=path, line=at, key=unsound[0] or None)
        yield at, value
        place = _next(text, place)


def _next(text: str, place: int) -> int:
    """Where the next value begins: after whitespace and a comma."""
    while place < len(text) and (text[place].isspace() or text[place] == ","):
        place += 1
    return place


def starts_with_value(head: bytes) -> bool:
    """Whether the first line of a file is a whole JSON value, as far as it is there."""
    line, end, _ = head.lstrip().partition(b"\n")
    if not end:  # longer than what was looked at, or the only line
        return True
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return False
    return True


def first_value(head: bytes) -> Any:
    """The first JSON value of a file, or its beginning, with all brackets closed; else None.

    Examples
    --------
    >>> first_value(b'{"id": 1, "candidates": [{"output": "a"}, {"outp')
    {'id': 1, 'candidates': [{'output': 'a'}]}
    """
    text = head.decode("utf-8", "ignore").lstrip()
    try:
        return json.JSONDecoder().raw_decode(text)[0]
    except (ValueError, RecursionError):
        pass
    try:
        return json.loads(_closed(text))
    except (ValueError, RecursionError):
        return None


def _closed(text: str) -> str:
    """The text up to its last whole value, and the brackets that are open there."""
    stack: list[str] = []
    inside = escaped = False
    end, closing = 0, ""
    for place, letter in enumerate(text):
        if inside:
            inside, escaped = escaped or letter != '"', letter == "\\" and not escaped
        elif letter == '"':
            inside = True
        elif letter in "{[":
            stack.append("}" if letter == "{" else "]")
            if letter == "[":
                end, closing = place + 1, "".join(reversed(stack))
        elif letter in "}]" and stack:
            stack.pop()
            end, closing = place + 1, "".join(reversed(stack))
        elif letter == ",":
            end, closing = place, "".join(reversed(stack))
    return text[:end] + closing
