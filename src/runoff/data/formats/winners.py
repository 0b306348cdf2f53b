"""Plain text, one line per list: the output of its first candidate. It is written only."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from runoff.data.formats.common import numbered
from runoff.data.formats.json_text import encode_json
from runoff.data.nbest import NBest


def encode(lists: Iterable[NBest]) -> Iterator[bytes]:
    r"""The first output of each list as a line.

    Words are joined by spaces, and line ends inside of a text become spaces; other values are JSON.

    Examples
    --------
    >>> from runoff.data.nbest import Candidate
    >>> b"".join(encode([NBest("u1", None, [Candidate("I scream"), Candidate("ice cream")])]))
    b'I scream\n'
    """
    for item in numbered(lists):
        first = item.nbest.candidates[0].output
        if first is None:
            raise item.error("has a first candidate without output, which is what is written")
        text = item.text(" ".join(_text(first).splitlines()), "an output")
        yield f"{text}\n".encode()


def _text(output: Any) -> str:
    if isinstance(output, str):
        return output
    if isinstance(output, list | tuple) and all(isinstance(one, str) for one in output):
        return " ".join(output)
    return encode_json(output).decode()
