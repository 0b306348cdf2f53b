"""Relations: what stands between two names, and which types of names it usually stands between.

A relation is a pattern of tokens between two neighbouring names, alone, or with the token behind
the second one. For each of its two arguments, the likelihood that the pattern takes a name of that
type, next to one of the other's type, is a feature (Ji, Rudin & Grishman 2006, section 4.1). There
are no annotated relations: patterns are counted between the names of training text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from runoff.data.schemes import Chunk
from runoff.features.names.slots import Slot

FARTHEST = 8
"""Tokens between two names that are in a relation."""

WHOLE = 4
"""A pattern of more tokens loses its middle."""


def slots(
    words: Sequence[str], name: Chunk, before: Chunk | None, behind: Chunk | None
) -> Iterator[Slot]:
    """The relations that a name is an argument of, given the names before and behind it.

    Examples
    --------
    >>> from runoff.data.flat_tree import Span
    >>> place, person = Chunk("LOC", Span(0, 2)), Chunk("PER", Span(4, 6))
    >>> [f"{slot.name}={slot.filler}" for slot in slots("天津市长王明说", person, place, None)]
    ['relation second=LOC 市长', 'relation second, after=LOC 市长 说']
    """
    if before is not None and 0 <= name.span.start - before.span.end <= FARTHEST:
        between = pattern(words[before.span.end : name.span.start])
        yield Slot("relation second", f"{before.type} {between}")
        after = "".join(words[name.span.end : name.span.end + 1])
        yield Slot("relation second, after", f"{before.type} {between} {after}")
    if behind is not None and 0 <= behind.span.start - name.span.end <= FARTHEST:
        between = pattern(words[name.span.end : behind.span.start])
        yield Slot("relation first", f"{behind.type} {between}")
        after = "".join(words[behind.span.end : behind.span.end + 1])
        yield Slot("relation first, after", f"{behind.type} {between} {after}")


def pattern(words: Sequence[str]) -> str:
    """The tokens between two names as a text.

    Examples
    --------
    >>> pattern("市长"), pattern("人民政府市长")
    ('市长', '人民…市长')
    """
    if len(words) <= WHOLE:
        return "".join(words)
    return "".join([*words[: WHOLE // 2], "…", *words[-WHOLE // 2 :]])
