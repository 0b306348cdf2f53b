"""Tagging schemes: chunks written as one tag per word, and read back.

A scheme is a row of a table: which prefix the first, inner, last and only word of a chunk has, and
what changes where two chunks of one type touch. Reading is the same for all of them, and forgives
what no scheme allows, as conlleval does; so a tagging is valid in a scheme exactly when reading it
and writing it again changes nothing.

References
----------
Ramshaw and Marcus (1995); Tjong Kim Sang and Veenstra (1999), "Representing text chunks", EACL.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from runoff.data.flat_tree import Span, escape_brackets
from runoff.data.tree import Tree
from runoff.errors import unknown_choice

OUTSIDE = "O"


class Chunk(NamedTuple):
    """A typed span of words."""

    type: str
    span: Span


class Scheme(NamedTuple):
    """Prefixes of the words of a chunk.

    `after` replaces the first prefix of a chunk that touches one of its type before it, `before`
    the last prefix of one that touches one of its type behind it; empty where nothing changes.
    """

    first: str
    inner: str
    last: str
    only: str
    after: str = ""
    before: str = ""


SCHEMES = {
    "io": Scheme("I", "I", "I", "I"),
    "iob1": Scheme("I", "I", "I", "I", after="B"),
    "iob2": Scheme("B", "I", "I", "B"),
    "ioe1": Scheme("I", "I", "I", "I", before="E"),
    "ioe2": Scheme("I", "I", "E", "E"),
    "iobes": Scheme("B", "I", "E", "S"),
    "bilou": Scheme("B", "I", "L", "U"),
    "bmes": Scheme("B", "M", "E", "S"),
}

READ_AS = dict(zip("OBIESMLU", "OBIESIES", strict=True))
"""Prefixes of every scheme as those of IOBES."""

STARTS = {"B", "S"}
"""Prefixes that begin a chunk whatever stands before them."""

ENDS = {"E", "S"}
"""Prefixes that end a chunk whatever comes next."""


@lru_cache(maxsize=1 << 16)
def split_tag(tag: str) -> tuple[str, str]:
    """Prefix, as IOBES has it, and type of a tag; the type may hold hyphens, or be missing.

    Examples
    --------
    >>> split_tag("B-NP"), split_tag("U-GPE-x"), split_tag("O")
    (('B', 'NP'), ('S', 'GPE-x'), ('O', ''))
    """
    prefix, _, kind = tag.partition("-")
    if prefix not in READ_AS or (prefix == OUTSIDE and kind):
        expected = f"{OUTSIDE} or a prefix of {', '.join(sorted(set(READ_AS) - {OUTSIDE}))}"
        raise ValueError(f"unknown tag {tag!r}; expected {expected} and a type, such as B-NP")
    return READ_AS[prefix], kind


def decode(tags: Iterable[str]) -> list[Chunk]:
    """The chunks of a tagging in any scheme, from left to right.

    A chunk begins at B and S, behind E and S, where the type changes, and wherever a word outside
    is left; scheme violations are thus read as conlleval reads them.

    Examples
    --------
    >>> decode(["B-NP", "I-NP", "O", "I-VP"])
    [Chunk(type='NP', span=Span(start=0, end=2)), Chunk(type='VP', span=Span(start=3, end=4))]
    """
    chunks: list[Chunk] = []
    start, last, last_kind = 0, OUTSIDE, ""
    place = -1
    for place, tag in enumerate(tags):
        if tag == OUTSIDE == last:
            continue
        prefix, kind = split_tag(tag)
        if last == OUTSIDE or kind != last_kind or last in ENDS or prefix in STARTS:
            if last != OUTSIDE:
                chunks.append(Chunk(last_kind, Span(start, place)))
            start = place
        elif prefix == OUTSIDE:  # behind a chunk without a type
            chunks.append(Chunk(last_kind, Span(start, place)))
        last, last_kind = prefix, kind
    if last != OUTSIDE:
        chunks.append(Chunk(last_kind, Span(start, place + 1)))
    return chunks


def encode(chunks: Iterable[Chunk], length: int, scheme: str = "iob2") -> list[str]:
    """The tags of a sentence of `length` words with these chunks.

    Raises
    ------
    ValueError : a chunk is empty, reaches beyond the sentence or overlaps another.

    Examples
    --------
    >>> encode([Chunk("NP", Span(0, 2)), Chunk("VP", Span(2, 3))], 4, "iobes")
    ['B-NP', 'E-NP', 'S-VP', 'O']
    """
    row = find_scheme(scheme)
    ordered = _checked(chunks, length)
    touching = [a.type == b.type and a.span.end == b.span.start for a, b in pairwise(ordered)]
    tags = [OUTSIDE] * length
    for chunk, after, before in zip(ordered, [False, *touching], [*touching, False], strict=False):
        (start, end), name = chunk.span, f"-{chunk.type}" if chunk.type else ""
        prefixes = [row.first, *[row.inner] * (end - start - 2), row.last]
        if end - start == 1:
            prefixes = [row.only]
        if after and row.after:
            prefixes[0] = row.after
        if before and row.before:
            prefixes[-1] = row.before
        tags[start:end] = [prefix + name for prefix in prefixes]
    return tags


def convert(tags: Iterable[str], scheme: str) -> list[str]:
    """The tags of another scheme; `io` cannot separate adjacent chunks of one type.

    Examples
    --------
    >>> convert(["I-NP", "I-NP", "B-NP"], "ioe2")
    ['I-NP', 'E-NP', 'E-NP']
    """
    given = list(tags)
    return encode(decode(given), len(given), scheme)


class Phrase(NamedTuple):
    """A chunk, or a word outside of them, which is a phrase `O`."""

    type: str
    span: Span


def phrases(tags: Sequence[str]) -> list[Phrase]:
    """The phrases of a tagging in any scheme: every word is in one.

    Examples
    --------
    >>> [(phrase.type, *phrase.span) for phrase in phrases(["B-NP", "I-NP", "O", "O"])]
    [('NP', 0, 2), ('O', 2, 3), ('O', 3, 4)]
    """
    found, at = [], 0
    for chunk in [*decode(tags), Chunk("", Span(len(tags), len(tags)))]:
        found += [Phrase(OUTSIDE, Span(i, i + 1)) for i in range(at, chunk.span.start)]
        found.append(Phrase(*chunk))
        at = chunk.span.end
    return found[:-1]


LEFT, RIGHT, UNTYPED = "<left>", "<right>", "<chunk>"
"""What a tree has before its first phrase, behind the last one, and for a chunk without a type."""


def chunk_tree(tokens: Sequence[str | Sequence[str]], tags: Sequence[str]) -> Tree:
    """The right-branching tree of a tagging: each phrase is the parent of the next one.

    A phrase has its parts of speech with their words below it, or its words where `tokens` are
    words alone; then comes the next phrase. So what phrases say of each other over a distance lies
    on one branch.

    Raises
    ------
    ValueError : there are not as many tags as tokens.

    References
    ----------
    Kudo, Suzuki and Isozaki (2005), section 5.2.

    Examples
    --------
    >>> words = [("we", "PRP"), ("voted", "VBD"), (".", ".")]
    >>> print(chunk_tree(words, ["B-NP", "B-VP", "O"]))
    (<left> (NP (PRP we) (VP (VBD voted) (O (. .) (<right>)))))
    """
    if len(tokens) != len(tags):
        raise ValueError(f"there are {len(tags)} tags for {len(tokens)} words")
    leaves = [
        one if isinstance(one, str) else Tree(escape_brackets(one[1]), [one[0]]) for one in tokens
    ]
    tree = Tree(RIGHT)
    for kind, (start, end) in reversed(phrases(tags)):
        tree = Tree(escape_brackets(kind) or UNTYPED, [*leaves[start:end], tree])
    return Tree(LEFT, [tree])


def violation(tags: Iterable[str], scheme: str) -> int | None:
    """Index of the first tag that the scheme would write differently, or None if there is none.

    Examples
    --------
    >>> violation(["O", "I-NP"], "iob2"), violation(["O", "I-NP"], "iob1")
    (1, None)
    """
    given = list(tags)
    wanted = convert(given, scheme)
    return next((i for i, (a, b) in enumerate(zip(given, wanted, strict=True)) if a != b), None)


def find_scheme(name: str) -> Scheme:
    """The tagging scheme with this name."""
    if name not in SCHEMES:
        raise unknown_choice("tagging scheme", name, SCHEMES)
    return SCHEMES[name]


def _checked(chunks: Iterable[Chunk], length: int) -> list[Chunk]:
    """The chunks from left to right, or an error that names the one that cannot be written."""
    ordered = sorted(chunks, key=lambda chunk: chunk.span)
    end = 0
    for kind, (start, stop) in ordered:
        if not 0 <= start < stop <= length:
            problem = f"chunk {kind} [{start}, {stop}) does not fit a sentence of {length} words"
            raise ValueError(problem)
        if start < end:
            raise ValueError(f"chunk {kind} [{start}, {stop}) overlaps the one before it")
        end = stop
    return ordered
