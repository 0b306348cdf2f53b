"""Links between the words of a sentence, without direction: linkages and gold dependencies."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from runoff.data.files import FilePath, read_text_lines
from runoff.errors import FormatError, UsageError

WALL = 0
"""The number of the wall to the left of the first word; words are numbered from 1."""

PUNCTUATION = "punct"
"""The label of the links of gold that attach punctuation marks."""

Link = tuple[int, int, str]
"""The numbers of a left and a right word, and the label between them."""


def links_of(value: Any, words: int | None = None) -> list[Link]:
    """The links of an output or a gold: `[[left, right, label], ...]`, checked and sorted.

    Parameters
    ----------
    words : how many words there are; a link beyond the last is an error.

    Examples
    --------
    >>> links_of([[1, 2, "Sp"], [0, 1, "Wd"]])
    [(0, 1, 'Wd'), (1, 2, 'Sp')]
    """
    if not isinstance(value, list | tuple) or not all(map(_is_link, value)):
        raise UsageError(
            f"expected links such as [[0, 1, 'Wd'], [1, 2, 'Sp']], with left < right, "
            f"not {value!r:.60}"
        )
    found = sorted((left, right, label) for left, right, label in value)
    last = max((right for _, right, _ in found), default=0)
    if words is not None and last > words:
        raise UsageError(f"a link goes to word {last}, but the sentence has {words}")
    return found


def _is_link(value: Any) -> bool:
    if not isinstance(value, list | tuple) or len(value) != 3:
        return False
    left, right, label = value
    numbers = type(left) is int and type(right) is int
    return numbers and WALL <= left < right and isinstance(label, str)


class Linked(NamedTuple):
    """A sentence with the links of its gold dependencies, and the document it is in."""

    words: tuple[str, ...]
    links: list[Link]
    document: str | None


def read_dependencies(path: FilePath) -> Iterator[Linked]:
    """The sentences of a file of dependencies in the CoNLL-U format.

    The link of a root goes to the wall. Lines of multiword tokens and of empty nodes are passed
    over.
    """
    document: str | None = None
    rows: list[tuple[int, list[str]]] = []
    for number, line in read_text_lines(path):
        line = line.rstrip("\r\n")
        if line.startswith("#"):
            key, _, value = line[1:].partition("=")
            document = value.strip() if key.strip() == "newdoc id" else document
        elif line.strip():
            rows.append((number, line.split("\t")))
        elif rows:
            yield _linked(rows, document, path)
            rows = []
    if rows:
        yield _linked(rows, document, path)


def _linked(rows: Sequence[tuple[int, list[str]]], document: str | None, path: FilePath) -> Linked:
    words: list[str] = []
    links: list[Link] = []
    kept = [(line, cells) for line, cells in rows if not {"-", "."} & set(cells[0])]
    for line, cells in kept:
        if len(cells) < 8 or cells[0] != str(len(words) + 1) or not cells[1].strip():
            raise FormatError(
                "expected ten columns of CoNLL-U: number, word, ...", path=path, line=line
            )
        if not (cells[6].isdecimal() and len(cells[6]) < 10 and int(cells[6]) <= len(kept)):
            raise FormatError(f"{cells[6]!r:.40} is no word of the sentence", path=path, line=line)
        words.append(cells[1])
        own, head = len(words), int(cells[6])
        if own == head:
            raise FormatError("a word is its own head", path=path, line=line)
        links.append((min(own, head), max(own, head), cells[7]))
    return Linked(tuple(words), sorted(links), document)
