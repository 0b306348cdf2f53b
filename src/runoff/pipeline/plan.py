"""How the ranker of a base system is trained: what all plans of training have in common."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from runoff.data.files import FilePath
from runoff.errors import UsageError, unknown_choice
from runoff.features.extract import EXTRACTORS
from runoff.learners import make_ranker
from runoff.problem.build.cut_offs import check_cut_offs
from runoff.tasks.ranking.fit import fit
from runoff.tasks.ranking.reranker import Reranker


@dataclass(frozen=True, kw_only=True)
class RankerPlan:
    """Features, learner and cut-offs of a ranker, see `runoff.fit`, and what makes its lists.

    Parameters
    ----------
    rerank : whether there is a ranker.
    n : candidates of a list, at most.
    folds : into which the training data is cut; the lists of each come from models of the others.
    tagger_options : of the tagger that the base system has.
    attribution : whose data it is; goes into the header.
    """

    rerank: bool = True
    n: int
    folds: int
    tagger_options: Mapping[str, Any] = field(default_factory=dict)
    attribution: str | None = None
    features: Sequence[str]
    learner: str = "maxent"
    options: Mapping[str, Any] = field(default_factory=dict)
    min_lists: int
    thresholds: Sequence[int] = ()
    bins: int = 0
    seed: int = 0

    def check_ranker(self, candidates: str) -> None:
        """Refuse what makes no sense now, not after hours; `candidates` is what they are called."""
        for name in self.extractors:
            if name not in EXTRACTORS:  # a model file may import no code, so it would be of no use
                raise unknown_choice("feature set", name, EXTRACTORS)
        if self.seed < 0:
            raise UsageError(f"seed must be at least 0, not {self.seed}")
        make_ranker(self.learner, self.ranker_options, seed=self.seed).check()
        check_cut_offs(self.min_lists, self.thresholds, self.bins)
        if self.n < (2 if self.rerank else 1):
            problem = f"a ranker chooses among 2 {candidates} or more, and n is {self.n}"
            raise UsageError(problem)

    @property
    def extractors(self) -> tuple[str, ...]:
        """The feature sets of the ranker, each once."""
        return tuple(dict.fromkeys(self.features))

    @property
    def defaults(self) -> Mapping[str, Any]:
        """Options of the learner that are not given."""
        return {}

    @property
    def ranker_options(self) -> dict[str, Any]:
        """Options of the learner, with the defaults of the task."""
        return {**self.defaults, **self.options}

    def fit(self, train: FilePath, dev: FilePath | None, metric: str, **how: Any) -> Reranker:
        """The ranker of files of lists; `how` are the arguments of `runoff.fit` that tell how."""
        return fit(
            train,
            dev=dev,
            learner=self.learner,
            features=self.extractors,
            metric=metric,
            seed=self.seed,
            options=self.ranker_options,
            min_lists=self.min_lists,
            thresholds=self.thresholds,
            bins=self.bins,
            **how,
        )
