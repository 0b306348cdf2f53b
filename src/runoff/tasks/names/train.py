"""Training a name tagger with its reranker, from annotated sentences to a model, step by step."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, ClassVar

from msgspec.structs import replace as replaced

import runoff
from runoff.data.characters import in_characters
from runoff.data.files import FilePath
from runoff.data.schemes import OUTSIDE
from runoff.data.sentence import Sentence
from runoff.engine import ALONE, AnyEngine
from runoff.errors import UsageError, unknown_choice
from runoff.learners import make_ranker
from runoff.pipeline.fit_plan import NO_OPTIONS
from runoff.pipeline.options import option, redefined
from runoff.pipeline.plan import RankerPlan
from runoff.pipeline.steps import ranker_step
from runoff.pipeline.work_folder import StepResult
from runoff.tasks.names.earlier import EarlierStages
from runoff.tasks.names.elsewhere import Looking
from runoff.tasks.names.list_steps import ListSteps, read_margins, statistics_of
from runoff.tasks.names.model import NamesModel
from runoff.tasks.names.stages import Stage, parse_stages
from runoff.tasks.names.taggers import TAGGERS, check_options, fit_tagger, fold_options
from runoff.tasks.ranking.reranker import Reranker
from runoff.tasks.tagging.steps import (
    METRIC,
    Corpus,
    FoldFit,
    Prepared,
    Sentences,
    TaggerTraining,
    Trained,
    in_scheme,
    not_empty,
)
from runoff.tasks.tagging.train import fingerprint

REVISION = 2
"""Raise it when taggers learn or find something else than before."""

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
    types: Sequence[str] = option(
        (),
        "Another name for a type of names, `person=PER`; after `TIME=`, names of the type TIME are "
        "no names. May be repeated.",
        flags=("--type",),
        metavar="OLD=NEW",
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
    features: Sequence[str] = redefined(
        RankerPlan,
        "features",
        (),
        help="Feature set of the ranker: {EXTRACTORS}. May be repeated. By default, tagging; with "
        "--stages, they are added to those of the stages.",
    )
    learner: str = redefined(RankerPlan, "learner", "tagging-kernel")
    min_lists: int = redefined(RankerPlan, "min_lists", 1)
    stages: str = option(
        "",
        "Stages of rankers, separated by commas, each with its sources of features, joined by +: "
        "structure, relations and events look at the sentence, coreference at the names found in "
        "others of the document, clusters in those of related documents.",
        metavar="STAGE,...",
    )
    sure: float = option(
        0.0,
        "Share of the sentences, those with the largest margins in the stage before, for which no "
        "evidence in other sentences is looked for.",
        min=0.0,
        max=1.0,
    )
    cluster_below: float = option(
        7.0, "Cross entropy below which a document joins a cluster.", min=0.0
    )
    last_options: Mapping[str, Any] = option(
        NO_OPTIONS,
        "Option of the learner in the last stage, where it is another than in those before, e.g. "
        "`p=16`; may be repeated.",
        flags=("--last-option",),
    )
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
        if self.parsed_stages and make_ranker(self.learner).takes_trees:
            raise UsageError(
                f"{self.learner} learns from taggings, and stages give features",
                hint="choose a learner of features, such as --learner maxent",
            )
        check_options(self.tagger, self.tagger_settings)
        _ = self.new_types
        super().__post_init__()
        if self.last_options:
            self.last_plan.__post_init__()

    @property
    def extractors(self) -> tuple[str, ...]:
        """The feature sets of the ranker; stages write theirs into the lists."""
        if self.stages:
            return tuple(dict.fromkeys(("given", *super().extractors)))
        return super().extractors or ("tagging",)

    @property
    def new_types(self) -> dict[str, str]:
        """The new names of types, by the old ones; empty for those that are no names."""
        for text in self.types:
            if "=" not in text:
                raise UsageError(f"a type of names is written OLD=NEW, e.g. person=PER; not {text}")
        return dict(text.split("=", 1) for text in self.types)

    @property
    def parsed_stages(self) -> tuple[Stage, ...]:
        """The stages with their sources."""
        return parse_stages(self.stages)

    @property
    def last_plan(self) -> Plan:
        """The plan of the last stage."""
        return replace(self, options={**self.options, **self.last_options}, last_options={})

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
    """The steps; see `train`.

    Parameters
    ----------
    related : unlabelled documents that widen the clusters of those that are tested.
    files : the lists that the last ranker learned from, `train`, and chose by, `dev`.
    """

    plan: Plan
    related: Sequence[Sentence] = ()
    files: dict[str, StepResult] = field(default_factory=dict)

    def corpus(self, sentences: Iterable[Sentence]) -> Corpus:
        """Words with name tags in IOB2, without types where only boundaries are asked for."""
        kept = not_empty(sentences, "and its name tag last")
        made = [self._words_and_names(sentence) for sentence in kept]
        return Corpus(made, fingerprint(made))

    def _words_and_names(self, sentence: Sentence) -> Sentence:
        new = self.plan.new_types
        tags = tuple(_with_type(tag, new) for tag in in_scheme(sentence, "iob2"))
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
        """The steps before the ranker: margins cut the lists, and stages give them features."""
        prepared = super().prepare(train, dev)
        steps = ListSteps(self.work, self.engine, self.plan)
        if self.plan.by_margin:
            prepared = steps.cut_by_margin(prepared)
        stages = self.plan.parsed_stages
        return steps.with_inside(prepared, 0, stages[0]) if stages else prepared

    def without_ranker(self, prepared: Prepared) -> NamesModel:
        """The tagger with what its lists are cut by, and what names are like."""
        model = super().without_ranker(prepared)
        if prepared.margins is not None:
            model.margins = read_margins(prepared.margins)
        if self.plan.stages and prepared.train is not None:
            inside = [source for stage in self.plan.parsed_stages for source in stage.inside]
            model.statistics = statistics_of(prepared.corpus.sentences, inside)
            model.looking = Looking(stages=self.plan.stages, cluster_below=self.plan.cluster_below)
        return model

    def rank(self, model: NamesModel, lists: StepResult, prepared: Prepared) -> StepResult | None:
        """Give the model the rankers of its stages."""
        dev, (_, *later) = super().rank(model, lists, prepared), self.plan.parsed_stages or ("",)
        self.files.update({"train": lists} | ({"dev": dev} if dev else {}))
        if not later or model.looking is None or model.ranker is None:
            return dev
        steps, before = ListSteps(self.work, self.engine, self.plan), list[Reranker]()
        for number, stage in enumerate(later, 1):
            cut = steps.cut_of(steps.train_scores(prepared, number - 1), self.plan.sure)
            looking = replaced(model.looking, cuts=(*model.looking.cuts, cut))
            before.append(model.ranker)
            prepared = steps.with_elsewhere(prepared, number, stage, model.ranker, looking)
            prepared = steps.with_inside(prepared, number, stage)
            model.looking, lists = looking, prepared.train or lists
            model.ranker = ranker_step(
                self.plan.last_plan if number == len(later) else self.plan,
                lists, prepared.dev, METRIC,
                work=self.work, engine=self.engine, name=f"ranker-{number}",
            )  # fmt: skip
        model.earlier = EarlierStages(before)
        self.files.update({"train": lists} | ({"dev": prepared.dev} if prepared.dev else {}))
        return prepared.dev

    def lists(self, name: str, trained: Trained[NamesModel], sentences: Sentences) -> StepResult:
        """The lists of sentences that were not seen, as the last stage sees them."""
        made = super().lists(name, trained, sentences)
        model = trained.model
        if self.related:
            model = model.widened(self.related, engine=self.engine)
        return ListSteps(self.work, self.engine, self.plan).staged(name, made, model)

    def about(self, train: Corpus, dev: Corpus | None) -> dict[str, Any]:
        """The description of the training for the header of a model."""
        return {
            "runoff": runoff.__version__,
            "base": self.plan.tagger,
            "stages": self.plan.stages,
            "boundaries": self.plan.boundaries,
            "sentences": len(train.sentences),
            "words": sum(map(len, train.sentences)),
            "data": train.key,
            **super().about(train, dev),
        }


def _with_type(tag: str, new: Mapping[str, str]) -> str:
    """The tag with the new name of its type.

    Examples
    --------
    >>> [_with_type(tag, {"person": "PER", "TIME": ""}) for tag in ("B-person", "I-TIME", "B-LOC")]
    ['B-PER', 'O', 'B-LOC']
    """
    kind = tag[2:]
    if kind not in new:
        return tag
    return f"{tag[:2]}{new[kind]}" if new[kind] else OUTSIDE


def fit_fold(
    train: Sentences, made: StepResult, name: str, options: Mapping[str, Any]
) -> NamesModel:
    """A model of a tagger alone; its sentences are in the units of the plan already."""
    return NamesModel(fit_tagger(name, train, None, options, made), None, {})
