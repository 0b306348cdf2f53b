"""The base system's own order as a ranker: what every other ranker has to beat."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from runoff.fitting.run import ALONE, Run
from runoff.learners.base import LinearRanker
from runoff.problem.problem import RankingProblem


@dataclass(kw_only=True)
class BaseOrder(LinearRanker):
    """Scores a candidate by its log-probability and learns nothing.

    Examples
    --------
    >>> from runoff.problem.build.build import build_problem
    >>> from runoff.data.nbest import Candidate, NBest
    >>> lists = [NBest(candidates=[Candidate("a", -2.0), Candidate("b", -1.0)])]
    >>> problem, _ = build_problem(lists, [])
    >>> BaseOrder().fit(problem).scores(problem)
    array([-2., -1.])
    """

    name: ClassVar[str] = "base"

    def check(self, *, with_dev: bool = True) -> None:
        """Check the options, of which there are none."""

    def fit(
        self, problem: RankingProblem, dev: RankingProblem | None = None, *, run: Run = ALONE
    ) -> Self:
        """Learn nothing; the base order needs no training."""
        self.weights_, self.logprob_weight_ = np.zeros(problem.n_features), 1.0
        return self
