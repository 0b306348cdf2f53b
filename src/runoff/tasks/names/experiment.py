"""Experiments in finding names, in sentences and in documents."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from runoff.data.formats import read_nbest
from runoff.data.nbest import NBest
from runoff.data.sentence import Sentence
from runoff.data.tagged import read_tagged
from runoff.errors import FormatError
from runoff.fitting.run import Run
from runoff.learners import make_ranker
from runoff.pipeline.options import option
from runoff.recipes.corpora import folder_of
from runoff.recipes.experiment import Outcome, Setting
from runoff.recipes.recipe import Recipe
from runoff.tasks.names.model import NamesModel
from runoff.tasks.names.tables import Gains, Spent, more_tables
from runoff.tasks.names.train import Plan as TrainPlan
from runoff.tasks.names.train import Training
from runoff.tasks.ranking.rerank import rerank
from runoff.tasks.tagging.base_experiment import TaggingExperiment
from runoff.tasks.tagging.steps import METRIC, Sentences
from runoff.tasks.tagging.tables import Trial


@dataclass(frozen=True, kw_only=True)
class Plan(TrainPlan):
    """How names are learned and tested: what `runoff train names` has, and other data."""

    train: Sequence[str] = option(
        (), "Files to learn from, in place of the recipe's; `FILE#9:20` has documents 9 to 19."
    )
    dev: Sequence[str] = option((), "Files to choose by, in place of the recipe's.")
    test: Sequence[str] = option((), "Files of the test, in place of the recipe's.")
    related: Sequence[str] = option(
        (), "Files whose documents, without their tags, widen the clusters of test documents."
    )


class Picked(NamedTuple):
    """A model that was tested, the test, and its lists as the last ranker sees them."""

    model: NamesModel
    lists: Path
    test: Sentences

    def reranked(self) -> Iterator[NBest]:
        """The lists in the order of the model."""
        lists, ranker = read_nbest(self.lists), self.model.last_ranker
        return lists if ranker is None else rerank(ranker, lists)


class Experiment(TaggingExperiment):
    """A recipe of the task `names`."""

    task = "names"
    plan = Plan
    training = Training

    plans: dict[str, Plan]  # type: ignore[assignment]

    def __init__(self, recipe: Recipe) -> None:
        super().__init__(recipe)
        for plan in self.plans.values():
            for name in (*plan.train, *plan.dev, *plan.test, *plan.related):
                _part(name)
        self.spent: dict[str, Spent] = {}
        self.picked: dict[str, Picked] = {}

    def run(self, setting: Setting) -> Outcome:
        """Train, tag the test sentences, and compare with the paper."""
        self.setting = setting
        outcome = super().run(setting)
        found = more_tables(self.spent, list(self._gains()))
        return replace(outcome, tables=[*outcome.tables, *found])

    def _trial(self, label: str, steps: Any, train: Any, dev: Any, test: Any) -> Trial:
        plan = steps.plan
        own = {name: self._own(getattr(plan, name)) for name in ("train", "dev", "test")}
        train, dev, test = own["train"] or train, own["dev"] or dev, own["test"] or test
        related = self._own(plan.related)
        if related:
            steps = replace(steps, related=related)
        return super()._trial(label, steps, train, dev, test)

    def note(self, trial: Trial, steps: Any, lists: Path, test: Sentences) -> None:
        """Note the time that a trial took, its lists, and its model."""
        if not steps.plan.stages:
            return
        sizes = [len(nbest) for nbest in read_nbest(lists)]
        testing = (trial.ms_per_sentence or 0.0) * len(sizes) / 1000
        seconds = self._fit_seconds(steps)
        self.spent[trial.label] = Spent(trial.paper.time, seconds, testing, float(np.mean(sizes)))
        assert isinstance(trial.model, NamesModel)
        self.picked[trial.label] = Picked(trial.model, lists, test)

    def _fit_seconds(self, steps: Training) -> float | None:
        """CPU seconds in which the last ranker learns, from a problem in memory."""
        if "train" not in steps.files:
            return None
        plan = steps.plan
        files = (steps.files["train"].path, steps.files.get("dev"))
        how = {"engine": steps.engine, "cache": steps.work.folder}
        problem, judges = plan.problems(files[0], files[1] and files[1].path, METRIC, **how)
        ranker = make_ranker(plan.learner, plan.last_plan.ranker_options, seed=plan.seed)
        began = time.process_time()
        ranker.fit(problem, judges, run=Run.on(steps.engine))
        return time.process_time() - began

    def _own(self, names: Sequence[str]) -> Sentences:
        """The sentences of files that a plan names, or of some of their documents."""
        folder = folder_of(self.recipe.data, self.setting.data)
        found: Sentences = []
        for name in names:
            file, part = _part(name)
            (path,) = self.recipe.data.located([file], folder)
            sentences = list(read_tagged(path))
            own = sentences if part is None else _documents(sentences, part)
            found += own[: self.recipe.data.items]
        return found

    def _gains(self) -> Iterator[Gains]:
        """What clusters gain, over the last plan before that has none, and the same test."""
        without: Picked | None = None
        for label, own in self.picked.items():
            if not own.model.clustered:
                without = own
            elif without is not None and without.test == own.test:
                clusters = own.model.clusters(own.test, engine=self.setting.engine)
                yield Gains.of(label, clusters, without.reranked(), own.reranked())


def _part(name: str) -> tuple[str, range | None]:
    """A file, and which of its documents are meant; None for all."""
    file, hash, part = name.partition("#")
    if not hash:
        return file, None
    first, _, last = part.partition(":")
    if not (first.isdecimal() and last.isdecimal()):
        raise FormatError(f"documents are given as {file}#9:20, not {name}", key="plan")
    return file, range(int(first), int(last))


def _documents(sentences: Sequence[Sentence], wanted: range) -> Sentences:
    """The sentences of documents of some numbers, from 0."""
    numbers = dict[str | None, int]()
    for sentence in sentences:
        numbers.setdefault(sentence.document, len(numbers))
    return [one for one in sentences if numbers[one.document] in wanted]
