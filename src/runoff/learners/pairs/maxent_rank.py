"""MaxEnt-Rank: maximum entropy on pairs of candidates, or on single ones.

Follows Ji, Rudin & Grishman 2006, section 5.1. Pairwise, the model gives the probability that one
candidate is better than another from the difference of their features. The loss of a list comes
from its candidates' scores, so that features are touched once however many pairs there are.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from runoff import _native
from runoff.errors import UsageError, check_at_least, unknown_choice
from runoff.fitting.optimise import Minimum
from runoff.fitting.priors import check_priors, fit_priors
from runoff.fitting.run import ALONE, Run
from runoff.learners.base import LinearRanker
from runoff.learners.maxent.loss import LinearLoss, Prior, dev_quality, spread_scales
from runoff.learners.pairs.selection import PairSelection, below_first
from runoff.problem.problem import Floats, RankingProblem

SAMPLINGS = ("pairwise", "single")


@dataclass(kw_only=True)
class MaxEntRank(PairSelection, LinearRanker):
    """Learns which of two candidates is better.

    `PairSelection` says which pairs are left out.

    Parameters
    ----------
    sampling : `pairwise`; or `single`: each candidate is a sample, the best of a list a positive
        one, and a feature becomes true where it takes its maximum in the list.
    prior : spread s of the weights: the penalty is the sum of a^2 / s^2. Of several, the one that
        does best on development lists is taken.
    iterations : maximum number of optimiser iterations.
    d1, d2 : for `decide`: a candidate is better than another where the probability of that exceeds
        d1, worse where it is below d2, and in between nobody knows.
    beta : for `decide`: a candidate that is worse than more than this many others is discarded.
    """

    sampling: str = "pairwise"
    prior: tuple[float, ...] = (1.0,)
    iterations: int = 500
    d1: float = 0.5
    d2: float = 0.5
    beta: int = 0

    name: ClassVar[str] = "maxent-rank"

    def check(self, *, with_dev: bool = True) -> None:
        """Raise an error for options that make no sense."""
        super().check(with_dev=with_dev)
        if self.sampling not in SAMPLINGS:
            raise unknown_choice("sampling", self.sampling, SAMPLINGS)
        check_at_least(1, iterations=self.iterations)
        if not 0 < self.d2 <= self.d1 < 1:
            raise UsageError(
                f"d1 and d2 must be probabilities, d1 not below d2; not {self.d1} and {self.d2}"
            )
        check_at_least(0, beta=self.beta)
        check_priors(self.prior, with_dev=with_dev)

    def fit(
        self, problem: RankingProblem, dev: RankingProblem | None = None, *, run: Run = ALONE
    ) -> Self:
        """Learn from lists with qualities; an iteration is quadratic in their lengths."""
        self.check(with_dev=dev is not None)
        loss = (self._pairs if self.sampling == "pairwise" else self._samples)(problem, run.threads)
        own = np.r_[: problem.n_features, -1]  # without the constant of single samples
        plain = dev_quality(dev, self.seen)
        quality = None if plain is None else lambda weights: plain(weights[own])

        def fit(s: float, *, run: Run) -> Minimum:
            return Prior(s).fit(loss, quality, iterations=self.iterations, run=run, stage=self.name)

        weights, self.record_ = fit_priors(self.prior, fit, quality, run)
        self.weights_ = weights[: problem.n_features].copy()
        self.logprob_weight_ = float(weights[-1])
        return self

    def decide(self, problem: RankingProblem) -> NDArray[np.bool_]:
        """Which candidates remain after pruning and selecting; a list with one left is decided.

        Time is linear in the candidates. With `d1 = d2 = 0.5` what remains is what scores highest,
        alone unless others score the same.
        """
        self.check()
        kept = np.empty(problem.n_candidates, dtype=np.uint8)
        better, worse = (float(np.log(d / (1 - d))) for d in (self.d1, self.d2))
        _native.prune_and_select(
            problem.list_offsets, self.scores(problem), better, worse, self.beta, kept
        )
        return kept.astype(np.bool_)

    def seen(self, problem: RankingProblem) -> RankingProblem:
        """The problem itself; for single samples, what is at its maximum in the list."""
        if self.sampling == "pairwise":
            return problem
        offsets, ids = _native.list_maxima(problem.native)
        return replace(
            problem,
            feature_offsets=offsets,
            feature_ids=ids,
            feature_values=None,
            logprobs=(below_first(problem, problem.logprobs) == 0).astype(np.float64),
        )

    def _pairs(self, problem: RankingProblem, threads: int) -> LinearLoss:
        list_loss = partial(_native.pair_logistic_loss, self.crucial_pairs(problem))
        order = problem.canonical_order()
        return LinearLoss(problem, order, list_loss, spread_scales(problem), threads)

    def _samples(self, problem: RankingProblem, threads: int) -> LinearLoss:
        """The loss of single samples; a constant feature, the last, says how rare the best are."""
        signs, order = self._signs(problem), problem.canonical_order()
        maxima = self.seen(problem)
        ends = maxima.feature_offsets[1:]
        constant = replace(
            maxima,
            feature_offsets=maxima.feature_offsets + np.arange(problem.n_candidates + 1),
            feature_ids=np.insert(maxima.feature_ids, ends, problem.n_features),
            n_features=problem.n_features + 1,
        )
        list_loss = partial(_native.sample_loss, problem.list_offsets, signs)
        return LinearLoss(constant, order, list_loss, np.ones(problem.n_features + 2), threads)

    def _signs(self, problem: RankingProblem) -> Floats:
        """1 for the best candidate of each list, -1 for worse ones, 0 for those left out."""
        qualities = np.where(self.kept(problem), problem.known_qualities(), -np.inf)
        gaps = below_first(problem, np.maximum(qualities, np.finfo(np.float64).min / 4))
        signs = np.where((gaps > self.closest) & (gaps <= self.largest_gap(problem)), -1.0, 0.0)
        best = problem.list_offsets[:-1] + problem.picks(qualities)
        signs[best[np.diff(problem.list_offsets) > 0]] = 1.0
        signs[qualities == -np.inf] = 0.0
        owners = np.repeat(np.arange(problem.n_lists), np.diff(problem.list_offsets))
        teaches = np.bincount(owners, signs < 0, problem.n_lists) > 0
        return np.where(teaches[owners], signs, 0.0)
