"""Experiments in translation: systems beside each other, the searches of Tillmann (2006), blocks.

The files of a recipe are the source and then its translations; every translation has systems of
its own, and the first one is that of rerankers. Tests are given the same way, one after the other.
Weights are tuned on `dev`; every configuration is tested once.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from runoff.data.bitext import read_line_pairs
from runoff.errors import FormatError, UsageError, unknown_choice
from runoff.pipeline.options import option
from runoff.recipes.corpora import folder_of
from runoff.recipes.experiment import Outcome, Setting
from runoff.recipes.recipe import Recipe, plans_of
from runoff.report.tables import Table
from runoff.tasks.translation.block_tables import block_tables
from runoff.tasks.translation.model import TranslationModel
from runoff.tasks.translation.plan import Plan as TrainPlan
from runoff.tasks.translation.reranked import rerank_table
from runoff.tasks.translation.tables import Figures, Row, scored, search_tables, systems_table
from runoff.tasks.translation.train import train
from runoff.tasks.translation.trees.beside import beside_tables
from runoff.tasks.translation.trees.model import TreeTranslationModel
from runoff.tasks.translation.trees.tables import Tables

METRIC = "bleu"


@dataclass(frozen=True, kw_only=True)
class Plan(TrainPlan):
    """How translators are trained and tested: what `runoff train translation` has, and tests."""

    tokenize: str = option("none", "Tokenizer of sacrebleu by which BLEU is measured.")
    skips: tuple[int, ...] = option((), "Numbers of holes of Table 4 of Tillmann (2006).")
    coverages: tuple[float, ...] = option((), "Coverage thresholds of Table 5.")
    rerank: tuple[str, ...] = option((), "Learners that rerank the n-best lists of the tests.")
    block_pairs: int = option(0, "Number of sentence pairs whose block alignments are found.")
    few: int = option(
        0, "Number of development sentences of Table 1 of Huang, Knight & Joshi (2006).", min=0
    )
    rescored: tuple[int, ...] = option((), "Numbers of translations that are rescored.")
    pops_tried: tuple[int, ...] = option((), "Numbers of combinations that cube pruning tries.")
    parses_tried: tuple[int, ...] = option((), "Numbers of parses that are translated.")
    beside: bool = option(
        False, "Compare translators by trees with one by phrases, and unite their lists."
    )


class Test(NamedTuple):
    """A test: what it is called, and its pairs of texts."""

    name: str
    pairs: list[tuple[str, str]]


class Corpus(NamedTuple):
    """One language pair: its name, and pairs of texts."""

    name: str
    train: list[tuple[str, str]]
    dev: list[tuple[str, str]]
    tests: list[Test]


class Experiment:
    """A recipe of the task `translation`. The steps of its trainings are kept."""

    def __init__(self, recipe: Recipe) -> None:
        if recipe.metric != METRIC:
            raise unknown_choice("metric of translation", recipe.metric, [METRIC])
        if recipe.wsj is not None:
            raise FormatError("recipes of translation have no such part", key="wsj")
        self.recipe = recipe
        self.plans, self.figures = plans_of(recipe, Plan, Figures)

    def run(self, setting: Setting) -> Outcome:
        """Train and test every system of every language pair."""
        if setting.wsj is not None:
            raise UsageError("recipes of translation take no --wsj")
        rows: list[Row] = []
        tables: list[Table] = []
        plots: list[Path] = []
        first: TranslationModel | None = None
        for number, corpus in enumerate(self._corpora(setting)):
            for label, plan in self.plans.items():
                if plan.aligner == "eflomal" and shutil.which("eflomal-align") is None:
                    rows.append(Row(corpus.name, label, "eflomal-align is not on the path"))
                    continue
                if plan.block_pairs:
                    tables += block_tables(corpus.name, corpus.train, plan, setting.engine)
                dev = corpus.dev or None
                model = train(corpus.train, dev, plan=_train_plan(plan), work=setting.work,
                              engine=setting.engine)  # fmt: skip
                first = first or model
                if isinstance(model, TreeTranslationModel) and corpus.tests:
                    tables += self._tree_tables(model, corpus, plan, self.figures[label], setting)
                figures = self.figures[label]
                if plan.skips or plan.coverages:
                    made = search_tables(model, corpus.tests[0].pairs, plan, figures, setting)
                    tables += made.tables
                    plots += made.plots
                elif not plan.block_pairs and not plan.few and not plan.beside:
                    rows += self._scored(model, corpus, label, plan, figures)
                if plan.rerank and corpus.tests and not number:
                    test = corpus.tests[0]
                    tables.append(rerank_table(f"{corpus.name}, {label}", model, corpus.dev,
                                               test.pairs, plan, setting.engine))  # fmt: skip
        if first is None:
            raise FormatError("no system could be trained", key="plan")
        return Outcome(first, [*([systems_table(rows)] if rows else []), *tables], plots)

    @staticmethod
    def _tree_tables(
        model: TreeTranslationModel, corpus: Corpus, plan: Plan, figures: Figures, setting: Setting
    ) -> Iterator[Table]:
        """Tables of Huang, Knight & Joshi (2006), beside phrases of the same words."""
        asked = plan.few, plan.rescored, plan.pops_tried, plan.parses_tried, plan.beside
        if not any(asked):
            return
        cut = [(" ".join(model.cut(one)), other) for one, other in corpus.train]
        phrase_plan = replace(_train_plan(plan), system="phrase", raw_source=False)
        cut_dev = [(" ".join(model.cut(one)), other) for one, other in corpus.dev]
        phrases = train(cut, cut_dev, plan=phrase_plan, work=setting.work, engine=setting.engine)
        test = corpus.tests[0].pairs
        if plan.beside:
            yield from beside_tables(model, phrases, corpus.dev, test, plan, setting)
        if not any(asked[:-1]):
            return
        made = Tables(model, phrases, corpus.dev, test, plan, setting)
        if plan.few:
            yield made.table_1(figures.table_1)
            yield made.unique_table()
            yield made.rules_table()
        yield from made.search_tables()

    @staticmethod
    def _scored(
        model: TranslationModel, corpus: Corpus, label: str, plan: Plan, figures: Figures
    ) -> Iterator[Row]:
        sets = [Test("dev", corpus.dev), *corpus.tests]
        for test in sets:
            found = scored(model, test.pairs, plan.tokenize)
            elsewhere = figures.bleu.get(corpus.name, {}).get(test.name)
            yield Row(corpus.name, label, test.name, found, elsewhere)

    def _corpora(self, setting: Setting) -> Iterator[Corpus]:
        """The language pairs: the first file of each group with every other one."""
        data = self.recipe.data
        folder = folder_of(data, setting.data)
        groups = {part: data.files(part, folder) for part in ("train", "dev", "test")}
        size = len(groups["train"])
        if size < 2 or len(groups["dev"]) not in (0, size) or len(groups["test"]) % size:
            raise FormatError("each part needs a source and the same translations", key="data")
        for k in range(1, size):
            dev = self._pairs(groups["dev"][:1] + groups["dev"][k : k + 1])
            tests = [
                Test(_name(group[0]), self._pairs([group[0], group[k]]))
                for start in range(0, len(groups["test"]), size)
                for group in [groups["test"][start : start + size]]
            ]
            files = groups["train"][:1] + groups["train"][k : k + 1]
            name = "-".join(_language(file) for file in files)
            yield Corpus(name, self._pairs(files), dev, tests)

    def _pairs(self, files: Sequence[Path]) -> list[tuple[str, str]]:
        if not files:
            return []
        return list(islice(read_line_pairs(files[0], files[1]), self.recipe.data.items))


def _train_plan(plan: Plan) -> TrainPlan:
    names = {one.name for one in fields(TrainPlan)}
    return TrainPlan(**{key: value for key, value in vars(plan).items() if key in names})


def _name(file: Path) -> str:
    return file.name.partition(".")[0]


def _language(file: Path) -> str:
    return file.name.removesuffix(".gz").rpartition(".")[2]
