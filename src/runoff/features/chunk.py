"""The features of a few lists as arrays: what a worker sends back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from runoff.data.nbest import NBest
from runoff.features.extract import Extractor, extract
from runoff.features.problem import Floats, Integers
from runoff.metrics.base import Metric
from runoff.metrics.lists import measure


class Chunk(NamedTuple):
    """Features under ids of the chunk's own, and what the first pass counts."""

    names: list[str]
    list_counts: Integers  # (names, thresholds): lists in which a value reaches the threshold
    is_count: NDArray[np.bool_]  # whether all values seen are whole numbers, not negative
    list_sizes: Integers
    feature_counts: Integers  # features of each candidate
    ids: Integers
    values: Floats
    logprobs: Floats
    qualities: Floats
    has_logprobs: set[bool]


class _Ids(dict[str, int]):
    """Gives every new name the next number."""

    def __missing__(self, name: str) -> int:
        self[name] = number = len(self)
        return number


def extract_chunk(
    numbered: tuple[int, Sequence[NBest]],
    *,
    extractors: Sequence[Extractor],
    metric: Metric | None,
    thresholds: Sequence[int],
) -> Chunk:
    """Extract the features of some lists, and their qualities if there is a metric.

    `numbered` are the lists and the number of the first of them, for errors.
    """
    first, lists = numbered
    names = _Ids()
    ids: list[int] = []
    values: list[float] = []
    counts: list[int] = []
    for number, nbest in enumerate(lists, start=first):
        for own in extract(nbest, extractors, number):
            ids.extend(map(names.__getitem__, own))
            values.extend(own.values())
            counts.append(len(own))
    sizes = np.array([len(nbest) for nbest in lists], dtype=np.int64)
    found = _Found(sizes, np.array(counts, dtype=np.int64), ids, values)
    list_counts, is_count = found.summary(len(names), thresholds)
    kept = found.telling()
    return Chunk(
        names=list(names),
        list_counts=list_counts,
        is_count=is_count,
        list_sizes=sizes,
        feature_counts=np.bincount(found.owners[kept], minlength=len(counts)),
        ids=found.ids[kept],
        values=found.values[kept],
        logprobs=np.array([s for nbest in lists for s in nbest.base_scores()], dtype=np.float64),
        qualities=np.zeros(0) if metric is None else measure(lists, metric, first).qualities,
        has_logprobs={all(c.logprob is not None for c in nbest.candidates) for nbest in lists},
    )


class _Found:
    """The features of a chunk, and of each feature in each list the run of its values."""

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

    def telling(self) -> Integers:
        """Places of the features that do not have one value in all candidates of their list.

        The others cannot change the order, and leaving them out makes problems much smaller.
        """
        lengths = np.diff(self.starts, append=len(self.order))
        shared = (lengths == self.sizes[self.run_lists]) & (self.lows == self.highs)
        kept = np.empty(len(self.order), dtype=np.bool_)
        kept[self.order] = ~np.repeat(shared, lengths)
        return np.flatnonzero(kept)
