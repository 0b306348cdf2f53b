"""How many standard deviations errors exceed with a chance: as normal ones do, or as was seen."""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

LEVELS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5)
"""The chances whose quantiles a model keeps; those between are interpolated."""

FAR = 10.0
"""Deviations that no normal error exceeds."""

_Z = np.array([-NormalDist().inv_cdf(level) for level in LEVELS])[::-1]

NORMAL: Floats = _Z.copy()
"""The quantiles of normal errors, by falling level."""


class Quantiles:
    """A curve from the quantiles of normal errors to those of the errors at hand.

    Examples
    --------
    >>> normal = Quantiles(NORMAL)
    >>> round(normal.at(0.05), 3), round(float(normal.above(np.array([1.645]))[0]), 3)
    (1.645, 0.05)
    """

    def __init__(self, values: Floats) -> None:
        slope = max(values[-1] / _Z[-1], 0.0)  # rare errors are as wide as the rarest that was seen
        ends = values[0] - FAR, values[-1] + slope * (FAR - _Z[-1])
        self._z = np.concatenate([[-FAR], _Z, [FAR]])
        self._values = np.concatenate([[ends[0]], values, [ends[1]]])

    def at(self, epsilon: float) -> float:
        """The standardised error that is exceeded with a chance; for 0, infinity."""
        if epsilon == 0:
            return float("inf")
        return float(np.interp(-NormalDist().inv_cdf(epsilon), self._z, self._values))

    def above(self, errors: Floats) -> Floats:
        """The chance that each of several standardised errors is exceeded."""
        z = np.interp(errors, self._values, self._z)
        return np.array([0.5 * math.erfc(one) for one in (z * math.sqrt(0.5)).tolist()])


def seen_quantiles(errors: Floats, groups: NDArray[np.int64]) -> Floats:
    """The quantiles of standardised errors; every group counts as much as any other.

    Chances that are too small for the number of groups have the quantile of the smallest that is
    not, in proportion to those of normal errors.
    """
    _, numbers, sizes = np.unique(groups, return_inverse=True, return_counts=True)
    order = np.argsort(errors, kind="stable")
    below = np.cumsum((1.0 / sizes[numbers])[order]) / len(sizes)
    levels = np.array(LEVELS)[::-1]
    places = np.minimum(np.searchsorted(below, 1 - levels - 1e-12), len(errors) - 1)
    found: Floats = np.maximum.accumulate(errors[order][places])
    enough = int((levels * len(sizes) >= 1).sum())
    last = max(enough - 1, 0)
    found[last:] = np.maximum(found[last] * _Z[last:] / max(_Z[last], 1.0), found[last])
    return found
