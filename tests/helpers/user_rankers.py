"""Small rankers for tests of what is made of rankers."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from runoff.learners.base_order import BaseOrder


@dataclass(kw_only=True)
class Gate(BaseOrder):
    """The base order; keeps what is at most `beam` below the list's first."""

    beam: float = 1.0

    name: ClassVar[str] = "gate"

    def decide(self, problem):
        highest = np.full(problem.n_lists, -np.inf)
        np.maximum.at(highest, problem.owners, problem.logprobs)
        return problem.logprobs >= highest[problem.owners] - self.beam


@dataclass(kw_only=True)
class Watched(BaseOrder):
    """The base order; notes which lists it was fitted to and which it scored."""

    name: ClassVar[str] = "watched"
    takes_values: ClassVar[bool] = False
    log: ClassVar[list] = []

    def fit(self, problem, dev=None, *, run):
        self.lists_ = lists_of(problem)
        self.log.append(("fit", self.lists_, None if dev is None else lists_of(dev)))
        return super().fit(problem, dev, run=run)

    def scores(self, problem):
        self.log.append(("scores", self.lists_, lists_of(problem)))
        return super().scores(problem)


def lists_of(problem):
    """The lists that are not empty."""
    return frozenset(np.unique(problem.owners).tolist())
