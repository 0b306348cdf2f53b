"""Platt's sigmoid: from the margins of a support vector machine to probabilities."""

from __future__ import annotations

import numpy as np

from runoff import _native
from runoff.problem.problem import Floats, Integers

ITERATIONS = 100


def fit_slope(
    pairs: _native.CrucialPairs, scores: Floats, order: Integers, threads: int = 1
) -> float:
    """The slope a of the probability 1 / (1 + exp(-a (score_i - score_j))) that i is better than j.

    The pairs should be other ones than the scores were learned from. There is no bias term: who is
    compared with whom is arbitrary, P(i better than j) = 1 - P(j better than i), and a sigmoid
    keeps that only without one. Targets are Platt's, (n + 1) / (n + 2) for n lists, so the slope
    stays finite where all pairs are in the right order. Newton's method with backtracking, in the
    form of Lin, Lin & Weng (2007). A slope below 0 would turn the machine's order round: such a
    machine knows nothing, and its slope is 0.
    """
    losses, first, second = np.empty((3, len(order)))

    def at(slope: float) -> tuple[float, float, float]:
        _native.slope_loss(pairs, scores, slope, target, losses, first, second, threads)
        loss, gradient, curvature = (
            float(np.add.reduce(array[order])) for array in (losses, first, second)
        )
        return loss, gradient, curvature

    target = 1.0
    at(0.0)
    n = int(np.count_nonzero(losses))
    target = (n + 1.0) / (n + 2.0)
    slope = 0.0
    loss, gradient, curvature = at(slope)
    for _ in range(ITERATIONS):
        if abs(gradient) <= 1e-10 * n:
            break
        step = -gradient / (curvature + 1e-12)
        while (new := at(slope + step))[0] > loss + 1e-4 * step * gradient and abs(step) > 1e-12:
            step /= 2
        if new[0] >= loss:
            break
        slope += step
        loss, gradient, curvature = new
    return max(slope, 0.0)
