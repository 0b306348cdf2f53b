"""SVMRank: linear support vector machines on pairs of candidates, which then vote.

Follows Shen & Joshi 2003 and Ji, Rudin & Grishman 2006, section 5.2: the training pairs are split
into subsets, one machine learns from each, a sigmoid turns its margins into probabilities, and the
candidate with the largest product of probabilities over all others and all machines wins.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from runoff import _native
from runoff.errors import NotFittedError, UsageError, check_at_least, check_seed
from runoff.fitting.optimise import Minimum
from runoff.fitting.record import Record
from runoff.fitting.run import ALONE, Run
from runoff.learners.maxent.loss import LinearLoss, Prior, dev_quality, spread_scales
from runoff.learners.pairs.platt import fit_slope
from runoff.learners.pairs.selection import PairSelection
from runoff.learners.terms import Terms, no_terms
from runoff.problem.problem import Floats, Integers, RankingProblem
from runoff.store.arrays import take
from runoff.store.file import Arrays


@dataclass(kw_only=True)
class SVMRank(PairSelection):
    """Several machines, each fitted to a part of the pairs, vote by their probabilities.

    The machines minimise |a|^2 / 2 + cost * (sum over lists of the mean of max(0, 1 - margin)^2).
    `PairSelection` says which pairs are left out.

    Parameters
    ----------
    cost : how much a wrong pair costs.
    subsets : how many machines; each has its own share of the pairs of every list.
    iterations : maximum number of optimiser iterations, per machine.
    seed : of the division into subsets.
    """

    cost: float = 0.1
    subsets: int = 4
    iterations: int = 500
    seed: int = 0

    name: ClassVar[str] = "svm-rank"
    takes_values: ClassVar[bool] = True
    takes_trees: ClassVar[bool] = False

    weights_: Floats = field(init=False, repr=False, compare=False)
    logprob_weights_: Floats = field(init=False, repr=False, compare=False)
    slopes_: Floats = field(init=False, repr=False, compare=False)
    record_: Record = field(init=False, repr=False, compare=False, default_factory=dict)

    def check(self, *, with_dev: bool = True) -> None:
        """Raise an error for options that make no sense."""
        super().check(with_dev=with_dev)
        if not 0 < self.cost < np.inf:
            raise UsageError(f"cost must be positive, not {self.cost}")
        check_at_least(1, subsets=self.subsets, iterations=self.iterations)
        check_seed(self.seed)

    def fit(
        self, problem: RankingProblem, dev: RankingProblem | None = None, *, run: Run = ALONE
    ) -> Self:
        """Learn from lists with qualities; the sigmoids come from `dev`, or from other subsets."""
        self.check(with_dev=dev is not None)
        finished: Arrays = {}
        machines, rows, slopes = [], [], []
        for k in range(self.subsets):
            part = run.part(f"machine {k + 1}", finished)
            found = self._machine(problem, dev, k, part)
            finished = {**finished, **part.named(found.state)}
            machines.append(found.x)
            slopes.append(self._slope(found.x, problem, dev, k, run.threads))
            rows += [{"machine": k + 1.0, **row} for row in found.rows]
        table = np.array(machines)
        self.weights_, self.logprob_weights_ = table[:, :-1].copy(), table[:, -1].copy()
        self.slopes_ = np.array(slopes)
        sigmoids = [{"machine": k + 1.0, "slope": slope} for k, slope in enumerate(slopes)]
        self.record_ = {"iterations": rows, "sigmoids": sigmoids}
        return self

    def scores(self, problem: RankingProblem) -> Floats:
        """One score per candidate: the sum of log P(better) over its rivals and machines."""
        votes = np.zeros(problem.n_candidates)
        machines = zip(self.weights(), self.logprob_weights_, self.slopes_, strict=True)
        for weights, logprob_weight, slope in machines:
            margins = _linear(problem, np.append(weights, logprob_weight))
            _native.add_pair_votes(problem.list_offsets, margins, float(slope), votes)
        return votes

    def weights(self) -> Floats:
        """The weight of every feature, one row per machine."""
        if not hasattr(self, "weights_"):
            raise NotFittedError(f"this {type(self).__name__} has not been fitted")
        return self.weights_

    def terms(self, problem: RankingProblem, names: Sequence[str]) -> Terms:
        """Raise an error: products of probabilities are not sums of named terms."""
        raise no_terms(self.name)

    def named_weights(self, names: Sequence[str]) -> None:
        """None: every machine has weights of its own."""

    def features_used(self) -> Integers:
        """Ids of the features that any machine has a weight for."""
        return np.flatnonzero(self.weights().any(axis=0))

    def restrict(self, kept: Integers) -> Self:
        """A copy of the ranker over a space of only the features `kept`."""
        self.weights_ = np.ascontiguousarray(self.weights()[:, kept])
        return self

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The learned parameters as arrays for a model file."""
        return {
            "weights": self.weights(),
            "logprob_weights": self.logprob_weights_,
            "slopes": self.slopes_,
        }

    def restore(self, arrays: Arrays, n_features: int) -> Self:
        """Restore the learned parameters from the arrays of a model file, checked."""
        shapes: dict[str, tuple[int, ...]] = {
            "weights": (self.subsets, n_features),
            "logprob_weights": (self.subsets,),
            "slopes": (self.subsets,),
        }
        self.weights_, self.logprob_weights_, self.slopes_ = (
            np.array(take(arrays, name, np.float64, shape)) for name, shape in shapes.items()
        )
        return self

    def _machine(
        self, problem: RankingProblem, dev: RankingProblem | None, k: int, run: Run
    ) -> Minimum:
        pairs = self.crucial_pairs(problem, subsets=self.subsets, subset=k, seed=self.seed)
        loss = LinearLoss(
            problem,
            problem.canonical_order(),
            partial(_native.pair_hinge_loss, pairs),
            spread_scales(problem),
            run.threads,
        )
        prior = Prior((2 * self.cost) ** 0.5)  # |a|^2 / 2 + cost * loss, divided by cost
        quality = dev_quality(dev, lambda problem: problem)
        return prior.fit(loss, quality, iterations=self.iterations, run=run, stage=self.name)

    def _slope(
        self,
        weights: Floats,
        problem: RankingProblem,
        dev: RankingProblem | None,
        k: int,
        threads: int,
    ) -> float:
        """The slope of machine k's sigmoid, from pairs that it has not seen.

        One machine alone, without development lists, has seen all; its slope changes no order.
        """
        if dev is not None:
            held_out, pairs = dev, self.crucial_pairs(dev)
        elif self.subsets == 1:
            return 1.0
        else:
            held_out = problem
            other = (k + 1) % self.subsets
            pairs = self.crucial_pairs(problem, subsets=self.subsets, subset=other, seed=self.seed)
        scores = _linear(held_out, weights)
        return fit_slope(pairs, scores, held_out.canonical_order(), threads)


def _linear(problem: RankingProblem, weights: Floats) -> Floats:
    scores = np.empty(problem.n_candidates)
    _native.linear_scores(problem.native, weights[:-1].copy(), float(weights[-1]), scores)
    return scores
