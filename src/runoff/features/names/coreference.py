"""Coreference: what the names of other sentences say about those of a candidate.

Names of the same text, or of which one begins or ends the other, speak for each other if they have
the same type, and against each other if not. The names of other sentences are those of their
current winners.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from functools import cached_property

from runoff.data.schemes import Chunk
from runoff.features.names.structure import LONGEST, NOTHING

MOST = 3
"""Counts are told apart up to this many."""


class Evidence:
    """The names of the sentences of a document, or of a cluster of documents.

    Parameters
    ----------
    sentences : words of each sentence.
    names : of each, those of its current winner.
    """

    def __init__(
        self, sentences: Sequence[Sequence[str]], names: Sequence[Sequence[Chunk]]
    ) -> None:
        self.texts = ["".join(words) for words in sentences]
        self.own = [
            Counter(("".join(words[n.span.start : n.span.end]), n.type) for n in found)
            for words, found in zip(sentences, names, strict=True)
        ]
        self._whole, self._occurs = "\n".join(self.texts), dict[str, int]()
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
        occurs = self._occurs[text] - self.texts[sentence].count(text)
        return max(occurs - self.others(sentence, text).total(), 0)

    def features(self, sentence: int, words: Sequence[str], name: Chunk) -> list[str]:
        """The features of one name of a sentence."""
        kind, text = name.type, "".join(words[name.span.start : name.span.end])
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
        for start in range(len(words)):
            for end in range(start + 2, min(start + LONGEST, len(words)) + 1):
                kinds = self.others(sentence, "".join(words[start:end]))
                if kinds:
                    yield start, end, max(kinds, key=lambda kind: (kinds[kind], kind))
