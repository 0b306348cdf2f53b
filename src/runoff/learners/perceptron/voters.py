"""Many weight vectors that vote, kept as their differences."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runoff import _native
from runoff.errors import ModelError
from runoff.problem.problem import Floats, Integers, RankingProblem
from runoff.store.arrays import take, take_offsets
from runoff.store.file import Arrays


@dataclass(frozen=True, eq=False)
class Voters:
    """Weight vectors, each the one before it and an update; no vector is ever built.

    Parameters
    ----------
    logprob_weight : of the first vector, shape (1,); all its other weights are 0.
    survivals : how much the vote of each vector counts, shape (updates + 1,).
    offsets, ids, values : the entries of each update.
    logprobs : what each update adds to the weight of the log-probability.
    """

    logprob_weight: Floats
    survivals: Floats
    offsets: Integers
    ids: NDArray[np.uint32]
    values: Floats
    logprobs: Floats

    @classmethod
    def of_mistakes(
        cls,
        problem: RankingProblem,
        plus: Integers,
        minus: Integers,
        survivals: Floats,
        scales: Floats,
    ) -> Voters:
        """The voters of a perceptron; an update adds a candidate's values and subtracts another's.

        `scales` divides the values, and the weights that belong to them.
        """
        rows = np.stack([plus, minus], axis=1).ravel()
        starts, counts = problem.feature_offsets[rows], np.diff(problem.feature_offsets)[rows]
        total, owners = int(counts.sum()), np.repeat(np.arange(len(rows)), counts)
        places = np.arange(total) + (starts - np.cumsum(counts) + counts)[owners]
        signs = np.where(owners % 2 == 0, 1.0, -1.0)
        if problem.feature_values is not None:
            signs *= problem.feature_values[places]
        width = max(1, problem.n_features)
        keys, which = np.unique(
            owners // 2 * width + problem.feature_ids[places], return_inverse=True
        )
        values = np.bincount(which, weights=signs, minlength=len(keys))
        updates, ids = np.divmod(keys[values != 0], width)
        return cls(
            1.0 / scales[-1:],
            survivals,
            np.searchsorted(updates, np.arange(len(plus) + 1)).astype(np.int64),
            ids.astype(np.uint32),
            values[values != 0] / scales[ids] ** 2,
            (problem.logprobs[plus] - problem.logprobs[minus]) / scales[-1] ** 2,
        )

    def add(self, problem: RankingProblem, scores: Floats, votes: Floats) -> None:
        """Add the votes of all vectors, as `shares` counts them.

        `scores` are those under the first vector, and become those under the last.
        """
        _native.add_votes(
            problem.native,
            self.offsets,
            self.ids,
            self.values,
            self.logprobs,
            self.survivals,
            scores,
            votes,
        )

    def shares(self, problem: RankingProblem) -> Floats:
        """Each candidate's share of the votes: those of the vectors that rank it first.

        Ties go to the higher log-probability; candidates that tie in both all get the vote.
        """
        votes = np.zeros(problem.n_candidates)
        self.add(problem, self.logprob_weight * problem.logprobs, votes)
        return votes / float(self.survivals.sum())

    def restrict(self, kept: Integers) -> Voters:
        """A copy over a space of only the features `kept`, which include those of all updates."""
        return replace(self, ids=np.searchsorted(kept, self.ids).astype(np.uint32))

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The voters as arrays for a model file."""
        return {key: getattr(self, field) for key, field in _ARRAYS.items()}

    @classmethod
    def restore(cls, arrays: Arrays, n_features: int) -> Voters:
        """The voters that a model file holds, checked."""
        logprobs = take(arrays, "update_logprobs", np.float64)
        ids = take(arrays, "update_ids", np.uint32, below=n_features)
        size = len(logprobs) + 1
        parts = (
            take(arrays, "logprob_weight", np.float64, (1,)),
            take(arrays, "survivals", np.float64, (size,)),
            take_offsets(arrays, "update_offsets", len(ids), size),
            ids,
            take(arrays, "update_values", np.float64, ids.shape),
            logprobs,
        )
        own = cls(*map(np.array, parts))
        if (own.survivals < 0).any() or not 0 < own.survivals.sum() < np.inf:
            raise ModelError("the votes of the voters are broken")
        return own


_ARRAYS = {
    "logprob_weight": "logprob_weight",
    "survivals": "survivals",
    "update_offsets": "offsets",
    "update_ids": "ids",
    "update_values": "values",
    "update_logprobs": "logprobs",
}
