"""Scores and ranks of one ranker as features for the next."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from runoff.data.numbering import offsets_of
from runoff.problem.problem import Floats, Integers, RankingProblem

RANKS = (1, 2, 4, 8, 16)
"""Ranks for which a candidate at or above them has a binary feature."""


def width(with_scores: bool) -> int:
    """The number of features that `stacked` adds."""
    return len(RANKS) + with_scores


def stacked(problem: RankingProblem, scores: Floats, *, with_scores: bool) -> RankingProblem:
    """The problem with ranks by these scores, and distances from the first, as features.

    Parameters
    ----------
    with_scores : the distance to the list's highest score is a real-valued feature, which some
        learners do not take; the places are binary ones.

    Examples
    --------
    >>> from runoff.problem.build.build import build_problem
    >>> from runoff.data.nbest import Candidate, NBest
    >>> problem, _ = build_problem([NBest(candidates=[Candidate("a"), Candidate("b")])], [])
    >>> more = stacked(problem, np.array([0.5, 2.0]), with_scores=True)
    >>> more.feature_ids.tolist()
    [1, 2, 3, 4, 5, 0, 1, 2, 3, 4]
    >>> float(more.feature_values[4]), more.n_features
    (-1.5, 6)
    """
    ranks = places(problem, scores)
    columns = [(ranks < limit).astype(np.float64) for limit in RANKS]
    if with_scores:
        highest = np.full(problem.n_lists, -np.inf)
        np.maximum.at(highest, problem.owners, scores)
        columns.append(scores - highest[problem.owners])
    table = np.stack(columns, axis=1)  # (candidates, new features)
    rows, new = np.nonzero(table)
    counts = np.diff(problem.feature_offsets)
    order = np.argsort(
        np.concatenate([np.repeat(np.arange(problem.n_candidates), counts), rows]), kind="stable"
    )
    ids = np.concatenate([problem.feature_ids, problem.n_features + new]).astype(np.uint32)
    values = problem.feature_values
    if with_scores or values is not None:
        old = np.ones(len(problem.feature_ids)) if values is None else values
        values = np.concatenate([old, table[rows, new]])[order]
    added = np.bincount(rows, minlength=problem.n_candidates)
    return replace(
        problem,
        feature_offsets=problem.feature_offsets + offsets_of(added),
        feature_ids=ids[order],
        feature_values=values,
        n_features=problem.n_features + len(columns),
    )


def places(problem: RankingProblem, scores: Floats) -> Integers:
    """The rank of each candidate in its list, ties broken by the log-probability.

    Those that tie in both share the same place, so that the order of a list leaves no trace.
    """
    order = np.lexsort((-problem.logprobs, -scores, problem.owners))
    keys = np.stack([problem.owners, scores, problem.logprobs])[:, order]
    starts = np.ones(len(order), dtype=np.bool_)
    starts[1:] = (keys[:, 1:] != keys[:, :-1]).any(axis=0)
    first = np.maximum.accumulate(np.where(starts, np.arange(len(order)), 0))
    result = np.empty(len(order), dtype=np.int64)
    result[order] = first - problem.list_offsets[problem.owners[order]]
    return result
