"""Experiments in finding chunks: a base system, a ranker of its taggings, and tables."""

from __future__ import annotations

from typing import Any, ClassVar

from runoff.data.formats import read_nbest
from runoff.data.tagged import read_tagged
from runoff.errors import FormatError, UsageError, unknown_choice
from runoff.pipeline.plan import RankerPlan
from runoff.pipeline.work_folder import WorkFolder
from runoff.recipes.experiment import Outcome, Setting
from runoff.recipes.recipe import Recipe, folder_of, plans_of
from runoff.tasks.ranking.reranker import reranking_ms
from runoff.tasks.tagging.chunk_figures import report
from runoff.tasks.tagging.steps import METRIC, Sentences, TaggerTraining
from runoff.tasks.tagging.tables import Figures, Trial, tables


class TaggingExperiment:
    """A recipe of a task that finds chunks: its plans are trained and measured on test sentences.

    Steps that the plans share are done once.
    """

    task: ClassVar[str]
    plan: ClassVar[type[RankerPlan]]
    training: ClassVar[type[TaggerTraining[Any]]]

    def __init__(self, recipe: Recipe) -> None:
        if recipe.metric != METRIC:
            raise unknown_choice(f"metric of {self.task}", recipe.metric, [METRIC])
        if recipe.wsj:
            raise FormatError(f"recipes of {self.task} have no such part", key="wsj")
        if not (recipe.data.test or recipe.data.dev):
            raise FormatError("there is nothing to measure by", key="data.test")
        self.recipe = recipe
        self.plans, self.figures = plans_of(recipe, self.plan, Figures)

    def run(self, setting: Setting) -> Outcome:
        """Train, tag the test sentences, and compare with the paper."""
        if setting.wsj is not None or setting.plot is not None:
            raise UsageError(f"recipes of {self.task} take neither --wsj nor --plot")
        train, dev, test = (self._sentences(part, setting) for part in ("train", "dev", "test"))
        trials = []
        for label, plan in self.plans.items():
            own = self.located(plan, setting)
            steps = self.training(WorkFolder(setting.work), own, setting.engine)
            trials.append(self._trial(label, steps, train, dev or None, test or dev))
        return Outcome(trials[0].model, tables(trials), [])

    def located(self, plan: Any, setting: Setting) -> Any:
        """The plan, with files that it names where they are."""
        return plan

    def _trial(
        self,
        label: str,
        steps: TaggerTraining[Any],
        train: Sentences,
        dev: Sentences | None,
        test: Sentences,
    ) -> Trial:
        model, base = steps.run(train, dev)
        lists = steps.lists("test", base, test).path
        found = report(read_nbest(lists), model.ranker)
        spent = None if model.ranker is None else reranking_ms(model.ranker, read_nbest(lists))
        return Trial(label, self.figures[label], model, found, spent)

    def _sentences(self, part: str, setting: Setting) -> Sentences:
        files = self.recipe.data.files(part, folder_of(self.recipe.data, setting.data))
        return [sentence for file in files for sentence in read_tagged(file)]
