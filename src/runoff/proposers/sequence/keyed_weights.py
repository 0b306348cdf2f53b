"""Weights of features that templates find: by key in memory, by name for people, few bytes on disk.

A feature is a template and the strings and tags that it found; its key is their numbers. So a model
is small, is looked up exactly (nothing is hashed away), and still says everything by name.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from runoff.data.numbering import offsets_of
from runoff.errors import ModelError
from runoff.proposers.sequence.templates import TAG, parse_template
from runoff.proposers.sequence.word_forms import OUTSIDE
from runoff.store.arrays import LARGEST, pack_numbers, pack_signed, take_numbers, take_signed
from runoff.store.file import Arrays
from runoff.store.strings import pack_strings, take_strings

STEPS = 32
"""Weights are whole numbers of 1/32: more digits do not change how well words are tagged."""

FIRST_STRING = 2
"""Number of the first string; see `runoff.proposers.sequence.word_forms`."""


class Feature(NamedTuple):
    """A feature with a tag that it speaks for, or against."""

    name: str
    tag: str
    weight: float


@dataclass(eq=False)
class KeyedWeights:
    """Features and their weights.

    Parameters
    ----------
    templates : what is looked at, see `runoff.proposers.sequence.templates`.
    strings : what features and others of the model know; number 2 is the first.
    keys : four numbers per feature, sorted: template, and what its atoms found.
    pair_counts : per feature, for how many targets it has a weight.
    pair_targets, weights : those targets, and the weights in steps of 1/32.
    """

    templates: tuple[str, ...]
    strings: list[str]
    keys: NDArray[np.uint32]
    pair_counts: NDArray[np.int64]
    pair_targets: NDArray[np.int64]
    weights: NDArray[np.int64]

    @classmethod
    def kept(
        cls, templates: tuple[str, ...], strings: Sequence[str], needed: Collection[str],
        problem: Any, x: NDArray[np.float64],
    ) -> Self:  # fmt: skip
        """What is left of learned weights: those that are not zero, and strings that are needed.

        Parameters
        ----------
        needed : strings that are kept anyway.
        problem : native, with keys, offsets of pairs and targets.
        x : a weight per pair.
        """
        weights, all_keys = np.rint(x * STEPS).astype(np.int64), problem.keys().reshape(-1, 4)
        places = np.empty(len(all_keys), dtype=np.int64)  # in the order of keys
        places[np.lexsort(all_keys.T[::-1])] = np.arange(len(all_keys))
        owners = np.repeat(places, np.diff(problem.pair_offsets()))
        used = np.argsort(owners, kind="stable")
        used = used[weights[used] != 0]
        features, counts = np.unique(owners[used], return_counts=True)
        keys = all_keys[np.argsort(places)[features]]
        cells = _string_cells(templates, keys)
        is_needed = np.array([True, True, *(s in needed for s in strings)])
        for cell in cells:
            is_needed[keys[cell]] = True
        numbers = (np.cumsum(is_needed) - 1).astype(np.uint32)  # they rise too
        for cell in cells:
            keys[cell] = numbers[keys[cell]]
        left = [s for s, stays in zip(strings, is_needed[2:].tolist(), strict=True) if stays]
        targets = problem.pair_targets()[used].astype(np.int64)
        return cls(templates, left, keys, counts.astype(np.int64), targets, weights[used])

    @property
    def offsets(self) -> NDArray[np.int64]:
        """Where the pairs of each feature begin, and their number."""
        return offsets_of(self.pair_counts)

    @property
    def numbers(self) -> dict[str, int]:
        """The numbers of strings."""
        return {s: i for i, s in enumerate(self.strings, start=FIRST_STRING)}

    def features(self, tags: Sequence[str], targets: Sequence[str]) -> Iterator[Feature]:
        """All features by name.

        Parameters
        ----------
        tags : what the numbers of tags in keys stand for.
        targets : what is spoken for.
        """
        strings = ["", "outside", *self.strings]
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
                target = targets[self.pair_targets[pair]]
                yield Feature(" ".join(parts), target, float(self.weights[pair]) / STEPS)
            place += count

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The features for a file."""
        keys = self.keys.astype(np.int64)
        return {
            **pack_strings("templates", self.templates),
            **pack_strings("strings", self.strings),
            "template sizes": pack_numbers(np.bincount(keys[:, 0], minlength=len(self.templates))),
            "feature values 1": pack_signed(np.diff(keys[:, 1], prepend=0)),
            "feature values 2": pack_numbers(keys[:, 2]),
            "feature values 3": pack_numbers(keys[:, 3]),
            "pair counts": pack_numbers(self.pair_counts),
            "pair tags": pack_numbers(self.pair_targets),
            "weights": pack_signed(self.weights),
        }

    @classmethod
    def from_arrays(cls, arrays: Arrays, n_tags: int, n_targets: int) -> Self:
        """The features that a file holds; what they name is there."""
        templates = tuple(take_strings(arrays, "templates"))
        strings = take_strings(arrays, "strings")
        keys = _read_keys(arrays, templates, len(strings), n_tags)
        counts = take_numbers(arrays, "pair counts", len(keys))
        targets = take_numbers(arrays, "pair tags", int(counts.sum()), below=n_targets)
        weights = take_signed(arrays, "weights", len(targets))
        return cls(templates, strings, keys, counts, targets, weights)


def _string_cells(
    templates: Sequence[str], keys: NDArray[np.uint32]
) -> list[tuple[NDArray[np.int64], int]]:
    """Where keys have numbers of strings: rows and column of every atom."""
    cells = []
    for pattern, text in enumerate(templates):
        rows = np.flatnonzero(keys[:, 0] == pattern)
        cells += [(rows, i) for i, (_, f) in enumerate(parse_template(text), 1) if f != TAG]
    return cells


def _read_keys(
    arrays: Arrays, templates: Sequence[str], n_strings: int, n_tags: int
) -> NDArray[np.uint32]:
    """The keys of features; every number stands for a string or tag that is there."""
    sizes = take_numbers(arrays, "template sizes", len(templates))
    size = int(sizes.sum())
    first = np.cumsum(take_signed(arrays, "feature values 1", size))
    others = [take_numbers(arrays, f"feature values {i}", size) for i in (2, 3)]
    values = np.stack([first, *others], axis=1)
    patterns = np.repeat(np.arange(len(templates)), sizes)
    highest = np.zeros((len(templates), 3), dtype=np.int64)
    for row, text in zip(highest, templates, strict=True):
        for i, (_, form) in enumerate(parse_template(text)):
            row[i] = n_tags + 1 if form == TAG else n_strings + OUTSIDE
    if (values < 0).any() or (values > highest[patterns]).any() or n_strings > LARGEST // 2:
        raise ModelError("a feature names a string or tag that is not there")
    return np.concatenate([patterns[:, None], values], axis=1).astype(np.uint32)
