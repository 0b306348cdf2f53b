"""Maximum entropy with targets that are as sharp as the qualities are far apart, prior by prior."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from runoff import _native
from runoff.fitting.run import Run
from runoff.learners.lambdamart.lambdamart import typical_spread
from runoff.learners.maxent.loss import LinearLoss, Prior, spread_scales
from runoff.problem.problem import Floats, RankingProblem

SHARPNESS = 10.0
"""A candidate that is worse than the best by a typical list's spread gets exp(-10) of its share."""


def soft_targets(problem: RankingProblem, sharpness: float = SHARPNESS) -> Floats:
    """The share of each candidate in its list's target, -1 in lists that teach nothing.

    Shares are the softmax of the qualities (the top-one targets of Cao et al. 2007, "Learning to
    rank: from pairwise approach to listwise approach").

    Examples
    --------
    >>> problem = RankingProblem(
    ...     list_offsets=np.array([0, 2, 4]),
    ...     feature_offsets=np.zeros(5, dtype=np.int64),
    ...     feature_ids=np.zeros(0, dtype=np.uint32),
    ...     feature_values=None,
    ...     logprobs=np.zeros(4),
    ...     qualities=np.array([0.0, 1.0, 7.0, 7.0]),
    ...     n_features=0,
    ... )
    >>> soft_targets(problem).round(3).tolist()
    [0.0, 1.0, -1.0, -1.0]
    """
    qualities, owners = problem.known_qualities(), problem.owners
    if not len(qualities):
        return np.zeros(0)
    best = qualities[(problem.list_offsets[:-1] + problem.best())[owners]]
    spread = typical_spread(problem.list_offsets, qualities)
    shares = np.exp(sharpness * (qualities - best) / spread)
    sums = np.bincount(owners, shares, problem.n_lists)
    teaches = np.bincount(owners, qualities < best, problem.n_lists) > 0
    return np.where(teaches[owners], shares / sums[owners], -1.0)


def fit_path(
    problem: RankingProblem, priors: Sequence[float], *, iterations: int, run: Run
) -> Iterator[Floats]:
    """The weights under each prior, the log-probability's last; each search starts at the last."""
    loss = partial(_native.log_loss, problem.list_offsets, soft_targets(problem))
    linear = LinearLoss(
        problem, problem.canonical_order(), loss, spread_scales(problem), run.threads
    )
    weights, finished = np.zeros(problem.n_features + 1), run.finished
    for s in priors:
        part = replace(run, finished={}).part(f"prior {s:g}", finished)
        found = Prior(s).fit(
            linear, None, start=weights, iterations=iterations, run=part, stage="maxent"
        )
        finished = {**finished, **part.named(found.state)}
        weights = found.x
        yield weights
