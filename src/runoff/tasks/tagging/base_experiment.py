"""Experiments in finding chunks: a base system, a ranker of its taggings, and tables."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

from runoff.data.formats import read_nbest
from runoff.errors import FormatError, UsageError, import_extra, unknown_choice
from runoff.pipeline.plan import RankerPlan
from runoff.pipeline.work_folder import WorkFolder
from runoff.recipes.corpora import Data, folder_of
from runoff.recipes.experiment import Outcome, Setting
from runoff.recipes.recipe import Recipe, plans_of
from runoff.report.plot import plot_trials
from runoff.tasks.ranking.speed import reranking_ms
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
        if setting.wsj is not None:
            raise UsageError(f"recipes of {self.task} take no --wsj")
        if setting.plot is not None:
            import_extra("matplotlib", "plot")  # now, not after hours
        train, dev, test = (self._sentences(part, setting) for part in ("train", "dev", "test"))
        trials = []
        for label, plan in self.plans.items():
            own = self.located(plan, setting)
            steps = self.training(WorkFolder(setting.work), own, setting.engine)
            trials.append(self._trial(label, steps, train, dev or None, test or dev))
        records = {trial.label: trial.record for trial in trials}
        plots = [] if setting.plot is None else plot_trials(records, setting.plot)
        return Outcome(trials[0].model, tables(trials), plots)

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
        trained = steps.run(train, dev)
        lists, model = steps.lists("test", trained, test).path, trained.model
        ranker = model.last_ranker
        found = report(read_nbest(lists), ranker)
        spent = None if ranker is None else reranking_ms(ranker, read_nbest(lists))
        trial = Trial(label, self.figures[label], model, found, spent)
        self.note(trial, steps, lists, test)
        return trial

    def note(self, trial: Trial, steps: TaggerTraining[Any], lists: Path, test: Sentences) -> None:
        """Take from a trial and its test lists what a task's own tables show."""

    def _sentences(self, part: str, setting: Setting) -> Sentences:
        data = self.recipe.data
        return data.examples(part, folder_of(data, setting.data), self.training.read)


def with_text(plan: Any, data: Data, setting: Setting) -> Any:
    """The plan with its files of text where they are."""
    files = data.located(plan.text, folder_of(data, setting.data)) if plan.text else ()
    return replace(plan, text=tuple(map(str, files)))
