"""Training a chunker with its reranker, from annotated sentences to a model, step by step."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from msgspec.structs import replace

import runoff
from runoff.data.files import FilePath
from runoff.data.tagged import TaggedSentence
from runoff.data.text.plain import keep_hyphens
from runoff.engine.processes import cores
from runoff.errors import UsageError, unknown_choice
from runoff.fitting.run import Progress, Run, resumable
from runoff.learners import make_ranker
from runoff.pipeline.plan import RankerPlan
from runoff.pipeline.work_folder import Product, Work
from runoff.proposers.sequence.crf import CLUSTER_TEMPLATES, RICH_TEMPLATES
from runoff.tasks.chunking.clusters import load_clusters, text_clusters
from runoff.tasks.chunking.model import SCHEMES, ChunkingModel, make_crf
from runoff.tasks.tagging.model import TaggingModel, fingerprint, make_tagger
from runoff.tasks.tagging.steps import Sentences, TaggingSteps, in_scheme, not_empty

REVISION = 1
"""Raise it when taggers or CRFs learn or find something else than before, so that results of
before are not used again."""

CRF_OPTIONS = {"iterations": 80}
"""What CRFs are given by default, besides templates."""

OPTIONS: dict[str, dict[str, Any]] = {
    "maxent": {"prior": 0.1},
    "subtree-boost": {"frequency": 5, "smoothing": 0.01, "rounds": 2000},
}
"""What learners are given by default: a prior, smoothing and rounds that do well on folds of
CoNLL-2000, where CRFs leave little to mend, and f of Kudo, Suzuki & Isozaki (2005), section 5.2."""


@dataclass(frozen=True, kw_only=True)
class Plan(RankerPlan):
    """How a chunker is trained.

    Parameters
    ----------
    rerank : whether a ranker picks among the taggings of the CRF.
    n : taggings of a list, at most.
    folds : into which the sentences are cut; each is tagged by a CRF learned from the others.
    scheme : in which the CRF learns chunks, one of `runoff.tasks.chunking.model.SCHEMES`.
    text : files of plain text, from which clusters of words are learned that the CRF looks at; see
        `runoff.data.text.plain`. In a recipe they are relative to the folder of corpora.
    features, learner, options, min_lists, thresholds, bins, seed : of the ranker, see `runoff.fit`;
        where no features are named, `phrases`, or `chunk-tree` for a learner that takes trees.
    tagger_options, crf_options : of the two others.
    attribution : whose data it is; goes into the header.
    """

    n: int = 20
    folds: int = 5
    scheme: str = "iobes"
    text: Sequence[str] = ()
    features: Sequence[str] = ()
    min_lists: int = 2
    crf_options: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Refuse what makes no sense now, not after hours."""
        make_tagger(self.tagger_options)
        make_crf(self.crf)
        if self.scheme not in SCHEMES:
            raise unknown_choice("scheme of a CRF", self.scheme, SCHEMES)
        if "-" in self.text:
            raise UsageError("text for clusters is read twice, so it cannot come from stdin")
        self.check_ranker("taggings")

    @property
    def extractors(self) -> tuple[str, ...]:
        """The feature sets of the ranker, those that suit the learner if none are named."""
        usual = "chunk-tree" if make_ranker(self.learner).takes_trees else "phrases"
        return super().extractors or (usual,)

    @property
    def defaults(self) -> Mapping[str, Any]:
        """Options of the learner that are not given."""
        return OPTIONS.get(self.learner, {})

    @property
    def crf(self) -> dict[str, Any]:
        """Options of the CRF, with defaults."""
        templates = (*RICH_TEMPLATES, *(CLUSTER_TEMPLATES if self.text else ()))
        return {**CRF_OPTIONS, "templates": templates, **self.crf_options}


def train_chunking(
    train: Iterable[TaggedSentence],
    dev: Iterable[TaggedSentence] | None = None,
    *,
    work: FilePath,
    plan: Plan | None = None,
    jobs: int = 1,
    progress: Progress | None = None,
) -> ChunkingModel:
    """A chunker trained on sentences; `dev` makes choices and tells how well it does.

    Parameters
    ----------
    train, dev : sentences with words, parts of speech if there are any, and chunk tags last, in any
        scheme.
    work : folder in which the results of the steps are kept: training that was killed goes on from
        there, and after a change only what depends on it is done again.
    jobs : processes and threads, 0 for one per core; the result does not depend on it.
    """
    training = Training(Work(work), plan or Plan(), jobs, progress)
    return training.run(list(train), None if dev is None else list(dev))


@dataclass(frozen=True)
class Training(TaggingSteps[Plan, ChunkingModel]):
    """The steps; see `train_chunking`."""

    def prepared(self, sentences: Iterable[TaggedSentence]) -> Sentences:
        """The sentences that have words."""
        return not_empty(sentences, "perhaps its part of speech, and its chunk tag")

    def model(self, base: Product) -> ChunkingModel:
        """Tagger and CRF, still without a ranker."""
        return ChunkingModel.load(base.path)

    def base(self, train: Sentences, dev: Sentences | None) -> Product:
        """Tagger and CRF as a model without a ranker, which can be used by itself."""
        data = (_hash(train), None if dev is None else _hash(dev))
        clusters = self._clusters(train)
        how = (self._crf_key(clusters), sorted(self.plan.tagger_options.items()), self.plan.n)
        made = self.work.product("base", ".runoff", *data, how, REVISION)
        if made.done:
            return made
        tagger = self._tagger(train, dev) if len(train[0].columns) > 2 else None
        model = self._crf(train, dev, self.plan.crf, clusters, made)
        model.tagger = None if tagger is None else TaggingModel.load(tagger.path)
        model.save(made.path)
        return made

    def _tagger(self, train: Sentences, dev: Sentences | None) -> Product:
        """A tagger that learns the second column, for words that come without it."""
        judges = None if dev is None else map(_without_chunks, dev)
        data = (_hash(train), None if dev is None else _hash(dev))
        return self.tagger_step(map(_without_chunks, train), judges, *data, revision=REVISION)

    def fold(self, number: int, place: range, train: Sentences, model: ChunkingModel) -> Product:
        """Lists of a fold, by a CRF that has not seen it; its prior was found for all sentences."""
        prior, clusters = (model.training["prior"],), self._clusters(train)
        key = (_hash(train), place, self._crf_key(clusters), prior, self.plan.n, REVISION)
        made = self.work.product(f"fold-{number}-lists", ".jsonl.gz", *key)
        if not made.done:
            outside = train[: place.start] + train[place.stop :]
            own = self._crf(outside, None, {**self.plan.crf, "prior": prior}, clusters, made)
            self.write_lists(f"fold-{number}", own, train[place.start : place.stop], made)
        return made

    def _clusters(self, train: Sentences) -> Product | None:
        """Clusters of the words of the plan's text, which is cut as the sentences are."""
        if not self.plan.text:
            return None
        hyphens = keep_hyphens(sentence.words for sentence in train)
        return text_clusters(
            self.plan.text, hyphens=hyphens, work=self.work, progress=self.progress
        )

    def _crf_key(self, clusters: Product | None) -> tuple[object, ...]:
        own = () if clusters is None else (clusters.key,)
        return repr(make_crf(self.plan.crf)), self.plan.scheme, *own

    def _crf(
        self,
        train: Sentences,
        dev: Sentences | None,
        options: Mapping[str, Any],
        text: Product | None,
        made: Product,
    ) -> ChunkingModel:
        """A model of a CRF alone."""
        crf, run = make_crf(options), Run(threads=cores(self.jobs), progress=self.progress)
        clusters, about = (None, None) if text is None else load_clusters(text)
        with resumable(run, made.checkpoint, made.key) as kept:
            crf.fit(
                [_in_scheme(sentence, self.plan.scheme) for sentence in train],
                None if dev is None else [_in_scheme(one, self.plan.scheme) for one in dev],
                clusters=clusters,
                run=kept,
            )
        tried = crf.record_.get("prior") or [{"prior": crf.prior[0], "dev quality": 0.0}]
        training = {
            "runoff": runoff.__version__,
            "sentences": len(train),
            "words": sum(map(len, train)),
            "data": _hash(train),
            "dev data": None if dev is None else _hash(dev),
            "scheme": self.plan.scheme,
            "prior": max(tried, key=lambda row: row["dev quality"])["prior"],
            "labels": len(crf.model.chain.labels),
            "weights": len(crf.model.known.weights),
            **({} if about is None else {"clusters": about}),
        }
        return ChunkingModel(None, crf, None, training, self.plan.n)


def _hash(sentences: Sentences) -> str:
    return fingerprint([*sentences, *map(_without_chunks, sentences)])


def _without_chunks(sentence: TaggedSentence) -> TaggedSentence:
    """Words, and parts of speech if there are any."""
    return TaggedSentence(sentence.columns[: -1 if len(sentence.columns) == 2 else 2])


def _in_scheme(sentence: TaggedSentence, scheme: str) -> TaggedSentence:
    columns = (*sentence.columns[:-1], in_scheme(sentence, scheme))
    return replace(sentence, columns=columns, names=())
