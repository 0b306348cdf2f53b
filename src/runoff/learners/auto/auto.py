"""The default learner: what does best on lists that it was not learned from.

Members are a maximum entropy model over all features and the views relative to the list, under
several priors, and boosted trees over the real-valued features (LambdaMART). Folds of the training
lists judge each of them and their weighted sums. The best one is learned from all lists; a model
is always one linear model, trees, or the sum of both, so that its terms add up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from runoff import _native
from runoff.errors import NotFittedError, UsageError, check_at_least, check_seed
from runoff.fitting.priors import check_priors
from runoff.fitting.record import Record
from runoff.fitting.run import ALONE, Run
from runoff.learners.auto.members import Choice, Judged, judge_members
from runoff.learners.auto.soft_targets import fit_path
from runoff.learners.auto.terms import joined_terms
from runoff.learners.folds import HeldOut
from runoff.learners.lambdamart.lambdamart import LambdaMart
from runoff.learners.lambdamart.trees import Trees, tree_rows
from runoff.learners.terms import NamedWeights, Terms
from runoff.problem.problem import Floats, Integers, RankingProblem
from runoff.problem.views import Views, restored_views
from runoff.store.arrays import take
from runoff.store.file import Arrays


@dataclass(kw_only=True)
class Auto:
    """Tries linear models, trees and their sums on folds, and learns the best from all lists.

    Parameters
    ----------
    prior : spreads of the weights to try, see `maxent`.
    iterations : maximum number of optimiser iterations for each prior.
    rounds : number of trees; 0 tries none.
    folds : parts of the training lists, each judged by what the others teach. Lists with the same
        `document` are in one part.
    judged : maximum number of candidates that are judged; the model is learned from all lists.
    budget : after so many seconds nothing new is tried, and the best so far is learned; 0 is no
        limit. The result then depends on the machine.
    seed : random seed of the lists and columns that each tree sees.
    """

    prior: tuple[float, ...] = (0.1, 0.3, 1.0, 3.0, 10.0)
    iterations: int = 40
    rounds: int = 60
    folds: int = 5
    judged: int = 100_000
    budget: float = 0.0
    seed: int = 0

    name: ClassVar[str] = "auto"
    takes_values: ClassVar[bool] = True
    takes_trees: ClassVar[bool] = False

    views_: Views = field(init=False, repr=False, compare=False)
    weights_: Floats = field(init=False, repr=False, compare=False)
    logprob_weight_: float = field(init=False, repr=False, compare=False)
    trees_: Trees = field(init=False, repr=False, compare=False)
    record_: Record = field(init=False, repr=False, compare=False, default_factory=dict)
    held_out_: HeldOut | None = field(init=False, repr=False, compare=False, default=None)

    def check(self, *, with_dev: bool = True) -> None:
        """Raise an error for options that make no sense."""
        check_priors(self.prior, with_dev=True)
        check_at_least(1, iterations=self.iterations, judged=self.judged)
        check_at_least(0, rounds=self.rounds, budget=self.budget)
        check_at_least(2, folds=self.folds)
        check_seed(self.seed)
        if list(self.prior) != sorted(set(self.prior)):
            raise UsageError("prior must rise: each search starts where the one before it ended")

    def fit(
        self, problem: RankingProblem, dev: RankingProblem | None = None, *, run: Run = ALONE
    ) -> Self:
        """Learn from lists with qualities; `dev` plays no part, since folds of all lists do."""
        self.check(with_dev=dev is not None)
        self.views_ = Views.of(problem)
        judged = Judged.resumed(run.saved(), problem, self) or judge_members(
            problem, self.views_, self, run
        )
        self.held_out_, self.record_ = judged.held_out, judged.record
        state = judged.state()
        run.keep(state.copy)
        self._learn(
            problem, judged.choice, replace(run, finished={**run.finished, **run.named(state)})
        )
        return self

    def __getstate__(self) -> dict[str, Any]:
        """All but the lists that were judged, which other processes need not have."""
        return {**self.__dict__, "held_out_": None}

    def trees(self, bags: int) -> LambdaMart:
        """The learner of trees with the options given."""
        return LambdaMart(rounds=max(1, self.rounds), bags=bags, seed=self.seed)

    def _learn(self, problem: RankingProblem, choice: Choice, run: Run) -> None:
        """Learn what was chosen from all lists."""
        if not choice.views and not choice.trees:
            self.views_ = Views.none()
        weights = np.zeros(problem.n_features + 2 * self.views_.n_columns + 1)
        if choice.linear:
            seen = self.views_.added(problem) if choice.views else problem
            priors = self.prior[: self.prior.index(choice.prior) + 1]
            *_, own = fit_path(seen, priors, iterations=self.iterations, run=run)
            weights[: len(own) - 1], weights[-1] = own[:-1], own[-1]
        self.weights_, self.logprob_weight_ = weights[:-1].copy(), float(weights[-1])
        self.trees_ = Trees.none(3 * self.views_.n_columns)
        if choice.trees:
            everything = np.ones(problem.n_lists, dtype=np.bool_)
            rows = tree_rows(self.views_.columns(problem))
            grown = self.trees(bags=LambdaMart.bags).grow(problem, rows, everything)
            self.trees_ = grown.times(choice.trees)

    def scores(self, problem: RankingProblem) -> Floats:
        """One score per candidate."""
        weights = self.weights()
        n = self.views_.n_columns
        own, ranks, distances = np.split(weights, [-2 * n, -n])
        scores = np.empty(problem.n_candidates)
        _native.linear_scores(problem.native, own, self.logprob_weight_, scores)
        if not self.trees_.n_trees and not weights[-2 * n :].any():
            return scores
        columns = self.views_.columns(problem)
        scores += (columns.rank * ranks + columns.score * distances).sum(axis=1)
        if self.trees_.n_trees:
            scores += self.trees_.scores(tree_rows(columns))
        return scores

    def seen(self, problem: RankingProblem) -> RankingProblem:
        """The problem with views as features after its own."""
        return self.views_.added(problem)

    def weights(self) -> Floats:
        """The weight of every feature, and of every view."""
        if not hasattr(self, "weights_"):
            raise NotFittedError("this Auto has not been fitted")
        return self.weights_

    def weight_names(self, names: Sequence[str]) -> list[str]:
        """The name of each weight; `names` are those of the feature space."""
        return [*names, *self.views_.names(names)]

    def terms(self, problem: RankingProblem, names: Sequence[str]) -> Terms:
        """The terms whose sums are the scores: weighted features, and what trees add by feature."""
        linear = Terms.of(
            self.seen(problem), self.weights(), self.logprob_weight_, self.weight_names(names)
        )
        return joined_terms(linear, self.views_, self.trees_, problem, names)

    def named_weights(self, names: Sequence[str]) -> NamedWeights | None:
        """All weights under readable names; None where there are trees, too."""
        if self.trees_.n_trees:
            return None
        pairs = zip(self.weight_names(names), self.weights().tolist(), strict=True)
        return NamedWeights(self.logprob_weight_, list(pairs))

    def features_used(self) -> Integers:
        """Ids of the features whose weight is not zero, and of those that have views."""
        own = self.weights()[: -2 * self.views_.n_columns]
        return np.union1d(np.flatnonzero(own), self.views_.ids).astype(np.int64)

    def restrict(self, kept: Integers) -> Self:
        """A copy of the ranker over a space of only the features `kept`."""
        own, views = np.split(self.weights(), [len(self.weights()) - 2 * self.views_.n_columns])
        self.weights_ = np.concatenate([own[kept], views])
        self.views_ = self.views_.restrict(kept)
        return self

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The learned parameters as arrays for a model file."""
        return {
            "weights": self.weights(),
            "logprob_weight": np.array([self.logprob_weight_]),
            "views": self.views_.ids,
            **self.trees_.arrays(),
        }

    def restore(self, arrays: Arrays, n_features: int) -> Self:
        """Restore the learned parameters from the arrays of a model file, checked."""
        self.views_ = restored_views(arrays, n_features)
        size = n_features + 2 * self.views_.n_columns
        self.weights_ = np.array(take(arrays, "weights", np.float64, (size,)))
        self.logprob_weight_ = float(take(arrays, "logprob_weight", np.float64, (1,))[0])
        self.trees_ = Trees.restore(arrays, 3 * self.views_.n_columns)
        return self
