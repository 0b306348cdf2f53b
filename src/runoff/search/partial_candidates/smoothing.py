"""Gaussian kernel smoothing over two axes, of observations laid on the points of a grid."""

from __future__ import annotations

from copy import copy
from itertools import product

import numpy as np
from numpy.typing import NDArray

ROWS, COLUMNS = 65, 129
"""Points of the grid: degrees of completion from 0 to 1, and scores."""

WIDTH = 0.1
"""Standard deviation of the paper's kernels, as a share of the range of the observations."""

WIDTHS = (0.02, 0.05, 0.1, 0.2)
"""The widths among which held-out likelihood chooses."""

ENOUGH = 20_000
"""Observations that choose the widths; of more, this many are taken at equal distances."""

Floats = NDArray[np.float64]


class Axes:
    """Where observations lie on a grid of degrees of completion and scores."""

    def __init__(self, completion: Floats, scores: Floats) -> None:
        low, high = scores.min(), scores.max()
        self.rows = _Axis(completion, 0.0, 1.0, ROWS, float(np.ptp(completion)))
        self.columns = _Axis(scores, low, high, COLUMNS, float(high - low))

    def moments(self, errors: Floats) -> tuple[Floats, ...]:
        """How many errors there are at each point of the grid, their sum, and that of squares."""
        return tuple(self._binned(part) for part in (np.ones(len(errors)), errors, errors**2))

    def smoothed(
        self, moments: tuple[Floats, ...], u_width: float, f_width: float
    ) -> tuple[Floats, Floats]:
        """Means and deviations of errors on the grid (eq. 14-16)."""
        left, right = self.rows.kernel(u_width), self.columns.kernel(f_width)
        mass, first, second = (_product(_product(left, part), right.T) for part in moments)
        mass = np.maximum(mass, np.finfo(np.float64).tiny)
        mean = first / mass
        return mean, np.sqrt(np.maximum(second / mass - mean**2, 0.0))

    def _binned(self, weights: Floats) -> Floats:
        """The weights, shared among the four points of the grid around each observation."""
        grid = np.zeros((ROWS, COLUMNS))
        for row, by_row in self.rows.parts:
            for column, by_column in self.columns.parts:
                np.add.at(grid, (row, column), weights * by_row * by_column)
        return grid

    def of(self, kept: NDArray[np.bool_]) -> Axes:
        """Some of the observations, on the same axes."""
        found = copy(self)
        found.rows, found.columns = self.rows.of(kept), self.columns.of(kept)
        return found

    def looked_up(self, grid: Floats) -> Floats:
        """The values of a grid at the observations."""
        found = np.zeros(len(self.rows.parts[0][0]))
        for row, by_row in self.rows.parts:
            for column, by_column in self.columns.parts:
                found += grid[row, column] * by_row * by_column
        return found


class _Axis:
    """One axis of the grid: the two points beside each observation, and each one's share."""

    def __init__(self, values: Floats, low: float, high: float, points: int, spread: float) -> None:
        self.points = np.linspace(low, high, points)
        self.spread = spread
        at = (values - low) / (high - low) * (points - 1) if high > low else np.zeros(len(values))
        first = np.minimum(at.astype(np.int64), points - 2)
        self.parts: tuple[tuple[NDArray[np.int64], Floats], ...] = (
            (first, 1 - (at - first)),
            (first + 1, at - first),
        )

    def of(self, kept: NDArray[np.bool_]) -> _Axis:
        """Some of the observations, on the same axis."""
        found = copy(self)
        found.parts = tuple((first[kept], share[kept]) for first, share in self.parts)
        return found

    def kernel(self, width: float) -> Floats:
        """The kernels around all points of the axis."""
        return kernel_matrix(self.points, self.points, width * self.spread)


def _product(left: Floats, right: Floats) -> Floats:
    """The product of small matrices, in one thread.

    Those of BLAS wait for each other where cores are busy: 4.9 s were seen for 0.04 s of work.
    """
    found: Floats = np.einsum("ij,jk->ik", left, right)
    return found


def kernel_matrix(points: Floats, values: Floats, width: float) -> Floats:
    """A Gaussian around each point, at each value; a flat one where there is no range."""
    if width == 0:
        return np.ones((len(points), len(values)))
    kernel: Floats = np.exp(-0.5 * ((points[:, None] - values[None, :]) / width) ** 2)
    return kernel


def row_of(completion: Floats) -> NDArray[np.int64]:
    """The row of the grid that is nearest to each degree of completion."""
    rows: NDArray[np.int64] = np.rint(completion * (ROWS - 1)).astype(np.int64)
    return rows


def smoothed_rows(completion: Floats, values: Floats) -> Floats:
    """The mean of values at every row of the grid, smoothed over the degree of completion."""
    rows = row_of(completion)
    points = np.linspace(0, 1, ROWS)
    kernel = kernel_matrix(points, points, WIDTH)
    sums = kernel @ np.bincount(rows, values, ROWS)
    counts = kernel @ np.bincount(rows, minlength=ROWS).astype(np.float64)
    found: Floats = sums / np.maximum(counts, np.finfo(np.float64).tiny)
    return found


def learned_widths(axes: Axes, errors: Floats, groups: NDArray[np.int64]) -> tuple[float, float]:
    """The widths that give errors of left-out groups the highest likelihood, in two folds."""
    _, numbers = np.unique(groups, return_inverse=True)
    if len(errors) > ENOUGH:
        kept = np.zeros(len(errors), dtype=np.bool_)
        kept[np.linspace(0, len(errors) - 1, ENOUGH).astype(np.int64)] = True
        axes, errors, numbers = axes.of(kept), errors[kept], numbers[kept]
    odd = numbers % 2 == 1
    if not odd.any() or odd.all():
        return WIDTH, WIDTH
    floor = 0.01 * float(errors.std()) or 1.0
    folds = [(axes.of(kept).moments(errors[kept]), ~kept) for kept in (odd, ~odd)]

    def likelihood(widths: tuple[float, float]) -> float:
        total = 0.0
        for moments, left_out in folds:
            own = axes.of(left_out)
            mean, deviation = map(own.looked_up, axes.smoothed(moments, *widths))
            deviation = np.maximum(deviation, floor)
            total -= float(
                (((errors[left_out] - mean) / deviation) ** 2 / 2 + np.log(deviation)).sum()
            )
        return total

    return max(product(WIDTHS, WIDTHS), key=likelihood)
