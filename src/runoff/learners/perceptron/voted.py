"""The voted ranking perceptron.

The weights after every list are a voter: on a new list each votes for the candidate that it ranks
first, and the candidate with the most votes wins (Freund & Schapire 1999; Collins & Duffy 2002,
section 3.4). Between two mistakes the weights stay the same, so one vector votes with the number of
lists that it survived.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from runoff import _native
from runoff.errors import NotFittedError, check_at_least, check_seed
from runoff.fitting.record import Record, record_columns, record_rows
from runoff.fitting.run import ALONE, Run
from runoff.learners.perceptron.voters import Voters
from runoff.learners.terms import Terms, no_terms
from runoff.problem.problem import Floats, Integers, RankingProblem
from runoff.store.file import Arrays


@dataclass(kw_only=True)
class VotedPerceptron:
    """Learns like the perceptron, and lets all its intermediate weight vectors vote.

    A score is the share of the votes. Values are scaled as `Perceptron` scales them, and its first
    weights, the base order, have one vote.

    Parameters
    ----------
    epochs : passes over the lists. With development lists, the voters up to the pass that does best
        on them are kept, the last of equals.
    seed : of the order in which the lists are visited.
    """

    epochs: int = 10
    seed: int = 0

    name: ClassVar[str] = "voted-perceptron"
    takes_values: ClassVar[bool] = True
    takes_trees: ClassVar[bool] = False

    voters_: Voters = field(init=False, repr=False, compare=False)
    record_: Record = field(init=False, repr=False, compare=False, default_factory=dict)

    def check(self, *, with_dev: bool = True) -> None:
        """Raise an error for options that make no sense."""
        check_at_least(1, epochs=self.epochs)
        check_seed(self.seed)

    def fit(
        self, problem: RankingProblem, dev: RankingProblem | None = None, *, run: Run = ALONE
    ) -> Self:
        """Learn from lists with qualities; time is linear in their features, per epoch.

        Measuring the development lists takes their candidates times the mistakes of the epoch.
        """
        self.check(with_dev=dev is not None)
        course = _Course(problem, dev, self.seed)
        state = {name: array.copy() for name, array in run.saved().items()} or course.start()
        record = record_rows(state)
        while len(record) < self.epochs:
            state, figures = course.epoch(state, len(record))
            highest = max((row.get("dev quality", -np.inf) for row in record), default=-np.inf)
            if figures.get("dev quality", np.inf) >= highest:
                state["chosen"] = state["survivals"]
            record = [*record, figures]
            state |= record_columns(record)
            run.keep(state.copy)
            run.report(self.name, len(record), self.epochs, **figures)
        self.voters_ = course.voters(state["plus"], state["minus"], state["chosen"])
        self.record_ = {"epochs": record}
        return self

    def scores(self, problem: RankingProblem) -> Floats:
        """Each candidate's share of the votes; tied candidates all get the vote."""
        return self.voters().shares(problem)

    def voters(self) -> Voters:
        """All weight vectors, with their votes."""
        if not hasattr(self, "voters_"):
            raise NotFittedError("this VotedPerceptron has not been fitted")
        return self.voters_

    def terms(self, problem: RankingProblem, names: Sequence[str]) -> Terms:
        """Raise an error: votes are not sums of named terms."""
        raise no_terms(self.name)

    def named_weights(self, names: Sequence[str]) -> None:
        """None: every voter has weights of its own."""

    def features_used(self) -> Integers:
        """Ids of the features that an update has changed."""
        return np.unique(self.voters().ids).astype(np.int64)

    def restrict(self, kept: Integers) -> Self:
        """A copy of the ranker over a space of only the features `kept`."""
        self.voters_ = self.voters().restrict(kept)
        return self

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The learned parameters as arrays for a model file."""
        return self.voters().arrays()

    def restore(self, arrays: Arrays, n_features: int) -> Self:
        """Restore the learned parameters from the arrays of a model file, checked."""
        self.voters_ = Voters.restore(arrays, n_features)
        return self


class _Course:
    """The course of a fit, epoch by epoch.

    Its state: the weights, the best candidate and the wrong pick of every mistake, the survivals of
    every voter, and the development lists' scores under the last voter and votes so far.
    """

    def __init__(self, problem: RankingProblem, dev: RankingProblem | None, seed: int) -> None:
        self.problem, self.dev, self.seed = problem, dev, seed
        order = problem.canonical_order()
        self.lists = order[np.diff(problem.list_offsets)[order] > 0]
        self.best = problem.best()
        self.scales = np.empty(problem.n_features + 1)
        _native.feature_scales(problem.native, self.lists, self.scales)

    def voters(self, plus: Integers, minus: Integers, survivals: Floats) -> Voters:
        """The first voters, as many as there are survivals."""
        count = len(survivals) - 1
        return Voters.of_mistakes(self.problem, plus[:count], minus[:count], survivals, self.scales)

    def start(self) -> dict[str, NDArray[Any]]:
        """The base order, with one vote."""
        w, none = np.zeros_like(self.scales), np.zeros(0, dtype=np.int64)
        w[-1] = 1.0
        state = {"w": w, "plus": none, "minus": none, "survivals": np.ones(1)}
        if self.dev is not None:
            base = self.voters(none, none, np.ones(1))
            scores, votes = base.logprob_weight * self.dev.logprobs, np.zeros(self.dev.n_candidates)
            base.add(self.dev, scores, votes)
            state |= {"dev scores": scores, "dev votes": votes}
        return state

    def epoch(
        self, state: dict[str, NDArray[Any]], number: int
    ) -> tuple[dict[str, NDArray[Any]], dict[str, float]]:
        """The state after one more pass over the lists, and its figures."""
        problem, w = self.problem, state["w"].copy()
        shuffle, picks = (np.empty(len(self.lists), dtype=np.int64) for _ in range(2))
        _native.shuffled((self.seed << 20) + number, shuffle)
        order = self.lists[shuffle]
        _native.perceptron_epoch(
            problem.native,
            problem.known_qualities(),
            self.best,
            order,
            self.scales,
            w,
            np.zeros_like(w),  # for averaging, which voting does without
            1,
            picks,
        )
        steps = np.flatnonzero(picks >= 0)  # the mistakes
        firsts = problem.list_offsets[order[steps]]
        plus, minus = firsts + self.best[order[steps]], firsts + picks[steps]
        counts = np.diff(np.concatenate([[0], steps, [len(order)]])).astype(np.float64)
        survivals = np.append(state["survivals"], counts[1:])
        survivals[len(state["survivals"]) - 1] += counts[0]
        figures = {"epoch": number + 1.0, "wrong": float(len(steps))}
        after = {**state, "w": w, "survivals": survivals}
        after["plus"], after["minus"] = (
            np.concatenate([state[name], new]) for name, new in (("plus", plus), ("minus", minus))
        )
        if self.dev is not None:
            scores, votes = state["dev scores"].copy(), state["dev votes"].copy()
            self.voters(plus, minus, counts).add(self.dev, scores, votes)
            after |= {"dev scores": scores, "dev votes": votes}
            figures["dev quality"] = self.dev.picked_quality(votes)
        return after, figures
