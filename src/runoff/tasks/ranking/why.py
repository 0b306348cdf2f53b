"""Why A over B: named terms that sum to the difference of their scores."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from runoff.data.nbest import Candidate, NBest
from runoff.errors import UsageError
from runoff.learners.base import LinearRanker
from runoff.learners.kernels.ranker import KernelRanker
from runoff.problem.problem import Floats
from runoff.tasks.ranking.reranker import Reranker

LOGPROB = "log-probability"

DETAILED = 20
"""Terms, the largest first, of which the fragment is found that a kernel saw."""

BY_VOTES = "votes are explained by the mean of the voters' scores"


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
    """Why the winner's score exceeds the rival's; the contributions sum to the difference.

    Where scores are votes, `note` says what is explained in their place.
    """

    winner: Candidate
    rival: Candidate
    rival_rank: int
    terms: list[Term]
    difference: float
    note: str | None = None


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
    if getattr(reranker.ranker, "form", None) == "voted":
        difference = sum(term.contribution for term in terms)
        return Reasons(winner, rival, rival_rank, terms, difference, BY_VOTES)
    difference = (winner.score or 0.0) - (rival.score or 0.0)
    return Reasons(winner, rival, rival_rank, terms, difference)


def _base_first(ranked: NBest) -> int:
    return [candidate.rank for candidate in ranked.candidates].index(0)


def decided(reranker: Reranker, nbest: NBest) -> NBest:
    """The list in its new order, if there was something to decide and weights that explain it."""
    if not isinstance(reranker.ranker, LinearRanker | KernelRanker):
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
    detail: Callable[[int, tuple[int, int], float], str] | None = None  # a better name of a term

    def between(self, winner: int, rival: int) -> list[Term]:
        """The terms that speak for or against one of two candidates, the largest first."""
        both = self.values[winner], self.values[rival]
        parts = self.weights * (both[0] - both[1])
        order = sorted(
            np.flatnonzero(parts).tolist(), key=lambda term: (-abs(parts[term]), self.names[term])
        )
        names = {term: self.names[term] for term in order}
        if self.detail is not None:
            for term in order[:DETAILED]:
                names[term] = self.detail(term, (winner, rival), float(parts[term]))
        return [
            Term(names[term], *(float(column[term]) for column in (*both, self.weights, parts)))
            for term in order
        ]


def term_table(reranker: Reranker, ranked: NBest) -> TermTable:
    """The features that tell the candidates of a list apart, and the log-probability.

    With kernels, features are the updates: how much more a candidate is like the better tree of
    each than like the worse one.
    """
    ranker, names = reranker.ranker, reranker.space.names
    assert isinstance(ranker, LinearRanker | KernelRanker)
    given = reranker.problem([ranked])
    problem = ranker.seen(given)
    ids, columns = np.unique(problem.feature_ids, return_inverse=True)
    rows = np.repeat(np.arange(len(ranked)), np.diff(problem.feature_offsets))
    values = np.zeros((len(ranked), len(ids) + 1))
    values[rows, columns] = 1.0 if problem.feature_values is None else problem.feature_values
    values[:, -1] = problem.logprobs
    all_names = ranker.weight_names(names)
    found: list[str] = [*(all_names[number] for number in ids.tolist()), LOGPROB]

    def detail(term: int, pair: tuple[int, int], sign: float) -> str:
        if term == len(ids) or not isinstance(ranker, KernelRanker):
            return found[term]
        fragment = ranker.fragment(int(ids[term]), given, pair, sign, names)
        return found[term] if fragment is None else f"{fragment} in {found[term]}"

    weights = np.append(ranker.weights()[ids], ranker.logprob_weight_)
    return TermTable(found, weights, values, detail)


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
