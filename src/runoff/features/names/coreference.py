"""Coreference: what the names of other sentences say about those of a candidate.

Names of the same text, or of which one begins or ends the other, speak for each other if they have
the same type, and against each other if not. The names of other sentences are those of their
current winners.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import NamedTuple, Self

from runoff.data.flat_tree import Span
from runoff.data.schemes import decode
from runoff.features.names.slots import LONGEST, NEW, NOTHING, joined, log_odds, plain, stretches

MOST = 3
"""Counts are told apart up to this many."""


class Mention(NamedTuple):
    """A name of a sentence's current winner."""

    text: str
    type: str
    span: Span


class Sighting(NamedTuple):
    """What a sentence shows to others: its text, the names of its winner, and its place.

    Parameters
    ----------
    document, number : its document, and its number there, from 1.
    """

    text: str
    names: tuple[Mention, ...]
    document: object = None
    number: int = 1

    @classmethod
    def of(
        cls, words: Sequence[str], tags: Sequence[str], document: object = None, number: int = 1
    ) -> Self:
        """The words of a sentence and the tags of its winner, as others see them.

        Examples
        --------
        >>> Sighting.of(list("李明说"), ["B-PER", "I-PER", "O"]).names[0][:2]
        ('李明', 'PER')
        """
        usual = plain(words)
        names = (
            Mention(joined(usual[span.start : span.end]), kind, span) for kind, span in decode(tags)
        )
        return cls(joined(usual), tuple(names), document, number)


class Evidence:
    """The names of the sentences of a document, or of the documents of a cluster.

    Parameters
    ----------
    places : the sentences, or the documents, as the sentences of each; none is evidence for itself.
    """

    def __init__(self, places: Sequence[Sequence[Sighting]]) -> None:
        self.places = places
        self.own = [Counter((n.text, n.type) for one in own for n in one.names) for own in places]
        self._texts = ["\n".join(one.text for one in own) for own in places]
        self._whole, self._occurs = "\n".join(self._texts), dict[str, int]()
        self.all: dict[str, Counter[str]] = defaultdict(Counter)
        for own in self.own:
            for (text, kind), count in own.items():
                self.all[text][kind] += count

    @cached_property
    def parts(self) -> dict[str, Counter[str]]:
        """Longer names by how they begin and end, with their types."""
        found: dict[str, Counter[str]] = defaultdict(Counter)
        for text, kinds in self.all.items():
            for size in range(2, len(text)):
                for part in {text[:size], text[-size:]}:
                    for kind, count in kinds.items():
                        found[part][kind] += count
        return found

    def others(self, place: int, text: str) -> Counter[str]:
        """How often a text is a name of each type in other places than this one."""
        if text not in self.all:
            return NOTHING
        found = Counter(self.all[text])
        for (own, kind), count in self.own[place].items():
            if own == text:
                found[kind] -= count
        return +found

    def untagged(self, place: int, text: str) -> int:
        """How often a text occurs in other places where it is not a name by itself."""
        if text not in self._occurs:
            self._occurs[text] = self._whole.count(text)
        occurs = self._occurs[text] - self._texts[place].count(text)
        return max(occurs - self.others(place, text).total(), 0)

    def longer(self, place: int, text: str) -> Counter[str]:
        """How often a text begins or ends longer names of each type in other places."""
        found = Counter(self.parts.get(text, {}))
        for (own, kind), count in self.own[place].items():
            if own != text and (own.startswith(text) or own.endswith(text)):
                found[kind] -= count
        return +found

    def counts(self, place: int, text: str, kind: str) -> list[str]:
        """The features of a name of a place: how often others agree, or not, up to `MOST`."""
        same = self.others(place, text)
        shorter = Counter[str]()
        for size in range(2, min(len(text), LONGEST)):
            for part in {text[:size], text[-size:]}:
                shorter.update(self.others(place, part))
        counts = {
            "same": same[kind],
            "other type": same.total() - same[kind],
            "part of": self.longer(place, text)[kind],
            "has part": shorter[kind],
            "untagged": self.untagged(place, text),
        }
        return [f"{kind} {what} {min(count, MOST)}" for what, count in counts.items()]

    def shares(self, place: int, text: str, kind: str) -> list[str]:
        """The features of a name of a place: the odds that others agree, however many there are."""
        same, longer = self.others(place, text), self.longer(place, text)
        counts = {
            "a name": (same.total(), same.total() + self.untagged(place, text)),
            "same": (same[kind], same.total()),
            "part of": (longer[kind], longer.total()),
        }
        return [
            f"{kind} {what} {log_odds(*count) if count[1] else NEW}"
            for what, count in counts.items()
        ]

    def occurrences(self, place: int, words: Sequence[str]) -> Iterable[tuple[int, int, str]]:
        """Where names of other places occur in this sentence, and their most frequent type."""
        for start, end, text in stretches(words):
            if text in self.all and (kinds := self.others(place, text)):
                yield start, end, max(kinds, key=lambda kind: (kinds[kind], kind))

    def mentions(self, place: int, text: str) -> list[tuple[Sighting, Mention]]:
        """Where a text, or what begins or ends with it, is a name in other places."""
        return [
            (one, name)
            for other, own in enumerate(self.places)
            if other != place
            for one in own
            for name in one.names
            if name.text.startswith(text) or name.text.endswith(text)
        ]
