"""Experiments in parsing: a base parser, rankers of its trees, and the paper's tables."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from msgspec.structs import replace

from runoff.data.formats import read_nbest
from runoff.data.tree import Tree
from runoff.data.treebank.clean import read_treebank, read_wsj
from runoff.errors import UsageError, import_extra, unknown_choice
from runoff.pipeline.work_folder import WorkFolder
from runoff.recipes.corpora import folder_of
from runoff.recipes.experiment import Outcome, Setting
from runoff.recipes.recipe import Recipe, merged, plan_of, plans_of
from runoff.report.figure import draw_losses
from runoff.report.plot import plot_trials, save_plot
from runoff.tasks.parsing.classification.compared_tables import compared_tables
from runoff.tasks.parsing.classification.training_tables import training_tables
from runoff.tasks.parsing.classification.treebank_tables import treebank_tables
from runoff.tasks.parsing.corpus import Parts, part_name
from runoff.tasks.parsing.model import ParsingModel
from runoff.tasks.parsing.plan import Plan
from runoff.tasks.parsing.report import first_choices, label_counts, report
from runoff.tasks.parsing.steps import Training
from runoff.tasks.parsing.tables import Figures, Trial, tables
from runoff.tasks.ranking.speed import reranking_ms
from runoff.tasks.tagging.base_experiment import with_text

METRIC = "parseval"
"""The one metric of trees that parsers are trained by."""

TIMED = 200
"""Development sentences on which speed is measured."""


class Trees(NamedTuple):
    """The trees of an experiment by their files, and what they are called."""

    name: str
    train: Parts
    dev: Parts
    test: Parts


class Experiment:
    """A recipe of the task `parsing`.

    The plan is trained, then every variant of it; steps that they share are done once. Test trees,
    where there are some, are parsed by the same base model as development trees.
    """

    def __init__(self, recipe: Recipe) -> None:
        if recipe.metric != METRIC:
            raise unknown_choice("metric of parsing", recipe.metric, [METRIC])
        self.recipe = recipe
        self.plans, self.figures = plans_of(recipe, Plan, Figures)
        self.wsj_plans = dict[str, Plan]()
        if recipe.wsj is not None:
            for label, plan in self.plans.items():
                self.wsj_plans[label] = make_plan(merged(vars(plan), recipe.wsj.plan), "wsj.plan")

    def run(self, setting: Setting) -> Outcome:
        """Train, parse the test trees, and compare with the paper."""
        if setting.plot is not None:
            import_extra("matplotlib", "plot")  # now, not after hours
        trees = self._trees(setting)
        plans = self.plans if setting.wsj is None else self.wsj_plans
        trials = [self._trial(label, plan, trees, setting) for label, plan in plans.items()]
        plots = [] if setting.plot is None else draw(trials, Path(setting.plot))
        alone = len(trials) > 1 and all(trial.model.ranker is None for trial in trials)
        found = (compared_tables if alone else tables)(trials, trees.name)
        learned = [tree for own in trees.train.values() for tree in own]
        if any(plan.parser == "classification" for plan in plans.values()):
            found += treebank_tables(learned, trials[0].paper)
        if (training := trials[0].paper.training) is not None:
            path = trials[0].model.training.get("parser record", {}).get("path", [])
            f1 = {row["lambda"]: row["dev quality"] for row in path if "dev quality" in row}
            titles = {str(name): title for name, title in trials[0].paper.tables.items()}
            found += training_tables(learned, training, f1, titles, setting.engine)
        return Outcome(trials[0].model, found, plots)

    def _trees(self, setting: Setting) -> Trees:
        data = self.recipe.data
        if setting.wsj is not None:
            parts = self.recipe.wsj
            if parts is None:
                raise UsageError("this recipe has no part [wsj], so it takes no --wsj")
            name = "WSJ" if data.items is None else "WSJ, small"
            names = (parts.train, parts.dev, parts.test)
            read = [self._some({part: read_wsj(setting.wsj, part)}) for part in names]
        else:
            name, folder = data.name, folder_of(data, setting.data)
            whole = replace(data, items=None)
            read = [
                self._some(whole.examples_by_file(part, folder, read_treebank))
                for part in ("train", "dev", "test")
            ]
        return Trees(name, *read)

    def _some(self, files: Mapping[str, Iterable[Tree]]) -> Parts:
        """The first trees that are not too long, as many as the recipe takes, by their files."""
        longest = self.recipe.data.longest
        found = ((file, tree) for file, trees in files.items() for tree in trees)
        short = (one for one in found if longest is None or len(one[1].words) <= longest)
        some: dict[str, list[Tree]] = {part_name(file): [] for file in files}
        for file, tree in islice(short, self.recipe.data.items):
            some[part_name(file)].append(tree)
        return some

    def _trial(self, label: str, plan: Plan, trees: Trees, setting: Setting) -> Trial:
        own = with_text(plan, self.recipe.data, setting)
        training = Training(WorkFolder(setting.work), own, setting.engine)
        model, base = training.run(trees.train, trees.dev)
        model.training["sentences per CPU second"] = speed(model, trees.dev)
        labels = None
        if any(one.labels for one in self.figures.values()):
            labels = label_counts(read_nbest(training.lists("dev", base, trees.dev).path))
        if not trees.test:
            return Trial(label, self.figures[label], model, None, labels=labels)
        lists = training.lists("test", base, trees.test).path
        found = report(read_nbest(lists), model.ranker)
        chosen = first_choices(read_nbest(lists), model.ranker)
        spent = None if model.ranker is None else reranking_ms(model.ranker, read_nbest(lists))
        return Trial(label, self.figures[label], model, found, spent, chosen, labels)


def speed(model: ParsingModel, parts: Parts) -> dict[str, float]:
    """How many sentences a model parses in a CPU second, one after the other, on one thread."""
    sentences = [tree.words for own in parts.values() for tree in own]
    some = sentences[:: max(1, len(sentences) // TIMED)]
    found = {}
    for name, one in (("base", model.base()), ("reranked", model)):
        began = time.process_time()
        for words in some:
            one.parse(words)
        found[name] = round(len(some) / max(time.process_time() - began, 1e-9), 1)
    return found


def make_plan(values: Mapping[str, Any], place: str = "plan") -> Plan:
    """The plan of a recipe, each key of the right type; `place` is where it stands there.

    Examples
    --------
    >>> make_plan({"features": ["parse"], "folds": 18}).features
    ('parse',)
    """
    made: Plan = plan_of(Plan, values, place)
    return made


def draw(trials: list[Trial], folder: Path) -> list[Path]:
    """Curves of the plan and its variants, and the loss functions if the paper shows them."""
    plots = plot_trials({trial.label: trial.curves for trial in trials}, folder)
    title = trials[0].paper.tables.get("losses")
    if plots and title is not None:
        plots.append(folder / "losses.svg")
        save_plot(plots[-1], partial(draw_losses, title))
    return plots
