"""Steps that the training of every base system has; each gives its product, made now or earlier."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from runoff.data.tagged import TaggedSentence
from runoff.errors import UsageError
from runoff.fitting.run import Progress
from runoff.pipeline.plan import RankerPlan
from runoff.pipeline.work_folder import Product, Work
from runoff.tasks.tagging.model import train_tagger

AnyPlan = TypeVar("AnyPlan", bound=RankerPlan)


@dataclass(frozen=True)
class Steps(Generic[AnyPlan]):
    """What training needs, and its steps.

    Parameters
    ----------
    work : where the products are kept.
    plan : how to train.
    jobs : processes and threads, 0 for one per core; the result does not depend on it.
    progress : told how far the work has come.
    """

    work: Work
    plan: AnyPlan
    jobs: int = 1
    progress: Progress | None = None

    def check_folds(self, size: int, what: str) -> None:
        """Refuse folds that so many examples cannot be cut into."""
        if self.plan.rerank and not 2 <= self.plan.folds <= size:
            problem = f"folds must lie between 2 and the {size} {what}, not {self.plan.folds}"
            raise UsageError(problem)

    def tagger_step(
        self,
        train: Iterable[TaggedSentence],
        dev: Iterable[TaggedSentence] | None,
        *data: object,
        revision: int,
        name: str = "tagger",
        options: Mapping[str, Any] | None = None,
    ) -> Product:
        """The tagger; `data` stand for the sentences that it depends on.

        Options are those of the plan, unless others are given.
        """
        options = dict(self.plan.tagger_options if options is None else options)
        made = self.work.product(name, ".runoff", *data, options, revision)
        if not made.done:
            train_tagger(
                train,
                dev,
                options=options,
                jobs=self.jobs,
                checkpoint=made.checkpoint,
                progress=self.progress,
            ).save(made.path)
        return made

    def ranker_step(
        self, lists: Product, dev: Product | None, metric: str, *revision: int
    ) -> Product:
        """The ranker of lists."""
        plan = self.plan
        how = (plan.extractors, plan.learner, sorted(plan.ranker_options.items()), plan.seed)
        cut = (plan.min_lists, tuple(plan.thresholds), plan.bins, *revision)
        made = self.work.product("ranker", ".runoff", lists.key, dev and dev.key, how, cut)
        if not made.done:
            plan.fit(
                lists.path,
                None if dev is None else dev.path,
                metric,
                jobs=self.jobs,
                cache=self.work.folder,
                checkpoint=made.checkpoint,
                progress=self.progress,
            ).save(made.path)
        return made
