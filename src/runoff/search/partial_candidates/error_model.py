"""How much the score of a half-read candidate still moves: Ginter, Mylläri & Salakoski 2006."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from runoff import _native
from runoff.errors import ModelError, UsageError
from runoff.search.partial_candidates.observations import Observations
from runoff.search.partial_candidates.quantiles import NORMAL, Quantiles, seen_quantiles
from runoff.search.partial_candidates.smoothing import (
    ROWS,
    Axes,
    Floats,
    learned_widths,
    row_of,
    smoothed_rows,
)
from runoff.store.arrays import take
from runoff.store.file import Arrays


@dataclass(frozen=True, eq=False)
class ErrorModel:
    """Mean and deviation of f(complete) - f(partial), by completion and score, on a grid.

    Scores are z-normalised (eq. 11), and estimates are made by Gaussian kernels (eq. 12-16), of
    observations that are laid on the points of a grid, so that a look-up takes constant time.
    Complete candidates have no error.

    Parameters
    ----------
    names : of the target functions.
    centres, scales : mean and standard deviation of each target function's scores.
    lows, highs : the range of its normalised scores.
    means, deviations : of errors, by target function, degree of completion and score.
    correlations : of the errors of target functions, by degree of completion; those of independent
        ones are 0.
    shared : correlation of the errors of candidates of one list, by degree of completion; 0 where
        they are independent.
    quantiles : how many deviations the sum of errors exceeds with the chances `LEVELS`.

    References
    ----------
    Ginter, Mylläri and Salakoski (2006), "A probabilistic search for the best solution among
    partially completed candidates".

    Examples
    --------
    Half of a candidate is half of its score here, so what is missing is known exactly.

    >>> seen = Observations.of([0.5] * 3, [[1.0], [2.0], [3.0]], [[2.0], [4.0], [6.0]])
    >>> model = ErrorModel.fit(["length"], seen, width=0.01)
    >>> mean, variance = model.expected(0.5, [2.0])
    >>> float(round(model.centres[0] + mean * model.scales[0], 3)), round(variance, 3)
    (4.0, 0.0)
    """

    names: tuple[str, ...]
    centres: Floats
    scales: Floats
    lows: Floats
    highs: Floats
    means: Floats
    deviations: Floats
    correlations: Floats
    shared: Floats
    quantiles: Floats

    @classmethod
    def fit(
        cls,
        names: Sequence[str],
        seen: Observations,
        *,
        width: float | None = None,
        correlated: bool = True,
        shared: bool = True,
        normal: bool = False,
        normalised: bool = True,
    ) -> Self:
        """Learn from observations.

        Parameters
        ----------
        width : standard deviation of the kernels, as a share of the range; by default chosen for
            each target function and axis by the likelihood of errors of lists that were left out.
        correlated : whether errors of different target functions may go together; in the paper
            they are independent.
        shared : whether errors of candidates of the same list may go together, so that those of
            complete candidates tell of others; in the paper they are independent.
        normal : whether the sum of errors is normal, as in the paper; else how many deviations it
            exceeds with which chance is seen in lists that were left out.
        normalised : whether every target function is divided by its own standard deviation, as in
            the paper; else all by the same number, so that the order by their sum stays as it is.
        """
        if len(names) != seen.scores.shape[1]:
            raise UsageError(f"{len(names)} target functions, but {seen.scores.shape[1]} scores")
        seen = seen.partial()
        if not len(seen.completion):
            raise UsageError("there are no observations of half-read candidates")
        centres, scales = seen.scores.mean(axis=0), seen.scores.std(axis=0)
        if not normalised:
            scales = np.full(len(names), seen.scores.sum(axis=1).std())
        scales = np.where(scales > 0, scales, 1.0)
        scores, errors = (seen.scores - centres) / scales, (seen.finals - seen.scores) / scales
        grids = []
        for k in range(len(names)):
            own = Axes(seen.completion, scores[:, k])
            widths = (width, width) if width else learned_widths(own, errors[:, k], seen.groups)
            grids.append(own.smoothed(own.moments(errors[:, k]), *widths))
        means, deviations = (np.stack(part) for part in zip(*grids, strict=True))
        model = cls(
            tuple(names),
            centres,
            scales,
            scores.min(axis=0),
            scores.max(axis=0),
            means,
            deviations,
            np.tile(np.eye(len(names)), (ROWS, 1, 1)),
            np.zeros(ROWS),
            NORMAL,
        )
        if correlated:
            model = model._correlated(seen.completion, scores, errors)
        if not normal:
            how = {"width": width, "correlated": correlated, "normalised": normalised}
            model = model._measured(seen, how)
        return model._shared(seen) if shared else model

    def _measured(self, seen: Observations, how: dict[str, Any]) -> Self:
        """The model with the quantiles of errors in lists that were left out, in two folds."""
        _, lists = np.unique(seen.groups, return_inverse=True)
        odd = lists % 2 == 1
        if not odd.any():
            return self
        errors = np.empty(len(lists))
        for own in (odd, ~odd):
            half = self.fit(self.names, seen.take(~own), shared=False, normal=True, **how)
            errors[own] = half.standardised(seen.take(own))
        return replace(self, quantiles=seen_quantiles(errors, seen.groups))

    def _correlated(self, completion: Floats, scores: Floats, errors: Floats) -> Self:
        """The model with correlations of standardised errors, smoothed over the completion."""
        n = len(self.names)
        residuals = [
            _standardised(self, k, completion, scores[:, k], errors[:, k]) for k in range(n)
        ]
        products = np.empty((ROWS, n, n))
        for k in range(n):
            for other in range(k + 1):
                found = smoothed_rows(completion, residuals[k] * residuals[other])
                products[:, k, other] = products[:, other, k] = found
        spread = np.sqrt(np.einsum("rkk->rk", products))
        spread = np.where(spread > 0, spread, 1.0)
        correlations = products / (spread[:, :, None] * spread[:, None, :])
        diagonal = np.arange(n)
        correlations[:, diagonal, diagonal] = 1.0
        return replace(self, correlations=correlations)

    def _shared(self, seen: Observations) -> Self:
        """The model with correlations of the errors of two candidates of one list.

        They are products of standardised errors of pairs, over squares of them; every list counts
        as much as any other.
        """
        residuals = self.standardised(seen)
        _, lists = np.unique(seen.groups, return_inverse=True)
        cells = lists * ROWS + row_of(seen.completion)
        counts, sums, squares = (
            np.bincount(cells, weights, (lists.max() + 1) * ROWS)
            for weights in (np.ones(len(cells)), residuals, residuals**2)
        )
        several = np.flatnonzero(counts > 1)
        pairs = (sums**2 - squares)[several] / (counts * (counts - 1))[several]
        places = (several % ROWS) / (ROWS - 1)
        top = smoothed_rows(places, pairs)
        below = smoothed_rows(places, squares[several] / counts[several])
        found = np.clip(top / np.where(below > 0, below, 1.0), 0.0, MOST_SHARED)
        return replace(self, shared=found)

    def expected(self, completion: float, scores: Sequence[float]) -> tuple[float, float]:
        """Mean and variance of the sum of normalised final scores, by the scores so far."""
        return self.native.expected(completion, scores)

    def raw(self, score: float) -> float:
        """A sum of normalised scores in the units of the target functions, which must be alike."""
        return float(score * self.scales[0] + self.centres.sum())

    def expected_all(self, seen: Observations) -> tuple[Floats, Floats]:
        """Mean and deviation of the final scores of all observations."""
        both = np.array(
            [
                self.native.expected(u, scores)
                for u, scores in zip(seen.completion.tolist(), seen.scores.tolist(), strict=True)
            ]
        ).reshape(-1, 2)
        return both[:, 0], np.sqrt(both[:, 1])

    def standardised(self, seen: Observations) -> Floats:
        """The errors of the sums of all observations, in deviations from their means."""
        means, deviations = self.expected_all(seen)
        finals = ((seen.finals - self.centres) / self.scales).sum(axis=1)
        found: Floats = (finals - means) / np.where(deviations > 0, deviations, 1.0)
        return found

    @cached_property
    def curve(self) -> Quantiles:
        """How many deviations errors exceed with any chance."""
        return Quantiles(self.quantiles)

    @cached_property
    def native(self) -> _native.ScoreErrors:
        """The model as native code looks it up."""
        arrays = {
            name: a for name, a in self.arrays().items() if name not in ("shared", "quantiles")
        }
        flat = {name: np.ascontiguousarray(a).reshape(-1) for name, a in arrays.items()}
        _, rows, columns = self.means.shape
        return _native.ScoreErrors(rows=rows, columns=columns, **flat)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The model as arrays for a model file."""
        return {name: getattr(self, name) for name in ARRAYS}

    @classmethod
    def restore(cls, names: Sequence[str], arrays: Arrays) -> Self:
        """The model that a file keeps, checked."""
        n = len(names)
        grid, one = (n, None, None), (n,)
        shapes = (one, one, one, one, grid, grid, (None, n, n), (ROWS,), NORMAL.shape)
        found = [take(arrays, a, np.float64, s) for a, s in zip(ARRAYS, shapes, strict=True)]
        model = cls(tuple(names), *found)
        if not (np.isfinite(model.quantiles).all() and (np.diff(model.quantiles) >= 0).all()):
            raise ModelError("the quantiles of its error model do not rise")
        model.native  # noqa: B018  (checks that shapes agree)
        return model


ARRAYS = (
    *("centres", "scales", "lows", "highs", "means", "deviations", "correlations", "shared"),
    "quantiles",
)

MOST_SHARED = 0.98
"""The highest correlation within a list, so that something always remains to be seen."""


def _standardised(
    model: ErrorModel, target: int, completion: Floats, scores: Floats, errors: Floats
) -> Floats:
    axes = Axes(completion, scores)
    mean, deviation = (axes.looked_up(grid[target]) for grid in (model.means, model.deviations))
    found: Floats = (errors - mean) / np.where(deviation > 0, deviation, 1.0)
    return found
