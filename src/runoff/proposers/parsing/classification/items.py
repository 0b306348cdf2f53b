"""The names of a treebank as numbers, for the parser by classification: labels and words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from runoff import _native
from runoff.data.tree import Tree
from runoff.data.treebank.heads import native_heads
from runoff.data.treebank.tag_classes import CLASS_OF, TAG_CLASSES
from runoff.errors import ModelError, UsageError
from runoff.proposers.parsing.headed_trees import TOP
from runoff.store.arrays import take
from runoff.store.file import Arrays, checking
from runoff.store.strings import StringTable, pack_names, take_names

NO_NUMBER, SHAPE_BIT = 0xFFFFFF, 24
UNKNOWN_TAG = NO_CLASS = 0xFFFF
MOST_LABELS = 1024

CLASSES = tuple(TAG_CLASSES)


SHAPES = ("lower case", "capitalised", "capitals", "mixed case", "letters and digits", "other")
"""What shapes of words are called."""


def shape_of(word: str) -> int:
    """The shape of a word, a number of `SHAPES`.

    Examples
    --------
    >>> [SHAPES[shape_of(word)] for word in ("vote", "Vote", "NATO", "mRNA", "p53", "4.5")]
    ['lower case', 'capitalised', 'capitals', 'mixed case', 'letters and digits', 'other']
    """
    if not any(map(str.isalpha, word)):
        return 5
    if any(map(str.isdigit, word)):
        return 4
    if word.islower():
        return 0
    if word.isupper() and len(word) > 1:
        return 2
    return 1 if word[:1].isupper() and word[1:] == word[1:].lower() else 3


class Columns(NamedTuple):
    """Trees as columns; see `LearnedTrees` in cpp/runoff/classification/training_states.hpp."""

    offsets: NDArray[np.int64]
    labels: NDArray[np.int32]
    ends: NDArray[np.int32]
    words: NDArray[np.int32]


class ItemNames:
    """The tags, phrase labels and lowercased words of a treebank as numbers.

    Parameters
    ----------
    tags, phrases : labels of words and of constituents, TOP among the latter.
    words : all words, lowercased.
    """

    def __init__(self, tags: Sequence[str], phrases: Sequence[str], words: Sequence[str]) -> None:
        self.tags, self.phrases, self.words = list(tags), list(phrases), list(words)
        self.labels = [*self.tags, *self.phrases]
        self._labels = {label: n for n, label in enumerate(self.labels)}
        self._tags = {tag: n for n, tag in enumerate(self.tags)}
        self._words = {word: n for n, word in enumerate(self.words)}

    @classmethod
    def of(cls, trees: Iterable[Tree]) -> ItemNames:
        """The names of prepared trees."""
        tags, phrases, words = set[str](), {TOP}, set[str]()
        for tree in trees:
            flat = tree.flat()
            for node, (label, end) in enumerate(zip(flat.labels, flat.ends, strict=True)):
                (tags if end == node + 1 else phrases).add(label)
            words.update(map(str.lower, flat.words))
        if both := sorted(tags & phrases):
            raise UsageError(f"{both[0]!r} is the label both of words and of constituents")
        if len(tags) + len(phrases) >= MOST_LABELS:
            raise UsageError(f"a treebank has at most {MOST_LABELS - 1} labels")
        return cls(sorted(tags), sorted(phrases), sorted(words))

    def encode(self, trees: Iterable[Tree]) -> Columns:
        """Prepared trees over these names as columns."""
        offsets, labels, ends, words = [0], list[int](), list[int](), list[int]()
        for tree in trees:
            flat = tree.flat()
            labels.extend(self._labels[label] for label in flat.labels)
            ends.extend(flat.ends)
            words.extend(
                self.word(flat.words[start]) if end == node + 1 else -1
                for node, (start, end) in enumerate(zip(flat.starts, flat.ends, strict=True))
            )
            offsets.append(len(labels))
        columns = (np.array(column, dtype=np.int32) for column in (labels, ends, words))
        return Columns(np.array(offsets, dtype=np.int64), *columns)

    def number(self, word: str) -> int:
        """The number of a word, lowercased."""
        return self._words.get(word.lower(), NO_NUMBER)

    def word(self, word: str) -> int:
        """A word as native code knows it: its number, and its shape in the highest bits."""
        return self.number(word) | shape_of(word) << SHAPE_BIT

    def tag(self, tag: str) -> int:
        """The number of a tag."""
        return self._tags.get(tag, UNKNOWN_TAG)

    def __reduce__(self) -> tuple[object, ...]:
        return ItemNames, (self.tags, self.phrases, self.words)

    @cached_property
    def native(self) -> _native.ItemLabels:
        """The labels as native code takes them, with the head rules."""
        numbers = {name: n for n, name in enumerate(CLASSES)}
        classes = [numbers[CLASS_OF[tag]] if tag in CLASS_OF else NO_CLASS for tag in self.tags]
        return _native.ItemLabels(
            self.labels,
            len(self.tags),
            len(self.words),
            self._labels[TOP],
            np.array(classes, dtype=np.uint16),
            len(CLASSES),
            native_heads(),
        )

    @property
    def values(self) -> list[list[str]]:
        """What atoms compare with: labels, words, tags, classes of tags and shapes of words."""
        return [self.labels, self.words, self.tags, list(CLASSES), list(SHAPES)]

    def arrays(self) -> dict[str, NDArray[np.generic]]:
        """The names as arrays for a model file."""
        return {
            "item_names": pack_names(StringTable.of([*self.labels, *self.words])),
            "item_sizes": np.array([len(self.tags), len(self.phrases)], dtype=np.int64),
        }

    @classmethod
    def from_arrays(cls, arrays: Arrays) -> ItemNames:
        """The names that a model file keeps, checked."""
        names = take_names(arrays, "item_names").strings()
        tags, phrases = take(arrays, "item_sizes", np.int64, (2,), below=MOST_LABELS).tolist()
        if not 0 < tags < tags + phrases <= len(names):
            raise ModelError("the parser has no tags or no labels of phrases")
        made = cls(names[:tags], names[tags : tags + phrases], names[tags + phrases :])
        if len(made._labels) != tags + phrases or TOP not in made.phrases:
            raise ModelError("a label of the parser is missing or there twice")
        with checking():  # whether trees can have such labels
            Tree(TOP, [*(Tree(tag, ["word"]) for tag in made.tags), *map(Tree, made.phrases)])
        return made
