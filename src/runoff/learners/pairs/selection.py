"""The choice of training pairs: pruning, and guards against misleading pairs.

A list of n candidates has up to n (n - 1) / 2 crucial pairs (Ji, Rudin & Grishman 2006: one
candidate is better than the other). Taken as they come, long lists would count quadratically, so
every list has the same total weight here; and a few candidates that are far worse than all others,
such as translations that never end, would decide what is learned about their length (Nakov, Guzmán
& Vogel 2013, "A Tale about PRO and Monsters"), so pairs of an outlying gap are left out.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from runoff import _native
from runoff.errors import UsageError, check_at_least
from runoff.problem.problem import Floats, RankingProblem


@dataclass(kw_only=True)
class PairSelection:
    """Base class of learners from pairs of candidates: which pairs to learn from.

    Parameters
    ----------
    beam : candidates of less than this times the highest probability of their list are left out.
    lowest : this share of all candidates is left out: those in the largest distance from the
        quality of their list's best.
    closest, closest_logprob : pairs that are not further apart in quality, or nearer in
        log-probability, are left out.
    monsters : pairs are left out whose gap in quality exceeds the mean distance of the candidates
        from their list's best by more than this many standard deviations; 0 keeps them.
    """

    beam: float = 0.0
    lowest: float = 0.0
    closest: float = 0.0
    closest_logprob: float = 0.0
    monsters: float = 3.0

    def check(self, *, with_dev: bool = True) -> None:
        """Raise an error for options that make no sense."""
        for name in ("beam", "lowest"):
            if not 0 <= getattr(self, name) < 1:
                raise UsageError(
                    f"{name} must be at least 0 and below 1, not {getattr(self, name)}"
                )
        check_at_least(
            0, closest=self.closest, closest_logprob=self.closest_logprob, monsters=self.monsters
        )

    def crucial_pairs(
        self, problem: RankingProblem, *, subsets: int = 1, subset: int = 0, seed: int = 0
    ) -> _native.CrucialPairs:
        """The pairs of a problem to learn from, or one of several subsets of them."""
        order = problem.canonical_order()
        numbers = np.empty_like(order)
        numbers[order] = np.arange(len(order))
        return _native.CrucialPairs(
            problem.list_offsets,
            problem.known_qualities(),
            problem.logprobs,
            self.kept(problem).astype(np.uint8),
            numbers,
            _native.PairLimits(self.closest, self.largest_gap(problem), self.closest_logprob),
            _native.PairSubset(subsets, subset, seed << 32),
        )

    def kept(self, problem: RankingProblem) -> NDArray[np.bool_]:
        """Whether each candidate may be in a training pair."""
        kept = np.ones(problem.n_candidates, dtype=np.bool_)
        if self.beam > 0:
            kept &= below_first(problem, problem.logprobs) <= -np.log(self.beam)
        if self.lowest > 0 and problem.n_candidates:
            distances = below_first(problem, problem.known_qualities())
            kept &= distances <= np.quantile(distances, 1 - self.lowest)
        return kept

    def largest_gap(self, problem: RankingProblem) -> float:
        """The largest gap in quality that a pair may have."""
        distances = below_first(problem, problem.known_qualities())
        distances = np.sort(distances[distances > 0])  # so that sums do not depend on the order
        if self.monsters == 0 or not len(distances):
            return float("inf")
        return float(distances.mean() + self.monsters * distances.std())


def below_first(problem: RankingProblem, numbers: Floats) -> Floats:
    """How far each candidate's number lies below the highest of its list."""
    highest = problem.list_offsets[:-1] + problem.picks(numbers)
    distances: Floats = numbers[np.repeat(highest, np.diff(problem.list_offsets))] - numbers
    return distances
