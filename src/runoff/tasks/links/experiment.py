"""Recipes with linkages: the tables of Ginter et al. (2006), and whether links get better."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from runoff.data.files import open_output, read_chunks
from runoff.data.nbest import NBest
from runoff.errors import FormatError, UsageError, unknown_choice
from runoff.learners import make_ranker
from runoff.pipeline.work_folder import StepResult, WorkFolder
from runoff.proposers.parsing.linkage_lists import LinkageProposer
from runoff.recipes.corpora import folder_of
from runoff.recipes.experiment import Outcome, Setting
from runoff.recipes.recipe import Recipe, plans_of
from runoff.report.tables import Table
from runoff.tasks.links.corpora import gold_sentences, linkages, linked_lists, plain_sentences
from runoff.tasks.links.judged import judged
from runoff.tasks.links.plan import Plan
from runoff.tasks.links.plots import draw_maps
from runoff.tasks.links.search_study import SearchStudy, choice_study, search_study
from runoff.tasks.links.tables import Figures, choice_tables, search_tables
from runoff.tasks.ranking.fit import fit
from runoff.tasks.ranking.reranker import Reranker

METRIC = "link-f1"
FEATURES = ("links",)

THRESHOLDS = (1, 2, 4)
"""How counts become binary features, for learners that take no others."""

REVISION = 3
"""Raised when the study of the search changes, so that no step of before is taken for it."""


class Experiment:
    """A recipe of the task `links`. Lists, regressor and measures are steps that are kept."""

    def __init__(self, recipe: Recipe) -> None:
        if recipe.metric != METRIC:
            raise unknown_choice("metric of links", recipe.metric, [METRIC])
        for key, given in {"wsj": recipe.wsj, "variants": recipe.variants}.items():
            if given:
                raise FormatError("recipes of links have no such part", key=key)
        self.recipe = recipe
        self.plans, self.figures = plans_of(recipe, Plan, Figures)

    def run(self, setting: Setting) -> Outcome:
        """Train the regressor, search among linkages, and compare with the paper."""
        if setting.wsj is not None:
            raise UsageError("recipes of links take no --wsj")
        (plan,), (paper,) = self.plans.values(), self.figures.values()
        run = _Run(self.recipe, plan, setting)
        if plan.study == "links":
            reranker, tables = run.links()
            return Outcome(reranker, tables, [])
        reranker, found, lists = run.search()
        plots = []
        if setting.plot is not None:
            plots = draw_maps(reranker, lists, found, setting.plot)
        return Outcome(reranker, search_tables(found, paper), plots)


class _Run:
    """One run of a recipe."""

    def __init__(self, recipe: Recipe, plan: Plan, setting: Setting) -> None:
        self.data, self.plan, self.setting = recipe.data, plan, setting
        self.work = WorkFolder(setting.work)
        self.folder = folder_of(recipe.data, setting.data)
        self.gold = recipe.data.files("train", self.folder)
        self.cheapest = LinkageProposer(plan.n)
        self.drawn = LinkageProposer(plan.n, sample=True, seed=plan.seed)

    def part(self, part: str, proposer: LinkageProposer | None = None) -> StepResult:
        """The lists of sentences with gold links: their cheapest linkages, by default."""
        sentences = gold_sentences(self.gold, self.plan, part)
        parts = proposer or self.cheapest, self.work, self.setting.engine, self.gold
        return linkages(sentences, *parts, f"linkages of {part} sentences")

    def ranker(self, learner: str, options: Mapping[str, Any]) -> Reranker:
        """A ranker of linkages, made now or earlier."""
        train, dev = self.part("train"), self.part("dev")
        how = learner, sorted(options.items()), FEATURES
        made = self.work.step("links-ranker", ".runoff", train.key, dev.key, how)
        if not made.done:
            found = fit(
                train.path,
                dev=dev.path,
                learner=learner,
                options=dict(options),
                features=FEATURES,
                thresholds=() if make_ranker(learner).takes_values else THRESHOLDS,
                metric=METRIC,
                engine=self.setting.engine,
                cache=self.work.folder,
                checkpoint=made.checkpoint,
            )
            found.training["attribution"] = self.plan.attribution
            found.save(made.path)
        return Reranker.load(made.path)

    def search(self) -> tuple[Reranker, SearchStudy, list[NBest]]:
        """The regressor, and how the search went in sentences that it has not seen."""
        plan = self.plan
        reranker = self.ranker(plan.learner, plan.options)
        files = self.data.files("test", self.folder)
        parts = self.drawn, self.work, self.setting.engine, files
        made = linkages(plain_sentences(files, plan), *parts, "linkages of sentences to search in")
        lists = linked_lists(made)
        how = plan.replications, plan.epsilons, plan.seed, plan.learner, repr(plan.options)
        learned = [self.part(part).key for part in ("train", "dev")]
        step = self.work.step("links-search", ".json.gz", made.key, learned, how, REVISION)
        if not step.done:
            study = search_study(reranker, lists, plan, self.setting.engine)
            with open_output(step.path) as stream:
                stream.write(msgspec.json.encode(study))
        text = b"".join(read_chunks(step.path))
        return reranker, msgspec.json.decode(text, type=SearchStudy), lists

    def links(self) -> tuple[Reranker, list[Table]]:
        """The regressor, how good the links are that it and others pick, and its error models."""
        plan = self.plan
        reranker = self.ranker(plan.learner, plan.options)
        others = {name: self.ranker(name, options) for name, options in plan.learners.items()}
        dev, test = (linked_lists(self.part(part)) for part in ("dev", "test"))
        tables = judged(reranker, others, dev, test, plan, self.setting.engine)
        drawn = linked_lists(self.part("dev", self.drawn))
        study = choice_study(reranker, drawn, plan, self.setting.engine)
        return reranker, tables + choice_tables(study)
