"""The contract of rankers, and the base class of linear ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from runoff import _native
from runoff.errors import NotFittedError, RunoffError, UsageError
from runoff.fitting.record import Record
from runoff.fitting.run import ALONE, Run
from runoff.learners.terms import NamedWeights, Terms
from runoff.problem.problem import Floats, Integers, RankingProblem
from runoff.store.arrays import take
from runoff.store.file import Arrays


@contextmanager
def native_limits() -> Iterator[None]:
    """Turn an error of native code about lists that are too large for it into one for users."""
    try:
        yield
    except RunoffError:
        raise
    except ValueError as error:
        raise UsageError(str(error), hint="another learner may take such lists") from None


def check_present_or_absent(
    learner: str, problem: RankingProblem, names: Sequence[str] = ()
) -> None:
    """Raise an error for counts and real numbers, for a learner that takes binary features."""
    values = problem.feature_values
    others = np.zeros(0, dtype=np.int64) if values is None else np.flatnonzero(values != 1.0)
    if values is not None and len(others):
        number = problem.feature_ids[others[0]]
        feature = repr(names[number]) if names else f"number {number}"
        raise UsageError(
            f"{learner} requires binary features, but the feature {feature} has the value "
            f"{values[others[0]]:g}",
            hint="--thresholds 1,2,4 makes counts binary, --bins 8 real numbers; "
            "maxent and perceptron take any values",
        )


def single_precision(weights: Floats) -> Floats:
    """Weights rounded to numbers of 32 bits, which a model file keeps as such.

    Those that 32 bits cannot hold, or only as a denormal number, stay as they are.

    Examples
    --------
    >>> single_precision(np.array([0.1, 0.5, 1e-300]))
    array([1.00000001e-001, 5.00000000e-001, 1.00000000e-300])
    """
    sizes, limits = np.abs(weights), np.finfo(np.float32)
    fits = (sizes >= limits.tiny) & (sizes <= limits.max)
    return np.where(fits, np.where(fits, weights, 0.0).astype(np.float32), weights)


class Ranker(Protocol):
    """The contract of every learner; `tests/contract/test_rankers.py` checks it.

    Constructor arguments are keyword-only and stored unchanged; what is learned ends in `_`.
    The same problem and seed give the same arrays, bit for bit, whatever the order of the lists,
    the threads, and whether the fit was interrupted and resumed from its checkpoint.
    """

    name: ClassVar[str]
    takes_values: ClassVar[bool]  # whether features may be counts or real numbers
    takes_trees: ClassVar[bool]  # whether it learns from trees, not from features
    record_: Record

    def check(self, *, with_dev: bool = True) -> None:
        """Raise an error for options that make no sense, before any work is done.

        `with_dev` tells whether there will be development lists: without them, nothing can choose
        among several values of an option.
        """
        ...

    def fit(
        self, problem: RankingProblem, dev: RankingProblem | None = None, *, run: Run = ALONE
    ) -> Self:
        """Learn from lists with qualities; `dev` chooses when to stop. Begins with `check`."""
        ...

    def scores(self, problem: RankingProblem) -> Floats:
        """One score per candidate; a problem's qualities are never read."""
        ...

    def terms(self, problem: RankingProblem, names: Sequence[str]) -> Terms:
        """The terms whose sums are the candidates' scores; `names` are those of the feature space.

        A learner whose scores are no such sums raises `no_terms`.
        """
        ...

    def named_weights(self, names: Sequence[str]) -> NamedWeights | None:
        """All weights under readable names; None where what was learned is not one vector."""
        ...

    def features_used(self) -> Integers:
        """Ids of the features that scores depend on, rising."""
        ...

    def restrict(self, kept: Integers) -> Self:
        """A copy of the ranker over a space of only the features `kept`."""
        ...

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The learned parameters as arrays for a model file."""
        ...

    def restore(self, arrays: Arrays, n_features: int) -> Self:
        """Restore the learned parameters from the arrays of a model file, checked."""
        ...


@dataclass(kw_only=True)
class LinearRanker:
    """A ranker whose score is `logprob_weight_ * logprob + sum of weight * value`."""

    takes_values: ClassVar[bool] = True
    takes_trees: ClassVar[bool] = False

    weights_: Floats = field(init=False, repr=False, compare=False)
    logprob_weight_: float = field(init=False, repr=False, compare=False)
    record_: Record = field(init=False, repr=False, compare=False, default_factory=dict)

    def scores(self, problem: RankingProblem) -> Floats:
        """One score per candidate."""
        scores = np.empty(problem.n_candidates)
        weights = self.weights()
        seen = self.seen(problem)
        _native.linear_scores(seen.native, weights, self.logprob_weight_, scores)
        return scores

    def seen(self, problem: RankingProblem) -> RankingProblem:
        """The problem as the weights see it: itself, unless a learner derives its features."""
        return problem

    def weight_names(self, names: Sequence[str]) -> list[str]:
        """The name of each weight; `names` are those of the feature space."""
        return list(names)

    def weights(self) -> Floats:
        """The weight of every feature."""
        if not hasattr(self, "weights_"):
            raise NotFittedError(f"this {type(self).__name__} has not been fitted")
        return self.weights_

    def terms(self, problem: RankingProblem, names: Sequence[str]) -> Terms:
        """The terms whose sums are the scores of candidates."""
        weights, weight_names = self.weights(), self.weight_names(names)
        return Terms.of(self.seen(problem), weights, self.logprob_weight_, weight_names)

    def named_weights(self, names: Sequence[str]) -> NamedWeights:
        """All weights under readable names."""
        pairs = zip(self.weight_names(names), self.weights().tolist(), strict=True)
        return NamedWeights(self.logprob_weight_, list(pairs))

    def features_used(self) -> Integers:
        """Ids of the features whose weight is not zero."""
        return np.flatnonzero(self.weights())

    def restrict(self, kept: Integers) -> Self:
        """A copy of the ranker over a space of only the features `kept`."""
        self.weights_ = np.ascontiguousarray(self.weights()[kept])
        return self

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The learned parameters for a model file; weights take 32 bits if that loses nothing."""
        weights = self.weights()
        with np.errstate(over="ignore"):
            single = weights.astype(np.float32)
        return {
            "weights": single if (single == weights).all() else weights,
            "logprob_weight": np.array([self.logprob_weight_]),
        }

    def restore(self, arrays: Arrays, n_features: int) -> Self:
        """Restore the learned parameters from the arrays of a model file, checked."""
        weights = take(arrays, "weights", (np.float64, np.float32), (n_features,))
        self.weights_ = np.array(weights, dtype=np.float64)
        self.logprob_weight_ = float(take(arrays, "logprob_weight", np.float64, (1,))[0])
        return self
