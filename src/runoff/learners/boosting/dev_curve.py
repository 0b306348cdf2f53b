"""The development quality of boosting, round by round."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from runoff import _native
from runoff.problem.problem import Floats, RankingProblem


class DevCurve:
    """Keeps up to date what is picked from development lists while weights change.

    Native code gives the summed statistics of the picks after every round, from which the problem
    makes their quality.
    """

    def __init__(
        self, dev: RankingProblem, index: _native.FeatureIndex, logprob_weight: float
    ) -> None:
        statistics = dev.pick_statistics()
        self.dev, self.width = dev, statistics.shape[1]
        self.native = _native.DevCurve(
            dev.native,
            index,
            np.ascontiguousarray(statistics).reshape(-1),
            self.width,
            logprob_weight,
        )

    @property
    def quality(self) -> float:
        """The quality of what is picked now."""
        totals = np.empty(self.width)
        self.native.totals(totals)
        return float(self.dev.corpus_quality(totals))

    def room(self, rounds: int) -> Floats:
        """Empty totals for a number of rounds."""
        return np.zeros(rounds * self.width)

    def qualities(self, totals: Floats, rounds: int) -> Floats:
        """The quality after each of the first rounds, from totals that native code wrote."""
        return self.dev.corpus_quality(totals.reshape(-1, self.width)[:rounds])


def dev_curves(dev: RankingProblem, logprob_weight: float) -> Callable[[], DevCurve]:
    """Makes curves of development quality, which share an index."""
    index = dev.index(np.arange(dev.n_lists))
    return lambda: DevCurve(dev, index, logprob_weight)
