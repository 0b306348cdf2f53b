"""Minimum error rate training: weights that make the figure of the whole text as good as possible.

Along a line of weights the picks change at the corners of each list's upper envelope only, so the
best point of a line is found exactly, for any metric whose statistics add up (Och 2003, "Minimum
error rate training in statistical machine translation"). Lines are searched one after the other,
from several starts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from runoff import _native
from runoff.errors import UsageError, check_at_least, check_seed
from runoff.fitting.record import record_columns, record_rows
from runoff.fitting.run import ALONE, Run
from runoff.learners.base import LinearRanker
from runoff.learners.maxent.loss import spread_scales
from runoff.problem.problem import Floats, Integers, RankingProblem

MOST_FEATURES = 256
"""More features than these cannot be searched one by one."""

SMALLEST_GAIN = 1e-4
"""A search ends when all of its lines together gain less than this share of the figure."""


@dataclass(kw_only=True)
class Mert(LinearRanker):
    """Searches for the weights whose picks have the best figure as a whole, e.g. corpus BLEU.

    It needs few features, 256 at most, each present in many lists, such as the scores of several
    models. The first start is the base order: the log-probability alone.

    Parameters
    ----------
    starts : searches, from the base order and from random weights around it. The best end is
        kept; development lists choose it, where there are some.
    passes : searches along all lines, at most, from each start.
    seed : of the random starts and directions.
    """

    starts: int = 5
    passes: int = 10
    seed: int = 0

    name: ClassVar[str] = "mert"

    def check(self, *, with_dev: bool = True) -> None:
        """Raise an error for options that make no sense."""
        check_at_least(1, starts=self.starts, passes=self.passes)
        check_seed(self.seed)

    def fit(
        self, problem: RankingProblem, dev: RankingProblem | None = None, *, run: Run = ALONE
    ) -> Self:
        """Learn from lists with qualities; a line takes time linear in candidates and features."""
        self.check(with_dev=dev is not None)
        if problem.n_features > MOST_FEATURES:
            raise UsageError(
                f"mert takes at most {MOST_FEATURES} features, not {problem.n_features:,}",
                hint="maxent, maxent-rank and perceptron take any number",
            )
        lines = Lines.of(problem, run.threads)
        state = {name: array.copy() for name, array in run.saved().items()}
        record = record_rows(state)
        ends = list(state.get("ends", np.zeros((0, len(lines.scales)))))
        while len(record) < self.starts:
            random = np.random.default_rng([self.seed, len(record)])
            end = self._search(lines, self._start(lines, len(record), random), random)
            ends.append(end.weights)
            row = {"start": len(record) + 1.0, "quality": end.quality}
            if dev is not None:
                row["dev quality"] = self._judged(dev, end.weights / lines.scales)
            record.append(row)
            kept = {"ends": np.array(ends)} | record_columns(record)
            run.keep(kept.copy)
            run.report("mert", len(record), self.starts, **row)
        judged = [row["quality" if dev is None else "dev quality"] for row in record]
        weights = ends[int(np.argmax(judged))] / lines.scales
        self.weights_, self.logprob_weight_ = weights[:-1].copy(), float(weights[-1])
        self.record_ = {"starts": record}
        return self

    @staticmethod
    def _start(lines: Lines, number: int, random: np.random.Generator) -> Floats:
        weights = np.zeros(len(lines.scales))
        weights[-1] = 1.0
        if number:
            scale = 0.2 if number % 2 else 1.0
            weights += random.normal(scale=scale, size=len(weights)) * lines.varies
        return weights

    def _search(self, lines: Lines, start: Floats, random: np.random.Generator) -> Point:
        point = Point(start, lines.quality(start))
        for _ in range(self.passes):
            before = point.quality
            for k in random.permutation(len(start)).tolist():
                if lines.varies[k]:
                    point = lines.best(point, np.eye(len(start))[k])
            point = lines.best(point, random.normal(size=len(start)) * lines.varies)
            if point.quality - before <= SMALLEST_GAIN * abs(before):
                break
        return point

    @staticmethod
    def _judged(dev: RankingProblem, weights: Floats) -> float:
        scores = np.empty(dev.n_candidates)
        _native.linear_scores(dev.native, weights[:-1].copy(), float(weights[-1]), scores)
        return dev.picked_quality(scores)


class Point(NamedTuple):
    """Weights of features that are divided by their spread, and the quality of their picks."""

    weights: Floats
    quality: float


class Lines(NamedTuple):
    """Lists as a dense table of features, divided by their spread; the last is logprob.

    A feature that is the same for all candidates of every list does not vary, and has no weight.
    """

    problem: RankingProblem
    table: Floats  # (features + 1, candidates)
    scales: Floats
    varies: NDArray[np.bool_]
    order: Integers
    statistics: Floats
    threads: int

    @classmethod
    def of(cls, problem: RankingProblem, threads: int = 1) -> Lines:
        """The table of a problem."""
        scales = spread_scales(problem)
        table = np.zeros((problem.n_features + 1, problem.n_candidates))
        owners = np.repeat(np.arange(problem.n_candidates), np.diff(problem.feature_offsets))
        values = problem.feature_values
        table[problem.feature_ids, owners] = 1.0 if values is None else values
        table[-1] = problem.logprobs
        firsts = problem.list_offsets[:-1][np.diff(problem.list_offsets) > 0]
        highest, lowest = (of.reduceat(table, firsts, axis=1) for of in (np.maximum, np.minimum))
        varies = np.asarray((highest > lowest).any(axis=1))
        table /= scales[:, np.newaxis]
        statistics = np.ascontiguousarray(problem.pick_statistics())
        return cls(problem, table, scales, varies, problem.canonical_order(), statistics, threads)

    def scores(self, weights: Floats) -> Floats:
        """The score of every candidate: equal ones have equal scores, as no product of BLAS has."""
        scores = np.zeros(self.table.shape[1])
        for weight, column in zip(weights, self.table, strict=True):
            scores += weight * column
        return scores

    def quality(self, weights: Floats) -> float:
        """The quality of what these weights pick."""
        return self.problem.picked_quality(self.scores(weights))

    def along(self, weights: Floats, direction: Floats) -> tuple[Floats, Floats]:
        """Where picks change on the line weights + g * direction, and the quality between.

        There is one quality more than changes: before the first, and after each.
        """
        corners, totals = _native.picks_on_line(
            self.problem.list_offsets,
            self.order,
            self.scores(direction),
            self.scores(weights),
            self.problem.logprobs,
            self.statistics.reshape(-1),
            self.statistics.shape[1],
            threads=self.threads,
        )
        return corners, self.problem.corpus_quality(totals.reshape(-1, self.statistics.shape[1]))

    def best(self, point: Point, direction: Floats) -> Point:
        """The best point of a line through a point, which stays where nothing is better."""
        corners, qualities = self.along(point.weights, direction)
        if not len(corners):
            return point
        ends = np.concatenate([[corners[0] - 1.0], corners, [corners[-1] + 1.0]])
        middles, widths = (ends[1:] + ends[:-1]) / 2, np.diff(ends)
        open_ends = (np.arange(len(widths)) % (len(widths) - 1)) == 0
        wide = (widths > 1e-9 * (1 + np.abs(middles))) | open_ends
        if not wide.any() or qualities[wide].max() <= point.quality:
            return point
        highest = np.flatnonzero(wide & (qualities == qualities[wide].max()))
        chosen = highest[np.argmax(widths[highest])]
        weights = point.weights + middles[chosen] * direction
        if not np.isfinite(weights).all():
            return point
        moved = Point(weights / max(np.abs(weights).sum(), 1e-12), float(qualities[chosen]))
        return moved
