"""The p-norm push (Rudin 2006): boosting that concentrates on the top of the list.

Minimises the sum over worse candidates l of (sum over better candidates b of the same list of
exp(f(l) - f(b)))^p. The larger p, the more a worse candidate costs that stands above many better
ones; p = 1 is RankBoost (Ji, Rudin & Grishman 2006, section 5.3).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from runoff.errors import check_at_least
from runoff.fitting.record import record_columns, record_rows
from runoff.fitting.run import ALONE, Run
from runoff.learners.base import LinearRanker
from runoff.learners.maxent.loss import dev_quality
from runoff.learners.pairs.push import Push
from runoff.learners.pairs.selection import PairSelection
from runoff.problem.problem import Floats, RankingProblem


@dataclass(kw_only=True)
class PNormPush(PairSelection, LinearRanker):
    """Every round takes the feature along which the push falls steepest, as far as it falls.

    Features are weak rankers with values from 0 to 1: real-valued ones and the log-probability are
    divided by their largest range within a list. The complement of one is its negative weight,
    since constants do not change the order of a list. Every list has the same share of the push at
    the start. `PairSelection` says which pairs are left out.

    Parameters
    ----------
    p : how hard the top of the list is pushed, at least 1.
    rounds : maximum number of rounds; with development lists, the weights after the round that does
        best on them are kept, the first of equals.
    """

    p: float = 4.0
    rounds: int = 110

    name: ClassVar[str] = "p-norm-push"

    def check(self, *, with_dev: bool = True) -> None:
        """Raise an error for options that make no sense."""
        super().check(with_dev=with_dev)
        check_at_least(1, p=self.p, rounds=self.rounds)

    def fit(
        self, problem: RankingProblem, dev: RankingProblem | None = None, *, run: Run = ALONE
    ) -> Self:
        """Learn from lists with qualities; a round is quadratic in their lengths."""
        self.check(with_dev=dev is not None)
        push = Push(problem, self.crucial_pairs(problem), self.p, run.threads)
        quality = dev_quality(dev, self.seen)
        state = {name: np.array(array) for name, array in run.saved().items()}
        record = record_rows(state)
        if not state:
            state = {"x": np.zeros(problem.n_features + 1)}
            state["chosen"] = state["x"]
        while len(record) < self.rounds and (found := push.round(state["x"])) is not None:
            x, figures = found
            figures = {"round": len(record) + 1.0, **figures}
            chosen = x
            if quality is not None:
                figures["dev quality"] = quality(x / push.ranges)
                best = max((row["dev quality"] for row in record), default=-np.inf)
                chosen = x if figures["dev quality"] > best else state["chosen"]
            record = [*record, figures]
            state = {"x": x, "chosen": chosen} | record_columns(record)
            run.keep(state.copy)
            run.report(self.name, len(record), self.rounds, **figures)
        weights: Floats = state["chosen"] / push.ranges
        self.weights_, self.logprob_weight_ = weights[:-1].copy(), float(weights[-1])
        self.record_ = {"rounds": record}
        return self
