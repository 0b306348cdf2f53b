"""How the ranker of a base system is trained: what all plans of training have in common."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from runoff.data.lists import Lists
from runoff.errors import UsageError, unknown_choice
from runoff.features.extract import EXTRACTORS
from runoff.learners import make_ranker
from runoff.pipeline.fit_plan import FitPlan
from runoff.pipeline.options import option, redefined
from runoff.problem.build.cut_offs import check_cut_offs
from runoff.problem.problem import RankingProblem
from runoff.tasks.ranking.fit import fit, problems
from runoff.tasks.ranking.reranker import Reranker


@dataclass(frozen=True, kw_only=True)
class RankerPlan(FitPlan):
    """The plan of a ranker: how its lists are made, and how it is fitted to them."""

    rerank: bool = option(
        True, "Train a ranker; without one, the first choice of the base system is taken."
    )
    n: int = option(50, "Number of candidates in a list.", min=1, max=1000)
    folds: int = option(
        10,
        "Number of cross-validation folds; the lists of each come from models trained on the "
        "other folds.",
        min=2,
    )
    learner: str = redefined(
        FitPlan, "learner", "maxent", help="Learner of the ranker: {LEARNERS}."
    )
    features: Sequence[str] = redefined(
        FitPlan, "features", (), help="Feature set of the ranker: {EXTRACTORS}. May be repeated."
    )
    attribution: str | None = option(
        None, "Whose data this is; it goes into the header of the model.", metavar="TEXT"
    )

    learner_defaults: ClassVar[Mapping[str, Mapping[str, Any]]] = {}
    """By learner, the options that the task gives it where the user gives none."""

    def __post_init__(self) -> None:
        """Check the plan now, not after hours."""
        super().__post_init__()
        for name in self.extractors:
            if name not in EXTRACTORS:  # a model file may import no code, so it would be of no use
                raise unknown_choice("feature set", name, EXTRACTORS)
        make_ranker(self.learner, self.ranker_options, seed=self.seed).check()
        check_cut_offs(self.min_lists, self.thresholds, self.bins)
        if self.n < (2 if self.rerank else 1):
            raise UsageError(f"a ranker chooses among 2 candidates or more, and n is {self.n}")

    @property
    def extractors(self) -> tuple[str, ...]:
        """The feature sets of the ranker, each once."""
        return tuple(dict.fromkeys(self.features))

    @property
    def ranker_options(self) -> dict[str, Any]:
        """Options of the learner, with the defaults of the task."""
        return {**self.learner_defaults.get(self.learner, {}), **self.options}

    def fit(self, train: Lists, dev: Lists | None, metric: str, **how: Any) -> Reranker:
        """The ranker of lists, or of files of them; `how` goes on to `runoff.fit`."""
        return fit(
            train,
            dev=dev,
            learner=self.learner,
            features=self.extractors,
            metric=metric,
            seed=self.seed,
            options=self.ranker_options,
            **self.cut_offs,
            choose_by_sum=self.choose_by_sum,
            **how,
        )

    def problems(
        self, train: Lists, dev: Lists | None, metric: str, **how: Any
    ) -> tuple[RankingProblem, RankingProblem | None]:
        """What the ranker of `fit` learns from, and chooses by."""
        return problems(
            train, dev, metric=metric, features=self.extractors, cut_offs=self.cut_offs, **how
        )

    @property
    def cut_offs(self) -> dict[str, Any]:
        """What is left out of the features, or made of them."""
        thresholds = tuple(self.thresholds)
        return {"min_lists": self.min_lists, "thresholds": thresholds, "bins": self.bins}
