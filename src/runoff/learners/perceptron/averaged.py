"""The averaged ranking perceptron.

Whenever the candidate with the highest score is worse than the best one of its list, the weights
move by the difference of their feature vectors; the final weights are the average over all steps
(Collins & Duffy 2002, section 3.2; Freund & Schapire 1999 for the average). The base
log-probability is one feature more, and at the start the only one, so training sets out from the
base order.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from runoff import _native
from runoff.errors import check_at_least, check_seed
from runoff.fitting.record import record_columns, record_rows
from runoff.fitting.run import ALONE, Run
from runoff.learners.base import LinearRanker
from runoff.problem.problem import Floats, RankingProblem


@dataclass(kw_only=True)
class Perceptron(LinearRanker):
    """Learns by correcting its own mistakes, several times over all lists.

    Real-valued features and the log-probability are divided by their spread within lists, so that
    no unit of measure outweighs the rest; the weights are given back in the features' own units.

    Parameters
    ----------
    epochs : passes over the lists. With development lists, the average after the pass that does
        best on them is kept, the last of equals.
    seed : of the order in which the lists are visited.
    """

    epochs: int = 10
    seed: int = 0

    name: ClassVar[str] = "perceptron"

    def check(self, *, with_dev: bool = True) -> None:
        """Raise an error for options that make no sense."""
        check_at_least(1, epochs=self.epochs)
        check_seed(self.seed)

    def fit(
        self, problem: RankingProblem, dev: RankingProblem | None = None, *, run: Run = ALONE
    ) -> Self:
        """Learn from lists with qualities; time is linear in their features, per epoch."""
        self.check(with_dev=dev is not None)
        qualities, best, lists = (
            problem.known_qualities(),
            problem.best(),
            problem.canonical_order(),
        )
        scales = np.empty(problem.n_features + 1)
        _native.feature_scales(problem.native, lists, scales)
        state = {name: array.copy() for name, array in run.saved().items()}
        record = record_rows(state)
        if not state:
            w = np.zeros_like(scales)
            w[-1] = 1.0
            state = {"w": w, "u": np.zeros_like(w), "chosen": w, "t": np.ones(1, dtype=np.int64)}
        while len(record) < self.epochs:
            shuffle = np.empty(problem.n_lists, dtype=np.int64)
            _native.shuffled((self.seed << 20) + len(record), shuffle)
            w, u, t = state["w"].copy(), state["u"].copy(), int(state["t"][0])
            wrong, t = _native.perceptron_epoch(
                problem.native, qualities, best, lists[shuffle], scales, w, u, t
            )
            average = (w - u / t) / scales
            figures = {"epoch": len(record) + 1.0, "wrong": float(wrong)}
            if dev is not None:
                figures["dev quality"] = self._dev_quality(dev, average)
            highest = max(
                (row["dev quality"] for row in record if dev is not None), default=-np.inf
            )
            chosen = average if figures.get("dev quality", np.inf) >= highest else state["chosen"]
            record = [*record, figures]
            state = {"w": w, "u": u, "chosen": chosen, "t": np.array([t])} | record_columns(record)
            run.keep(state.copy)
            run.report("perceptron", len(record), self.epochs, **figures)
        self.weights_ = state["chosen"][:-1].copy()
        self.logprob_weight_ = float(state["chosen"][-1])
        self.record_ = {"epochs": record}
        return self

    @staticmethod
    def _dev_quality(dev: RankingProblem, average: Floats) -> float:
        scores = np.empty(dev.n_candidates)
        _native.linear_scores(dev.native, average[:-1].copy(), float(average[-1]), scores)
        return dev.picked_quality(scores)
