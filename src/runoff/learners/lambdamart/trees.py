"""Regression trees over the views of a problem: their arrays, scores and contributions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from runoff import _native
from runoff.errors import ModelError
from runoff.problem.problem import Floats, Integers
from runoff.problem.views import Columns
from runoff.store.arrays import take, take_offsets
from runoff.store.file import Arrays

MOST_CUTS = 63
"""Cut points of a column."""


class Binned(NamedTuple):
    """Columns as small numbers: how many of a column's cut points lie below the value."""

    cuts: list[Floats]
    bins: NDArray[np.uint8]  # (columns, candidates)

    @classmethod
    def of(cls, rows: Floats) -> Binned:
        """The columns, each with cut points at its quantiles, or between all of few values.

        Examples
        --------
        >>> Binned.of(np.array([[3.0], [1.0], [3.0], [2.0]])).bins.tolist()
        [[2, 0, 2, 1]]
        """
        bins = np.empty(rows.shape[::-1], dtype=np.uint8)
        found = []
        for column, own in zip(bins, rows.T, strict=True):
            values, counts = np.unique(own, return_counts=True)
            cuts = (values[:-1] + values[1:]) / 2
            if len(cuts) > MOST_CUTS:
                below = np.cumsum(counts)[:-1]
                wanted = np.arange(1, MOST_CUTS + 1) * len(own) / (MOST_CUTS + 1)
                cuts = cuts[np.unique(np.searchsorted(below, wanted).clip(max=len(cuts) - 1))]
            column[:] = np.searchsorted(cuts, own)
            found.append(cuts)
        return cls(found, bins)


@dataclass(frozen=True, eq=False)
class Trees:
    """Trees laid end to end, each in preorder: the child up to the cut follows its parent.

    Parameters
    ----------
    offsets : tree i has the nodes `[offsets[i], offsets[i + 1])`.
    columns : what each node asks for: raw values, ranks and distances, one kind after the other.
    above : the child for values above the cut, counted from the root; 0 for leaves.
    values : of all nodes: what a tree that ended there would give.
    n_columns : of all kinds.
    """

    offsets: Integers
    columns: NDArray[np.uint32]
    above: NDArray[np.uint32]
    cuts: Floats
    values: Floats
    n_columns: int

    @property
    def n_trees(self) -> int:
        """How many trees there are."""
        return len(self.offsets) - 1

    @cached_property
    def native(self) -> _native.RegressionTrees:
        """The trees as native code takes them, checked."""
        columns = (self.offsets, self.columns, self.above, self.cuts, self.values)
        return _native.RegressionTrees(*columns, self.n_columns)

    def __getstate__(self) -> dict[str, Any]:
        return {key: value for key, value in self.__dict__.items() if key != "native"}

    def times(self, factor: float) -> Trees:
        """The trees with all values multiplied."""
        return replace(self, values=self.values * factor)

    def scores(self, rows: Floats) -> Floats:
        """The sum of the leaves that each row reaches."""
        scores = np.zeros(len(rows))
        self.native.add_scores(rows.ravel(), scores)
        return scores

    def contributions(self, rows: Floats) -> Floats:
        """What each column contributed to the scores: the changes of value along the paths.

        They sum to the score, but for what all rows share (Saabas 2014).
        """
        parts = np.zeros(rows.size)
        self.native.add_contributions(rows.ravel(), parts)
        return parts.reshape(rows.shape)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The trees as arrays for a model file."""
        own = (self.offsets, self.columns, self.above, self.cuts, self.values)
        width = {"tree width": np.array([self.n_columns])}
        return width | dict(zip(_ARRAYS, own, strict=True))

    @classmethod
    def restore(cls, arrays: Arrays, n_columns: int) -> Trees:
        """The trees of a model file, checked: no node leads outside its tree or back."""
        if take(arrays, "tree width", np.int64, (1,))[0] != n_columns:
            raise ModelError(f"the regression trees do not ask for {n_columns} columns")
        columns = np.array(take(arrays, "tree columns", np.uint32))
        trees = cls(
            np.array(take_offsets(arrays, "tree offsets", len(columns))),
            columns,
            np.array(take(arrays, "tree above", np.uint32)),
            np.array(take(arrays, "tree cuts", np.float64)),
            np.array(take(arrays, "tree values", np.float64)),
            n_columns,
        )
        try:
            _ = trees.native
        except ValueError as error:
            raise ModelError(f"the regression trees are broken: {error}") from None
        return trees

    @classmethod
    def mean(cls, parts: Sequence[Trees], n_columns: int) -> Trees:
        """The trees of several models, whose score is the mean of theirs."""
        if not parts:
            return cls.none(n_columns)
        sizes = np.concatenate([np.diff(one.offsets) for one in parts])
        return cls(
            np.concatenate([[0], np.cumsum(sizes)]),
            np.concatenate([one.columns for one in parts]),
            np.concatenate([one.above for one in parts]),
            np.concatenate([one.cuts for one in parts]),
            np.concatenate([one.values for one in parts]) / len(parts),
            n_columns,
        )

    @classmethod
    def none(cls, n_columns: int) -> Trees:
        """No trees at all."""
        numbers, floats = np.zeros(0, dtype=np.uint32), np.zeros(0)
        return cls(np.zeros(1, dtype=np.int64), numbers, numbers, floats, floats, n_columns)


_ARRAYS = ("tree offsets", "tree columns", "tree above", "tree cuts", "tree values")


def tree_rows(columns: Columns) -> Floats:
    """What trees ask for: raw values, ranks and distances of each candidate, side by side."""
    return np.ascontiguousarray(np.concatenate(columns, axis=1))


def by_feature(names: Sequence[str], parts: Floats) -> tuple[list[str], Floats]:
    """The contributions of the three views of each feature, added up, and what to call them."""
    kinds = parts.reshape(len(parts), 3, len(names))
    return [f"trees: {name}" for name in names], kinds.sum(axis=1)
