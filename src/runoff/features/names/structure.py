"""The structure of names: their characters, their length, and what stands beside them.

For every slot, such as the first character of a name, it is counted how often what fills it fills
the slot of a name of each type, out of all times that it occurs. A feature is a slot, a type and
how likely that is, in bins: `PER first 2` says that this character begins a person's name more
often than not.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple, Self

from runoff.data.schemes import Chunk, decode
from runoff.errors import ModelError
from runoff.store.arrays import pack_numbers, take_numbers
from runoff.store.file import Arrays
from runoff.store.strings import StringTable, pack_names, take_names

LONGEST = 12
"""Tokens of the longest name that is looked for in text."""

LOWEST, HIGHEST = -8, 5

SEEN = 3
"""What occurs less often, and fills no slot, is new."""

NEW = "new"
NOTHING: Counter[str] = Counter()

Names = Sequence[Chunk]


def log_odds(part: float, total: float) -> int:
    """The logarithm of the odds to base 2, rounded, and kept between -8 and 5.

    Half a count is added on either side, so that what was seldom seen is never sure.

    Examples
    --------
    >>> log_odds(3, 4), log_odds(0, 1000), log_odds(0, 0)
    (1, -8, 0)
    """
    odds = math.log2((part + 0.5) / (total - part + 0.5))
    return max(LOWEST, min(HIGHEST, round(odds)))


class Slot(NamedTuple):
    """A place in or beside a name, and what fills it."""

    name: str
    filler: str


def slots(words: Sequence[str], name: Chunk) -> Iterator[Slot]:
    """The slots of a name, but for its whole text.

    Examples
    --------
    >>> from runoff.data.flat_tree import Span
    >>> [f"{slot.name}={slot.filler}" for slot in slots("王明说", Chunk("PER", Span(0, 2)))]
    ['first=王', 'second=明', 'last=明', 'end=王明', 'before=', 'before2=', 'after=说', 'after2=说']
    """
    start, end = name.span
    text = "".join(words[start:end])
    yield Slot("first", text[0])
    yield Slot("second", text[1:2])
    yield Slot("last", text[-1])
    yield Slot("end", text[-2:])
    yield Slot("before", "".join(words[max(start - 1, 0) : start]))
    yield Slot("before2", "".join(words[max(start - 2, 0) : start]))
    yield Slot("after", "".join(words[end : end + 1]))
    yield Slot("after2", "".join(words[end : end + 2]))


Counted = dict[tuple[str, ...], Counter[str]]


@dataclass
class NameStatistics:
    """What was counted in annotated sentences.

    Parameters
    ----------
    filled : by slot and what fills it, how often it was so in names of each type.
    whole : by text, how often it was a name of each type.
    seen : how often what fills a slot occurred at all, if it did so at least `SEEN` times.

    Examples
    --------
    >>> made = NameStatistics.of([(list("王明说"), ["B-PER", "I-PER", "O"])])
    >>> made.filled["first", "王"]
    Counter({'PER': 1})
    """

    filled: Counted
    whole: Counted
    seen: Counter[str]

    @classmethod
    def of(cls, sentences: Iterable[tuple[Sequence[str], Sequence[str]]]) -> Self:
        """The statistics of sentences: words, and name tags."""
        filled: Counted = defaultdict(Counter)
        whole: Counted = defaultdict(Counter)
        seen: Counter[str] = Counter()
        for words, tags in sentences:
            seen.update(words)
            seen.update(a + b for a, b in pairwise(words))
            for name in decode(tags):
                for slot in slots(words, name):
                    filled[slot][name.type] += 1
                whole["".join(words[name.span.start : name.span.end]),][name.type] += 1
        often = {text: count for text, count in seen.items() if count >= SEEN}
        return cls(dict(filled), dict(whole), Counter(often))

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
        return {}, arrays

    @classmethod
    def restored(cls, header: Mapping[str, Any], arrays: Arrays) -> Self:
        """The statistics of arrays, which are checked."""
        filled, whole, seen = (
            _table(arrays, name, width)
            for name, width in (("filled", 2), ("whole", 1), ("seen", 1))
        )
        return cls(filled, whole, Counter({text: own.total() for (text,), own in seen.items()}))

    def features(self, words: Sequence[str], name: Chunk) -> list[str]:
        """The features of one name."""
        kind, (start, end) = name.type, name.span
        text = "".join(words[start:end])
        found = [f"{kind} length {min(end - start, LONGEST)}"]
        for slot in slots(words, name):
            counts = self.filled.get(slot, NOTHING)
            total = max(self.seen[slot.filler], counts.total())
            found.append(f"{kind} {slot.name} {log_odds(counts[kind], total) if total else NEW}")
        known = self.whole.get((text,), NOTHING)
        odds = log_odds(known[kind], known.total()) if known else NEW
        return [*found, f"{kind} whole {odds}"]

    def known_names(self, words: Sequence[str]) -> list[tuple[int, int, str]]:
        """Where names of training occur in a sentence, and their most frequent type."""
        found = []
        for start in range(len(words)):
            for end in range(start + 2, min(start + LONGEST, len(words)) + 1):
                known = self.whole.get(("".join(words[start:end]),))
                if known is not None:
                    found.append((start, end, max(known, key=lambda kind: (known[kind], kind))))
        return found


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


def overlaps(
    known: Iterable[tuple[int, int, str]], names: Names, label: str
) -> Mapping[str, float]:
    """How a candidate treats stretches that are names elsewhere: tagged so, cut, inside, or missed.

    Examples
    --------
    >>> from runoff.data.flat_tree import Span
    >>> overlaps([(0, 2, "LOC"), (5, 7, "PER")], [Chunk("LOC", Span(0, 2))], "known")
    Counter({'known LOC as LOC': 1, 'known PER missed': 1})
    """
    found: Counter[str] = Counter()
    exact = {tuple(name.span): name.type for name in names}
    for start, end, kind in known:
        if (start, end) in exact:
            found[f"{label} {kind} as {exact[start, end]}"] += 1
            continue
        touching = [n for n in names if n.span.start < end and start < n.span.end]
        if not touching:
            found[f"{label} {kind} missed"] += 1
        elif any(n.span.start <= start and end <= n.span.end for n in touching):
            found[f"{label} {kind} inside"] += 1
        else:
            found[f"{label} {kind} cut"] += 1
    return found
