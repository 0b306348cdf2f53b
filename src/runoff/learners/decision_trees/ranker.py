"""Boosted decision trees as a ranker: a list is a state, its best candidates are to be inferred."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from runoff import _native
from runoff.errors import NotFittedError
from runoff.fitting.run import ALONE, Run
from runoff.learners.base import LinearRanker, check_present_or_absent
from runoff.learners.boosting.logprob_weight import log_loss_weight
from runoff.learners.decision_trees.ensemble import Conjunction, Ensemble
from runoff.learners.decision_trees.path import Path, PathOptions, sum_quality
from runoff.learners.terms import Terms
from runoff.problem.problem import Floats, Integers, RankingProblem
from runoff.store.arrays import take
from runoff.store.file import Arrays

MOST_RAISED = 500.0
"""Scores to start from are raised by no more than this."""


class Examples(NamedTuple):
    """The candidates of lists that teach something."""

    pointers: NDArray[np.uint64]
    y: NDArray[np.int8]
    bias: NDArray[np.float32]


@dataclass(kw_only=True)
class TreeRanker(PathOptions, LinearRanker):
    """Decision trees that choose conjunctions of features, present or absent, while they learn.

    A list is a state: its best candidates share one half of its weight, the others the other half,
    in proportion to how much worse they are. The log-probability gets its weight first; trees start
    from there.

    Parameters
    ----------
    decay : lambda, the weight of the l1 penalty, is multiplied by this when no tree gains any more.
    smallest : the path ends where lambda has come down to this share of its first value.
    patience : with development lists, the path ends if this many values of lambda in a row have
        brought nothing better; the best one is kept.
    sample : maximum number of candidates that a tree is grown on; the values of its leaves are
        found on all candidates.
    split_gain : a split must gain more than this share of lambda. 0, as in the papers, splits off
        whatever speaks against a leaf, however rare, and overfits where most features are rare.
    per_sample : maximum number of trees that are grown on one sample before all candidates are
        updated; 1 in the papers.
    cache : megabytes of memory for the features of all candidates; where they need more, those of
        each sample are copied anew. The trees are the same.
    seed : random seed of the samples.

    References
    ----------
    Turian and Melamed (2006), "Advances in discriminative parsing", section 3.
    """

    split_gain: float = 0.2

    name: ClassVar[str] = "boosted-trees"
    takes_values: ClassVar[bool] = False

    ensemble_: Ensemble = field(init=False, repr=False, compare=False)

    def fit(
        self, problem: RankingProblem, dev: RankingProblem | None = None, *, run: Run = ALONE
    ) -> Self:
        """Learn from lists with qualities."""
        self.check(with_dev=dev is not None)
        for lists in (problem, dev):
            if lists is not None:
                check_present_or_absent(self.name, lists)
        self.logprob_weight_ = start_weight(problem)
        examples, centred = examples_of(problem), centred_logprobs(problem)
        booster = self.booster(
            native_rows(problem),
            examples,
            balanced(self.logprob_weight_ * centred[examples.pointers.astype(np.int64)], examples),
            problem.n_features,
        )
        quality = None
        if dev is not None:
            source, pointers = native_rows(dev), np.arange(dev.n_candidates, dtype=np.uint64)
            quality = sum_quality(
                self.logprob_weight_ * dev.logprobs,
                lambda trees: trees.scores(source, pointers, run.threads),
                dev.picked_quality,
            )
        path = Path(booster, len(examples.y), problem.n_features, self, quality)
        self.ensemble_ = path.follow(self.name, run)
        self.record_ = {"path": path.rows}
        return self

    def ensemble(self) -> Ensemble:
        """The trees that were learned."""
        if not hasattr(self, "ensemble_"):
            raise NotFittedError(f"this {type(self).__name__} has not been fitted")
        return self.ensemble_

    def scores(self, problem: RankingProblem) -> Floats:
        """One score per candidate."""
        trees = self.ensemble()
        pointers = np.arange(problem.n_candidates, dtype=np.uint64)
        return self.logprob_weight_ * problem.logprobs + trees.scores(
            native_rows(problem), pointers
        )

    def weights(self) -> Floats:
        """The weight of each conjunction: the sum of the values of its leaves."""
        return np.array([one.weight for one in self.ensemble().conjunctions])

    def weight_names(self, names: Sequence[str]) -> list[str]:
        """The conjunctions in words."""
        return [one.named(names) for one in self.ensemble().conjunctions]

    def seen(self, problem: RankingProblem) -> RankingProblem:
        """The problem with the conjunctions of the model as features."""
        pointers = np.arange(problem.n_candidates, dtype=np.uint64)
        offsets, ids = self.ensemble().reached(native_rows(problem), pointers)
        return replace(
            problem,
            feature_offsets=offsets,
            feature_ids=ids,
            feature_values=None,
            n_features=len(self.ensemble().conjunctions),
        )

    def terms(self, problem: RankingProblem, names: Sequence[str]) -> Terms:
        """The terms whose sums are the scores: the log-probability and conjunctions.

        A conjunction that holds for one of two candidates begins with what the other lacks.
        """
        seen = self.seen(problem)
        numbers = np.unique(seen.feature_ids)
        conjunctions = self.ensemble().conjunctions
        found: list[Conjunction] = [conjunctions[number] for number in numbers.tolist()]
        plain = Terms.of(seen, self.weights(), self.logprob_weight_, self.weight_names(names))

        def detail(term: int, pair: tuple[int, int], sign: float) -> str:
            if term == len(found):  # the log-probability
                return plain.names[term]
            without = pair[1] if plain.values[pair[0], term] else pair[0]
            begin, end = problem.feature_offsets[without : without + 2].tolist()
            atoms = set(problem.feature_ids[begin:end].tolist())
            return found[term].unlike(atoms).named(names)

        return replace(plain, detail=detail)

    def features_used(self) -> Integers:
        """Ids of the features that trees test."""
        return self.ensemble().atoms_used()

    def restrict(self, kept: Integers) -> Self:
        """A copy of the ranker over a space of only the features `kept`."""
        self.ensemble_ = self.ensemble().restrict(kept)
        return self

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The learned parameters as arrays for a model file."""
        return {**self.ensemble().arrays(), "logprob_weight": np.array([self.logprob_weight_])}

    def restore(self, arrays: Arrays, n_features: int) -> Self:
        """Restore the learned parameters from the arrays of a model file, checked."""
        self.ensemble_ = Ensemble.restore(arrays, n_features)
        self.logprob_weight_ = float(take(arrays, "logprob_weight", np.float64, (1,))[0])
        return self


def native_rows(problem: RankingProblem) -> _native.SparseRows:
    """The features of candidates as rows of a sparse matrix."""
    return _native.SparseRows(problem.feature_offsets, problem.feature_ids, problem.n_features)


def examples_of(problem: RankingProblem) -> Examples:
    """The candidates, list by list in the canonical order, with y and bias.

    The best of a list share one half of its weight; the others share the other half in proportion
    to how much worse they are. Lists in which all candidates are equally good teach nothing and are
    left out.
    """
    qualities, firsts = problem.known_qualities(), problem.list_offsets
    pointers, y, bias = [], [], []
    for number in problem.canonical_order().tolist():
        own = qualities[firsts[number] : firsts[number + 1]]
        is_best = own == own.max(initial=-np.inf)
        if is_best.all():
            continue
        pointers.append(np.arange(firsts[number], firsts[number + 1]))
        y.append(np.where(is_best, 1, -1))
        worse = own.max() - own
        bias.append(0.5 * np.where(is_best, 1.0 / is_best.sum(), worse / worse.sum()))
    none = [np.zeros(0)]
    return Examples(
        np.concatenate(pointers or none).astype(np.uint64),
        np.concatenate(y or none).astype(np.int8),
        np.concatenate(bias or none).astype(np.float32),
    )


def balanced(start: Floats, examples: Examples) -> Floats:
    """Scores to start from, all raised alike so that W+ = W-: no tree is needed for it.

    Examples
    --------
    >>> both = Examples(np.arange(2), np.array([1, -1]), np.array([0.5, 0.5]))
    >>> balanced(np.array([3.0, 1.0]), both)
    array([ 1., -1.])
    """
    low, high = -MOST_RAISED, MOST_RAISED
    while high - low > 1e-12:
        middle = (low + high) / 2
        margins = np.minimum(examples.y * (start + middle), MOST_RAISED)
        if float((examples.y * examples.bias / (1.0 + np.exp(margins))).sum()) > 0:
            low = middle
        else:
            high = middle
    return start + (low + high) / 2


def centred_logprobs(problem: RankingProblem) -> Floats:
    """The log-probability of each candidate minus the mean of its list."""
    sums = np.bincount(problem.owners, problem.logprobs, problem.n_lists)
    means = sums / np.maximum(1, np.diff(problem.list_offsets))
    return problem.logprobs - means[problem.owners]


def start_weight(problem: RankingProblem) -> float:
    """The weight of the log-probability that minimises the log-loss of lists, before any tree."""
    qualities, logprobs = problem.known_qualities(), problem.logprobs
    best = (problem.list_offsets[:-1] + problem.best())[problem.owners]
    worse = np.flatnonzero(qualities[best] > qualities)
    starts = np.flatnonzero(np.diff(problem.owners[worse], prepend=-1))
    return log_loss_weight(logprobs[best[worse]] - logprobs[worse], starts)
