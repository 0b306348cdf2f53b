"""Why A over B: named terms that sum to the difference of their scores."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from runoff.data.nbest import Candidate, NBest
from runoff.errors import UsageError
from runoff.learners.base import LinearRanker
from runoff.tasks.reranker import Reranker

LOGPROB = "log-probability"


@dataclass(frozen=True)
class Term:
    """One reason: a feature, its value on both sides, its weight, and what that amounts to."""

    feature: str
    winner: float
    rival: float
    weight: float
    contribution: float


@dataclass(frozen=True)
class Reasons:
    """Why the winner's score exceeds the rival's; the contributions sum to the difference."""

    winner: Candidate
    rival: Candidate
    rival_rank: int
    terms: list[Term]
    difference: float


def why(reranker: Reranker, nbest: NBest, *, over: int | None = None) -> Reasons:
    """The terms that made the winner win, the largest first.

    Parameters
    ----------
    over : rank of the rival in the new order, from 0. By default it is the base system's first
        choice, or the runner-up where the winner is that already.

    Examples
    --------
    >>> import runoff as ro
    >>> heard = [ro.Candidate("a b", -1.0), ro.Candidate("a c", -1.5)]
    >>> lists = [ro.NBest(i, None, heard, gold="a c") for i in range(3)]
    >>> reasons = ro.why(ro.fit(lists, metric="wer"), lists[0])
    >>> reasons.winner.output, reasons.rival.output
    ('a c', 'a b')
    >>> abs(sum(term.contribution for term in reasons.terms) - reasons.difference) < 1e-9
    True
    """
    if not isinstance(reranker.ranker, LinearRanker):
        raise UsageError(f"a {reranker.ranker.name!r} ranker has no weights to explain it by")
    if len(nbest) < 2:
        raise UsageError(f"list {nbest.id!r} has one candidate, so nothing was decided")
    ranked = reranker.rerank([nbest])[0]
    rival_rank = _base_first(ranked) or 1 if over is None else over
    if not 0 < rival_rank < len(ranked):
        raise UsageError(
            f"the rival's rank must lie between 1 and {len(ranked) - 1}, not {rival_rank}"
        )
    winner, rival = ranked.candidates[0], ranked.candidates[rival_rank]
    terms = _terms(reranker, reranker.ranker, ranked, rival_rank)
    difference = (winner.score or 0.0) - (rival.score or 0.0)
    return Reasons(winner, rival, rival_rank, terms, difference)


def _base_first(ranked: NBest) -> int:
    return [candidate.rank for candidate in ranked.candidates].index(0)


def _terms(reranker: Reranker, ranker: LinearRanker, ranked: NBest, rival: int) -> list[Term]:
    problem = ranker.seen(reranker.problem([ranked]))
    weights = ranker.weights()
    rows = np.zeros((2, problem.n_features))
    for row, place in zip(rows, (0, rival), strict=True):
        own = slice(*problem.feature_offsets[place : place + 2])
        values = 1.0 if problem.feature_values is None else problem.feature_values[own]
        row[problem.feature_ids[own]] = values
    terms = [
        _term(reranker.space.names[number], rows[0, number], rows[1, number], weights[number])
        for number in np.flatnonzero((rows[0] - rows[1]) * weights)
    ]
    a, b = problem.logprobs[0], problem.logprobs[rival]
    if (a - b) * ranker.logprob_weight_:
        terms.append(_term(LOGPROB, a, b, ranker.logprob_weight_))
    return sorted(terms, key=lambda term: (-abs(term.contribution), term.feature))


def _term(feature: str, winner: float, rival: float, weight: float) -> Term:
    contribution = float(weight) * (float(winner) - float(rival))
    return Term(feature, float(winner), float(rival), float(weight), contribution)


def find_list(lists: Iterable[NBest], name: str) -> NBest:
    """The list with this id; where no list has it, the list of this number, from 1."""
    by_number = None
    for number, nbest in enumerate(lists, start=1):
        if nbest.id is not None and str(nbest.id) == name:
            return nbest
        if str(number) == name:
            by_number = nbest
    if by_number is None:
        raise UsageError(f"there is no list with the id or number {name!r}")
    return by_number
