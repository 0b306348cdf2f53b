"""How much the score of a half-read candidate still moves: Ginter, Mylläri & Salakoski 2006."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from runoff import _native
from runoff.errors import UsageError
from runoff.search.partial_candidates.smoothing import ROWS, WIDTH, Axes, Floats, kernel_matrix, learned_widths
from runoff.store.arrays import take
from runoff.store.file import Arrays


class Observations(NamedTuple):
    """Half-read candidates whose complete scores are known.

    Parameters
    ----------
    completion : the degree of completion u of each, above 0 and at most 1.
    scores : its scores so far, one column for each target function.
    finals : the scores of the candidate that it became.
    groups : a number for each, the same for those of one list; folds are made of whole groups.
    """

    completion: Floats
    scores: Floats
    finals: Floats
    groups: NDArray[np.int64]

    @classmethod
    def of(
        cls,
        completion: ArrayLike,
        scores: ArrayLike,
        finals: ArrayLike,
        groups: ArrayLike | None = None,
    ) -> Self:
        """Observations of plain numbers, checked; without groups, each is one of its own."""
        u = np.asarray(completion, dtype=np.float64)
        table, ends = (np.asarray(one, dtype=np.float64) for one in (scores, finals))
        if table.ndim != 2 or table.shape != ends.shape or u.shape != table.shape[:1]:
            raise UsageError("every observation needs a completion, scores, and as many finals")
        own = np.arange(len(u)) if groups is None else np.asarray(groups, dtype=np.int64)
        if own.shape != u.shape:
            raise UsageError("every observation needs one group")
        if not len(u):
            raise UsageError("there are no observations to learn errors from")
        if not (np.isfinite(table).all() and np.isfinite(ends).all()):
            raise UsageError("a score of an observation is not a finite number")
        if not ((u > 0) & (u <= 1)).all():
            raise UsageError("a degree of completion does not lie above 0 and up to 1")
        return cls(u, table, ends, own)

    def take(self, chosen: NDArray[np.bool_]) -> Observations:
        """Some of the observations."""
        return Observations(
            self.completion[chosen], self.scores[chosen], self.finals[chosen], self.groups[chosen]
        )

    def partial(self) -> Observations:
        """Those that are not complete."""
        return self.take(self.completion < 1)


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

    @classmethod
    def fit(
        cls,
        names: Sequence[str],
        seen: Observations,
        *,
        width: float | None = None,
        correlated: bool = True,
    ) -> Self:
        """Learn from observations.

        Parameters
        ----------
        width : standard deviation of the kernels, as a share of the range; by default chosen for
            each target function and axis by the likelihood of errors of lists that were left out.
        correlated : whether errors of different target functions may go together; in the paper
            they are independent.
        """
        if len(names) != seen.scores.shape[1]:
            raise UsageError(f"{len(names)} target functions, but {seen.scores.shape[1]} scores")
        seen = seen.partial()
        if not len(seen.completion):
            raise UsageError("there are no observations of half-read candidates")
        centres, scales = seen.scores.mean(axis=0), seen.scores.std(axis=0)
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
        )
        return model._correlated(seen.completion, scores, errors) if correlated else model

    def _correlated(self, completion: Floats, scores: Floats, errors: Floats) -> Self:
        """The model with correlations of standardised errors, smoothed over the completion."""
        residuals = np.stack(
            [
                _standardised(self, k, completion, scores[:, k], errors[:, k])
                for k in range(len(self.names))
            ]
        )
        kernel = kernel_matrix(np.linspace(0, 1, ROWS), completion, WIDTH)
        products = np.einsum("rn,kn,ln->rkl", kernel, residuals, residuals)
        spread = np.sqrt(np.einsum("rkk->rk", products))
        spread = np.where(spread > 0, spread, 1.0)
        found = products / (spread[:, :, None] * spread[:, None, :])
        diagonal = np.arange(len(self.names))
        found[:, diagonal, diagonal] = 1.0
        return type(self)(**{**self.__dict__, "correlations": found})

    def expected(self, completion: float, scores: Sequence[float]) -> tuple[float, float]:
        """Mean and variance of the sum of normalised final scores, by the scores so far."""
        return self.native.expected(completion, scores)

    @cached_property
    def native(self) -> _native.ScoreErrors:
        """The model as native code looks it up."""
        flat = {name: np.ascontiguousarray(a).reshape(-1) for name, a in self.arrays().items()}
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
        shapes = (one, one, one, one, grid, grid, (None, n, n))
        found = [take(arrays, a, np.float64, s) for a, s in zip(ARRAYS, shapes, strict=True)]
        model = cls(tuple(names), *found)
        model.native  # noqa: B018  (checks that shapes agree)
        return model


ARRAYS = ("centres", "scales", "lows", "highs", "means", "deviations", "correlations")


def _standardised(
    model: ErrorModel, target: int, completion: Floats, scores: Floats, errors: Floats
) -> Floats:
    axes = Axes(completion, scores)
    mean, deviation = (axes.looked_up(grid[target]) for grid in (model.means, model.deviations))
    found: Floats = (errors - mean) / np.where(deviation > 0, deviation, 1.0)
    return found
