"""Boosting over all subtrees of candidates: Kudo, Suzuki & Isozaki 2005.

Every subtree that occurs in the training candidates is a feature, present or absent. A round finds
the one of the highest gain among all of them and changes its weight; the search is native
(`cpp/runoff/boosting/subtree_boosting.cpp`). Pairs and losses are those of
`runoff.learners.boosting.boosting`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from runoff import _native
from runoff.errors import ModelError, UsageError, check_at_least, unknown_choice
from runoff.fitting.record import FOR_PLOTS
from runoff.fitting.run import ALONE, Run
from runoff.learners.base import LinearRanker, native_limits
from runoff.learners.boosting.dev_curve import dev_curves
from runoff.learners.boosting.logprob_weight import (
    exp_loss_weight,
    freund_weight,
    log_loss_weight,
)
from runoff.learners.boosting.subtree_trainer import TREE_ARRAYS, SubtreeCurve, SubtreeTrainer
from runoff.learners.maxent.maxent import MaxEnt
from runoff.problem.problem import Floats, Integers, RankingProblem
from runoff.problem.trees import Trees
from runoff.store.arrays import take
from runoff.store.file import Arrays

LOGPROB_RULES = ("minimum", "freund")
MOST_NODES = 64
CHOICE = 5_000
"""Subtrees of the highest gains that the rounds between two searches choose from."""

CACHE_BYTES = 2 << 30
"""Occurrences of subtrees that take more are forgotten before the next search; it costs time."""


@dataclass(kw_only=True)
class SubtreeBoost(LinearRanker):
    """Boosting with all subtrees of the candidates as features.

    A subtree occurs in a tree if its nodes can be mapped to nodes of the tree so that labels, the
    relation of parent and daughter and the order of sisters stay; sisters may be skipped.

    Parameters
    ----------
    rounds : how many to do. With development lists, the number that does best on them is kept, the
        lowest of equals.
    size : maximum number of nodes of a subtree.
    frequency : minimum number of lists in which some candidate has the subtree.
    smoothing : a share of the loss that is added to both sides before a weight is set.
    search_rounds, cache_rounds : number of rounds that search all subtrees, then choose among
        those of the highest gains in the last search and those chosen before, and so on.
    loss : `exp`, the sum over pairs of exp(-M), as in the paper; or `log`, the sum over lists of
        log(1 + sum of exp(-M)), under which no list weighs more than any other.
    weighted : under `exp`, pairs count by how much worse the candidate is than the best one;
        otherwise all count the same, as in the paper.
    ties : candidates that are as good as the best one form pairs with it too, as in the paper;
        otherwise they are neither right nor wrong.
    logprob_rule : how the log-probability gets its weight, before any subtree has one: `minimum`,
        where the loss is lowest; or `freund`, by one step of the rule of Freund et al. (2003) for
        real-valued features, which the paper uses.
    refit : spreads of weights, of which development lists choose one. If there are any, boosting
        only chooses the subtrees, in all its rounds; their weights are then set all at once, by
        maximum entropy with such a prior (`runoff.learners.maxent.maxent`).
    wide : this many subtrees of the highest gains of each cycle's last search get weights too,
        at most; of those that tell the same pairs apart, the first. Rounds choose few of them,
        since they change one weight at a time.
    penalty, cost : options of maximum entropy. The penalty `l1` leaves few with a weight.

    References
    ----------
    Kudo, Suzuki and Isozaki (2005), "Boosting-based parse reranking with subtree features".

    Examples
    --------
    >>> import runoff as ro
    >>> heard = [ro.Candidate("(S (NP a) (VP b))", -1.0), ro.Candidate("(S (NP (VP a b)))", -0.9)]
    >>> lists = [ro.NBest(i, None, heard, gold="(S (NP a) (VP b))") for i in range(3)]
    >>> model = ro.fit(lists, learner="subtree-boost", features="tree", metric="exact",
    ...     options={"frequency": 2, "rounds": 1})
    >>> model.ranker.weight_names(model.space.names), model.ranker.weights().round(3)
    (['(NP(VP))'], array([-3.454]))
    """

    rounds: int = 10_000
    size: int = 6
    frequency: int = 10
    smoothing: float = 0.001
    search_rounds: int = 5
    cache_rounds: int = 300
    loss: str = "exp"
    weighted: bool = False
    ties: bool = False
    logprob_rule: str = "minimum"
    refit: tuple[float, ...] = ()
    wide: int = 0
    penalty: str = "gaussian"
    cost: float = 0.0

    name: ClassVar[str] = "subtree-boost"
    takes_values: ClassVar[bool] = False
    takes_trees: ClassVar[bool] = True

    subtrees_: Trees = field(init=False, repr=False, compare=False)
    n_labels_: int = field(init=False, repr=False, compare=False)

    def check(self, *, with_dev: bool = True) -> None:
        """Raise an error for options that make no sense."""
        check_at_least(
            1, rounds=self.rounds, frequency=self.frequency, search_rounds=self.search_rounds
        )
        check_at_least(0, cache_rounds=self.cache_rounds, wide=self.wide)
        if self.wide and not self.refit:
            raise UsageError("wide is for subtrees whose weights are set by refit")
        if not 1 <= self.size <= MOST_NODES:
            raise UsageError(f"size must lie between 1 and {MOST_NODES}, not {self.size}")
        if not 0 < self.smoothing < math.inf:
            raise UsageError(f"smoothing must be positive, not {self.smoothing}")
        if self.loss not in ("exp", "log"):
            raise unknown_choice("loss", self.loss, ("exp", "log"))
        if self.weighted and self.loss == "log":
            raise UsageError("pairs have weights of their own under the loss exp, not under log")
        if self.logprob_rule not in LOGPROB_RULES:
            raise unknown_choice("logprob_rule", self.logprob_rule, LOGPROB_RULES)
        if self.logprob_rule == "freund" and (self.weighted or self.loss == "log"):
            raise UsageError("logprob_rule=freund is for the loss exp over unweighted pairs")
        if self.weighted and self.ties:
            raise UsageError("ties have no weight, so ties cannot be combined with weighted")
        if self.refit:
            self._maxent().check(with_dev=with_dev)

    def _maxent(self) -> MaxEnt:
        """What sets the weights of `refit`."""
        return MaxEnt(prior=self.refit, penalty=self.penalty, cost=self.cost)

    def fit(
        self, problem: RankingProblem, dev: RankingProblem | None = None, *, run: Run = ALONE
    ) -> Self:
        """Learn from lists with qualities."""
        self.check(with_dev=dev is not None)
        trainer = self._boost(problem, dev, run)
        self._choose(trainer, problem.n_features, dev is not None)
        if self.refit:
            del trainer
            _native.trim_memory()  # a cache of subtrees is in millions of pieces
            self._refit(problem, dev, run)
        return self

    @native_limits()
    def _boost(
        self, problem: RankingProblem, dev: RankingProblem | None, run: Run
    ) -> SubtreeTrainer:
        """Do all rounds."""
        shared = self._shared(problem, problem.best(), self.frequency)
        self.logprob_weight_, exponents = self._start(problem)
        problem.let_go()
        booster = _native.SubtreeBooster(
            shared,
            self.loss,
            exponents,
            self.smoothing,
            self.search_rounds,
            self.cache_rounds,
            CHOICE,
            CACHE_BYTES,
        )
        curve = None
        if dev is not None:
            dev_trees = self._shared(dev, np.zeros(dev.n_lists, dtype=np.int64), 1)
            curve = SubtreeCurve(dev_curves(dev, self.logprob_weight_)(), dev_trees)
        trainer = SubtreeTrainer(booster, curve, self.rounds, self.wide)
        trainer.train(self.name, run)
        return trainer

    def _refit(self, problem: RankingProblem, dev: RankingProblem | None, run: Run) -> None:
        """Set all weights again."""
        seen = None if dev is None else self.seen(dev)
        quick = replace(run, checkpoint=None)
        maxent = self._maxent().fit(self.seen(problem), seen, run=quick)
        self._take(self.subtrees_, maxent.weights())
        self.logprob_weight_ = maxent.logprob_weight_
        self.record_ |= maxent.record_

    def _take(self, subtrees: Trees, weights: Floats) -> None:
        """Keep only subtrees with a non-zero weight."""
        self.subtrees_, self.weights_ = subtrees.keep(weights != 0), weights[weights != 0]
        self.__dict__.pop("_trie", None)

    def _shared(
        self, problem: RankingProblem, best: Integers, frequency: int
    ) -> _native.SharedTrees:
        """The trees of a problem with their common parts."""
        return _native.SharedTrees(
            problem.list_offsets,
            *problem.known_trees(),
            best,
            problem.n_features,
            self.size,
            frequency,
        )

    def _start(self, problem: RankingProblem) -> tuple[float, Floats]:
        """a0, and log S - M of the pair of every candidate; -inf where there is no pair."""
        qualities, logprobs = problem.known_qualities(), problem.logprobs
        best = (problem.list_offsets[:-1] + problem.best())[problem.owners]
        others = best != np.arange(problem.n_candidates)
        worse = np.flatnonzero(others if self.ties else qualities[best] > qualities)
        gaps = logprobs[best[worse]] - logprobs[worse]
        log_s = np.log(qualities[best[worse]] - qualities[worse]) if self.weighted else 0 * gaps
        if self.logprob_rule == "freund":
            a0 = freund_weight(gaps)
        elif self.loss == "exp":
            a0 = exp_loss_weight(gaps, log_s)
        else:
            a0 = log_loss_weight(gaps, np.flatnonzero(np.diff(problem.owners[worse], prepend=-1)))
        exponents = np.full(problem.n_candidates, -np.inf)
        exponents[worse] = log_s - a0 * gaps
        return a0, exponents

    def _choose(self, trainer: SubtreeTrainer, n_labels: int, with_dev: bool) -> None:
        """Take the weights of the best round; write the record."""
        rounds = trainer.rounds
        best = rounds.best() if with_dev and not self.refit else rounds.done
        subtrees = Trees(*trainer.booster.subtrees())
        self._take(subtrees, rounds.weights(best, subtrees.n_trees))
        if self.wide:
            trainer.found.add(self.subtrees_)
            self.subtrees_ = trainer.found.trees()
            self.weights_ = np.zeros(self.subtrees_.n_trees)
        self.n_labels_ = n_labels
        self.record_ = {"curve": rounds.points(with_dev), "searches": trainer.searches()}
        if with_dev:
            self.record_[FOR_PLOTS] = rounds.drawn()

    def known_subtrees(self) -> Trees:
        """The subtrees that have weights."""
        self.weights()
        return self.subtrees_

    def seen(self, problem: RankingProblem) -> RankingProblem:
        """The problem with subtrees of the model as features, found by one walk of each tree."""
        offsets, ids = self._trie.find(*problem.known_trees(), problem.n_features)
        return replace(
            problem,
            feature_offsets=offsets,
            feature_ids=ids,
            feature_values=None,
            n_features=len(self.weights()),
        )

    @cached_property
    def _trie(self) -> _native.SubtreeTrie:
        return _native.SubtreeTrie(*self.known_subtrees(), self.n_labels_)

    def __getstate__(self) -> dict[str, Any]:
        return {key: value for key, value in self.__dict__.items() if key != "_trie"}

    def weight_names(self, names: Sequence[str]) -> list[str]:
        """The subtrees as S-expressions."""
        return self.known_subtrees().written(names)

    def features_used(self) -> Integers:
        """Numbers of the labels that subtrees have."""
        return np.unique(self.known_subtrees().labels).astype(np.int64)

    def restrict(self, kept: Integers) -> Self:
        """Keep only the labels `kept` of the space."""
        labels = np.searchsorted(kept, self.known_subtrees().labels).astype(np.uint32)
        self.subtrees_, self.n_labels_ = self.subtrees_._replace(labels=labels), len(kept)
        self.__dict__.pop("_trie", None)
        return self

    def arrays(self) -> dict[str, NDArray[Any]]:
        """What was learned, for a model file."""
        return super().arrays() | dict(zip(TREE_ARRAYS, self.known_subtrees(), strict=True))

    def restore(self, arrays: Arrays, n_features: int) -> Self:
        """Take over what a model file holds, checked."""
        columns: list[NDArray[Any]] = [
            np.array(take(arrays, name, dtype)) for name, dtype in TREE_ARRAYS.items()
        ]
        self.subtrees_ = Trees(*columns)
        self.n_labels_ = n_features
        super().restore(arrays, max(0, self.subtrees_.n_trees))
        try:
            _ = self._trie
        except ValueError as error:
            raise ModelError(f"the subtrees are broken: {error}") from None
        return self
