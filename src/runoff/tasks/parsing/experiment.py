"""Experiments in parsing: a base parser, rankers of its trees, and the paper's tables."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from runoff.data.formats import read_nbest
from runoff.data.tree import Tree
from runoff.data.treebank.clean import read_treebank, read_wsj
from runoff.errors import UsageError, import_extra, unknown_choice
from runoff.pipeline.work_folder import WorkFolder
from runoff.recipes.experiment import Outcome, Setting
from runoff.recipes.recipe import Recipe, folder_of, merged, plan_of, plans_of
from runoff.report.plot import plot_record, plot_records
from runoff.tasks.parsing.plan import Plan
from runoff.tasks.parsing.report import report
from runoff.tasks.parsing.steps import Training
from runoff.tasks.parsing.tables import Figures, Trial, tables
from runoff.tasks.ranking.reranker import reranking_ms

METRIC = "parseval"
"""The one metric of trees that parsers are trained by."""


class Trees(NamedTuple):
    """The trees of an experiment, and what they are called."""

    name: str
    train: list[Tree]
    dev: list[Tree]
    test: list[Tree]


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
        return Outcome(trials[0].model, tables(trials, trees.name), plots)

    def _trees(self, setting: Setting) -> Trees:
        if setting.wsj is not None:
            parts = self.recipe.wsj
            if parts is None:
                raise UsageError("this recipe has no part [wsj], so it takes no --wsj")
            names = (parts.train, parts.dev, parts.test)
            return Trees("WSJ", *(list(read_wsj(setting.wsj, name)) for name in names))
        data = self.recipe.data
        folder = folder_of(data, setting.data)
        files = [data.files(part, folder) for part in ("train", "dev", "test")]
        return Trees(data.name, *(list(read_treebank(part)) for part in files))

    def _trial(self, label: str, plan: Plan, trees: Trees, setting: Setting) -> Trial:
        training = Training(WorkFolder(setting.work), plan, setting.engine)
        model, base = training.run(trees.train, trees.dev)
        if not trees.test:
            return Trial(label, self.figures[label], model, None)
        lists = training.lists("test", base, trees.test).path
        found = report(read_nbest(lists), model.ranker)
        spent = None if model.ranker is None else reranking_ms(model.ranker, read_nbest(lists))
        return Trial(label, self.figures[label], model, found, spent)


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
    """Curves of the plan, and with variants also the best curve of each, as files."""
    records = {one.label: one.record for one in trials if one.record}
    if not records:
        return []
    folder.mkdir(parents=True, exist_ok=True)
    plots = [folder / "curves.svg"]
    plot_record(next(iter(records.values())), plots[0])
    if len(records) > 1:
        plots.append(folder / "variants.svg")
        plot_records(records, plots[1])
    return plots
