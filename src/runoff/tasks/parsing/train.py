"""Training a parser with its reranker, from a treebank to a model, step by step."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import runoff
from runoff.data.files import FilePath
from runoff.data.formats import read_nbest, write_nbest
from runoff.data.text.read import tags_of
from runoff.data.tree import Tree, write_trees
from runoff.data.treebank.clean import read_treebank, without_mixed_labels
from runoff.engine.processes import mapper
from runoff.errors import FormatError, UsageError
from runoff.features.parse import REVISION as FEATURES_REVISION
from runoff.fitting.run import Progress, Step
from runoff.pipeline.plan import RankerPlan
from runoff.pipeline.steps import Steps
from runoff.pipeline.work_folder import Product, Work, counted, hash_of, say
from runoff.proposers.parsing.head_parser import LAYOUT, make_parser
from runoff.proposers.parsing.latent_grammars import LatentGrammars
from runoff.tasks.parsing.fold_grammars import REVISION as GRAMMAR_REVISION
from runoff.tasks.parsing.fold_grammars import Pupil, learn
from runoff.tasks.parsing.folds import Fold, places, train_lists, with_gold
from runoff.tasks.parsing.model import ParsingModel
from runoff.tasks.parsing.report import report
from runoff.tasks.ranking.reranker import Reranker
from runoff.tasks.tagging.model import TaggingModel, make_tagger

REVISION = 4
"""Raise it when taggers or parsers learn or find something else than before, so that results of
before are not used again."""

SMOOTHING = "0.001,0.0025,0.005"

OPTIONS: dict[str, dict[str, Any]] = {
    "exp-loss": {"smoothing": SMOOTHING},
    "log-loss": {"smoothing": SMOOTHING},
    "maxent": {"prior": "0.1,0.2,0.4", "cost": 1.0, "truncate": 0.02},
    "p-norm-push": {"rounds": 500},
}
"""What learners are given by default: what development lists choose from, a cost per point of
quality, where a point is a constituent, what a weight must reach to be kept, and more rounds than
a few features would need."""


@dataclass(frozen=True, kw_only=True)
class Plan(RankerPlan):
    """How a parser is trained.

    Parameters
    ----------
    parser : the base parser, one of `runoff.proposers.parsing.head_parser.PARSERS`.
    rerank : whether a ranker picks among its trees.
    n : trees of a list, at most.
    folds : into which the training trees are cut; each is parsed by models learned from the others.
    grammars : with substates, whose opinion of a tree is a feature of it; see
        `runoff.proposers.parsing.latent_grammars`.
    proposed : trees that grammars choose those of a list from.
    features, learner, options, min_lists, thresholds, bins, seed : of the ranker, see `runoff.fit`.
    tagger_options, parser_options : of the two others.
    attribution : whose data it is; goes into the header.
    """

    parser: str = "collins"
    n: int = 50
    folds: int = 10
    grammars: int = 2
    proposed: int = 500
    features: Sequence[str] = ("parse-rich",)
    min_lists: int = 5
    thresholds: Sequence[int] = (1, 2, 4)
    bins: int = 16
    parser_options: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Refuse what makes no sense now, not after hours."""
        make_tagger(self.tagger_options)
        make_parser(self.parser, dict(self.parser_options))
        self.check_ranker("trees")
        if self.grammars < 0:
            raise UsageError(f"there cannot be {self.grammars} grammars")

    @property
    def extractors(self) -> tuple[str, ...]:
        """The feature sets of the ranker, opinions of grammars among them."""
        asked = [*self.features, *(["given"] if self.grammars else [])]
        return tuple(dict.fromkeys(asked))

    @property
    def defaults(self) -> Mapping[str, Any]:
        """Options of the learner that are not given."""
        return OPTIONS.get(self.learner, {})


def train_parsing(
    train: FilePath | Iterable[FilePath],
    dev: FilePath | Iterable[FilePath],
    *,
    work: FilePath,
    plan: Plan | None = None,
    jobs: int = 1,
    progress: Progress | None = None,
) -> ParsingModel:
    """A parser trained on treebanks; `dev` makes the choices and tells how well it does.

    Parameters
    ----------
    train, dev : files or folders of trees, which are cleaned first.
    work : folder in which the results of the steps are kept: training that was killed goes on from
        there, and after a change only what depends on it is done again.
    jobs : processes and threads, 0 for one per core; the result does not depend on it.
    """
    training = Training(Work(work), plan or Plan(), jobs, progress)
    return training.run(list(read_treebank(train)), list(read_treebank(dev))).model


class Base(NamedTuple):
    """Steps of training that make lists of trees.

    Parameters
    ----------
    model : tagger and parser, without a ranker.
    grammars : that judge its trees, if there are any.
    """

    model: Product
    grammars: Pupil | None


class Prepared(NamedTuple):
    """What makes lists, and the lists of dev trees and, for a ranker, of training trees."""

    base: Base
    train: Product | None
    dev: Product


class Trained(NamedTuple):
    """What training gives: a model with its ranker, and what makes lists for it."""

    model: ParsingModel
    base: Base


@dataclass(frozen=True)
class Training(Steps[Plan]):
    """The steps; see `train_parsing`."""

    def run(self, train: list[Tree], dev: list[Tree]) -> Trained:
        """All steps, from cleaned trees to a model; slips of annotators are left out."""
        plan, given = self.plan, len(train)
        train = without_mixed_labels(train)
        base, lists, dev_lists = self.prepare(train, dev)
        model = self.model(base)
        if lists is not None:
            model.ranker = Reranker.load(
                self.ranker_step(lists, dev_lists, "parseval", FEATURES_REVISION).path
            )
        say(self.progress, "report")
        model.training = {
            "runoff": runoff.__version__,
            "trees": len(train),
            "trees left out": given - len(train),
            "words": sum(len(tree.words) for tree in train),
            "data": self._trees("train", train).key,
            "dev trees": len(dev),
            "dev data": self._trees("dev", dev).key,
            "folds": plan.folds if plan.rerank else None,
            "attribution": plan.attribution,
            "dev": report(read_nbest(dev_lists.path), model.ranker),
        }
        return Trained(model, base)

    def prepare(self, train: list[Tree], dev: list[Tree]) -> Prepared:
        """The steps before the ranker."""
        plan = self.plan
        if not train or not dev:
            raise FormatError("there are no trees to learn from, or to choose by")
        self.check_folds(len(train), "trees")
        trees, judges = self._trees("train", train), self._trees("dev", dev)
        tagger = self.tagger_step(
            map(tags_of, train), map(tags_of, dev), trees.key, judges.key, revision=REVISION
        )
        parser = self._base(trees, tagger, train)
        whole, folds = self._grammars(trees, len(train))
        base = Base(parser, whole)
        dev_lists = self.lists("dev", base, dev)
        if not plan.rerank:
            return Prepared(base, None, dev_lists)
        return Prepared(base, self._train_lists(trees, tagger, folds, len(train)), dev_lists)

    def model(self, base: Base) -> ParsingModel:
        """The base as a model, still without a ranker."""
        model = ParsingModel.load(base.model.path)
        if base.grammars is not None:
            model.grammars = LatentGrammars.load(base.grammars.made.path)
        return model

    def lists(self, name: str, base: Base, trees: list[Tree]) -> Product:
        """The lists of trees that no model has seen, with gold, as a file."""
        how = self._list_key(base.grammars and base.grammars.made)
        key = (base.model.key, self._trees(name, trees).key, *how)
        made = self.work.product(f"{name}-lists", ".jsonl.gz", *key)
        if not made.done:
            lists = self.model(base).lists((tree.words for tree in trees), None, jobs=self.jobs)
            shown = counted(self.progress, f"lists of {name} trees", lists, len(trees))
            write_nbest(with_gold(shown, trees), made.path)
        return made

    def _list_key(self, judges: Product | None) -> tuple[Any, ...]:
        """What lists depend on besides the base."""
        return (self.plan.n, *(() if judges is None else (self.plan.proposed, judges.key)))

    def _grammars(self, trees: Product, size: int) -> tuple[Pupil | None, list[Pupil]]:
        """Grammars of all trees, and for each fold those of the others; none without a ranker."""
        plan = self.plan
        if not (plan.rerank and plan.grammars):
            return None, []
        grammars = LatentGrammars(grammars=plan.grammars, seed=plan.seed)
        min_count = make_parser(plan.parser, dict(plan.parser_options)).min_count
        pupils = []
        for number, outside in enumerate([range(0), *places(size, plan.folds)]):
            name = f"fold-{number}-grammars" if number else "grammars"
            key = (trees.key, outside, grammars, min_count, GRAMMAR_REVISION)
            made = self.work.product(name, ".runoff", *key)
            pupils.append(Pupil(trees.path, outside, made, grammars, min_count))
        with mapper(self.jobs) as run:
            for done, _ in enumerate(run(learn, pupils), 1):
                if self.progress is not None:
                    self.progress(Step("grammars, by fold", done, len(pupils), {}))
        return pupils[0], pupils[1:]

    def _trees(self, name: str, trees: list[Tree]) -> Product:
        made = self.work.product(name, ".mrg.gz", hash_of(map(str, trees)))
        if not made.done:
            write_trees(trees, made.path)
        return made

    def _base(self, trees: Product, tagger: Product, train: list[Tree]) -> Product:
        """Tagger and parser as a model without a ranker, which can be used by itself."""
        plan = self.plan
        parser = make_parser(plan.parser, dict(plan.parser_options))
        how = (parser, plan.n, plan.proposed, REVISION, LAYOUT)
        made = self.work.product("base", ".runoff", tagger.key, trees.key, *how)
        if not made.done:
            say(self.progress, "parser", 0)
            parser.fit(train)
            say(self.progress, "parser")
            model = ParsingModel(
                TaggingModel.load(tagger.path), parser, None, {}, plan.n, None, plan.proposed
            )
            model.save(made.path)
        return made

    def _train_lists(
        self, trees: Product, tagger: Product, judges: list[Pupil], size: int
    ) -> Product:
        """Taggers of folds take the prior that was found for the tagger of all trees."""
        plan = self.plan
        prior = TaggingModel.load(tagger.path).training["prior"]
        tagger_options = {**plan.tagger_options, "prior": (prior,)}
        parser = make_parser(plan.parser, dict(plan.parser_options))
        folds = []
        for number, place in enumerate(places(size, plan.folds), 1):
            name, key = f"fold-{number}", (trees.key, place, tagger_options, REVISION)
            fold_tagger = self.work.product(f"{name}-tagger", ".runoff", *key)
            grammars = judges[number - 1].made if judges else None
            how = self._list_key(grammars)
            lists = self.work.product(f"{name}-lists", ".jsonl.gz", *key, parser, *how)
            options = dict(plan.parser_options)
            folds.append(
                Fold(
                    trees.path, place, fold_tagger, lists, tagger_options, plan.parser, options,
                    grammars, plan.n, plan.proposed,
                )
            )  # fmt: skip
        keys = [fold.lists.key for fold in folds]
        made = self.work.product("train-lists", ".jsonl.gz", *keys)
        if not made.done:
            with mapper(self.jobs) as run:
                train_lists(folds, made, run, self.progress)
        return made
