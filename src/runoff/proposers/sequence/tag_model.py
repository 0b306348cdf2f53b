"""What a tagger has learned: tags, a dictionary of frequent words, and weights of features."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from runoff import _native
from runoff.data.numbering import offsets_of
from runoff.data.sentence import Sentence
from runoff.errors import ModelError, UsageError
from runoff.learners.clusters import WordClusters, restored_clusters, stored_clusters
from runoff.proposers.sequence.keyed_weights import FIRST_STRING, STEPS, Feature, KeyedWeights
from runoff.proposers.sequence.templates import native_atoms
from runoff.proposers.sequence.word_forms import FORMS, Entry, FormTable, look_up, shortened
from runoff.store.arrays import check_below, pack_numbers, take_numbers
from runoff.store.file import Arrays, checking
from runoff.store.strings import pack_strings, take_strings

MOST_TAGS = (1 << 16) - 2

Tags = tuple[int, ...]


class TagDictionary(NamedTuple):
    """The tags of a corpus, and which of them words may have.

    Set 0 is for words that are not closed: the tags that such words had in the corpus.
    """

    tags: tuple[str, ...]
    sets: tuple[Tags, ...]
    words: Mapping[str, Entry]

    @classmethod
    def of(cls, corpus: Iterable[Sentence], min_count: int, frequent: int) -> Self:
        """The words that occur at least min_count times; frequent ones are closed."""
        counts: dict[str, Counter[str]] = defaultdict(Counter)
        for sentence in corpus:
            for word, tag in zip(sentence.words, sentence.labels, strict=True):
                counts[shortened(word)][tag] += 1
        tags = tuple(sorted({tag for seen in counts.values() for tag in seen}))
        if not 0 < len(tags) <= MOST_TAGS:
            raise UsageError(f"a tagger learns from 1 to {MOST_TAGS:,} tags, not {len(tags):,}")
        number = {tag: i for i, tag in enumerate(tags)}
        rare, sets, words = set[int](), dict[Tags, int](), dict[str, Entry]()
        for word, seen in counts.items():
            own = tuple(sorted(number[tag] for tag in seen))
            closed = word != "" and seen.total() >= frequent
            if closed or (word and seen.total() >= min_count):
                words[word] = Entry(sets.setdefault(own, len(sets) + 1), closed)
            if not closed:
                rare.update(own)
        return cls(tags, (tuple(sorted(rare)) or tuple(range(len(tags))), *sets), words)

    def scheme(self, templates: Sequence[str]) -> _native.TagScheme:
        """Sets and templates as native code takes them."""
        sizes = [len(one) for one in self.sets]
        return _native.TagScheme(
            native_atoms(templates),
            len(FORMS),
            offsets_of(sizes),
            np.array([tag for one in self.sets for tag in one], dtype=np.uint16),
            len(self.tags),
        )

    def table(
        self, strings: dict[str, int], clusters: WordClusters | None, *, grow: bool = False
    ) -> FormTable[str]:
        """Words as native code takes them."""
        names = ["|".join(self.tags[tag] for tag in one) for one in self.sets]
        return FormTable(partial(look_up, self.words, names, clusters), strings, grow=grow)


@dataclass(eq=False)
class TagModel:
    """Everything that tagging needs: a dictionary, and weights of features.

    Parameters
    ----------
    clusters : of words, if templates look at them.
    """

    dictionary: TagDictionary
    known: KeyedWeights
    clusters: WordClusters | None = None

    def __reduce__(self) -> tuple[object, ...]:  # for other processes: native code stays at home
        return TagModel.from_arrays, (self.arrays(),)

    @cached_property
    def native(self) -> _native.Tagger:
        """The model in native code, which checks it."""
        return _native.Tagger(
            self.dictionary.scheme(self.known.templates),
            np.ascontiguousarray(self.known.keys).reshape(-1),
            self.known.offsets,
            self.known.pair_targets.astype(np.uint16),
            (self.known.weights / STEPS).astype(np.float32),
        )

    @cached_property
    def table(self) -> FormTable[str]:
        """The words that were met, as native code takes them."""
        return self.dictionary.table(self.known.numbers, self.clusters)

    def features(self) -> Iterator[Feature]:
        """All that the model knows, by name."""
        tags = self.dictionary.tags
        return self.known.features(["", *tags, "outside"], tags)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The model for a file."""
        sets, number = self.dictionary.sets, self.known.numbers
        words = sorted(self.dictionary.words, key=number.__getitem__)
        return {
            **self.known.arrays(),
            **pack_strings("tags", self.dictionary.tags),
            "set sizes": pack_numbers([len(one) for one in sets]),
            "set tags": pack_numbers([tag for one in sets for tag in one]),
            "dictionary words": pack_numbers(np.diff([number[w] for w in words], prepend=0)),
            "dictionary sets": pack_numbers([self.dictionary.words[word].set for word in words]),
            "dictionary closed": pack_numbers(
                [self.dictionary.words[word].closed for word in words]
            ),
            **stored_clusters(self.clusters),
        }

    @classmethod
    def from_arrays(cls, arrays: Arrays) -> Self:
        """The model that a file holds, checked."""
        with checking():
            tags = tuple(take_strings(arrays, "tags"))
            known = KeyedWeights.from_arrays(arrays, len(tags), len(tags))
            dictionary = _read_dictionary(arrays, tags, known.strings)
            model = cls(dictionary, known, restored_clusters(arrays))
            _ = model.native
        return model


def _read_dictionary(
    arrays: Arrays, tags: tuple[str, ...], strings: Sequence[str]
) -> TagDictionary:
    if not 0 < len(tags) <= MOST_TAGS or len(set(tags)) < len(tags):
        raise ModelError("there are no tags, too many, or one comes twice")
    sizes = take_numbers(arrays, "set sizes")
    members = take_numbers(arrays, "set tags", int(sizes.sum()), below=len(tags))
    if not len(sizes):
        raise ModelError("there are no sets of tags")
    words = np.cumsum(take_numbers(arrays, "dictionary words")) - FIRST_STRING
    check_below(words, "dictionary words", len(strings))
    sets = take_numbers(arrays, "dictionary sets", len(words), below=len(sizes))
    closed = take_numbers(arrays, "dictionary closed", len(words))
    ends = np.cumsum(sizes).tolist()
    listed, starts = members.tolist(), [0, *ends][:-1]
    return TagDictionary(
        tags,
        tuple(tuple(listed[a:b]) for a, b in zip(starts, ends, strict=True)),
        {
            strings[word]: Entry(number, last > 0)
            for word, number, last in zip(
                words.tolist(), sets.tolist(), closed.tolist(), strict=True
            )
        },
    )
