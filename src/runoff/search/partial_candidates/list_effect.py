"""What the errors of complete candidates of a list tell of those of the others."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple


class Path(NamedTuple):
    """What was expected of a candidate after each of its pieces, the last first."""

    key: Any
    row: int
    mean: float
    deviation: float
    before: Path | None


class ListEffect:
    """What the errors of complete candidates of a list tell of those of the others.

    Standardised errors at a degree of completion have the same correlation c for every two
    candidates. Given k of them with the sum r, the mean of another is c r / (1 + (k - 1) c), and
    its variance 1 - k c^2 / (1 + (k - 1) c).
    """

    def __init__(self, correlations: Sequence[float]) -> None:
        self.correlations, self.last = correlations, len(correlations) - 1
        self.effects = [(0.0, 1.0)] * len(correlations)  # mean and deviation, by row
        self.seen: list[dict[Any, float]] = [{} for _ in correlations]

    def completed(self, path: Path | None, score: float) -> None:
        """Take the errors along the way of a candidate that is complete."""
        while path is not None:
            row, deviation = path.row, path.deviation
            if deviation > 0:
                self.seen[row][path.key] = (score - path.mean) / deviation
            path = path.before

    def update(self) -> None:
        """Find the effects anew."""
        for row, (c, seen) in enumerate(zip(self.correlations, self.seen, strict=True)):
            below = 1 + (len(seen) - 1) * c
            if seen and c > 0:
                mean, variance = c * sum(seen.values()) / below, 1 - len(seen) * c * c / below
                self.effects[row] = mean, math.sqrt(variance)
