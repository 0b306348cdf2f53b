"""The parameters of kernel perceptrons: the mistakes of several of them, in order."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runoff.data.numbering import offsets_of
from runoff.errors import ModelError
from runoff.problem.problem import Floats, Integers, RankingProblem
from runoff.problem.trees import Trees
from runoff.store.arrays import take, take_offsets
from runoff.store.file import Arrays


@dataclass(frozen=True, eq=False)
class Support:
    """The updates of perceptrons: each adds a better tree and subtracts a worse one.

    Parameters
    ----------
    trees : those that updates have, each once.
    better, worse : numbers of trees, shape (updates,).
    logprobs : the log-probability of the better one minus that of the worse, shape (updates,).
    starts : perceptron p has the updates `[starts[p], starts[p + 1])`.
    survivals : lists that each voter survived, shape (updates + perceptrons,): for every perceptron
        first what it was before its first update, then after each.
    """

    trees: Trees
    better: NDArray[np.uint32]
    worse: NDArray[np.uint32]
    logprobs: Floats
    starts: Integers
    survivals: Floats

    @classmethod
    def of_mistakes(
        cls, problem: RankingProblem, mistakes: list[tuple[Integers, Integers, Floats]]
    ) -> Support:
        """The support of several perceptrons, from their mistakes and survival counts."""
        plus, minus, survivals = (
            np.concatenate([one[part] for one in mistakes]) for part in range(3)
        )
        used, firsts, numbers = np.unique(
            np.concatenate([plus, minus]).astype(np.int64), return_index=True, return_inverse=True
        )
        order = np.argsort(firsts)  # not that of the candidates, which is the file's
        places = np.argsort(order)[numbers].astype(np.uint32)
        if not survivals.any():  # there was nothing to learn from: the base order votes
            survivals = np.ones(len(survivals))
        return cls(
            problem.known_trees().take(used[order]),
            places[: len(plus)],
            places[len(plus) :],
            problem.logprobs[plus] - problem.logprobs[minus],
            offsets_of([len(better) for better, _, _ in mistakes]),
            survivals,
        )

    def averaging(self) -> Floats:
        """The weight of each update in the average of all voters: the share that came after it."""
        result = np.zeros(len(self.better))
        for place, (first, last) in enumerate(
            zip(self.starts[:-1].tolist(), self.starts[1:].tolist(), strict=True)
        ):
            after = self.survivals[first + place + 1 : last + place + 1]
            result[first:last] = np.cumsum(after[::-1])[::-1]
        return result / float(self.survivals.sum())

    def restrict(self, kept: Integers, n_labels: int) -> Support:
        """A copy over a space of only the labels `kept`, which are all that its trees have."""
        labels = np.searchsorted(kept, self.trees.labels)
        labels[self.trees.labels == n_labels] = len(kept)
        return replace(self, trees=self.trees._replace(labels=labels.astype(np.uint32)))

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The updates as arrays for a model file."""
        parts = (self.better, self.worse, self.logprobs, self.starts, self.survivals)
        return dict(zip(_ARRAYS, (*self.trees, *parts), strict=True))

    @classmethod
    def restore(cls, arrays: Arrays, n_labels: int) -> Support:
        """The updates that a model file holds, checked."""
        trees = Trees(
            np.array(take(arrays, "support_offsets", np.int64)),
            np.array(take(arrays, "support_labels", np.uint32)),
            np.array(take(arrays, "support_depths", np.uint16)),
        )
        n_trees = max(0, trees.n_trees)
        try:
            trees.check(n_labels, n_trees)
        except ValueError as error:
            raise ModelError(f"the trees of the updates are broken: {error}") from None
        better = take(arrays, "better", np.uint32, below=n_trees)
        worse = take(arrays, "worse", np.uint32, better.shape, below=n_trees)
        logprobs = take(arrays, "update_logprobs", np.float64, better.shape)
        starts = take_offsets(arrays, "update_starts", len(better))
        votes = (len(better) + len(starts) - 1,)
        survivals = take(arrays, "survivals", np.float64, votes)
        own = cls(trees, *map(np.array, (better, worse, logprobs, starts, survivals)))
        if (own.survivals < 0).any() or not 0 < own.survivals.sum() < np.inf:
            raise ModelError("the votes of the voters are broken")
        return own


_ARRAYS = (
    *("support_offsets", "support_labels", "support_depths", "better", "worse"),
    *("update_logprobs", "update_starts", "survivals"),
)
