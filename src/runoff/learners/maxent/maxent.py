"""Maximum entropy without selection: LogLoss and a penalty, all weights at once.

LogLoss is the sum over lists of -log p(best candidate), p the softmax of the list's scores
(Collins & Koo 2005, section 4.2.2); the penalty is equation 28 of that paper, or an l1 one, which
makes most weights zero. It is convex, so there is one answer, and L-BFGS finds it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import ClassVar, Self

import numpy as np

from runoff import _native
from runoff.errors import check_at_least, unknown_choice
from runoff.fitting.optimise import Minimum
from runoff.fitting.priors import check_priors, fit_priors
from runoff.fitting.run import ALONE, Run
from runoff.learners.base import LinearRanker, single_precision
from runoff.learners.maxent.loss import LinearLoss, Prior, dev_quality, spread_scales
from runoff.problem.problem import Floats, Integers, RankingProblem


@dataclass(kw_only=True)
class MaxEnt(LinearRanker):
    """Makes the best candidate of each list as probable as the penalty lets it.

    Real-valued features and the log-probability are divided by their spread within lists, so that
    the penalty does not depend on units; the weights are given back in the features' own units.

    Parameters
    ----------
    prior : spread s of the weights: the penalty is the sum of a^2 / s^2, or of |a| / s. Of several,
        the one that does best on development lists is taken.
    penalty : `gaussian`, or `l1` for sparse weights.
    targets : `one`, the best candidate, or `all`, spread over all candidates of the highest quality
        (as Charniak & Johnson 2005 do). With `one`, the others of the same quality are left out.
    cost : a candidate's score is raised, while learning, by so much for each point of quality that
        it lacks, so that bad ones have to be far below the best (the softmax margin of Gimpel &
        Smith 2010).
    truncate : weights that end up smaller than this, features divided by their spread, become 0,
        except that of the log-probability. Figures on development lists are those after it.
    iterations : maximum number of optimiser iterations.
    """

    prior: tuple[float, ...] = (1.0,)
    penalty: str = "gaussian"
    targets: str = "one"
    cost: float = 0.0
    truncate: float = 0.0
    iterations: int = 500

    name: ClassVar[str] = "maxent"

    def check(self, *, with_dev: bool = True) -> None:
        """Raise an error for options that make no sense."""
        if self.penalty not in PENALTIES:
            raise unknown_choice("penalty", self.penalty, PENALTIES)
        if self.targets not in TARGETS:
            raise unknown_choice("kind of targets", self.targets, TARGETS)
        check_at_least(1, iterations=self.iterations)
        check_at_least(0, cost=self.cost, truncate=self.truncate)
        check_priors(self.prior, with_dev=with_dev)

    def fit(
        self, problem: RankingProblem, dev: RankingProblem | None = None, *, run: Run = ALONE
    ) -> Self:
        """Learn from lists with qualities; an iteration is linear in their features."""
        self.check(with_dev=dev is not None)
        targets = target_shares(problem, spread=self.targets == "all")
        list_loss = partial(softmax_margin, problem.list_offsets, targets, self._raised(problem))
        order = problem.canonical_order()
        loss = LinearLoss(problem, order, list_loss, spread_scales(problem), run.threads)
        finish, judged = partial(self._finished, loss.scales), dev_quality(dev, self.seen)
        quality = None if judged is None else lambda weights: judged(finish(weights))

        def fit(s: float, *, run: Run) -> Minimum:
            prior = Prior(s, self.penalty)
            return prior.fit(loss, quality, iterations=self.iterations, run=run, stage=self.name)

        weights, self.record_ = fit_priors(self.prior, fit, quality, run)
        weights = finish(weights)
        self.weights_, self.logprob_weight_ = weights[:-1].copy(), float(weights[-1])
        return self

    def _finished(self, scales: Floats, weights: Floats) -> Floats:
        """The weights as the model has them: small ones 0, the others in single precision."""
        kept = np.abs(weights * scales) >= self.truncate
        kept[-1] = True
        return single_precision(np.where(kept, weights, 0.0))

    def _raised(self, problem: RankingProblem) -> Floats:
        qualities, sizes = problem.known_qualities(), np.diff(problem.list_offsets)
        best = np.repeat(problem.list_offsets[:-1] + problem.best(), sizes)
        return self.cost * (qualities[best] - qualities)


def softmax_margin(
    list_offsets: Integers,
    targets: Floats,
    raised: Floats,
    scores: Floats,
    losses: Floats,
    coefficients: Floats,
    threads: int,
) -> None:
    """LogLoss of scores that are raised by the cost of each candidate."""
    _native.log_loss(list_offsets, targets, scores + raised, losses, coefficients, threads)


PENALTIES = ("gaussian", "l1")
TARGETS = ("one", "all")


def target_shares(problem: RankingProblem, *, spread: bool) -> Floats:
    """The share of each candidate in its list's target, -1 for those that are left out.

    Lists in which all candidates are equally good teach nothing, so all of theirs are left out.

    Examples
    --------
    >>> problem = RankingProblem(
    ...     list_offsets=np.array([0, 3, 5]),
    ...     feature_offsets=np.zeros(6, dtype=np.int64),
    ...     feature_ids=np.zeros(0, dtype=np.uint32),
    ...     feature_values=None,
    ...     logprobs=np.zeros(5),
    ...     qualities=np.array([1.0, 2.0, 2.0, 7.0, 7.0]),
    ...     n_features=0,
    ... )
    >>> target_shares(problem, spread=True)
    array([ 0. ,  0.5,  0.5, -1. , -1. ])
    >>> target_shares(problem, spread=False)
    array([ 0.,  1., -1., -1., -1.])
    """
    qualities, sizes = problem.known_qualities(), np.diff(problem.list_offsets)
    best = np.repeat(problem.list_offsets[:-1] + problem.best(), sizes)
    owners = np.repeat(np.arange(problem.n_lists), sizes)
    is_best = qualities == qualities[best]
    equals = np.bincount(owners, is_best, problem.n_lists)
    if spread:
        targets = is_best / equals[owners]
    else:
        targets = np.where(is_best, -1.0, 0.0)
        targets[best] = 1.0
    teaches = equals < sizes
    return np.where(teaches[owners], targets, -1.0)
