"""The steps of training a parser: tagger, parser, grammars, lists, ranker."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import runoff
from runoff.data.formats import read_nbest, write_nbest
from runoff.data.sentence import Sentence
from runoff.data.text.read import tagged_words
from runoff.data.tree import Tree
from runoff.engine import Engine
from runoff.errors import FormatError
from runoff.features.parse import REVISION as FEATURES_REVISION
from runoff.pipeline.folds import Fold, check_folds, folds_of, jackknife, with_gold
from runoff.pipeline.steps import ranker_step
from runoff.pipeline.work_folder import StepResult, WorkFolder
from runoff.proposers.parsing import make_parser
from runoff.proposers.parsing.base import Help
from runoff.proposers.parsing.head_parser import LAYOUT
from runoff.proposers.parsing.latent_grammars import LatentGrammars
from runoff.tasks.parsing.corpus import (
    Corpus,
    Parts,
    measured_corpus,
    numbers_learned,
    training_corpus,
)
from runoff.tasks.parsing.folds import FoldModels, parse_fold
from runoff.tasks.parsing.grammars import REVISION as GRAMMAR_REVISION
from runoff.tasks.parsing.grammars import GrammarJob, train_grammars
from runoff.tasks.parsing.model import ParsingModel
from runoff.tasks.parsing.plan import Plan
from runoff.tasks.parsing.report import report
from runoff.tasks.tagging.clusters import text_clusters
from runoff.tasks.tagging.model import TaggingModel
from runoff.tasks.tagging.train import tagger_step

REVISION = 5
"""Raise it when taggers or parsers learn or find something else than before, so that results of
before are not used again."""

MIN_COUNT = 3
"""Grammars know rarer words by their class alone, unless the parser has another limit."""


def retagged(trees: list[Tree], tagger: TaggingModel) -> list[Tree]:
    """The trees with the tags that a tagger gives their words."""
    tags = iter(tagger.tagger.tag_all([Sentence(tree.words) for tree in trees]))
    made = []
    for tree in trees:
        flat, own = tree.flat(), iter(next(tags))
        pairs = enumerate(zip(flat.labels, flat.ends, strict=True))
        labels = [next(own) if end == node + 1 else label for node, (label, end) in pairs]
        made.append(Tree._view(flat._replace(labels=tuple(labels))))
    return made


class Base(NamedTuple):
    """Steps of training that make lists of trees.

    Parameters
    ----------
    model : tagger and parser, without a ranker.
    grammars : those that score its trees, if there are any.
    """

    model: StepResult
    grammars: StepResult | None


class Prepared(NamedTuple):
    """The training data of a ranker.

    Parameters
    ----------
    corpus, judges : training and development trees.
    base : what makes lists.
    train, dev : lists of training trees, for a ranker alone, and of development trees.
    """

    corpus: Corpus
    judges: Corpus
    base: Base
    train: StepResult | None
    dev: StepResult


class Trained(NamedTuple):
    """The result of a training: a model with its ranker, and the base that makes its lists."""

    model: ParsingModel
    base: Base


def _key(step: StepResult | None) -> tuple[str, ...]:
    return () if step is None else (step.key,)


@dataclass(frozen=True)
class Training:
    """The steps; see `train`."""

    work: WorkFolder
    plan: Plan
    engine: Engine

    def run(self, train: Parts, dev: Parts) -> Trained:
        """All steps, from cleaned trees to a model; annotation errors are left out."""
        corpus, judges, base, lists, dev_lists = self.prepare(train, dev)
        model = self.model(base)
        if lists is not None:
            model.ranker = ranker_step(
                self.plan, lists, dev_lists, "parseval", FEATURES_REVISION,
                work=self.work, engine=self.engine,
            )  # fmt: skip
        self.engine.tell("report")
        model.training = {
            "runoff": runoff.__version__,
            "trees": len(corpus.trees),
            "trees left out": sum(map(len, train.values())) - len(corpus.trees),
            "words": sum(len(tree.words) for tree in corpus.trees),
            "data": corpus.hash,
            "dev trees": len(judges.trees),
            "dev data": judges.hash,
            "folds": self.plan.folds if self.plan.rerank else None,
            "weights": dict(self.plan.weights),
            "attribution": self.plan.attribution,
            "parser record": model.training["parser record"],
            "dev": report(read_nbest(dev_lists.path), model.ranker, judges.parts),
        }
        return Trained(model, base)

    def prepare(self, train: Parts, dev: Parts) -> Prepared:
        """The steps before the ranker."""
        corpus = training_corpus(train, self.plan, self.work)
        judges = measured_corpus("dev", dev, self.plan, self.work)
        if not corpus.trees or not judges.trees:
            raise FormatError("there are no trees to learn from, or to choose by")
        if self.plan.rerank:
            check_folds(self.plan.folds, len(corpus.trees), "trees")
        tagger = self._tagger(corpus, judges)
        grammars = self._grammars(corpus)
        base = Base(self._base(corpus, judges, tagger), grammars[0] if grammars else None)
        dev_lists = self._lists("dev", base, judges)
        lists = None
        if self.plan.rerank:
            lists = self._train_lists(corpus, base, tagger, grammars[1:])
        return Prepared(corpus, judges, base, lists, dev_lists)

    def model(self, base: Base) -> ParsingModel:
        """The base as a model, still without a ranker."""
        model = ParsingModel.load(base.model.path)
        if base.grammars is not None:
            model.grammars = LatentGrammars.load(base.grammars.path)
        return model

    def lists(self, name: str, base: Base, parts: Parts) -> StepResult:
        """The lists of trees that no model has seen, with gold, as a file."""
        return self._lists(name, base, measured_corpus(name, parts, self.plan, self.work))

    def _lists(self, name: str, base: Base, corpus: Corpus) -> StepResult:
        key = (base.model.key, corpus.file.key, *self._list_key(base.grammars))
        made = self.work.step(f"{name}-lists", ".jsonl.gz", *key)
        if not made.done:
            words = (Sentence(tree.words) for tree in corpus.trees)
            lists = self.model(base).lists(words, None, engine=self.engine)
            shown = self.engine.counted(f"lists of {name} trees", lists, len(corpus.trees))
            write_nbest(with_gold(shown, map(str, corpus.trees)), made.path)
        return made

    def _list_key(self, grammars: StepResult | None) -> tuple[Any, ...]:
        """A key of what lists depend on besides the base system."""
        return (self.plan.n, *(() if grammars is None else (self.plan.proposed, grammars.key)))

    def _tagger(self, corpus: Corpus, judges: Corpus) -> StepResult:
        options, clusters = dict(self.plan.tagger_options), self._clusters(corpus)
        key = (corpus.file.key, judges.file.key, options, *_key(clusters), REVISION)
        made = self.work.step("tagger", ".runoff", *key)
        if not made.done:
            numbers = numbers_learned(corpus.times).tolist()
            train = (tagged_words(corpus.trees[number]) for number in numbers)
            dev = map(tagged_words, judges.trees)
            tagger_step(made, train, dev, options, self.engine, clusters)
        return made

    def _clusters(self, corpus: Corpus) -> StepResult | None:
        """Clusters of the words of the plan's text."""
        words = (tree.words for tree in corpus.trees)
        return text_clusters(self.plan.text, words, work=self.work, engine=self.engine)

    def _base(self, corpus: Corpus, judges: Corpus, tagger: StepResult) -> StepResult:
        """Tagger and parser as a model without a ranker, which can be used by itself."""
        plan = self.plan
        parser = make_parser(plan.parser, plan.parser_settings)
        how = (parser, plan.n, plan.proposed, REVISION, LAYOUT)
        keys = (tagger.key, corpus.file.key, *([judges.file.key] if parser.uses_dev else []))
        made = self.work.step("base", ".runoff", *keys, *how)
        if not made.done:
            self.engine.tell("parser", 0)
            tags = TaggingModel.load(tagger.path)
            dev = partial(retagged, judges.trees, tags)
            help = Help(dev, made.path.with_suffix(".labels"), self.engine)
            encoded = parser.encode(corpus.trees)
            parser.fit_some(encoded, numbers_learned(corpus.times), help)
            self.engine.tell("parser")
            model = ParsingModel(tags, parser, None, {}, plan.n)
            model.proposed = plan.proposed
            model.training = {
                "parser options": dict(parser.found_options()),
                "parser record": parser.training_record(),
            }
            model.save(made.path)
        return made

    def _grammars(self, corpus: Corpus) -> list[StepResult]:
        """Grammars of all trees, then of those outside each fold; none without a ranker."""
        plan, size = self.plan, len(corpus.trees)
        if not (plan.rerank and plan.grammars):
            return []
        grammars = LatentGrammars(grammars=plan.grammars, seed=plan.seed)
        min_count = int(plan.parser_settings.get("min_count", MIN_COUNT))
        jobs = []
        for number, outside in enumerate([range(0), *folds_of(size, plan.folds)]):
            name = f"fold-{number}-grammars" if number else "grammars"
            key = (corpus.file.key, outside, grammars, min_count, GRAMMAR_REVISION)
            made = self.work.step(name, ".runoff", *key)
            learned = numbers_learned(corpus.times, outside)
            jobs.append(GrammarJob(corpus.file.path, learned, made, grammars, min_count))
        todo = [job for job in jobs if not job.made.done]
        with closing(self.engine.map(train_grammars, todo)) as results:
            for _ in self.engine.counted("grammars, by fold", results, len(todo), every=1):
                pass
        return [job.made for job in jobs]

    def _train_lists(
        self, corpus: Corpus, base: Base, tagger: StepResult, grammars: list[StepResult]
    ) -> StepResult:
        """Taggers and parsers of folds take the options that were found for those of all trees."""
        plan = self.plan
        prior = TaggingModel.load(tagger.path).training["prior"]
        options = {**plan.tagger_options, "prior": (prior,)}
        found = ParsingModel.load(base.model.path).training.get("parser options", {})
        parser_options = {**plan.parser_settings, **found}
        parser = make_parser(plan.parser, parser_options)
        folds, taggers, clusters = [], [], self._clusters(corpus)
        for number, inside in enumerate(folds_of(len(corpus.trees), plan.folds), 1):
            name = f"fold-{number}"
            key = (corpus.file.key, inside, options, *_key(clusters), REVISION)
            taggers.append(self.work.step(f"{name}-tagger", ".runoff", *key))
            how = self._list_key(grammars[number - 1] if grammars else None)
            lists = self.work.step(f"{name}-lists", ".jsonl.gz", *key, parser, *how)
            folds.append(Fold(number, inside, lists))
        models = FoldModels(
            corpus.file.path, corpus.times, taggers, clusters, grammars, options,
            plan.parser, parser_options, plan.n, plan.proposed,
        )  # fmt: skip
        keys = [fold.lists.key for fold in folds]
        made = self.work.step("train-lists", ".jsonl.gz", *keys)
        make = partial(parse_fold, models)
        jackknife(make, folds, made, engine=self.engine, what="training trees")
        return made
