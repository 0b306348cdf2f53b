"""LambdaMART: boosted regression trees that learn what two candidates changing places is worth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from runoff import _native
from runoff.errors import NotFittedError, UsageError, check_at_least, check_seed
from runoff.fitting.record import Record
from runoff.fitting.run import ALONE, Run
from runoff.learners.lambdamart.trees import Binned, Trees, by_feature, tree_rows
from runoff.learners.terms import LOGPROB, NamedWeights, Terms
from runoff.problem.problem import Floats, Integers, RankingProblem
from runoff.problem.views import Views, restored_views


@dataclass(kw_only=True)
class LambdaMart:
    """Shallow trees over real-valued features: their values, and their ranks in the list.

    A pair of candidates counts by the difference of their qualities and by how far apart they
    stand, most at the top. Features of words are left to other learners.

    Parameters
    ----------
    rounds : number of trees.
    leaves : maximum number of leaves of a tree.
    rate : what each tree is multiplied by.
    least_rows : minimum number of candidates in a leaf.
    l2 : keeps values of leaves small.
    lists, columns : the share of the lists and columns that each tree sees.
    bags : how many such models are learned, from other lists and columns; the mean of their scores
        is used.
    top : pairs count if one of them is among so many at the top.
    seed : random seed of what each tree sees.

    References
    ----------
    Burges (2010), "From RankNet to LambdaRank to LambdaMART: an overview".
    """

    rounds: int = 60
    leaves: int = 8
    rate: float = 0.1
    least_rows: int = 20
    l2: float = 1.0
    lists: float = 0.5
    columns: float = 0.5
    bags: int = 3
    top: int = 10
    seed: int = 0

    name: ClassVar[str] = "lambdamart"
    takes_values: ClassVar[bool] = True
    takes_trees: ClassVar[bool] = False

    views_: Views = field(init=False, repr=False, compare=False)
    trees_: Trees = field(init=False, repr=False, compare=False)
    record_: Record = field(init=False, repr=False, compare=False, default_factory=dict)

    def check(self, *, with_dev: bool = True) -> None:
        """Raise an error for options that make no sense."""
        check_at_least(
            1, rounds=self.rounds, least_rows=self.least_rows, bags=self.bags, top=self.top
        )
        check_at_least(2, leaves=self.leaves)
        check_at_least(0, l2=self.l2)
        check_seed(self.seed)
        for name in ("rate", "lists", "columns"):
            if not 0 < getattr(self, name) <= 1:
                raise UsageError(f"{name} must be above 0 and not above 1")

    def fit(
        self, problem: RankingProblem, dev: RankingProblem | None = None, *, run: Run = ALONE
    ) -> Self:
        """Learn from lists with qualities; a tree is linear in candidates and columns."""
        self.check(with_dev=dev is not None)
        self.views_ = Views.of(problem)
        run.report(self.name, 0, None)
        everything = np.ones(problem.n_lists, dtype=np.bool_)
        self.trees_ = self.grow(problem, tree_rows(self.views_.columns(problem)), everything)
        self.record_ = {}
        return self

    def grow(self, problem: RankingProblem, rows: Floats, wanted: NDArray[np.bool_]) -> Trees:
        """The trees that some of the lists of a problem teach, whose rows are given."""
        order = problem.canonical_order()
        firsts, sizes = problem.list_offsets[:-1], np.diff(problem.list_offsets)
        order = order[wanted[order]]
        offsets = np.concatenate([[0], np.cumsum(sizes[order])])
        places = np.repeat(firsts[order] - offsets[:-1], sizes[order]) + np.arange(offsets[-1])
        qualities = problem.known_qualities()[places]
        binned = Binned.of(rows[places])
        qualities = qualities / typical_spread(offsets, qualities)
        grown = [
            self._grown(offsets, qualities, binned, (self.seed << 8) + bag)
            for bag in range(self.bags)
        ]
        return Trees.mean([trees for trees in grown if trees is not None], rows.shape[1])

    def _grown(
        self, offsets: Integers, qualities: Floats, binned: Binned, seed: int
    ) -> Trees | None:
        """The trees of a bag, None where there is nothing to learn."""
        found = _native.boost_trees(
            offsets,
            qualities,
            binned.bins.ravel(),
            len(binned.cuts),
            self.leaves,
            self.least_rows,
            self.l2,
            self.rate,
            self.rounds,
            self.lists,
            self.columns,
            self.top,
            seed,
        )
        tree_offsets, columns, above, bins, values = found
        if not above.any():
            return None
        starts = np.cumsum([0, *map(len, binned.cuts)])
        cuts = np.concatenate([*binned.cuts, np.zeros(1)])  # leaves ask for nothing
        at = np.where(above == 0, len(cuts) - 1, starts[columns] + bins)
        return Trees(tree_offsets, columns, above, cuts[at], values, len(binned.cuts))

    def fitted(self) -> Trees:
        """The trees that were learned."""
        if not hasattr(self, "trees_"):
            raise NotFittedError("this LambdaMart has not been fitted")
        return self.trees_

    def scores(self, problem: RankingProblem) -> Floats:
        """One score per candidate."""
        return self.fitted().scores(tree_rows(self.views_.columns(problem)))

    def terms(self, problem: RankingProblem, names: Sequence[str]) -> Terms:
        """What each feature contributed to the scores, along the paths through the trees."""
        own = [*(names[number] for number in self.views_.ids.tolist()), LOGPROB]
        parts = self.fitted().contributions(tree_rows(self.views_.columns(problem)))
        titles, values = by_feature(own, parts)
        return Terms(titles, np.ones(len(titles)), values)

    def named_weights(self, names: Sequence[str]) -> NamedWeights | None:
        """None: trees have no weights."""
        return None

    def features_used(self) -> Integers:
        """Ids of the features that have views."""
        self.fitted()
        return self.views_.ids.astype(np.int64)

    def restrict(self, kept: Integers) -> Self:
        """A copy of the ranker over a space of only the features `kept`."""
        self.views_ = self.views_.restrict(kept)
        return self

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The learned parameters as arrays for a model file."""
        return {**self.fitted().arrays(), "views": self.views_.ids}

    def restore(self, arrays: Any, n_features: int) -> Self:
        """Restore the learned parameters from the arrays of a model file, checked."""
        self.views_ = restored_views(arrays, n_features)
        self.trees_ = Trees.restore(arrays, 3 * self.views_.n_columns)
        return self


def typical_spread(list_offsets: Integers, qualities: Floats) -> float:
    """The mean distance of best and worst quality in a list, where there is one.

    Examples
    --------
    >>> typical_spread(np.array([0, 2, 3, 5]), np.array([1.0, 4.0, 9.0, 2.0, 1.0]))
    2.0
    """
    full = np.flatnonzero(np.diff(list_offsets))
    if not len(full):
        return 1.0
    starts = list_offsets[:-1][full]
    spreads = np.maximum.reduceat(qualities, starts) - np.minimum.reduceat(qualities, starts)
    own = spreads[spreads > 0]
    return float(own.mean()) if len(own) else 1.0
