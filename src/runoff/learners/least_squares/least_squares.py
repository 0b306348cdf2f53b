"""Regularised least squares: scores that are near the qualities, as far as these differ in a list.

The regressor of Tsivtsivadze et al. (2005), "Regularized least-squares for parse ranking", which is
the largest target function of Ginter, Mylläri & Salakoski (2006).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import ClassVar, Self

import numpy as np

from runoff.errors import check_at_least
from runoff.fitting.conjugate import solve
from runoff.fitting.optimise import Minimum
from runoff.fitting.priors import check_priors, fit_priors
from runoff.fitting.run import ALONE, Run
from runoff.learners.base import LinearRanker, single_precision
from runoff.learners.maxent.loss import LinearLoss, dev_quality, spread_scales
from runoff.problem.problem import Floats, Integers, RankingProblem


@dataclass(kw_only=True)
class LeastSquares(LinearRanker):
    """Ridge regression on qualities, both sides centred in each list.

    Minimises the sum of squared differences between quality and score, each minus its mean in the
    list, plus the penalty. Real-valued features and the log-probability are divided by their spread
    within lists, so that the penalty does not depend on units.

    Parameters
    ----------
    prior : spread s of the weights: the penalty is the sum of a^2 / s^2. Of several, the one that
        does best on development lists is taken.
    iterations : maximum number of conjugate gradient steps.
    """

    prior: tuple[float, ...] = (0.3,)
    iterations: int = 500

    name: ClassVar[str] = "least-squares"

    def check(self, *, with_dev: bool = True) -> None:
        """Raise an error for options that make no sense."""
        check_priors(self.prior, with_dev=with_dev)
        check_at_least(1, iterations=self.iterations)

    def fit(
        self, problem: RankingProblem, dev: RankingProblem | None = None, *, run: Run = ALONE
    ) -> Self:
        """Learn from lists with qualities; an iteration is linear in their features."""
        self.check(with_dev=dev is not None)
        qualities = centred(problem.list_offsets, problem.known_qualities())
        squares = partial(_squares, problem.list_offsets, qualities)
        order = problem.canonical_order()
        loss = LinearLoss(problem, order, squares, spread_scales(problem), run.threads)
        _, first = loss(np.zeros_like(loss.scales))
        judged = dev_quality(dev, self.seen)
        quality = None if judged is None else lambda x: judged(single_precision(x))

        def fit(s: float, *, run: Run) -> Minimum:
            found = solve(
                lambda x: loss(x)[1] - first + x / s**2,
                -first,
                iterations=self.iterations,
                run=run,
                stage=self.name,
                figures=lambda x: {"dev quality": quality(x / loss.scales)} if quality else {},
            )
            return found._replace(x=found.x / loss.scales)

        weights, self.record_ = fit_priors(self.prior, fit, quality, run)
        weights = single_precision(weights)
        self.weights_, self.logprob_weight_ = weights[:-1].copy(), float(weights[-1])
        return self


def centred(list_offsets: Integers, values: Floats) -> Floats:
    """The values minus their mean in each list.

    Examples
    --------
    >>> centred(np.array([0, 2, 3]), np.array([1.0, 3.0, 7.0]))
    array([-1.,  1.,  0.])
    """
    sizes = np.diff(list_offsets)
    owners = np.repeat(np.arange(len(sizes)), sizes)
    sums = np.bincount(owners, values, len(sizes))
    found: Floats = values - (sums / np.maximum(sizes, 1))[owners]
    return found


def _squares(
    list_offsets: Integers,
    qualities: Floats,
    scores: Floats,
    losses: Floats,
    coefficients: Floats,
    threads: int,
) -> None:
    """Half the squared differences in each list, and their derivatives by the scores."""
    rest = centred(list_offsets, scores) - qualities
    owners = np.repeat(np.arange(len(losses)), np.diff(list_offsets))
    losses[:] = np.bincount(owners, rest**2, len(losses)) / 2
    coefficients[:] = rest
