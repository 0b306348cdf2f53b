"""Training a chunker with its reranker, from annotated sentences to a model, step by step."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

from msgspec.structs import replace

import runoff
from runoff.data.files import FilePath
from runoff.data.sentence import Sentence
from runoff.data.treebank.chunks import read_chunked
from runoff.engine import ALONE, AnyEngine, Engine
from runoff.errors import unknown_choice
from runoff.fitting.priors import chosen_prior
from runoff.fitting.run import Run, resumable
from runoff.learners import make_ranker
from runoff.pipeline.fit_plan import NO_OPTIONS
from runoff.pipeline.options import option, redefined
from runoff.pipeline.plan import RankerPlan
from runoff.pipeline.work_folder import StepResult
from runoff.proposers.sequence.crf import CLUSTER_TEMPLATES, RICH_TEMPLATES
from runoff.tasks.chunking.model import SCHEMES, ChunkingModel, make_crf
from runoff.tasks.tagging.clusters import check_text, load_clusters, text_clusters
from runoff.tasks.tagging.steps import (
    Corpus,
    FoldFit,
    Sentences,
    TaggerTraining,
    in_scheme,
    not_empty,
)
from runoff.tasks.tagging.train import fingerprint, make_tagger, tagger_step

REVISION = 2
"""Raise it when taggers or CRFs learn or find something else than before, so that results of
before are not used again."""


@dataclass(frozen=True, kw_only=True)
class Plan(RankerPlan):
    """How a chunker and its ranker are trained."""

    n: int = redefined(RankerPlan, "n", 20)
    folds: int = redefined(RankerPlan, "folds", 5)
    features: Sequence[str] = redefined(
        RankerPlan,
        "features",
        (),
        help="Feature set of the ranker: {EXTRACTORS}. May be repeated. By default, chunk-tree for "
        "learners that take trees, and phrases for the others.",
    )
    scheme: str = option(
        "iobes",
        f"Tagging scheme in which the CRF learns chunks: {' or '.join(SCHEMES)}.",
        metavar="NAME",
    )
    order: int = option(
        1, "Order of the CRF: how many preceding labels a label depends on.", min=1, max=2
    )
    prior: Sequence[float] = option(
        (1.0,),
        "Prior of the CRF: the spread of its weights. Give several, separated by commas, and the "
        "development sentences choose.",
    )
    min_count: int = option(
        1, "Leave out attributes of the CRF that are seen less often than this.", min=1
    )
    iterations: int = option(80, "Maximum number of optimiser iterations of the CRF.", min=1)
    templates: Sequence[str] = option(
        (),
        "Attribute template of the CRF, instead of the default ones; may be repeated.",
        metavar="TEMPLATE",
    )
    text: Sequence[str] = option(
        (),
        "Plain text to learn word clusters from, at which CRF and tagger look; may be repeated. "
        "In a `.tsv` file the last column is the text.",
        metavar="FILE",
    )
    tagger_options: Mapping[str, Any] = option(
        NO_OPTIONS,
        "Option of the tagger, e.g. `prior=0.5,1,2`; may be repeated.",
        flags=("--tagger-option",),
    )

    learner_defaults: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "maxent": {"prior": 0.1},
        "subtree-boost": {"frequency": 5, "smoothing": 0.01, "rounds": 2000},
    }
    """A prior, smoothing and rounds that do well on folds of CoNLL-2000, where CRFs leave little to
    correct, and f of Kudo, Suzuki & Isozaki (2005), section 5.2."""

    def __post_init__(self) -> None:
        """Check the plan now, not after hours."""
        make_tagger(self.tagger_options)
        make_crf(self.crf)
        if self.scheme not in SCHEMES:
            raise unknown_choice("scheme of a CRF", self.scheme, SCHEMES)
        check_text(self.text)
        super().__post_init__()

    @property
    def extractors(self) -> tuple[str, ...]:
        """The feature sets of the ranker, those that suit the learner if none are named."""
        usual = "chunk-tree" if make_ranker(self.learner).takes_trees else "phrases"
        return super().extractors or (usual,)

    @property
    def crf(self) -> dict[str, Any]:
        """Options of the CRF."""
        usual = (*RICH_TEMPLATES, *(CLUSTER_TEMPLATES if self.text else ()))
        return {
            "order": self.order,
            "prior": tuple(self.prior),
            "min_count": self.min_count,
            "iterations": self.iterations,
            "templates": tuple(self.templates) or usual,
        }


def train(
    train: FilePath | Iterable[FilePath | Sentence],
    dev: FilePath | Iterable[FilePath | Sentence] | None = None,
    *,
    plan: Plan | None = None,
    work: FilePath | None = None,
    engine: AnyEngine = ALONE,
) -> ChunkingModel:
    """A chunker trained on sentences with chunk tags, or on a treebank.

    Parameters
    ----------
    train, dev : treebanks, whose chunks are read off their trees; or files or sentences with words,
        parts of speech if there are any, and chunk tags last, in any scheme. `dev` makes choices
        and tells how well chunks are found.
    work : folder in which the results of the steps are kept: training that was killed resumes from
        there, and after a change only what depends on it is done again.
    """
    return Training.trained(train, dev, plan or Plan(), work, engine)


@dataclass(frozen=True)
class Training(TaggerTraining[ChunkingModel]):
    """The steps; see `train`."""

    plan: Plan

    @staticmethod
    def read(path: FilePath) -> Iterable[Sentence]:
        """The sentences of a file, with columns or trees."""
        return read_chunked(path)

    def corpus(self, sentences: Iterable[Sentence]) -> Corpus:
        """The sentences that have words."""
        kept = not_empty(sentences, "perhaps its part of speech, and its chunk tag")
        return Corpus(kept, fingerprint([*kept, *map(_words_and_tags, kept)]))

    def model(self, base: StepResult) -> ChunkingModel:
        """Tagger and CRF, still without a ranker."""
        return ChunkingModel.load(base.path)

    def base(self, train: Corpus, dev: Corpus | None) -> StepResult:
        """Tagger and CRF as a model without a ranker, which can be used by itself."""
        data = (train.key, None if dev is None else dev.key)
        clusters, options = self._clusters(train), dict(self.plan.tagger_options)
        how = (self._crf_key(clusters), sorted(options.items()), self.plan.n)
        made = self.work.step("base", ".runoff", *data, how, REVISION)
        if made.done:
            return made
        tagger = None
        if train.sentences[0].tags is not None:  # it tags words that come without a part of speech
            judges = None if dev is None else map(_words_and_tags, dev.sentences)
            own = () if clusters is None else (clusters.key,)
            step = self.work.step("tagger", ".runoff", *data, *own, options, REVISION)
            words = map(_words_and_tags, train.sentences)
            tagger = tagger_step(step, words, judges, options, self.engine, clusters)
        model = fit_crf(
            train.sentences, made, self.plan, clusters, dev and dev.sentences, engine=self.engine
        )
        model.training["data"], model.training["dev data"] = data
        model.tagger = tagger
        model.save(made.path)
        return made

    def fold_fit(self, train: Corpus, model: ChunkingModel) -> tuple[FoldFit, tuple[object, ...]]:
        """A CRF with the prior that was found for all sentences."""
        clusters, prior = self._clusters(train), (model.training["prior"],)
        fit = partial(fit_crf, plan=self.plan, clusters=clusters, prior=prior)
        return fit, (self._crf_key(clusters), prior, REVISION)

    def _clusters(self, train: Corpus) -> StepResult | None:
        """Clusters of the words of the plan's text, which is cut as the sentences are."""
        words = (sentence.words for sentence in train.sentences)
        return text_clusters(self.plan.text, words, work=self.work, engine=self.engine)

    def _crf_key(self, clusters: StepResult | None) -> tuple[object, ...]:
        own = () if clusters is None else (clusters.key,)
        return repr(make_crf(self.plan.crf)), self.plan.scheme, *own


def fit_crf(
    train: Sentences,
    made: StepResult,
    plan: Plan,
    clusters: StepResult | None,
    dev: Sentences | None = None,
    *,
    prior: tuple[float, ...] | None = None,
    engine: Engine = ALONE,
) -> ChunkingModel:
    """A model of a CRF alone; the checkpoint of the step keeps the state of its training."""
    crf = make_crf(plan.crf if prior is None else {**plan.crf, "prior": prior})
    known, about = (None, None) if clusters is None else load_clusters(clusters)
    with resumable(Run.on(engine), made.checkpoint, made.key) as kept:
        crf.fit(
            [_in_scheme(sentence, plan.scheme) for sentence in train],
            None if dev is None else [_in_scheme(one, plan.scheme) for one in dev],
            clusters=known,
            run=kept,
        )
    training = {
        "runoff": runoff.__version__,
        "sentences": len(train),
        "words": sum(map(len, train)),
        "data": None,
        "dev data": None,
        "scheme": plan.scheme,
        "prior": chosen_prior(crf.prior, crf.record_),
        "labels": len(crf.model.chain.labels),
        "weights": len(crf.model.known.weights),
        **({} if about is None else {"clusters": about}),
    }
    return ChunkingModel(None, crf, None, training, plan.n)


def _words_and_tags(sentence: Sentence) -> Sentence:
    """Words with their parts of speech as gold; without any, themselves, as hashes have had it."""
    return Sentence(sentence.words, gold=sentence.tags or sentence.words)


def _in_scheme(sentence: Sentence, scheme: str) -> Sentence:
    return replace(sentence, gold=in_scheme(sentence, scheme))
