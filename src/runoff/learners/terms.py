"""Terms: the named parts that the scores of candidates are sums of, which is what *why* prints."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np

from runoff.errors import UsageError
from runoff.problem.problem import Floats, RankingProblem

LOGPROB = "log-probability"

DETAILED = 20
"""Terms, the largest first, that get a name of their own for the two candidates compared."""


class NamedWeights(NamedTuple):
    """The weight of the log-probability, and the names of features with their weights."""

    logprob: float
    features: list[tuple[str, float]]


@dataclass(frozen=True)
class Term:
    """One reason: a feature, its value on both sides, its weight, and its contribution."""

    feature: str
    winner: float
    rival: float
    weight: float
    contribution: float


@dataclass(frozen=True, eq=False)
class Terms:
    """The terms of all candidates of a problem: a score is the sum of weight times value.

    What all candidates of a list share may be missing, since it changes no difference.

    Parameters
    ----------
    names : what each term is called.
    weights : one for each term.
    values : shape (candidates, terms).
    note : where scores are votes, what the terms explain in their place.
    detail : gives a term a better name, from its number, the numbers of two candidates and what it
        contributes to their difference. It may take time, so only the largest terms are named so.
    """

    names: Sequence[str]
    weights: Floats
    values: Floats
    note: str | None = None
    detail: Callable[[int, tuple[int, int], float], str] | None = None

    @classmethod
    def of(
        cls, problem: RankingProblem, weights: Floats, logprob_weight: float, names: Sequence[str]
    ) -> Self:
        """The terms of a linear score: the features of the problem, and the log-probability last.

        Parameters
        ----------
        names : of all features.
        """
        ids, columns = np.unique(problem.feature_ids, return_inverse=True)
        rows = np.repeat(np.arange(problem.n_candidates), np.diff(problem.feature_offsets))
        values = np.zeros((problem.n_candidates, len(ids) + 1))
        values[rows, columns] = 1.0 if problem.feature_values is None else problem.feature_values
        values[:, -1] = problem.logprobs
        known = [names[number] for number in ids.tolist()]
        return cls([*known, LOGPROB], np.append(weights[ids], logprob_weight), values)

    def between(self, winner: int, rival: int) -> list[Term]:
        """The terms for or against one of two candidates, the largest first."""
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


def no_terms(learner: str) -> UsageError:
    """The error of a learner whose scores are not sums of named terms."""
    return UsageError(f"the choices of a {learner!r} ranker cannot be explained by named terms")
