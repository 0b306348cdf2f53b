"""Why A over B: named terms that sum to the difference of their scores."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from runoff.data.nbest import Candidate, NBest
from runoff.errors import UsageError
from runoff.features.problem import Floats
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
    ranked = decided(reranker, nbest)
    rival_rank = _base_first(ranked) or 1 if over is None else over
    if not 0 < rival_rank < len(ranked):
        raise UsageError(
            f"the rival's rank must lie between 1 and {len(ranked) - 1}, not {rival_rank}"
        )
    winner, rival = ranked.candidates[0], ranked.candidates[rival_rank]
    terms = term_table(reranker, ranked).between(0, rival_rank)
    difference = (winner.score or 0.0) - (rival.score or 0.0)
    return Reasons(winner, rival, rival_rank, terms, difference)


def _base_first(ranked: NBest) -> int:
    return [candidate.rank for candidate in ranked.candidates].index(0)


def decided(reranker: Reranker, nbest: NBest) -> NBest:
    """The list in its new order, if there was something to decide and weights that explain it."""
    if not isinstance(reranker.ranker, LinearRanker):
        raise UsageError(f"a {reranker.ranker.name!r} ranker has no weights to explain it by")
    if len(nbest) < 2:
        raise UsageError(f"list {nbest.id!r} has one candidate, so nothing was decided")
    return reranker.rerank([nbest])[0]


@dataclass(frozen=True)
class TermTable:
    """The terms of a list: names, weights, and their values for every candidate."""

    names: list[str]
    weights: Floats
    values: Floats  # (candidates, terms)

    def between(self, winner: int, rival: int) -> list[Term]:
        """The terms that speak for or against one of two candidates, the largest first."""
        terms = [
            Term(name, float(a), float(b), float(weight), float(weight * (a - b)))
            for name, a, b, weight in zip(
                self.names, self.values[winner], self.values[rival], self.weights, strict=True
            )
        ]
        relevant = (term for term in terms if term.contribution)
        return sorted(relevant, key=lambda term: (-abs(term.contribution), term.feature))


def term_table(reranker: Reranker, ranked: NBest) -> TermTable:
    """The features that tell the candidates of a list apart, and the log-probability."""
    assert isinstance(reranker.ranker, LinearRanker)
    problem = reranker.ranker.seen(reranker.problem([ranked]))
    ids, columns = np.unique(problem.feature_ids, return_inverse=True)
    rows = np.repeat(np.arange(len(ranked)), np.diff(problem.feature_offsets))
    values = np.zeros((len(ranked), len(ids) + 1))
    values[rows, columns] = 1.0 if problem.feature_values is None else problem.feature_values
    values[:, -1] = problem.logprobs
    names = reranker.ranker.weight_names(reranker.space.names)
    return TermTable(
        [*(names[number] for number in ids.tolist()), LOGPROB],
        np.append(reranker.ranker.weights()[ids], reranker.ranker.logprob_weight_),
        values,
    )


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
