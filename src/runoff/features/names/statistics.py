"""What was counted in annotated sentences, from which the features of single sentences are made."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Self

from runoff.data.schemes import Chunk, decode
from runoff.errors import ModelError
from runoff.features.names import events, relations, structure
from runoff.features.names.slots import (
    NEW,
    NOTHING,
    Counted,
    Names,
    Slot,
    joined,
    log_odds,
    plain,
    stretches,
)
from runoff.store.arrays import pack_numbers, take_numbers
from runoff.store.file import Arrays
from runoff.store.strings import StringTable, pack_names, take_names

SEEN = 3
"""What occurs less often, and fills no slot, is new."""

SOURCES = ("structure", "relations", "events")
"""Where the features of a sentence alone come from."""

Neighbours = tuple[Chunk | None, Chunk, Chunk | None]
"""A name with the one before it and the one behind it."""


@dataclass
class NameStatistics:
    """What was counted in annotated sentences.

    Parameters
    ----------
    filled : by slot and what fills it, how often it was so in names of each type.
    whole : by text, how often it was a name of each type.
    seen : how often what fills a slot occurred at all, if it did so at least `SEEN` times.
    sources : of `SOURCES`, those that were counted.

    Examples
    --------
    >>> made = NameStatistics.of([(list("王明说"), ["B-PER", "I-PER", "O"])])
    >>> made.filled["first", "王"]
    Counter({'PER': 1})
    """

    filled: Counted
    whole: Counted
    seen: Counter[str]
    sources: tuple[str, ...] = SOURCES

    @classmethod
    def of(
        cls,
        sentences: Iterable[tuple[Sequence[str], Sequence[str]]],
        sources: Sequence[str] = SOURCES,
    ) -> Self:
        """The statistics of sentences: words, and name tags."""
        filled: Counted = defaultdict(Counter)
        whole: Counted = defaultdict(Counter)
        seen: Counter[str] = Counter()
        for given, tags in sentences:
            words = plain(given)
            seen.update(words)
            seen.update(a + b for a, b in pairwise(words))
            for around in neighbours(decode(tags)):
                kind = around[1].type
                for slot in _slots(words, around, sources):
                    filled[slot][kind] += 1
                whole[joined(words[around[1].span.start : around[1].span.end]),][kind] += 1
        kept = dict(filled)
        if "events" in sources:
            triggers = events.chosen(kept, seen)
            kept = {k: n for k, n in kept.items() if k[0] not in events.SIDES or k in triggers}
        often = {text: count for text, count in seen.items() if count >= SEEN}
        return cls(kept, dict(whole), Counter(often), tuple(sources))

    def stored(self) -> tuple[dict[str, Any], Arrays]:
        """Header and arrays, for a model file."""
        seen: Counted = {(text,): Counter({"": count}) for text, count in self.seen.items()}
        tables: dict[str, Counted] = {"filled": self.filled, "whole": self.whole, "seen": seen}
        arrays: dict[str, Any] = {}
        for name, table in tables.items():
            rows = sorted(
                ("\t".join((*k, t)), n) for k, own in table.items() for t, n in own.items()
            )
            arrays[f"{name} names"] = pack_names(StringTable.of(text for text, _ in rows))
            arrays[f"{name} counts"] = pack_numbers([count for _, count in rows])
        return {"sources": list(self.sources)}, arrays

    @classmethod
    def restored(cls, header: Mapping[str, Any], arrays: Arrays) -> Self:
        """The statistics of arrays, which are checked."""
        sources = header.get("sources", SOURCES)
        if not isinstance(sources, list | tuple) or not set(sources) <= set(SOURCES):
            raise ModelError(f"features come from {sources!r}, which are none of {SOURCES}")
        filled, whole, seen = (
            _table(arrays, name, width)
            for name, width in (("filled", 2), ("whole", 1), ("seen", 1))
        )
        seen_counts = Counter({text: own.total() for (text,), own in seen.items()})
        return cls(filled, whole, seen_counts, tuple(sources))

    def features(self, source: str, words: Sequence[str], around: Neighbours) -> list[str]:
        """The features of one name that come from a source."""
        before, name, behind = around
        kind = name.type
        if source == "structure":
            found = [structure.length(words, name)]
            for slot in structure.slots(words, name):
                found.append(f"{kind} {slot.name} {self._odds(slot, kind, self.seen[slot.filler])}")
            known = self.whole.get((joined(words[name.span.start : name.span.end]),), NOTHING)
            odds = log_odds(known[kind], known.total()) if known else NEW
            return [*found, f"{kind} whole {odds}"]
        if source == "relations":
            return [
                f"{kind} {slot.name} {self._odds(slot, kind, 0)}"
                for slot in relations.slots(words, name, before, behind)
            ]
        slots = ((slot, self.filled.get(slot)) for slot in events.slots(words, name))
        odds_of = (
            (slot.name, log_odds(own[kind], max(self.seen[slot.filler], own.total())))
            for slot, own in slots
            if own is not None
        )
        return list(events.features(kind, odds_of))

    def _odds(self, slot: Slot, kind: str, total: int) -> int | str:
        counts = self.filled.get(slot, NOTHING)
        total = max(total, counts.total())
        return log_odds(counts[kind], total) if total else NEW

    def known_names(self, words: Sequence[str]) -> list[tuple[int, int, str]]:
        """Where names of training occur in a sentence, and their most frequent type."""
        found = []
        for start, end, text in stretches(words):
            known = self.whole.get((text,))
            if known is not None:
                found.append((start, end, max(known, key=lambda kind: (known[kind], kind))))
        return found


def neighbours(names: Names) -> Iterator[Neighbours]:
    """Every name of a tagging with those beside it."""
    padded = [None, *names, None]
    return zip(padded, names, padded[2:], strict=False)


def _slots(words: Sequence[str], around: Neighbours, sources: Sequence[str]) -> Iterator[Slot]:
    before, name, behind = around
    if "structure" in sources:
        yield from structure.slots(words, name)
    if "relations" in sources:
        yield from relations.slots(words, name, before, behind)
    if "events" in sources:
        yield from events.slots(words, name)


def _table(arrays: Arrays, name: str, width: int) -> Counted:
    """Counts by keys of some strings, and then by types."""
    names = take_names(arrays, f"{name} names").strings()
    counts = take_numbers(arrays, f"{name} counts", len(names))
    found: Counted = {}
    for text, count in zip(names, counts.tolist(), strict=True):
        *key, kind = text.split("\t")
        if len(key) != width:
            raise ModelError(f"{text!r} is not what {width} strings and a type are stored as")
        found.setdefault(tuple(key), Counter())[kind] += count
    return found
