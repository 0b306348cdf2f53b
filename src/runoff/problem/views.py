"""Numbers as a list sees them: which rank a value has among those of its list.

What candidates say in absolute numbers differs from list to list, and only differences within a
list can change its order. So a learner may see every real-valued feature, and the log-probability,
also as the share of the list's values that are larger, and as the distance from the list's mean in
standard deviations.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from runoff import _native
from runoff.data.numbering import offsets_of
from runoff.errors import ModelError
from runoff.problem.problem import Floats, Integers, RankingProblem
from runoff.store.arrays import take
from runoff.store.file import Arrays

MOST_COLUMNS = 400
"""Real-valued features that have views: those that occur in the most lists."""

LEAST_SHARE = 0.05
"""The share of lists in which a real-valued feature must occur to have views."""

LEAST_COUNTS = 0.5
"""The same for counts, most of which are those of words."""

RANK = "rank in the list: "
VIEWS = (RANK + "{name}", "distance from the mean of the list: {name}")
"""What features are called that are views of others."""


class Columns(NamedTuple):
    """Views of a problem, of shape (candidates, columns); the log-probability is the last column.

    Parameters
    ----------
    raw : the value, 0 where a candidate lacks the feature.
    rank : the share of the list's other values that are larger, equal ones counting half.
    score : the distance from the mean of the list, in standard deviations.
    """

    raw: Floats
    rank: Floats
    score: Floats


@dataclass(frozen=True, eq=False)
class Views:
    """Which features of a space have views.

    Parameters
    ----------
    ids : of the features, rising.
    """

    ids: NDArray[np.uint32]

    @classmethod
    def of(cls, problem: RankingProblem) -> Self:
        """The features of training lists that are real-valued and not rare."""
        values = problem.feature_values
        if values is None or not problem.n_lists:
            return cls.none()
        real = values != np.floor(values)
        ids, n = problem.feature_ids, problem.n_features
        is_real = np.bincount(ids[real], minlength=n) > 0
        varies = np.bincount(ids[values != 1], minlength=n) > 0
        wanted = np.flatnonzero(varies)
        own = np.isin(ids, wanted)
        rows = np.repeat(np.arange(problem.n_candidates), np.diff(problem.feature_offsets))[own]
        pairs = np.unique(problem.owners[rows] * n + ids[own])
        lists = np.bincount(pairs % n, minlength=n) if len(pairs) else np.zeros(n)
        least = np.where(is_real, LEAST_SHARE, LEAST_COUNTS) * problem.n_lists
        kept = wanted[lists[wanted] >= np.maximum(2, least[wanted])]
        most = np.sort(kept[np.argsort(-lists[kept], kind="stable")][:MOST_COLUMNS])
        return cls(most.astype(np.uint32))

    @classmethod
    def none(cls) -> Self:
        """No features; of the log-probability there always are views."""
        return cls(np.zeros(0, dtype=np.uint32))

    @property
    def n_columns(self) -> int:
        """The number of columns of each kind: the features, and the log-probability."""
        return len(self.ids) + 1

    def columns(self, problem: RankingProblem) -> Columns:
        """The views of the candidates of a problem."""
        shape = (problem.n_candidates, self.n_columns)
        found = _native.list_views(problem.native, self.ids)
        return Columns(*(one.reshape(shape) for one in found))

    def added(self, problem: RankingProblem) -> RankingProblem:
        """The problem with ranks and distances as features after its own."""
        columns = self.columns(problem)
        more = np.concatenate([columns.rank, columns.score], axis=1)
        rows, places = np.nonzero(more)
        counts = np.diff(problem.feature_offsets)
        offsets = offsets_of(counts + np.bincount(rows, minlength=problem.n_candidates))
        ids = np.empty(offsets[-1], dtype=np.uint32)
        values = np.empty(offsets[-1])
        owners = np.repeat(np.arange(problem.n_candidates), counts)
        own = np.arange(len(owners)) + (offsets[:-1] - problem.feature_offsets[:-1])[owners]
        ids[own] = problem.feature_ids
        values[own] = 1.0 if problem.feature_values is None else problem.feature_values
        mask = np.ones(len(ids), dtype=np.bool_)
        mask[own] = False
        ids[mask] = problem.n_features + places
        values[mask] = more[rows, places]
        return replace(
            problem,
            feature_offsets=offsets,
            feature_ids=ids,
            feature_values=values,
            n_features=problem.n_features + 2 * self.n_columns,
        )

    def restrict(self, kept: Integers) -> Views:
        """The views in a space of only the features `kept`, which include all that have views."""
        return Views(np.searchsorted(kept, self.ids).astype(np.uint32))

    def names(self, names: Sequence[str]) -> list[str]:
        """The names of the features that `added` adds."""
        own = [*(names[number] for number in self.ids.tolist()), "log-probability"]
        return [view.format(name=name) for view in VIEWS for name in own]


def restored_views(arrays: Arrays, n_features: int) -> Views:
    """The views of a model file, checked."""
    ids = np.array(take(arrays, "views", np.uint32, below=n_features))
    if (np.diff(ids.astype(np.int64)) <= 0).any():
        raise ModelError("the features that have views are not in rising order")
    return Views(ids)
