"""Folds of lists: every list is judged by a ranker that never saw it."""

from __future__ import annotations

import heapq
from collections.abc import Callable

import numpy as np

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


def held_out_scores(
    problem: RankingProblem,
    folds: Integers,
    learn: Callable[[int, RankingProblem], Callable[[RankingProblem], Floats]],
) -> Floats:
    """The scores of every candidate by what was learned without its fold.

    Parameters
    ----------
    learn : takes the number of a fold and all other lists, and gives what scores lists.
    """
    scores = np.zeros(problem.n_candidates)
    for fold in np.unique(folds).tolist():
        own = folds[problem.owners] == fold
        scores[own] = learn(fold, problem.keep(~own))(problem.keep(own))
    return scores
