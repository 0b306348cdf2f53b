"""Coordinate descent on the p-norm push."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from runoff import _native
from runoff.problem.problem import Floats, Integers, RankingProblem

LONGEST = 3.0
"""The longest step of a round: where a feature is never wrong, there is no end to the gain."""
EVALUATIONS = 60


@dataclass(eq=False)
class Push:
    """The push of all lists as a function of the weights of weak rankers, in the log domain."""

    problem: RankingProblem
    pairs: _native.CrucialPairs
    p: float
    threads: int = 1
    ranges: Floats = field(init=False)

    def __post_init__(self) -> None:
        """Find the ranges of features, where each occurs, and the push before learning."""
        problem = self.problem
        self.ranges = np.empty(problem.n_features + 1)
        _native.feature_ranges(problem.native, self.ranges)
        self.order = problem.canonical_order()
        self.index = problem.index(self.order, self.threads)
        self.owners = np.repeat(np.arange(problem.n_lists), np.diff(problem.list_offsets))
        start, _ = self._lists(np.zeros(problem.n_candidates))
        self.taught: Integers = self.order[np.isfinite(start[self.order])]
        self.start = np.where(np.isfinite(start), start, 0.0)

    def round(self, x: Floats) -> tuple[Floats, dict[str, float]] | None:
        """The weights one round further on, the step and the loss; None if nothing is left to gain.

        The loss is the push divided by what it was at the start.
        """
        scores = self._scores(x)
        losses, coefficients = self._lists(scores)
        if not len(self.taught):
            return None
        shares = _softmax((losses - self.start)[self.taught])
        by_list = np.zeros(len(losses))
        by_list[self.taught] = shares
        gradient = np.empty_like(x)
        self.index.gradient(coefficients * by_list[self.owners], gradient, self.threads)
        gradient /= self.ranges
        steepest = int(np.argmax(np.abs(gradient)))  # of equals, the first
        if abs(gradient[steepest]) <= 1e-9:
            return None
        line = Line(self, scores, steepest, losses - self.start, -np.sign(gradient[steepest]))
        step = line.search()
        new = x.copy()
        new[steepest] += line.sign * step
        loss = float(np.exp(line.at(step)[0])) / len(self.taught)
        return new, {"step": float(line.sign * step), "loss": loss}

    def _scores(self, x: Floats) -> Floats:
        scores, weights = np.empty(self.problem.n_candidates), x / self.ranges
        self.index.scores(weights, scores, self.threads)
        return scores

    def _lists(self, scores: Floats) -> tuple[Floats, Floats]:
        """The logarithm of each list's push, and its derivative by every score."""
        losses, coefficients = np.empty(self.problem.n_lists), np.empty_like(scores)
        _native.push_loss(self.pairs, self.p, scores, losses, coefficients, self.threads)
        return losses, coefficients


class Line:
    """The logarithm of the push along one weak ranker; only lists in which it occurs change."""

    def __init__(self, push: Push, scores: Floats, row: int, losses: Floats, sign: float) -> None:
        self.push, self.scores, self.sign = push, scores, float(sign)
        self.direction = np.zeros_like(scores)
        push.index.scatter(row, self.direction)
        touched = np.zeros(len(losses), dtype=np.bool_)
        touched[push.owners[self.direction != 0]] = True
        self.direction *= self.sign / push.ranges[row]
        self.lists = push.taught[touched[push.taught]]
        self.others = losses[push.taught[~touched[push.taught]]]
        self.values, self.first, self.second = np.empty((3, len(self.lists)))

    def at(self, step: float) -> tuple[float, float, float]:
        """The value after a step, and its first and second derivative by the step."""
        push = self.push
        _native.push_line(
            push.pairs,
            push.p,
            self.lists,
            self.scores + step * self.direction,
            self.direction,
            self.values,
            self.first,
            self.second,
            push.threads,
        )
        values = np.concatenate([self.values - push.start[self.lists], self.others])
        shares = _softmax(values)[: len(self.lists)]
        mean = float(np.add.reduce(shares * self.first))
        squares = float(np.add.reduce(shares * (self.second + self.first**2)))
        top = values.max()
        return float(top + np.log(np.add.reduce(np.exp(values - top)))), mean, squares - mean**2

    def search(self) -> float:
        """The step to the minimum: Newton's method, and bisection where it would go astray."""
        low, high = 0.0, LONGEST
        if self.at(high)[1] <= 0:
            return high
        step, (_, slope, curvature) = 0.0, self.at(0.0)
        enough = 1e-12 * abs(slope)
        for _ in range(EVALUATIONS):
            newton = step - slope / curvature if curvature > 0 else -1.0
            step = newton if low < newton < high else (low + high) / 2
            _, slope, curvature = self.at(step)
            low, high = (step, high) if slope < 0 else (low, step)
            if abs(slope) <= enough or high - low <= 1e-12:
                break
        return step


def _softmax(values: Floats) -> Floats:
    weights = np.exp(values - values.max())
    shares: Floats = weights / np.add.reduce(weights)
    return shares
