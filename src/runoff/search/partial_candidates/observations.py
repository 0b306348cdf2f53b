"""What was seen of candidates that were read to their ends: scores on the way, and at the end."""

from __future__ import annotations

from typing import NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from runoff.errors import UsageError

Floats = NDArray[np.float64]


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
