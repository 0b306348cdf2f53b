"""Whether one system is better than another: two tests on the statistics of single lists.

Both look at what two systems chose for the same lists, as rows of statistics, and both ask how
often chance makes a difference as big as the one that was seen. Rows are sorted first, so the
order of the lists does not matter. The same seed gives the same result.

References
----------
Efron and Tibshirani (1993); Koehn (2004), "Statistical significance tests for machine translation
evaluation"; Noreen (1989); Riezler and Maxwell (2005), "On some pitfalls in automatic evaluation
and significance testing for MT".
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from runoff.errors import UsageError, check_at_least, check_seed
from runoff.metrics.base import Floats, Metric, figure

BATCH_CELLS = 1 << 21
"""Random numbers held at once: samples of a batch times lists."""

CLOSE = 1e-9
"""Differences of figures that count as equal; sums in another order differ by less."""


Interval: TypeAlias = tuple[float, float]


@dataclass(frozen=True)
class Comparison:
    """The main figure of two systems, and the significance of their difference.

    `difference` is second minus first; `p_value` is two-sided. Intervals, for the first figure,
    the second and the difference, come from the bootstrap only.
    """

    test: str
    first: float
    second: float
    difference: float
    p_value: float
    samples: int
    seed: int
    intervals: tuple[Interval, Interval, Interval] | None = None


def paired_bootstrap(
    first: Floats,
    second: Floats,
    metric: Metric,
    *,
    samples: int = 1000,
    seed: int = 0,
    confidence: float = 0.95,
) -> Comparison:
    """Compare two systems on test sets resampled, with replacement, from the lists.

    The p-value is the share of samples whose difference is as far from the samples' mean as the
    difference seen is from zero, counting the data themselves as one sample. Intervals are
    percentiles of the samples.

    Parameters
    ----------
    first, second : statistics of what each system chose, one row per list, shape (L, k).
    samples, seed, confidence : how many sets to draw, how, and the mass of the intervals.

    Examples
    --------
    >>> from runoff.metrics import metric
    >>> worse, better = np.array([[4.0, 10.0]] * 30), np.array([[8.0, 10.0]] * 30)
    >>> result = paired_bootstrap(worse, better, metric("accuracy"))
    >>> result.difference, result.p_value < 0.01
    (40.0, True)
    """
    if not 0 < confidence < 1:
        raise UsageError(f"confidence must be between 0 and 1, not {confidence}")
    first, second = _sorted_pairs(first, second, samples)
    rng, lists = np.random.default_rng(check_seed(seed)), len(first)
    figures = np.empty((2, samples))
    for batch in _batches(samples, lists):
        counts = _resampled(rng, batch.stop - batch.start, lists)
        figures[:, batch] = [figure(metric, counts @ first), figure(metric, counts @ second)]
    gaps = figures[1] - figures[0]
    seen = _seen(metric, first, second)
    extreme = np.abs(gaps - gaps.mean()) >= abs(seen[1] - seen[0]) - CLOSE
    low, high = np.quantile([*figures, gaps], [(1 - confidence) / 2, (1 + confidence) / 2], axis=1)
    a, b, gap = zip(low.tolist(), high.tolist(), strict=True)
    return _comparison("paired bootstrap", seen, extreme, seed, (a, b, gap))


def randomisation(
    first: Floats, second: Floats, metric: Metric, *, samples: int = 10_000, seed: int = 0
) -> Comparison:
    """Compare two systems by swapping, at random, what they chose for each list.

    The p-value is the share of shuffles whose difference is at least as big as the one seen,
    counting the data themselves as one shuffle.

    Examples
    --------
    >>> from runoff.metrics import metric
    >>> same = np.array([[4.0, 10.0], [7.0, 10.0]])
    >>> randomisation(same, same, metric("accuracy")).p_value
    1.0
    """
    first, second = _sorted_pairs(first, second, samples)
    rng, lists = np.random.default_rng(check_seed(seed)), len(first)
    gain = second - first
    extreme = np.empty(samples, dtype=bool)
    seen = _seen(metric, first, second)
    for batch in _batches(samples, lists):
        swaps = rng.integers(0, 2, (batch.stop - batch.start, lists), dtype=np.uint8)
        moved = swaps.astype(np.float64) @ gain  # (batch, k)
        gaps = figure(metric, second.sum(axis=0) - moved) - figure(
            metric, first.sum(axis=0) + moved
        )
        extreme[batch] = np.abs(gaps) >= abs(seen[1] - seen[0]) - CLOSE
    return _comparison("approximate randomisation", seen, extreme, seed, None)


def _sorted_pairs(first: Floats, second: Floats, samples: int) -> tuple[Floats, Floats]:
    """Both systems' rows in an order that does not depend on the order of the lists."""
    first, second = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    if first.shape != second.shape or first.ndim != 2 or not len(first):
        shapes = f"{first.shape} and {second.shape}"
        raise UsageError(f"expected statistics of the same lists, shape (lists, k), not {shapes}")
    check_at_least(1, samples=samples)
    order = np.lexsort(np.hstack([first, second]).T)
    return first[order], second[order]


def _batches(samples: int, lists: int) -> Iterator[slice]:
    step = max(1, BATCH_CELLS // lists)
    for start in range(0, samples, step):
        yield slice(start, min(start + step, samples))


def _resampled(rng: np.random.Generator, samples: int, lists: int) -> Floats:
    """How often each list is drawn in each sample, shape (samples, lists)."""
    drawn = rng.integers(0, lists, (samples, lists)) + lists * np.arange(samples)[:, None]
    counts = np.bincount(drawn.ravel(), minlength=samples * lists).reshape(samples, lists)
    return counts.astype(np.float64)


def _seen(metric: Metric, first: Floats, second: Floats) -> tuple[float, float]:
    return float(figure(metric, first.sum(axis=0))), float(figure(metric, second.sum(axis=0)))


def _comparison(
    test: str,
    seen: tuple[float, float],
    extreme: NDArray[np.bool_],
    seed: int,
    intervals: tuple[Interval, Interval, Interval] | None,
) -> Comparison:
    p_value = (int(extreme.sum()) + 1) / (len(extreme) + 1)
    return Comparison(
        test, *seen, seen[1] - seen[0], p_value, len(extreme), seed, intervals=intervals
    )
