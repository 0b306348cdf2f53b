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
from runoff.features.names.slots import LONGEST, NOTHING, joined, plain, stretches

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
    """The names of the sentences of a document, or of a cluster of documents."""

    def __init__(self, sentences: Sequence[Sighting]) -> None:
        self.sentences = sentences
        self.own = [Counter((n.text, n.type) for n in one.names) for one in sentences]
        self._whole, self._occurs = "\n".join(one.text for one in sentences), dict[str, int]()
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

    def others(self, sentence: int, text: str) -> Counter[str]:
        """How often a text is a name of each type in other sentences than this one."""
        if text not in self.all:
            return NOTHING
        found = Counter(self.all[text])
        for (own, kind), count in self.own[sentence].items():
            if own == text:
                found[kind] -= count
        return +found

    def untagged(self, sentence: int, text: str) -> int:
        """How often a text occurs in other sentences where it is not a name by itself."""
        if text not in self._occurs:
            self._occurs[text] = self._whole.count(text)
        occurs = self._occurs[text] - self.sentences[sentence].text.count(text)
        return max(occurs - self.others(sentence, text).total(), 0)

    def features(self, sentence: int, text: str, kind: str) -> list[str]:
        """The features of a name of a sentence, given its text and its type."""
        same = self.others(sentence, text)
        longer = Counter(self.parts.get(text, {}))
        for (own, own_kind), count in self.own[sentence].items():
            if own != text and (own.startswith(text) or own.endswith(text)):
                longer[own_kind] -= count
        shorter = Counter[str]()
        for size in range(2, min(len(text), LONGEST)):
            for part in {text[:size], text[-size:]}:
                shorter.update(self.others(sentence, part))
        counts = {
            "same": same[kind],
            "other type": same.total() - same[kind],
            "part of": max(longer[kind], 0),
            "has part": shorter[kind],
            "untagged": self.untagged(sentence, text),
        }
        return [f"{kind} {what} {min(count, MOST)}" for what, count in counts.items()]

    def occurrences(self, sentence: int, words: Sequence[str]) -> Iterable[tuple[int, int, str]]:
        """Where names of other sentences occur in this one, and their most frequent type."""
        for start, end, text in stretches(words):
            if text in self.all and (kinds := self.others(sentence, text)):
                yield start, end, max(kinds, key=lambda kind: (kinds[kind], kind))

    def mentions(self, sentence: int, text: str) -> list[tuple[Sighting, Mention]]:
        """Where a text, or what begins or ends with it, is a name in other sentences."""
        return [
            (one, name)
            for place, one in enumerate(self.sentences)
            if place != sentence
            for name in one.names
            if name.text.startswith(text) or name.text.endswith(text)
        ]
