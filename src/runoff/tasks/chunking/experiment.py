"""Experiments in chunking and names: a base system, a ranker of its taggings, and tables."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar

from runoff.data.formats import read_nbest
from runoff.data.tagged import read_tagged
from runoff.errors import FormatError, UsageError, unknown_choice
from runoff.pipeline.work_folder import Work
from runoff.recipes.experiment import Outcome, Setting
from runoff.recipes.recipe import Recipe, folder_of, plans_of
from runoff.tasks.chunking import train as train_chunking
from runoff.tasks.chunking.tables import Figures, Trial, tables
from runoff.tasks.names import train as train_names
from runoff.tasks.tagging.chunk_report import report
from runoff.tasks.tagging.steps import Sentences, TaggingSteps

METRIC = "chunk-f1"
"""The one metric that rankers of taggings are trained by."""


class ChunkingExperiment:
    """A recipe of the task `chunking`: its plans are trained and measured on test sentences.

    Steps that the plans share are done once.
    """

    task: ClassVar[str] = "chunking"
    plan: ClassVar[type[Any]] = train_chunking.Plan
    training: ClassVar[type[TaggingSteps[Any, Any]]] = train_chunking.Training

    def __init__(self, recipe: Recipe) -> None:
        if recipe.metric != METRIC:
            raise unknown_choice(f"metric of {self.task}", recipe.metric, [METRIC])
        if recipe.wsj:
            raise FormatError(f"recipes of {self.task} have no such part", key="wsj")
        if not recipe.data.test:
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
            steps = self.training(Work(setting.work), own, setting.jobs, setting.progress)
            trials.append(self._trial(label, steps, train, dev or None, test))
        return Outcome(trials[0].model, tables(trials), [])

    def located(self, plan: Any, setting: Setting) -> Any:
        """The plan with its files of text where they are."""
        data = self.recipe.data
        files = data.located(plan.text, folder_of(data, setting.data)) if plan.text else ()
        return replace(plan, text=tuple(map(str, files)))

    def _trial(
        self,
        label: str,
        steps: TaggingSteps[Any, Any],
        train: Sentences,
        dev: Sentences | None,
        test: Sentences,
    ) -> Trial:
        model = steps.run(train, dev)
        base = steps.base(steps.prepared(train), None if dev is None else steps.prepared(dev))
        lists = steps.lists("test", base, steps.prepared(test))
        return Trial(
            label, self.figures[label], model, report(read_nbest(lists.path), model.ranker)
        )

    def _sentences(self, part: str, setting: Setting) -> Sentences:
        files = self.recipe.data.files(part, folder_of(self.recipe.data, setting.data))
        return [sentence for file in files for sentence in read_tagged(file)]


class NamesExperiment(ChunkingExperiment):
    """A recipe of the task `names`, likewise."""

    task = "names"
    plan = train_names.Plan
    training = train_names.Training

    def located(self, plan: Any, setting: Setting) -> Any:
        """The plan, which has no text."""
        return plan
