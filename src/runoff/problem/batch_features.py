"""The features of some lists as arrays, their names folded into fingerprints.

A name is tokens with spaces between them. Its fingerprint is a key of 64 bits, by which features
are told apart, and a check of 32 more, which notices two names with one key. Names themselves are
only written where someone reads them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from runoff import _native
from runoff.data.numbering import Numbering, offsets_of
from runoff.errors import RunoffError
from runoff.store.strings import StringTable

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Keys = NDArray[np.uint64]
Checks = NDArray[np.uint32]


class Names(NamedTuple):
    """Names as tokens, which nobody may ever ask for: only `at` writes them out.

    Parameters
    ----------
    symbols : UTF-8, each followed by a byte 255.
    tokens, offsets : the symbols of a run of tokens, joined by spaces, are a name.
    """

    symbols: bytes
    tokens: NDArray[np.uint32]
    offsets: Integers

    def at(self, numbers: Integers) -> list[str]:
        """The names at some indices, written out."""
        if not len(numbers):
            return []
        symbols = [one.decode("utf-8", "surrogatepass") for one in self.symbols.split(b"\xff")]
        starts, ends = self.offsets[numbers], self.offsets[numbers + 1]
        return [
            " ".join([symbols[token] for token in self.tokens[start:end].tolist()])
            for start, end in zip(starts.tolist(), ends.tolist(), strict=True)
        ]


class JoinedNames(NamedTuple):
    """The names of several sets, one set after the other."""

    parts: Sequence[Names | JoinedNames]
    starts: Integers  # of the sets among all names, and the end of the last

    def at(self, numbers: Integers) -> list[str]:
        """The names at some rising indices, written out."""
        bounds = np.searchsorted(numbers, self.starts).tolist()
        return [
            name
            for part, first, low, high in zip(
                self.parts, self.starts.tolist(), bounds, bounds[1:], strict=False
            )
            for name in part.at(numbers[low:high] - first)
        ]


class BatchFeatures(NamedTuple):
    """Features of some lists under numbers of their own, and what the first pass counts.

    A feature with one value in all candidates of a list is counted, but has no entry there.
    """

    keys: Keys
    checks: Checks
    names: Names | JoinedNames
    list_counts: Integers  # (features, thresholds): lists in which a value reaches the threshold
    is_count: NDArray[np.bool_]  # whether all values seen are whole numbers, not negative
    feature_counts: Integers  # entries of each candidate
    ids: NDArray[np.uint32]
    values: Floats

    @classmethod
    def of_native(cls, columns: tuple[Any, ...], n_thresholds: int) -> BatchFeatures:
        """The columns that native extractors give; all of their values are counts."""
        keys, checks, texts, tokens, offsets, list_counts, counts, ids, values = columns
        is_count = np.ones(len(keys), dtype=np.bool_)
        by_threshold = list_counts.reshape(len(keys), n_thresholds)
        names = Names(texts, tokens, offsets)
        return cls(keys, checks, names, by_threshold, is_count, counts, ids, values)

    def mappings(self) -> list[dict[str, float]]:
        """The entries of each candidate as a mapping from names to values."""
        names = self.names.at(np.arange(len(self.keys)))
        pairs = [
            (names[n], v) for n, v in zip(self.ids.tolist(), self.values.tolist(), strict=True)
        ]
        bounds = pairwise(offsets_of(self.feature_counts).tolist())
        return [dict(pairs[start:end]) for start, end in bounds]


class CandidateError(RunoffError):
    """An error in a candidate, with the indices of its list and of the candidate, from 0."""

    def __init__(self, message: str, list_index: int, candidate_index: int) -> None:
        super().__init__(message)
        self.list_index, self.candidate_index = list_index, candidate_index


def fingerprints(names: Iterable[str]) -> tuple[Keys, Checks]:
    """The keys and checks of names.

    Examples
    --------
    >>> keys, checks = fingerprints(["rule: NP -> NN", "rule: NP -> NNS", "rule: NP -> NN"])
    >>> bool(keys[0] == keys[2]), bool(keys[0] == keys[1])
    (True, False)
    """
    joined = StringTable.of(names)
    return _native.fingerprints(joined.text, joined.starts, joined.ends)


def encode_mappings(
    lists: Iterable[Sequence[Mapping[str, float]]], thresholds: Sequence[int]
) -> BatchFeatures:
    """Features that Python functions gave, one sequence of mappings per list, as arrays."""
    names = Numbering()
    ids: list[int] = []
    values: list[float] = []
    counts: list[int] = []
    sizes: list[int] = []
    for features in lists:
        sizes.append(len(features))
        for mapping in features:
            ids.extend(map(names.__getitem__, mapping))
            values.extend(mapping.values())
            counts.append(len(mapping))
    if not len(names):  # as of lists without features of their own
        return _nothing(len(counts), len(thresholds) or 1)
    entries = _Values(
        np.array(sizes, dtype=np.int64), np.array(counts, dtype=np.int64), ids, values
    )
    list_counts, is_count = entries.summary(len(names), thresholds)
    kept = entries.distinguishing()
    joined = StringTable.of(names)
    keys, checks = _native.fingerprints(joined.text, joined.starts, joined.ends)
    return BatchFeatures(
        keys,
        checks,
        Names(joined.text.tobytes(), *_one_by_one(len(names))),
        list_counts,
        is_count,
        np.bincount(entries.owners[kept], minlength=len(counts)),
        entries.ids[kept].astype(np.uint32),
        entries.values[kept],
    )


def _one_by_one(n: int) -> tuple[NDArray[np.uint32], Integers]:
    """Tokens and offsets of names that are one symbol each."""
    return np.arange(n, dtype=np.uint32), np.arange(n + 1)


def _nothing(n_candidates: int, n_thresholds: int) -> BatchFeatures:
    """The features of candidates that have none."""
    no_ids = np.zeros(0, dtype=np.uint32)
    return BatchFeatures(
        np.zeros(0, dtype=np.uint64),
        no_ids,
        Names(b"", no_ids, np.zeros(1, dtype=np.int64)),
        np.zeros((0, n_thresholds), dtype=np.int64),
        np.zeros(0, dtype=np.bool_),
        np.zeros(n_candidates, dtype=np.int64),
        no_ids,
        np.zeros(0),
    )


class _Values:
    """The features of a batch, and of each feature in each list the run of its values."""

    def __init__(
        self, sizes: Integers, counts: Integers, ids: Sequence[int], values: Sequence[float]
    ) -> None:
        owners = np.repeat(np.arange(len(counts)), counts)
        present = np.array(values, dtype=np.float64) != 0  # zero is the same as absent
        self.ids = np.array(ids, dtype=np.int64)[present]
        self.values = np.array(values, dtype=np.float64)[present]
        self.owners = owners[present]
        self.sizes = sizes
        lists = np.repeat(np.arange(len(sizes)), sizes)[self.owners]
        self.order = np.lexsort((self.ids, lists))  # stable
        sorted_ids, sorted_lists = self.ids[self.order], lists[self.order]
        is_start = (np.diff(sorted_ids, prepend=-1) != 0) | (np.diff(sorted_lists, prepend=-1) != 0)
        self.starts = np.flatnonzero(is_start)  # one run per feature and list
        self.run_ids, self.run_lists = sorted_ids[self.starts], sorted_lists[self.starts]
        self.lows = self._reduced(np.minimum)
        self.highs = self._reduced(np.maximum)

    def _reduced(self, function: np.ufunc) -> Floats:
        sorted_values = self.values[self.order]
        return function.reduceat(sorted_values, self.starts) if len(self.starts) else sorted_values

    def summary(
        self, n_names: int, thresholds: Sequence[int]
    ) -> tuple[Integers, NDArray[np.bool_]]:
        """In how many lists a value reaches each threshold; whether all values are counts."""
        columns = [np.bincount(self.run_ids, minlength=n_names)]
        for threshold in thresholds[1:]:
            reached = self.run_ids[self.highs >= threshold]
            columns.append(np.bincount(reached, minlength=n_names))
        is_count = np.ones(n_names, dtype=np.bool_)
        is_count[self.ids[(self.values < 0) | (self.values != np.floor(self.values))]] = False
        return np.stack(columns, axis=1).astype(np.int64), is_count

    def distinguishing(self) -> Integers:
        """Indices of the entries that do not have one value in all candidates of their list.

        The others cannot change the order, and leaving them out makes problems much smaller.
        """
        lengths = np.diff(self.starts, append=len(self.order))
        shared = (lengths == self.sizes[self.run_lists]) & (self.lows == self.highs)
        kept = np.empty(len(self.order), dtype=np.bool_)
        kept[self.order] = ~np.repeat(shared, lengths)
        return np.flatnonzero(kept)
