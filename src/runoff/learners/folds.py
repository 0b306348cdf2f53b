"""Folds of lists: every list is judged by a ranker that never saw it."""

from __future__ import annotations

import heapq
from typing import NamedTuple

import numpy as np

from runoff.errors import UsageError
from runoff.fitting.parameters import options_of
from runoff.learners.base import Ranker
from runoff.problem.problem import Floats, Integers, RankingProblem


def fold_numbers(problem: RankingProblem, folds: int) -> Integers:
    """The fold of each list; lists of one document are in one, the order of a file leaves no trace.

    Documents are dealt out by their size, the largest first, each to the smallest fold. Where there
    are fewer documents than folds, lists are dealt out one by one.

    Examples
    --------
    >>> problem = RankingProblem(
    ...     list_offsets=np.arange(5),
    ...     feature_offsets=np.zeros(5, dtype=np.int64),
    ...     feature_ids=np.zeros(0, dtype=np.uint32),
    ...     feature_values=None,
    ...     logprobs=np.array([1.0, 2.0, 3.0, 4.0]),
    ...     qualities=None,
    ...     n_features=0,
    ...     documents=np.array([7, 8, 7, 9]),
    ... )
    >>> numbers = fold_numbers(problem, 2).tolist()
    >>> numbers[0] == numbers[2] != numbers[1] == numbers[3]
    True
    """
    order = problem.canonical_order().tolist()
    documents = problem.documents
    if documents is None or len(np.unique(documents)) < folds:
        documents = np.arange(problem.n_lists)
    members: dict[int, list[int]] = {}
    for number in order:
        members.setdefault(int(documents[number]), []).append(number)
    heap = [(0, fold) for fold in range(folds)]
    numbers = np.zeros(problem.n_lists, dtype=np.int64)
    for own in sorted(members.values(), key=len, reverse=True):
        size, fold = heapq.heappop(heap)
        numbers[own] = fold
        heapq.heappush(heap, (size + len(own), fold))
    return numbers


class HeldOut(NamedTuple):
    """Scores of lists by rankers that had not seen them."""

    scores: Floats
    problem: RankingProblem


def held_out(
    ranker: Ranker, problem: RankingProblem, dev: RankingProblem | None, folds: int
) -> HeldOut | None:
    """What tells how sure a ranker is: development lists, or folds of the training lists.

    A ranker that has folds of its own is judged by these, unless there are more development lists.

    Parameters
    ----------
    problem : the lists that it was fitted to.
    folds : without development lists, how many parts of them to leave out in turn; with 0, only a
        ranker that did so itself can tell.
    """
    own: HeldOut | None = getattr(ranker, "held_out_", None)
    if dev is not None and (own is None or dev.n_lists > own.problem.n_lists):
        return HeldOut(ranker.scores(dev), dev)
    if own is not None or not folds:
        return own
    numbers = fold_numbers(problem, folds)
    scores = np.zeros(problem.n_candidates)
    for fold in range(folds):
        rest = numbers[problem.owners] == fold
        learned = type(ranker)(**options_of(ranker)).fit(problem.keep(~rest))
        scores[rest] = learned.scores(problem.keep(rest))
    return HeldOut(scores, problem)


def check_folds(folds: int) -> None:
    """Raise an error for a number of folds that makes no sense; 0 is none."""
    if folds < 0 or folds == 1:
        raise UsageError(f"folds must be at least 2, or 0 for none; not {folds}")
