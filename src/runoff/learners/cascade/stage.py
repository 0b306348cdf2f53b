"""One stage of a cascade: what it decides, and what it passes on to the next."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from runoff.learners.base import Ranker
from runoff.learners.cascade.stacking import stacked
from runoff.problem.problem import Floats, RankingProblem

Booleans = NDArray[np.bool_]


@runtime_checkable
class Decider(Protocol):
    """A ranker that says itself which candidates are left for others to decide between."""

    def decide(self, problem: RankingProblem) -> Booleans:
        """The candidates that remain, at least one of every list that has any.

        A list with one left is decided.
        """
        ...


class Verdict(NamedTuple):
    """The verdict of a stage on lists: scores, and the candidates that it keeps."""

    scores: Floats
    kept: Booleans


class Flow(NamedTuple):
    """Lists between stages: with their own features, and as the next stage sees them."""

    plain: RankingProblem
    seen: RankingProblem


@dataclass
class Stage:
    """A ranker with the margins that it had on training lists.

    Parameters
    ----------
    scale : their median, in which scores are measured, so that those of different stages compare.
    cut : the margin above which the stage decides.
    """

    ranker: Ranker
    scale: float = 1.0
    cut: float = -1.0

    def verdict(self, problem: RankingProblem) -> Verdict:
        """Scores, and the candidates kept: all of them, unless the ranker is a `Decider`."""
        kept = np.ones(problem.n_candidates, dtype=np.bool_)
        if isinstance(self.ranker, Decider):
            kept = self.ranker.decide(problem)
        return Verdict(self.ranker.scores(problem), kept)

    def measure(self, margins: Floats, threshold: float) -> None:
        """Take scale and cut from the margins of training lists.

        A list is decided if the share of these margins that are smaller reaches the threshold.
        """
        known = np.sort(margins[np.isfinite(margins)])
        smaller = np.arange(len(known) + 1) / max(1, len(known))
        needed = int(np.searchsorted(smaller, threshold))
        self.cut = float(known[needed - 1]) if needed and len(known) else -1.0
        apart = known[known > 1e-12]  # below that is only rounding
        self.scale = float(np.median(apart)) if len(apart) else 1.0

    def going_on(self, problem: RankingProblem, verdict: Verdict) -> Booleans:
        """The candidates that the next stage has to decide between."""
        if isinstance(self.ranker, Decider):
            undecided = np.bincount(problem.owners[verdict.kept], minlength=problem.n_lists) > 1
        else:
            undecided = problem.margins(verdict.scores) <= self.cut
        return verdict.kept & undecided[problem.owners]

    def share_decided(self, problem: RankingProblem, verdict: Verdict) -> float:
        """The share of the lists with a choice that go no further."""
        going = np.unique(problem.owners[self.going_on(problem, verdict)])
        return 1.0 - len(going) / max(1, int((np.diff(problem.list_offsets) > 1).sum()))

    def pass_on(self, flow: Flow, verdict: Verdict, going: Booleans, *, with_scores: bool) -> Flow:
        """Some candidates for the next stage, with this stage's verdict as features."""
        seen = stacked(flow.plain, verdict.scores / self.scale, with_scores=with_scores)
        return Flow(flow.plain.keep(going), seen.keep(going))

    def leave(self, flow: Flow, *, with_scores: bool) -> tuple[Verdict, Booleans, Flow]:
        """The verdict, the candidates that it leaves undecided, and those as `pass_on` does."""
        verdict = self.verdict(flow.seen)
        going = self.going_on(flow.seen, verdict)
        return verdict, going, self.pass_on(flow, verdict, going, with_scores=with_scores)


def discarded_last(problem: RankingProblem, scores: Floats, kept: Booleans) -> Floats:
    """The scores, those of discarded candidates lowered until they are below all that are kept."""
    lowest, highest = np.full(problem.n_lists, np.inf), np.full(problem.n_lists, -np.inf)
    np.minimum.at(lowest, problem.owners[kept], scores[kept])
    np.maximum.at(highest, problem.owners[~kept], scores[~kept])
    lowered = scores.copy()
    lowered[~kept] += (lowest - highest)[problem.owners[~kept]] - 1.0
    return lowered
