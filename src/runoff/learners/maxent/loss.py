"""Losses of lists as functions of the weights of a linear ranker."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, reduce
from operator import add

import numpy as np

from runoff import _native
from runoff.fitting.optimise import Minimum, minimise
from runoff.fitting.run import Run
from runoff.problem.problem import Floats, Integers, RankingProblem

ListLoss = Callable[..., None]
"""Takes scores, and writes a loss per list and its derivative by every score."""

BLOCK = 1 << 19
"""Lists in a block, but for the last; with another number, sums would have other bits."""


@dataclass(frozen=True, eq=False)
class LinearLoss:
    """The sum of the lists' losses at weights, and its gradient.

    Weights are those of features divided by `scales`; the last is the log-probability's. Sums run
    over the lists of a block in `order`, then over blocks, and over threads never, so that the bits
    depend on the lists alone.
    """

    problem: RankingProblem
    order: Integers
    list_loss: ListLoss
    scales: Floats
    threads: int = 1

    @cached_property
    def blocks(self) -> list[tuple[Integers, _native.FeatureIndex]]:
        """The lists of each block, and these by features, which takes far less memory."""
        ends = range(BLOCK, len(self.order), BLOCK)
        return [(own, self.problem.index(own, self.threads)) for own in np.split(self.order, ends)]

    def __call__(self, x: Floats) -> tuple[float, Floats]:
        """The loss and its gradient."""
        problem, weights = self.problem, x / self.scales
        scores, coefficients = np.empty((2, problem.n_candidates))
        losses = np.empty(problem.n_lists)
        for _, index in self.blocks:
            index.scores(weights, scores, self.threads)
        self.list_loss(scores, losses, coefficients, threads=self.threads)
        parts = [np.add.reduce(losses[own]) for own, _ in self.blocks]
        return float(reduce(add, parts)), self._gradient(coefficients) / self.scales

    def _gradient(self, coefficients: Floats) -> Floats:
        """The gradient by the weights of scores, a block after the other."""
        total, part = np.empty((2, len(self.scales)))
        for number, (_, index) in enumerate(self.blocks):
            index.gradient(coefficients, part if number else total, self.threads)
            if number:
                total += part
        return total


def spread_scales(problem: RankingProblem) -> Floats:
    """The divisors of feature values: the spread within lists of features that are not binary."""
    scales = np.empty(problem.n_features + 1)
    _native.feature_scales(problem.native, problem.canonical_order(), scales)
    return scales


@dataclass(frozen=True)
class Prior:
    """The penalty that keeps weights small: sum of x^2 / s^2 (gaussian), or sum of |x| / s (l1)."""

    s: float
    penalty: str = "gaussian"

    def fit(
        self,
        loss: LinearLoss,
        quality: Callable[[Floats], float] | None,
        *,
        iterations: int,
        run: Run,
        stage: str,
        start: Floats | None = None,
    ) -> Minimum:
        """The weights of least loss under this prior, in the features' own units.

        `start` is where the search begins; all weights are 0 without it.
        """

        def penalised(x: Floats) -> tuple[float, Floats]:
            value, gradient = loss(x)
            return value + float(np.add.reduce(x * x)) / self.s**2, gradient + 2 * x / self.s**2

        gaussian = self.penalty == "gaussian"
        found = minimise(
            penalised if gaussian else loss,
            np.zeros_like(loss.scales) if start is None else start * loss.scales,
            l1=0.0 if gaussian else 1.0 / self.s,
            iterations=iterations,
            run=run,
            stage=stage,
            figures=lambda x: {"dev quality": quality(x / loss.scales)} if quality else {},
        )
        return found._replace(x=found.x / loss.scales)


def dev_quality(
    dev: RankingProblem | None, seen: Callable[[RankingProblem], RankingProblem]
) -> Callable[[Floats], float] | None:
    """The quality of the picks on development lists, as a function of weights.

    Parameters
    ----------
    seen : the problem as the weights see it.
    """
    if dev is None:
        return None
    index = seen(dev).index(np.arange(dev.n_lists))

    def quality(weights: Floats) -> float:
        scores = np.empty(dev.n_candidates)
        index.scores(weights, scores)
        return dev.picked_quality(scores)

    return quality
