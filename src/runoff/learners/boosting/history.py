"""The history of boosting, round by round, and the curves and figures made from it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runoff.fitting.record import drawn_steps
from runoff.problem.problem import Floats, Integers
from runoff.store.file import Arrays

POINTS = 60
"""Points of curves that a record keeps for people to read, half of them evenly spaced, half by
ratio."""

RANGES = ((1, 10), (11, 100), (101, 1_000), (1_001, 10_000), (10_001, 50_000), (50_001, 100_000))
"""Of Table 4 of Collins & Koo 2005."""

Row = dict[str, float]


@dataclass
class Rounds:
    """The rounds of one run, in columns; those from `done` on are still to come.

    Parameters
    ----------
    features, deltas : whose weight each round changed, and by how much.
    updates : C_t, how many of the sums W it changed (equation 19).
    losses : the loss after it.
    qualities : of what is picked from development lists after it; zeros where there are none.
    start : the development quality before the first round: the base order's.
    """

    features: NDArray[np.uint32]
    deltas: Floats
    updates: Integers
    losses: Floats
    qualities: Floats
    start: float
    done: int = 0

    @classmethod
    def planned(cls, rounds: int, start: float) -> Rounds:
        """Empty columns for this many rounds."""
        return cls(
            np.zeros(rounds, dtype=np.uint32),
            np.zeros(rounds),
            np.zeros(rounds, dtype=np.int64),
            np.zeros(rounds),
            np.zeros(rounds),
            start,
        )

    def columns(self, first: int = 0, last: int | None = None) -> dict[str, NDArray[Any]]:
        """Views of some rounds."""
        return {name: getattr(self, name)[first:last] for name in COLUMNS}

    def take(self, kept: Arrays) -> None:
        """Put rounds that were done before at the beginning."""
        self.done = len(kept["features"])
        for name, column in self.columns(0, self.done).items():
            column[:] = kept[name]

    def best(self) -> int:
        """The number of rounds after which development quality is highest, the first of equals."""
        qualities = self.qualities[: self.done]
        if not self.done or qualities.max() <= self.start:
            return 0
        return int(qualities.argmax()) + 1

    def quality(self, after: int) -> float:
        """Development quality after a number of rounds."""
        return self.start if after == 0 else float(self.qualities[after - 1])

    def weights(self, after: int, n_features: int) -> Floats:
        """The weight of every feature after a number of rounds."""
        weights = np.zeros(n_features)
        np.add.at(weights, self.features[:after], self.deltas[:after])
        return weights

    def curve(self, smoothing: float, entries: int, with_dev: bool) -> list[Row]:
        """Some rounds along the way; `work` is Work(n) of equation 24, in passes over the data."""
        work = np.cumsum(self.updates[: self.done]) / max(1, entries)
        return [
            {"smoothing": smoothing, **row, "work": float(work[int(row["round"]) - 1])}
            for row in self.points(with_dev)
        ]

    def points(self, with_dev: bool) -> list[Row]:
        """Some rounds along the way, the best one among them."""
        if not self.done:
            return []
        by_ratio = np.geomspace(1, self.done, POINTS // 2)
        evenly = np.linspace(1, self.done, POINTS // 2)
        chosen = [max(1, self.best())] if with_dev else []
        points = np.unique(np.concatenate([by_ratio, evenly, chosen]).round().astype(np.int64))
        is_new = np.zeros(self.done, dtype=np.bool_)
        is_new[np.unique(self.features[: self.done], return_index=True)[1]] = True
        features = np.cumsum(is_new)
        return [
            {
                "round": float(n),
                "loss": float(self.losses[n - 1]),
                **(self.compared(n) if with_dev else {}),
                "features": float(features[n - 1]),
            }
            for n in points.tolist()
        ]

    def drawn(self) -> list[Row]:
        """The development quality after every round that a plot shows."""
        steps = drawn_steps(self.qualities[: self.done]).tolist()
        return [{"round": float(n), **self.compared(n)} for n in steps]

    def compared(self, after: int) -> Row:
        """Development quality, and in percent of the base order's where that means something."""
        row = {"dev quality": self.quality(after)}
        if self.start > 0:
            row["relative"] = 100 * self.quality(after) / self.start
        return row

    def savings(self, entries: int) -> list[Row]:
        """Savings(a, b): how much less work than the naive algorithm (equation 26, Table 4)."""
        ranges = [(a, min(b, self.done)) for a, b in RANGES if a <= self.done]
        rows = []
        for first, last in [(1, self.done), *ranges] if self.done else []:
            updates = int(self.updates[first - 1 : last].sum())
            saved = (1 + last - first) * entries / max(1, updates)
            rows.append({"from": float(first), "to": float(last), "savings": saved})
        return rows


COLUMNS = ("features", "deltas", "updates", "losses", "qualities")
