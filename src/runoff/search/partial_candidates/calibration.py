"""Whether an error model tells the truth: how often final scores exceed eta."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from runoff.search.partial_candidates.error_model import ErrorModel
from runoff.search.partial_candidates.observations import Observations

EPSILONS = (0.01, 0.05, 0.1, 0.2)
"""Those of the paper's Table 1."""


class Calibration(NamedTuple):
    """The share of final scores that were above eta, which should be epsilon."""

    epsilon: float
    above: float


def above_eta(
    model: ErrorModel, seen: Observations, epsilons: Sequence[float] = EPSILONS
) -> list[Calibration]:
    """How often the final scores of half-read candidates were above eta; lists count alike."""
    seen = seen.partial()
    errors = model.standardised(seen)
    _, lists, sizes = np.unique(seen.groups, return_inverse=True, return_counts=True)
    shares = 1.0 / sizes[lists] / len(sizes)
    return [
        Calibration(epsilon, float(shares[errors > model.curve.at(epsilon)].sum()))
        for epsilon in epsilons
    ]


def calibration(
    names: Sequence[str],
    seen: Observations,
    epsilons: Sequence[float] = EPSILONS,
    **how: Any,
) -> list[Calibration]:
    """The calibration of models of one half of the lists, on the other half; mean of both."""
    _, lists = np.unique(seen.groups, return_inverse=True)
    odd = lists % 2 == 1
    halves = [
        above_eta(ErrorModel.fit(names, seen.take(own), **how), seen.take(~own), epsilons)
        for own in (odd, ~odd)
    ]
    return [
        Calibration(one.epsilon, (one.above + other.above) / 2)
        for one, other in zip(*halves, strict=True)
    ]
