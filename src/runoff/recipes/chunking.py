"""Experiments in chunking: a CRF, a ranker of its taggings, and the paper's tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from runoff.data.formats import read_nbest
from runoff.data.tagged import TaggedSentence, read_tagged
from runoff.errors import FormatError, UsageError, unknown_choice
from runoff.recipes.experiment import Outcome, Setting, Table
from runoff.recipes.recipe import Recipe, checked, folder_of, plan_of
from runoff.tasks.chunk_report import report
from runoff.tasks.train_chunking import Plan, Training
from runoff.tasks.work import Work

METRIC = "chunk-f1"
"""The one metric of taggings that chunkers are trained by."""


class Figures(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """What a paper found: F1 of `base`, `reranked` and `oracle`, and by type of what is picked."""

    overall: dict[str, float] = {}
    types: dict[str, float] = {}


class ChunkingExperiment:
    """A recipe of the task `chunking`: the plan is trained and measured on test sentences."""

    def __init__(self, recipe: Recipe) -> None:
        if recipe.metric != METRIC:
            raise unknown_choice("metric of chunking", recipe.metric, [METRIC])
        for part in ("variants", "wsj"):
            if getattr(recipe, part):
                raise FormatError("recipes of chunking have no such part", key=part)
        if not recipe.data.test:
            raise FormatError("there is nothing to measure by", key="data.test")
        self.recipe = recipe
        self.figures = checked(recipe.figures, Figures, "figures")
        self.plans: dict[str, Plan] = {recipe.label: plan_of(Plan, recipe.plan)}

    def run(self, setting: Setting) -> Outcome:
        """Train, chunk the test sentences, and compare with the paper."""
        if setting.wsj is not None or setting.plot is not None:
            raise UsageError("recipes of chunking take neither --wsj nor --plot")
        train, dev, test = (self._sentences(part, setting) for part in ("train", "dev", "test"))
        (plan,) = self.plans.values()
        training = Training(Work(setting.work), plan, setting.jobs, setting.progress)
        model = training.run(train, dev or None)
        lists = training.lists("test", training.base(train, dev or None), test)
        found = report(read_nbest(lists.path), model.ranker)
        overall = {name: figures["F1"] for name, figures in found["figures"].items()}
        types = {kind: figures["f1"] for kind, figures in found["types"].items()}
        tables = [
            _table("F1 of test sentences", "", self.figures.overall, overall),
            _table("F1 by type", "type", self.figures.types, types),
        ]
        return Outcome(model, tables, [])

    def _sentences(self, part: str, setting: Setting) -> list[TaggedSentence]:
        files = self.recipe.data.files(part, folder_of(self.recipe.data, setting.data))
        return [sentence for file in files for sentence in read_tagged(file)]


def _table(title: str, key: str, paper: Mapping[str, float], ours: Mapping[str, float]) -> Table:
    rows: list[dict[str, Any]] = [
        {key: name, **({"paper": paper.get(name)} if paper else {}), "ours": figure}
        for name, figure in ours.items()
    ]
    return Table(title, rows, {"paper": 2, "ours": 2})
