"""What a tagger has learned: tags, a dictionary of frequent words, and weights of features.

A feature is a template and the strings and tags that it found; its key is their numbers. So a model
is small, is looked up exactly (nothing is hashed away), and still says everything by name.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from runoff import _native
from runoff.data.tagged import TaggedSentence
from runoff.errors import ModelError, UsageError
from runoff.proposers.packing import (
    LARGEST,
    pack_numbers,
    pack_signed,
    pack_strings,
    unpack_numbers,
    unpack_signed,
    unpack_strings,
)
from runoff.proposers.tag_templates import TAG, native_atoms, parse_template
from runoff.proposers.word_forms import FORMS, OUTSIDE, Entry, WordTable, shortened
from runoff.store import Arrays

STEPS = 32
"""Weights are whole numbers of 1/32: more digits do not change how well words are tagged."""

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
    def of(cls, corpus: Iterable[TaggedSentence], min_count: int, frequent: int) -> Self:
        """The words that occur at least min_count times; frequent ones are closed."""
        counts: dict[str, Counter[str]] = defaultdict(Counter)
        for sentence in corpus:
            for word, tag in zip(sentence.words, sentence.tags, strict=True):
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
            np.cumsum([0, *sizes], dtype=np.int64),
            np.array([tag for one in self.sets for tag in one], dtype=np.uint16),
            len(self.tags),
        )

    def table(self, strings: dict[str, int], *, grow: bool = False) -> WordTable:
        """Words as native code takes them."""
        names = ["|".join(self.tags[tag] for tag in one) for one in self.sets]
        return WordTable(strings, self.words, names, grow=grow)


class Feature(NamedTuple):
    """A feature with a tag that it speaks for, or against."""

    name: str
    tag: str
    weight: float


@dataclass(eq=False)
class TagModel:
    """Everything that tagging needs.

    Parameters
    ----------
    templates : what is looked at, see `runoff.proposers.tag_templates`.
    strings : what features and dictionary know; number 2 is the first.
    keys : four numbers per feature, sorted: template, and what its atoms found.
    pair_counts : per feature, for how many tags it has a weight.
    pair_tags, weights : those tags, and the weights in steps of 1/32.
    """

    templates: tuple[str, ...]
    dictionary: TagDictionary
    strings: list[str]
    keys: NDArray[np.uint32]
    pair_counts: NDArray[np.int64]
    pair_tags: NDArray[np.uint16]
    weights: NDArray[np.int64]

    def __reduce__(self) -> tuple[object, ...]:  # for other processes: native code stays at home
        return TagModel.from_arrays, (self.arrays(),)

    @cached_property
    def native(self) -> _native.Tagger:
        """The model in native code, which checks it."""
        return _native.Tagger(
            self.dictionary.scheme(self.templates),
            np.ascontiguousarray(self.keys).reshape(-1),
            np.cumsum([0, *self.pair_counts.tolist()], dtype=np.int64),
            self.pair_tags,
            (self.weights / STEPS).astype(np.float32),
        )

    @cached_property
    def table(self) -> WordTable:
        """The words that were met, as native code takes them."""
        return self.dictionary.table({s: i for i, s in enumerate(self.strings, start=2)})

    def features(self) -> Iterator[Feature]:
        """All that the model knows, by name."""
        strings = ["", "outside", *self.strings]
        tags = ["", *self.dictionary.tags, "outside"]
        patterns = [(t.split("+"), parse_template(t)) for t in self.templates]
        place = 0
        for (pattern, *values), count in zip(
            self.keys.tolist(), self.pair_counts.tolist(), strict=True
        ):
            named = zip(*patterns[pattern], values, strict=False)
            parts = [
                f"{text}={(tags if form == TAG else strings)[v]}" for text, (_, form), v in named
            ]
            for pair in range(place, place + count):
                tag = self.dictionary.tags[self.pair_tags[pair]]
                yield Feature(" ".join(parts), tag, float(self.weights[pair]) / STEPS)
            place += count

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The model for a file."""
        sets, keys = self.dictionary.sets, self.keys.astype(np.int64)
        number = {s: i for i, s in enumerate(self.strings, start=2)}
        words = sorted(self.dictionary.words, key=number.__getitem__)
        return {
            **pack_strings("templates", self.templates),
            **pack_strings("tags", self.dictionary.tags),
            **pack_strings("strings", self.strings),
            "set sizes": pack_numbers([len(one) for one in sets]),
            "set tags": pack_numbers([tag for one in sets for tag in one]),
            "dictionary words": pack_numbers(np.diff([number[w] for w in words], prepend=0)),
            "dictionary sets": pack_numbers([self.dictionary.words[word].set for word in words]),
            "dictionary closed": pack_numbers(
                [self.dictionary.words[word].closed for word in words]
            ),
            "template sizes": pack_numbers(np.bincount(keys[:, 0], minlength=len(self.templates))),
            "feature values 1": pack_signed(np.diff(keys[:, 1], prepend=0)),
            "feature values 2": pack_numbers(keys[:, 2]),
            "feature values 3": pack_numbers(keys[:, 3]),
            "pair counts": pack_numbers(self.pair_counts),
            "pair tags": pack_numbers(self.pair_tags),
            "weights": pack_signed(self.weights),
        }

    @classmethod
    def from_arrays(cls, arrays: Arrays) -> Self:
        """The model that a file holds, checked."""
        try:
            templates = tuple(unpack_strings(arrays, "templates"))
            strings = unpack_strings(arrays, "strings")
            dictionary = _read_dictionary(arrays, strings)
            keys = _read_keys(arrays, templates, len(strings), len(dictionary.tags))
            counts = unpack_numbers(arrays.get("pair counts"), "pair counts")
            tags = unpack_numbers(arrays.get("pair tags"), "pair tags")
            weights = unpack_signed(arrays.get("weights"), "weights")
            if (
                len(counts) != len(keys)
                or not counts.sum() == len(tags) == len(weights)
                or (tags >= len(dictionary.tags)).any()
            ):
                raise ModelError("features, tags and weights do not fit together")
            pair_tags = tags.astype(np.uint16)
            model = cls(templates, dictionary, strings, keys, counts, pair_tags, weights)
            _ = model.native
        except UsageError as error:
            raise ModelError(error.message) from None
        except ModelError:
            raise
        except ValueError as error:  # what native code has to say
            raise ModelError(str(error)) from None
        return model


def _read_dictionary(arrays: Arrays, strings: Sequence[str]) -> TagDictionary:
    tags = tuple(unpack_strings(arrays, "tags"))
    sizes = unpack_numbers(arrays.get("set sizes"), "set sizes")
    members = unpack_numbers(arrays.get("set tags"), "set tags")
    words = np.cumsum(unpack_numbers(arrays.get("dictionary words"), "dictionary words")) - 2
    sets = unpack_numbers(arrays.get("dictionary sets"), "dictionary sets")
    if not 0 < len(tags) <= MOST_TAGS or len(set(tags)) < len(tags):
        raise ModelError("there are no tags, too many, or one comes twice")
    if not len(sizes) or sizes.sum() != len(members) or (members >= len(tags)).any():
        raise ModelError("the sets of tags are broken")
    closed = unpack_numbers(arrays.get("dictionary closed"), "dictionary")
    if (
        not len(words) == len(sets) == len(closed)
        or (words < 0).any()
        or (words >= len(strings)).any()
        or (sets >= len(sizes)).any()
    ):
        raise ModelError("the dictionary is broken")
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


def _read_keys(
    arrays: Arrays, templates: Sequence[str], n_strings: int, n_tags: int
) -> NDArray[np.uint32]:
    """The keys of features; every number stands for a string or tag that is there."""
    sizes = unpack_numbers(arrays.get("template sizes"), "template sizes")
    first = np.cumsum(unpack_signed(arrays.get("feature values 1"), "feature values"))
    others = [unpack_numbers(arrays.get(f"feature values {i}"), "feature values") for i in (2, 3)]
    if len(sizes) != len(templates) or {sizes.sum(), *map(len, others)} != {len(first)}:
        raise ModelError("templates and features do not fit together")
    values = np.stack([first, *others], axis=1)
    patterns = np.repeat(np.arange(len(templates)), sizes)
    highest = np.zeros((len(templates), 3), dtype=np.int64)
    for row, text in zip(highest, templates, strict=True):
        for i, (_, form) in enumerate(parse_template(text)):
            row[i] = n_tags + 1 if form == TAG else n_strings + OUTSIDE
    if (values < 0).any() or (values > highest[patterns]).any() or n_strings > LARGEST // 2:
        raise ModelError("a feature names a string or tag that is not there")
    return np.concatenate([patterns[:, None], values], axis=1).astype(np.uint32)
