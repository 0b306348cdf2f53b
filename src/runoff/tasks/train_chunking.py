"""Training a chunker with its reranker, from annotated sentences to a model, step by step."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from msgspec.structs import replace

import runoff
from runoff.data.files import FilePath
from runoff.data.formats import read_nbest, write_nbest
from runoff.data.nbest import NBest
from runoff.data.schemes import convert
from runoff.data.tagged import TaggedSentence
from runoff.engine import cores
from runoff.errors import FormatError, UsageError, unknown_choice
from runoff.learners.run import Progress, Run, resumable
from runoff.proposers.crf import RICH_TEMPLATES, tokens_of
from runoff.tasks.chunk_report import report
from runoff.tasks.chunking import SCHEMES, ChunkingModel, make_crf
from runoff.tasks.parse_folds import places
from runoff.tasks.ranker_plan import RankerPlan
from runoff.tasks.reranker import Reranker
from runoff.tasks.tagging import TaggingModel, fingerprint, make_tagger, train_tagger
from runoff.tasks.work import Product, Work, counted, say

REVISION = 1
"""Raise it when taggers or CRFs learn or find something else than before, so that results of
before are not used again."""

CRF_OPTIONS = {"templates": RICH_TEMPLATES, "iterations": 80}
"""What CRFs are given by default."""


@dataclass(frozen=True, kw_only=True)
class Plan(RankerPlan):
    """How a chunker is trained.

    Parameters
    ----------
    rerank : whether a ranker picks among the taggings of the CRF.
    n : taggings of a list, at most.
    folds : into which the sentences are cut; each is tagged by a CRF learned from the others.
    scheme : in which the CRF learns chunks, one of `runoff.tasks.chunking.SCHEMES`.
    features, learner, options, min_lists, thresholds, bins, seed : of the ranker, see `runoff.fit`.
    tagger_options, crf_options : of the two others.
    attribution : whose data it is; goes into the header.
    """

    rerank: bool = True
    n: int = 20
    folds: int = 5
    scheme: str = "iobes"
    features: Sequence[str] = ("phrases",)
    min_lists: int = 2
    tagger_options: Mapping[str, Any] = field(default_factory=dict)
    crf_options: Mapping[str, Any] = field(default_factory=dict)
    attribution: str | None = None

    def __post_init__(self) -> None:
        """Refuse what makes no sense now, not after hours."""
        make_tagger(self.tagger_options)
        make_crf(self.crf)
        if self.scheme not in SCHEMES:
            raise unknown_choice("scheme of a CRF", self.scheme, SCHEMES)
        self.check_ranker(with_dev=True)
        if self.n < (2 if self.rerank else 1):
            raise UsageError(f"a ranker chooses among 2 taggings or more, and n is {self.n}")

    @property
    def crf(self) -> dict[str, Any]:
        """Options of the CRF, with defaults."""
        return {**CRF_OPTIONS, **self.crf_options}


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


class Prepared(NamedTuple):
    """The base model without a ranker, its lists of dev, and for a ranker those of training."""

    base: Product
    train: Product | None
    dev: Product | None


@dataclass(frozen=True)
class Training:
    """The steps; each gives its product, made now or earlier.

    Parameters
    ----------
    work : where the products are kept.
    jobs, progress : see `train_chunking`.
    """

    work: Work
    plan: Plan
    jobs: int = 1
    progress: Progress | None = None

    def run(self, train: list[TaggedSentence], dev: list[TaggedSentence] | None) -> ChunkingModel:
        """All steps, from sentences to a model."""
        base, lists, dev_lists = self.prepare(train, dev)
        model = ChunkingModel.load(base.path)
        if lists is not None:
            model.ranker = Reranker.load(self.ranker(lists, dev_lists).path)
        model.training |= {
            "dev sentences": None if dev is None else len(dev),
            "folds": self.plan.folds if self.plan.rerank else None,
            "attribution": self.plan.attribution,
        }
        if dev_lists is not None:
            say(self.progress, "report")
            model.training["dev"] = report(read_nbest(dev_lists.path), model.ranker)
        return model

    def prepare(self, train: list[TaggedSentence], dev: list[TaggedSentence] | None) -> Prepared:
        """The steps before the ranker."""
        plan = self.plan
        train = _checked(train)
        judges = None if dev is None else _checked(dev)
        if plan.rerank and not 2 <= plan.folds <= len(train):
            problem = f"folds must lie between 2 and the {len(train)} sentences, not {plan.folds}"
            raise UsageError(problem)
        base = self.base(train, judges)
        dev_lists = None if judges is None else self.lists("dev", base, judges)
        if not plan.rerank:
            return Prepared(base, None, dev_lists)
        prior = (ChunkingModel.load(base.path).training["prior"],)
        folds = [
            self._fold(number, place, train, prior)
            for number, place in enumerate(places(len(train), plan.folds), 1)
        ]
        made = self.work.product("train-lists", ".jsonl.gz", *(fold.key for fold in folds))
        if not made.done:
            lists = (nbest for fold in folds for nbest in read_nbest(fold.path))
            write_nbest(_numbered(lists), made.path)
        return Prepared(base, made, dev_lists)

    def lists(self, name: str, base: Product, sentences: list[TaggedSentence]) -> Product:
        """The base model's lists of sentences that it has not seen, with gold, as a file."""
        key = (base.key, fingerprint(sentences), self.plan.n)
        made = self.work.product(f"{name}-lists", ".jsonl.gz", *key)
        if not made.done:
            model = ChunkingModel.load(base.path)
            lists = model.lists(map(tokens_of, sentences), self.plan.n, jobs=self.jobs)
            shown = counted(self.progress, f"lists of {name} sentences", lists, len(sentences))
            write_nbest(_with_gold(shown, sentences), made.path)
        return made

    def ranker(self, lists: Product, dev: Product | None) -> Product:
        """The ranker of lists."""
        plan = self.plan
        how = (plan.extractors, plan.learner, sorted(plan.ranker_options.items()), plan.seed)
        cut = (plan.min_lists, tuple(plan.thresholds), plan.bins)
        made = self.work.product("ranker", ".runoff", lists.key, dev and dev.key, how, cut)
        if not made.done:
            plan.fit(
                lists.path,
                None if dev is None else dev.path,
                "chunk-f1",
                jobs=self.jobs,
                cache=self.work.folder,
                checkpoint=made.checkpoint,
                progress=self.progress,
            ).save(made.path)
        return made

    def base(self, train: list[TaggedSentence], dev: list[TaggedSentence] | None) -> Product:
        """Tagger and CRF as a model without a ranker, which can be used by itself."""
        train, dev = _checked(train), None if dev is None else _checked(dev)
        data = (_hash(train), None if dev is None else _hash(dev))
        how = (self._crf_key(), sorted(self.plan.tagger_options.items()), self.plan.n)
        made = self.work.product("base", ".runoff", *data, how, REVISION)
        if made.done:
            return made
        tagger = self._tagger(train, dev) if len(train[0].columns) > 2 else None
        model = self._crf(train, dev, self.plan.crf, made)
        model.tagger = None if tagger is None else TaggingModel.load(tagger.path)
        model.save(made.path)
        return made

    def _tagger(self, train: list[TaggedSentence], dev: list[TaggedSentence] | None) -> Product:
        """A tagger that learns the second column, for words that come without it."""
        options = dict(self.plan.tagger_options)
        data = (_hash(train), None if dev is None else _hash(dev))
        made = self.work.product("tagger", ".runoff", *data, options, REVISION)
        if not made.done:
            train_tagger(
                map(_without_chunks, train),
                None if dev is None else map(_without_chunks, dev),
                options=options,
                jobs=self.jobs,
                checkpoint=made.checkpoint,
                progress=self.progress,
            ).save(made.path)
        return made

    def _fold(
        self, number: int, place: range, train: list[TaggedSentence], prior: tuple[float, ...]
    ) -> Product:
        """Lists of a fold, by a CRF that has not seen it; its prior was found for all sentences."""
        key = (_hash(train), place, self._crf_key(), prior, self.plan.n, REVISION)
        made = self.work.product(f"fold-{number}-lists", ".jsonl.gz", *key)
        if not made.done:
            inside = train[place.start : place.stop]
            outside = train[: place.start] + train[place.stop :]
            model = self._crf(outside, None, {**self.plan.crf, "prior": prior}, made)
            lists = model.lists(map(tokens_of, inside), self.plan.n, jobs=self.jobs)
            write_nbest(_with_gold(lists, inside), made.path)
            say(self.progress, f"lists of fold {number}")
        return made

    def _crf_key(self) -> tuple[object, ...]:
        return repr(make_crf(self.plan.crf)), self.plan.scheme

    def _crf(
        self,
        train: list[TaggedSentence],
        dev: list[TaggedSentence] | None,
        options: Mapping[str, Any],
        made: Product,
    ) -> ChunkingModel:
        """A model of a CRF alone."""
        crf, run = make_crf(options), Run(threads=cores(self.jobs), progress=self.progress)
        with resumable(run, made.checkpoint, made.key) as kept:
            crf.fit(
                [_in_scheme(sentence, self.plan.scheme) for sentence in train],
                None if dev is None else [_in_scheme(one, self.plan.scheme) for one in dev],
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
        }
        return ChunkingModel(None, crf, None, training, self.plan.n)


def _checked(sentences: list[TaggedSentence]) -> list[TaggedSentence]:
    kept = [sentence for sentence in sentences if len(sentence)]
    if not kept:
        raise FormatError("there are no sentences to learn from, or to choose by")
    if len(kept[0].columns) < 2:
        raise FormatError("expected a word a line, perhaps its part of speech, and its chunk tag")
    return kept


def _hash(sentences: list[TaggedSentence]) -> str:
    return fingerprint([*sentences, *map(_without_chunks, sentences)])


def _without_chunks(sentence: TaggedSentence) -> TaggedSentence:
    """Words, and parts of speech if there are any."""
    return TaggedSentence(sentence.columns[: -1 if len(sentence.columns) == 2 else 2])


def _in_scheme(sentence: TaggedSentence, scheme: str) -> TaggedSentence:
    try:
        tags = convert(sentence.tags, scheme)
    except ValueError as error:
        raise FormatError(f"{error}, in the sentence {' '.join(sentence.words)[:60]!r}") from None
    return replace(sentence, columns=(*sentence.columns[:-1], tuple(tags)), names=())


def _with_gold(lists: Iterable[NBest], sentences: Iterable[TaggedSentence]) -> Iterable[NBest]:
    for nbest, sentence in zip(lists, sentences, strict=True):
        yield replace(nbest, gold=convert(sentence.tags, SCHEMES[0]))


def _numbered(lists: Iterable[NBest]) -> Iterable[NBest]:
    for number, nbest in enumerate(lists, 1):
        yield replace(nbest, id=number)
