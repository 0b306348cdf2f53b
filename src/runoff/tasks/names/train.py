"""Training a name tagger with its reranker, from annotated sentences to a model, step by step."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar

import msgspec

import runoff
from runoff.data.characters import in_characters
from runoff.data.files import FilePath, open_output
from runoff.data.formats import read_nbest, write_nbest
from runoff.data.schemes import OUTSIDE
from runoff.data.sentence import Sentence
from runoff.engine import ALONE, AnyEngine
from runoff.errors import unknown_choice
from runoff.pipeline.fit_plan import NO_OPTIONS
from runoff.pipeline.options import option, redefined
from runoff.pipeline.plan import RankerPlan
from runoff.pipeline.work_folder import StepResult
from runoff.tasks.names.margins import Margins
from runoff.tasks.names.model import NamesModel
from runoff.tasks.names.taggers import TAGGERS, check_options, fit_tagger, fold_options
from runoff.tasks.tagging.steps import (
    Corpus,
    FoldFit,
    Prepared,
    Sentences,
    TaggerTraining,
    in_scheme,
    not_empty,
)
from runoff.tasks.tagging.train import fingerprint

REVISION = 2
"""Raise it when taggers learn or find something else than before."""

MARGINS_REVISION = 1
"""Raise it when margins are found in another way."""

UNITS = ("words", "characters")


@dataclass(frozen=True, kw_only=True)
class Plan(RankerPlan):
    """How a name tagger and its ranker are trained.

    References
    ----------
    Collins and Duffy (2002), section 6.2.
    """

    boundaries: bool = option(
        False, "Find where names begin and end, but not their types, as the paper does."
    )
    tagger: str = option(
        "maxent", f"Tagger that proposes names: {', '.join(TAGGERS)}.", metavar="NAME"
    )
    units: str = option(
        "words",
        "What is tagged: words, or characters, into which words are taken apart.",
        metavar="NAME",
    )
    n: int = redefined(RankerPlan, "n", 20)
    by_margin: bool = option(
        False,
        "Keep fewer than n candidates where the margin of the first two is large: as many as hold "
        "the best one in the cross-validation lists.",
    )
    folds: int = redefined(RankerPlan, "folds", 5)
    features: Sequence[str] = redefined(RankerPlan, "features", ("tagging",))
    learner: str = redefined(RankerPlan, "learner", "tagging-kernel")
    min_lists: int = redefined(RankerPlan, "min_lists", 1)
    tagger_options: Mapping[str, Any] = option(
        NO_OPTIONS,
        "Option of the tagger, e.g. `prior=0.5,1,2`; may be repeated.",
        flags=("--tagger-option",),
    )

    learner_defaults: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "tagging-kernel": {"form": "averaged"}
    }
    """Where the paper has votes, means found more names."""

    def __post_init__(self) -> None:
        """Check the plan now, not after hours."""
        if self.tagger not in TAGGERS:
            raise unknown_choice("tagger", self.tagger, TAGGERS)
        if self.units not in UNITS:
            raise unknown_choice("unit", self.units, UNITS)
        check_options(self.tagger, self.tagger_settings)
        super().__post_init__()

    @property
    def tagger_settings(self) -> dict[str, Any]:
        """Options of the tagger, with defaults."""
        return {**TAGGERS[self.tagger], **self.tagger_options}


def train(
    train: FilePath | Iterable[FilePath | Sentence],
    dev: FilePath | Iterable[FilePath | Sentence] | None = None,
    *,
    plan: Plan | None = None,
    work: FilePath | None = None,
    engine: AnyEngine = ALONE,
) -> NamesModel:
    """A name tagger trained on sentences with name tags.

    Parameters
    ----------
    train, dev : files or sentences with words first and name tags last, in any scheme; `dev` makes
        choices and tells how well names are found.
    work : folder in which the results of the steps are kept: training that was killed resumes from
        there, and after a change only what depends on it is done again.
    """
    return Training.trained(train, dev, plan or Plan(), work, engine)


@dataclass(frozen=True)
class Training(TaggerTraining[NamesModel]):
    """The steps; see `train`."""

    plan: Plan

    def corpus(self, sentences: Iterable[Sentence]) -> Corpus:
        """Words with name tags in IOB2, without types where only boundaries are asked for."""
        kept = not_empty(sentences, "and its name tag last")
        made = [self._words_and_names(sentence) for sentence in kept]
        return Corpus(made, fingerprint(made))

    def _words_and_names(self, sentence: Sentence) -> Sentence:
        tags = in_scheme(sentence, "iob2")
        if self.plan.boundaries:
            tags = tuple(tag if tag == OUTSIDE else tag[0] for tag in tags)
        made = Sentence(sentence.words, gold=tags, document=sentence.document)
        return in_characters(made) if self.plan.units == "characters" else made

    def base(self, train: Corpus, dev: Corpus | None) -> StepResult:
        """The tagger of all training sentences."""
        plan, judges = self.plan, None if dev is None else dev
        key = (train.key, None if judges is None else judges.key, plan.tagger_settings, REVISION)
        made = self.work.step("tagger", ".runoff", plan.tagger, plan.units, *key)
        if not made.done:
            sentences = None if judges is None else judges.sentences
            options = plan.tagger_settings
            tagger = fit_tagger(plan.tagger, train.sentences, sentences, options, made, self.engine)
            NamesModel(tagger, None, {}, plan.n, units=plan.units).save(made.path)
        return made

    def model(self, base: StepResult) -> NamesModel:
        """The tagger, still without a ranker."""
        return replace(NamesModel.load(base.path), n=self.plan.n)

    def fold_fit(self, train: Corpus, model: NamesModel) -> tuple[FoldFit, tuple[object, ...]]:
        """A tagger with the prior that was found for all sentences."""
        options = fold_options(model.tagger, self.plan.tagger_settings)
        fit = partial(fit_fold, name=self.plan.tagger, options=options)
        return fit, (self.plan.tagger, sorted(options.items()), REVISION)

    def prepare(self, train: Sentences, dev: Sentences | None) -> Prepared:
        """The steps before the ranker; margins cut the lists, if they are to."""
        prepared = super().prepare(train, dev)
        if not self.plan.by_margin or prepared.train is None:
            return prepared
        margins = self.work.step("margins", ".json", prepared.train.key, MARGINS_REVISION)
        if not margins.done:
            self.engine.tell("margins")
            found = Margins.of(read_nbest(prepared.train.path))
            with open_output(margins.path) as stream:
                stream.write(msgspec.json.encode(found))
        cut = partial(self._cut, margins=margins)
        dev_lists = None if prepared.dev is None else cut("dev", prepared.dev)
        train_lists = cut("train", prepared.train)
        return prepared._replace(train=train_lists, dev=dev_lists, margins=margins)

    def _cut(self, name: str, lists: StepResult, margins: StepResult) -> StepResult:
        """The lists with as many candidates as their margins ask for."""
        made = self.work.step(f"{name}-cut-lists", ".jsonl.gz", lists.key, margins.key)
        if not made.done:
            write_nbest(map(_read_margins(margins).cut, read_nbest(lists.path)), made.path)
        return made

    def without_ranker(self, prepared: Prepared) -> NamesModel:
        """The tagger with its margins."""
        found = None if prepared.margins is None else _read_margins(prepared.margins)
        return replace(super().without_ranker(prepared), margins=found)

    def about(self, train: Corpus, dev: Corpus | None) -> dict[str, Any]:
        """The description of the training for the header of a model."""
        return {
            "runoff": runoff.__version__,
            "base": self.plan.tagger,
            "boundaries": self.plan.boundaries,
            "sentences": len(train.sentences),
            "words": sum(map(len, train.sentences)),
            "data": train.key,
            **super().about(train, dev),
        }


def _read_margins(made: StepResult) -> Margins:
    return msgspec.json.decode(made.path.read_bytes(), type=Margins)


def fit_fold(
    train: Sentences, made: StepResult, name: str, options: Mapping[str, Any]
) -> NamesModel:
    """A model of a tagger alone; its sentences are in the units of the plan already."""
    return NamesModel(fit_tagger(name, train, None, options, made), None, {})
