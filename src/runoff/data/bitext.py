r"""Parallel text: two files whose lines are translations of each other, and links of their words.

Links are written as every aligner writes them, one line per sentence pair: `0-0 1-2` links source
word 0 with target word 0, and source word 1 with target word 2. Hand-made alignments tell sure
links, `i-j`, from possible ones, `ipj` or `i?j`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import NamedTuple, TypeAlias

from runoff.data.files import FilePath, read_text_lines, write_pieces
from runoff.data.limits import IN_CORPORA, Limit
from runoff.errors import FormatError

LONGEST = 1 << 20
"""Bytes of the longest line that is read."""

Link: TypeAlias = tuple[int, int]
"""Places of a source word and of a target word."""

_LINK = re.compile(r"(\d{1,9})([-p?])(\d{1,9})")


class SentencePair(NamedTuple):
    """Two sentences that are translations of each other, as words; either may be empty."""

    source: Sequence[str]
    target: Sequence[str]


class GoldLinks(NamedTuple):
    """The links of a hand-made alignment; every sure link is also a possible one."""

    sure: frozenset[Link]
    possible: frozenset[Link]


def read_bitext(
    source: FilePath, target: FilePath, *, limit: Limit = IN_CORPORA
) -> Iterator[SentencePair]:
    r"""The sentence pairs of two tokenised files, which must have the same number of lines.

    Parameters
    ----------
    limit : how long sentences may be; a pair with a longer one is read as an empty pair, if the
        limit's `over` does not raise the error.

    Raises
    ------
    FormatError : one file has fewer lines than the other.

    Examples
    --------
    >>> from pathlib import Path
    >>> _ = Path("en").write_text("a vote\n"), Path("de").write_text("eine Stimme\n")
    >>> next(read_bitext("en", "de"))
    SentencePair(source=['a', 'vote'], target=['eine', 'Stimme'])
    """
    for number, (one, other) in enumerate(read_line_pairs(source, target), 1):
        pair = SentencePair(one.split(), other.split())
        sides = ((source, one, pair.source), (target, other, pair.target))
        over = [
            limit.exceeded(len(words), len(text), path=path, line=number)
            for path, text, words in sides
        ]
        yield SentencePair([], []) if any(over) else pair


def read_line_pairs(source: FilePath, target: FilePath) -> Iterator[tuple[str, str]]:
    """The lines of two files, which must have the same number of lines."""
    lines = zip_longest(read_text_lines(source, LONGEST), read_text_lines(target, LONGEST))
    for one, other in lines:
        if one is None or other is None:
            number = (one or other)[0] - 1
            shorter, longer = (source, target) if one is None else (target, source)
            raise FormatError(f"ends after {number:,} lines, but {longer} goes on", path=shorter)
        yield one[1], other[1]


def parse_links(
    text: str, *, path: FilePath | None = None, line: int | None = None, first: int = 0
) -> GoldLinks:
    """The links of a line.

    Parameters
    ----------
    path, line : of the line, for errors.
    first : the number of the first word of a sentence.

    Examples
    --------
    >>> links = parse_links("1-1 2p3", first=1)
    >>> sorted(links.sure), sorted(links.possible)
    ([(0, 0)], [(0, 0), (1, 2)])
    """
    sure, possible = set(), set()
    for part in text.split():
        found = _LINK.fullmatch(part)
        if found is None:
            raise FormatError(f"not a link: {part[:40]!r}; e.g. 0-2", path=path, line=line)
        link = (int(found[1]) - first, int(found[3]) - first)
        if min(link) < 0:
            raise FormatError(f"words are counted from {first}: {part!r}", path=path, line=line)
        possible.add(link)
        if found[2] == "-":
            sure.add(link)
    return GoldLinks(frozenset(sure), frozenset(possible))


def read_links(
    path: FilePath, pairs: Iterable[SentencePair], *, first: int = 0
) -> Iterator[GoldLinks]:
    """The links of a file, one line per sentence pair, checked to lie inside the sentences."""
    for number, (line, pair) in enumerate(zip_longest(read_text_lines(path, LONGEST), pairs), 1):
        if line is None:
            raise FormatError(f"ends after {number - 1:,} lines, but there are more sentences",
                              path=path)  # fmt: skip
        if pair is None:
            problem = f"there are only {number - 1:,} sentences"
            raise FormatError(problem, path=path, line=number)
        links = parse_links(line[1], path=path, line=number, first=first)
        for i, j in links.possible:
            if i >= len(pair.source) or j >= len(pair.target):
                sizes = f"{len(pair.source)} and {len(pair.target)} words"
                problem = f"the link {i + first}-{j + first} lies outside sentences of {sizes}"
                raise FormatError(problem, path=path, line=number)
        yield links


def links_text(links: Iterable[Link]) -> str:
    """Links as a line.

    Examples
    --------
    >>> links_text([(1, 2), (0, 0)])
    '0-0 1-2'
    """
    return " ".join(f"{i}-{j}" for i, j in sorted(links))


def write_links(links: Iterable[Iterable[Link]], path: FilePath) -> None:
    """Write links, one line per sentence pair."""
    write_pieces((f"{links_text(own)}\n".encode() for own in links), path)
