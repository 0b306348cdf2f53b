"""Lists in a new order, and what there is to say of each."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from runoff.data.nbest import NBest
from runoff.problem.problem import RankingProblem


class RankedList(NamedTuple):
    """A list in its new order, and where to find what it was ranked by.

    Parameters
    ----------
    order : the place in the old order of each candidate.
    problem : of this list and others that were ranked along with it, in their old order.
    number : of this list in the problem.
    """

    nbest: NBest
    order: list[int]
    problem: RankingProblem
    number: int

    @classmethod
    def of(
        cls, nbest: NBest, scores: list[float], problem: RankingProblem, number: int
    ) -> RankedList:
        """The list in the order of these scores."""
        return cls(*ordered(nbest, scores), problem, number)


class ListScores(NamedTuple):
    """What a worker says of a list: its candidates' scores, and how sure the pick is."""

    scores: list[float]
    confidence: float | None


def ordered(nbest: NBest, scores: list[float]) -> tuple[NBest, list[int]]:
    """The list in the order of these scores; equal ones keep the base order."""
    ranks = nbest.base_ranks()
    order = sorted(range(len(nbest)), key=lambda index: (-scores[index], ranks[index]))
    candidates = [
        msgspec.structs.replace(nbest.candidates[i], score=scores[i], rank=ranks[i]) for i in order
    ]
    return msgspec.structs.replace(nbest, candidates=candidates), order


def with_confidence(ranked: NBest, confidence: float | None) -> NBest:
    """The list with how sure its pick is, where that is known."""
    if confidence is None:
        return ranked
    return msgspec.structs.replace(ranked, extra={**ranked.extra, "confidence": confidence})


def abstaining(ranked: NBest, least: float) -> NBest:
    """The list in its base order, if its confidence is lower than the least."""
    if ranked.extra["confidence"] >= least:
        return ranked
    candidates = [ranked.candidates[index] for index in ranked.base_order()]
    return msgspec.structs.replace(ranked, candidates=candidates)
