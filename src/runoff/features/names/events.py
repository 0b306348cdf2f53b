"""Events: triggers near a name, and which types of names usually stand near them.

A trigger is a token, or two that stand together, at most `WINDOW` tokens before or behind a name;
its slots are what stands behind and before it. In training text it is counted how often each type
of name fills them. A trigger counts if it occurred often enough, and takes names of one type
clearly more, or less, often than text does at large. The one that speaks most for the type of a
name is a feature, and so is the one that speaks most against it (Ji, Rudin & Grishman 2006, section
4.1, where triggers were annotated).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from runoff.data.schemes import Chunk
from runoff.features.names.slots import Counted, Slot, log_odds

WINDOW = 8
"""Tokens on either side of a name among which triggers are looked for."""

SEEN = 8
"""What occurs less often is no trigger."""

SIDES = ("event behind", "event before")
"""The slots of a trigger: a name stands behind it, or before it."""


def slots(words: Sequence[str], name: Chunk) -> Iterator[Slot]:
    """The slots that a name fills, of all that may be triggers.

    Examples
    --------
    >>> from runoff.data.flat_tree import Span
    >>> [f"{slot.name}={slot.filler}" for slot in slots("会见王明", Chunk("PER", Span(2, 4)))]
    ['event behind=会', 'event behind=见', 'event behind=会见']
    """
    start, end = name.span
    for side, part in zip(
        SIDES, (words[max(start - WINDOW, 0) : start], words[end : end + WINDOW]), strict=True
    ):
        for trigger in dict.fromkeys(triggers(part)):
            yield Slot(side, trigger)


def triggers(words: Sequence[str]) -> Iterator[str]:
    """What may be a trigger: every token, and all two that stand together."""
    yield from words
    yield from map("".join, pairwise(words))


def chosen(filled: Counted, seen: Mapping[str, int]) -> set[tuple[str, ...]]:
    """The slots of triggers: those that take some type more, or less, often than others do.

    Examples
    --------
    >>> counted = {("event behind", "会见"): Counter(PER=9), ("event behind", "的"): Counter(PER=1)}
    >>> sorted(chosen(counted, {"会见": 10, "的": 20}))
    [('event behind', '会见'), ('event behind', '的')]
    """
    slots = [key for key in filled if key[0] in SIDES and seen.get(key[1], 0) >= SEEN]
    total = sum(seen[key[1]] for key in slots)
    kinds: Counter[str] = Counter()
    for key in slots:
        kinds.update(filled[key])
    usual = {kind: log_odds(count, max(total, count)) for kind, count in kinds.items()}
    return {
        key
        for key in slots
        if any(
            abs(log_odds(filled[key][kind], max(seen[key[1]], filled[key].total())) - odds) >= 2
            for kind, odds in usual.items()
        )
    }


def features(kind: str, odds: Iterable[tuple[str, int]]) -> Iterator[str]:
    """The features of a name of a type, from the log-odds of that type at the triggers near it."""
    by_side: dict[str, list[int]] = {}
    for side, one in odds:
        by_side.setdefault(side, []).append(one)
    for side in SIDES:
        found = by_side.get(side)
        yield f"{kind} {side} most {'none' if found is None else max(found)}"
        yield f"{kind} {side} least {'none' if found is None else min(found)}"
