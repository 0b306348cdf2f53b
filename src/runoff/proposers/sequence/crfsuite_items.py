r"""Sequences of items in CRFsuite's format: a line is a label and the attributes of a word.

TABs stand between them, a blank line behind each sequence. An attribute may have a value behind a
colon, `length:2.5`; else it counts 1. In its name `\:` is a colon and `\\` a backslash.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

import msgspec

from runoff.data.files import FilePath, read_text_lines
from runoff.data.limits import IN_CORPORA, Limit
from runoff.data.tagged import group_lines
from runoff.errors import FormatError

Item = Mapping[str, float]
"""The attributes of a word, and their values."""

_PARTS = re.compile(r"((?:[^\\:]|\\.)*)(?::(.*))?", re.DOTALL)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)


class ItemSequence(msgspec.Struct, frozen=True):
    """Items, and their labels, which are empty where a file has none."""

    items: tuple[Item, ...]
    labels: tuple[str, ...]


def read_items(path: FilePath, limit: Limit = IN_CORPORA) -> Iterator[ItemSequence]:
    r"""The sequences of a file, plain or gzip, one by one; `-` is stdin.

    Parameters
    ----------
    limit : how long they may be, an item for each word.

    Raises
    ------
    FormatError : a value is not a finite number.

    Examples
    --------
    >>> from pathlib import Path
    >>> _ = Path("votes.txt").write_text("B-NP\tw[0]=we\nB-VP\tw[0]=vote\tlength:2\n")
    >>> next(read_items("votes.txt")).items
    ({'w[0]=we': 1.0}, {'w[0]=vote': 1.0, 'length': 2.0})
    """
    lines = read_text_lines(path)
    for block in group_lines(lines, longest=limit.words, documents=False):
        if limit.exceeded(len(block), path=path, line=block[0][0]):
            block = []
        rows = [(number, line.split("\t")) for number, line in block]
        yield ItemSequence(
            tuple(_item(fields[1:], path, number) for number, fields in rows),
            tuple(fields[0] for _, fields in rows),
        )


def _item(fields: list[str], path: FilePath, number: int) -> Item:
    item: dict[str, float] = {}
    for field in fields:
        if field:
            name, value = _attribute(field, path, number)
            item[name] = item.get(name, 0.0) + value
    return item


def _attribute(field: str, path: FilePath, number: int) -> tuple[str, float]:
    parts = _PARTS.fullmatch(field)
    if parts is None:
        raise FormatError(f"the attribute {field!r} ends in a backslash", path=path, line=number)
    name, text = parts.groups()
    try:
        value = 1.0 if text is None else float(text)
    except ValueError:
        value = float("nan")
    if not abs(value) < float("inf"):
        problem = f"the value of {name!r} is {text!r}, and not a finite number"
        raise FormatError(problem, path=path, line=number, hint=r"a colon in a name is written \:")
    return _ESCAPED.sub(r"\1", name), value
