"""The ranking perceptron with kernels over trees and taggings: Collins & Duffy 2002.

All fragments of a tree are features, more than could be listed; a kernel gives the inner product of
two trees in that space. The perceptron is in its dual form: it keeps its mistakes, and a score is a
sum of kernels with them. Natively these trees are one graph of distinct subtrees
(`cpp/runoff/kernels/support_graph.cpp`): a score costs about one kernel, not one per mistake.
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
from runoff.errors import NotFittedError, UsageError, check_at_least, check_seed, unknown_choice
from runoff.fitting.record import Record
from runoff.fitting.run import ALONE, Run
from runoff.learners.kernels.explain import shared_fragment, words_of
from runoff.learners.kernels.kernel import Kernel, finite_kernels
from runoff.learners.kernels.mistakes import Support
from runoff.learners.kernels.training import KernelTraining
from runoff.learners.terms import Terms
from runoff.problem.problem import Floats, Integers, RankingProblem
from runoff.store.file import Arrays

FORMS = ("plain", "averaged", "voted")

BY_VOTES = "votes are explained by the mean of the voters' scores"


@dataclass(kw_only=True)
class KernelRanker:
    """A perceptron that learns in the space of all fragments of its candidates.

    Parameters
    ----------
    form : `voted`, after every list a voter, and a score is the share of the votes; `averaged`, the
        mean of their scores; `plain`, the last one's.
    beta : the log-probability's part in the kernel, beta L(x) L(y) + K(x, y).
    lam : above 0 and at most 1; lower values let larger fragments weigh less.
    normalised : take K(x, y) / sqrt(K(x, x) K(y, y)) for K, so that long sentences weigh no more.
    epochs : passes over the lists. With development lists, the voters up to the pass that does best
        on them are kept, the last of equals.
    chunks : the lists are split into this many parts, each with a perceptron of its own; all their
        voters vote. 0: 6 from 6,000 lists on, else 1.
    seed : of the order in which the lists are visited.

    References
    ----------
    Collins and Duffy (2002), "New ranking algorithms for parsing and tagging", sections 3 and 6.
    """

    form: str = "voted"
    beta: float = 0.2
    lam: float = 0.5
    normalised: bool = False
    epochs: int = 1
    chunks: int = 0
    seed: int = 0

    name: ClassVar[str]
    kind: ClassVar[str]  # of the kernel, as native code calls it
    takes_values: ClassVar[bool] = False
    takes_trees: ClassVar[bool] = True

    support_: Support = field(init=False, repr=False, compare=False)
    n_labels_: int = field(init=False, repr=False, compare=False)
    record_: Record = field(init=False, repr=False, compare=False, default_factory=dict)

    def check(self, *, with_dev: bool = True) -> None:
        """Raise an error for options that make no sense."""
        if self.form not in FORMS:
            raise unknown_choice("form", self.form, FORMS)
        if not 0 <= self.beta < math.inf:
            raise UsageError(f"beta must be at least 0, not {self.beta}")
        self.kernel.check()
        check_at_least(1, epochs=self.epochs)
        check_at_least(0, chunks=self.chunks)
        check_seed(self.seed)

    def fit(
        self, problem: RankingProblem, dev: RankingProblem | None = None, *, run: Run = ALONE
    ) -> Self:
        """Learn from lists with qualities.

        Time, list by list: its distinct subtrees times the nodes of the graph that have the same
        production. The graph grows with the mistakes, by what the two trees do not share.
        """
        self.check(with_dev=dev is not None)
        with finite_kernels():
            training = KernelTraining(
                self.kernel,
                problem,
                self.native_lists(problem, run.threads),
                beta=self.beta,
                epochs=self.epochs,
                chunks=self.chunks,
                seed=self.seed,
                threads=run.threads,
            )
            record = training.resume(run.saved())
            while len(record) < self.epochs:
                for done in training.epoch(len(record) + 1):
                    run.keep(training.state(record))
                    run.report(
                        self.name, done, training.steps, subtrees=float(training.native.nodes)
                    )
                figures = training.figures(len(record) + 1)
                if dev is not None:
                    self._take(training.support(len(record) + 1), problem.n_features)
                    figures["dev quality"] = dev.picked_quality(self.scores(dev))
                record = [*record, figures]
                run.keep(training.state(record))
        qualities = [row.get("dev quality", row["epoch"]) for row in record]
        best = len(record) - int(np.argmax(qualities[::-1]))
        self._take(training.support(best), problem.n_features)
        self.record_ = {"epochs": record}
        return self

    def _take(self, support: Support, n_labels: int) -> None:
        self.support_, self.n_labels_ = support, n_labels
        self.__dict__.pop("_model", None)

    def scores(self, problem: RankingProblem) -> Floats:
        """One score per candidate: its share of the votes, or the weighted sum of kernels."""
        support, scores = self.support(), np.zeros(problem.n_candidates)
        with finite_kernels():
            lists = self.native_lists(problem)
            if self.form == "voted":
                votes = (support.starts, self.beta * support.logprobs, support.survivals)
                self._model.votes(lists, *votes, scores)
                return scores / float(support.survivals.sum())
            self._model.scores(lists, scores)
        return scores + self.logprob_weight_ * problem.logprobs

    def support(self) -> Support:
        """The updates that were made."""
        if not hasattr(self, "support_"):
            raise NotFittedError(f"this {type(self).__name__} has not been fitted")
        return self.support_

    def weights(self) -> Floats:
        """The weight of each update; for `voted`, in the average of the voters."""
        support = self.support()
        return np.ones(len(support.better)) if self.form == "plain" else support.averaging()

    @property
    def logprob_weight_(self) -> float:
        """The weight of the log-probability; for `voted`, in the average of the voters."""
        return self.beta * float(self.weights() @ self.support().logprobs)

    def seen(self, problem: RankingProblem) -> RankingProblem:
        """The problem with updates for features: K(better, x) - K(worse, x) of each candidate."""
        shape = problem.n_candidates, len(self.support().better)
        values = np.zeros(shape[0] * shape[1])
        with finite_kernels():
            self._model.products(self.native_lists(problem), values)
        rows = values.reshape(shape)
        owners, updates = np.nonzero(rows)
        return replace(
            problem,
            feature_offsets=np.searchsorted(owners, np.arange(problem.n_candidates + 1)),
            feature_ids=updates.astype(np.uint32),
            feature_values=rows[owners, updates],
            n_features=rows.shape[1],
            trees=None,
        )

    def weight_names(self, names: Sequence[str]) -> list[str]:
        """The name of each update: the words of its better tree."""
        trees = self.support().trees
        said = [words_of(self.kernel, trees, number, names) for number in range(trees.n_trees)]
        return [f"update {n}: {said[tree]}" for n, tree in enumerate(self.support().better, 1)]

    def fragment(
        self,
        update: int,
        problem: RankingProblem,
        pair: tuple[int, int],
        sign: float,
        names: Sequence[str],
    ) -> str | None:
        """The largest fragment that made an update prefer one of two candidates, if there is one.

        Parameters
        ----------
        pair : places of candidates in the problem.
        sign : positive if it preferred the first of them.
        """
        own = self.support()
        both = own.trees.take(np.array([own.better[update], own.worse[update]], dtype=np.int64))
        asked = problem.known_trees().take(np.array(pair))
        alone = [two.take(np.array([place])) for two in (asked, both) for place in (0, 1)]
        return shared_fragment(self.kernel, alone, sign, names)

    @cached_property
    def _model(self) -> _native.KernelModel:
        own = self.support()
        return self.kernel.model(own.trees, self.n_labels_, own.better, own.worse, self.weights())

    @property
    def kernel(self) -> Kernel:
        """The kernel with its parameters."""
        return Kernel(self.kind, self.lam, self.normalised)

    def native_lists(self, problem: RankingProblem, threads: int = 1) -> _native.TreeLists:
        """The lists of a problem as native code takes them."""
        trees, n_labels = problem.known_trees(), problem.n_features
        offsets, logprobs = problem.list_offsets, problem.logprobs
        return self.kernel.lists(offsets, trees, n_labels, logprobs, threads=threads)

    def __getstate__(self) -> dict[str, Any]:
        return {key: value for key, value in self.__dict__.items() if key != "_model"}

    def terms(self, problem: RankingProblem, names: Sequence[str]) -> Terms:
        """The terms of the mean of all voters' scores: one for each update.

        The largest terms are called after the fragment that made them large.
        """
        labels, seen = self.weight_names(names), self.seen(problem)
        plain = Terms.of(seen, self.weights(), self.logprob_weight_, labels)
        updates = np.unique(seen.feature_ids)

        def detail(term: int, pair: tuple[int, int], sign: float) -> str:
            if term == len(updates):  # the log-probability
                return plain.names[term]
            fragment = self.fragment(int(updates[term]), problem, pair, sign, names)
            return plain.names[term] if fragment is None else f"{fragment} in {plain.names[term]}"

        note = BY_VOTES if self.form == "voted" else None
        return replace(plain, note=note, detail=detail)

    def named_weights(self, names: Sequence[str]) -> None:
        """None: the weights of fragments cannot be listed."""

    def features_used(self) -> Integers:
        """Numbers of the labels that trees of updates have; a norm depends on all labels."""
        if self.normalised:
            return np.arange(self.n_labels_)
        labels = np.unique(self.support().trees.labels).astype(np.int64)
        return labels[labels < self.n_labels_]

    def restrict(self, kept: Integers) -> Self:
        """A copy of the ranker over a space of only the labels `kept`."""
        self._take(self.support().restrict(kept, self.n_labels_), len(kept))
        return self

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The learned parameters as arrays for a model file."""
        return self.support().arrays()

    def restore(self, arrays: Arrays, n_features: int) -> Self:
        """Restore the learned parameters from the arrays of a model file, checked."""
        self._take(Support.restore(arrays, n_features), n_features)
        return self
