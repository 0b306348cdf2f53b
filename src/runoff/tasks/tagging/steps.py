"""What the training of chunkers and of name taggers has in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

import msgspec

from runoff.data.files import FilePath, open_output, read_chunks
from runoff.data.formats import read_nbest, write_nbest
from runoff.data.nbest import NBest
from runoff.data.schemes import convert
from runoff.data.sentence import Sentence
from runoff.data.tagged import read_tagged
from runoff.data.text.tokens import keep_hyphens
from runoff.engine import ALONE, AnyEngine, Engine
from runoff.errors import FormatError
from runoff.pipeline.folds import Fold, check_folds, document_folds, jackknife, with_gold
from runoff.pipeline.plan import RankerPlan
from runoff.pipeline.steps import examples, ranker_step, work_folder
from runoff.pipeline.work_folder import StepResult, WorkFolder
from runoff.tasks.tagging.chunk_figures import report
from runoff.tasks.tagging.reranked import RerankedTagger

AnyModel = TypeVar("AnyModel", bound=RerankedTagger)
Sentences = list[Sentence]
Reader = Callable[[FilePath], Iterable[Sentence]]
FoldFit = Callable[[Sentences, StepResult], RerankedTagger]
"""Trains the base system of a fold; the step's checkpoint keeps its state."""

METRIC = "chunk-f1"
"""What rankers of taggings are trained by."""


class Corpus(NamedTuple):
    """Sentences as the base system learns from them, and a hash that stands for them."""

    sentences: Sentences
    key: str


class Prepared(NamedTuple):
    """The training data of a ranker.

    Parameters
    ----------
    corpus, judges : training and development sentences.
    base : the base system, as the file of a model without a ranker.
    train, dev : its lists of training sentences, for a ranker alone, and of development sentences.
    margins : what lists were cut by, if they were.
    """

    corpus: Corpus
    judges: Corpus | None
    base: StepResult
    train: StepResult | None
    dev: StepResult | None
    margins: StepResult | None = None


class Trained(NamedTuple, Generic[AnyModel]):
    """The result of a training: a model with its ranker, and the base that makes its lists."""

    model: AnyModel
    base: StepResult


@dataclass(frozen=True)
class TaggerTraining(ABC, Generic[AnyModel]):
    """From sentences to a base system, its lists, a ranker of them, and a report."""

    work: WorkFolder
    plan: RankerPlan
    engine: Engine

    @staticmethod
    def read(path: FilePath) -> Iterable[Sentence]:
        """The sentences of a training or development file."""
        return read_tagged(path)

    @abstractmethod
    def corpus(self, sentences: Iterable[Sentence]) -> Corpus:
        """The sentences as the base system learns from them."""

    @abstractmethod
    def base(self, train: Corpus, dev: Corpus | None) -> StepResult:
        """The base system of all training sentences, as the file of a model without a ranker."""

    @abstractmethod
    def model(self, base: StepResult) -> AnyModel:
        """The base system as a model, still without a ranker."""

    @abstractmethod
    def fold_fit(self, train: Corpus, model: AnyModel) -> tuple[FoldFit, tuple[object, ...]]:
        """What trains the base system of a fold, and what that depends on besides sentences.

        `model` is that of all sentences; folds take the prior that was found for it.
        """

    def about(self, train: Corpus, dev: Corpus | None) -> dict[str, Any]:
        """The description of the training for the header of a model."""
        return {
            "dev sentences": None if dev is None else len(dev.sentences),
            "folds": self.plan.folds if self.plan.rerank else None,
            "attribution": self.plan.attribution,
        }

    @classmethod
    def trained(
        cls,
        train: FilePath | Iterable[FilePath | Sentence],
        dev: FilePath | Iterable[FilePath | Sentence] | None,
        plan: RankerPlan,
        work: FilePath | None,
        engine: AnyEngine,
    ) -> AnyModel:
        """The model of files or sentences; without a folder for the steps, none are kept."""
        with work_folder(work) as folder:
            training = cls(folder, plan, Engine.of(engine))
            judges = None if dev is None else examples(dev, cls.read)
            return training.run(examples(train, cls.read), judges).model

    def run(self, train: Sentences, dev: Sentences | None) -> Trained[AnyModel]:
        """All steps, from sentences to a model."""
        prepared = self.prepare(train, dev)
        model, dev_lists = self.without_ranker(prepared), prepared.dev
        words = (sentence.words for sentence in prepared.corpus.sentences)
        model.hyphens = keep_hyphens(words)
        if prepared.train is not None:
            dev_lists = self.rank(model, prepared.train, prepared)
        model.training |= self.about(prepared.corpus, prepared.judges)
        if dev_lists is not None:
            self.engine.tell("report")
            model.training["dev"] = report(read_nbest(dev_lists.path), model.last_ranker)
        return Trained(model, prepared.base)

    def rank(self, model: AnyModel, lists: StepResult, prepared: Prepared) -> StepResult | None:
        """Give the model its ranker; the development lists are returned as that one sees them."""
        model.ranker = ranker_step(
            self.plan, lists, prepared.dev, METRIC, work=self.work, engine=self.engine
        )
        return prepared.dev

    def without_ranker(self, prepared: Prepared) -> AnyModel:
        """The model of which only the ranker is still missing."""
        return self.model(prepared.base)

    def prepare(self, train: Sentences, dev: Sentences | None) -> Prepared:
        """The steps before the ranker."""
        corpus, judges = self.corpus(train), None if dev is None else self.corpus(dev)
        if self.plan.rerank:
            check_folds(self.plan.folds, len(corpus.sentences), "sentences")
        base = self.base(corpus, judges)
        dev_lists = None if judges is None else self._lists("dev", base, judges)
        lists = self._train_lists(corpus, self.model(base)) if self.plan.rerank else None
        return Prepared(corpus, judges, base, lists, dev_lists)

    def lists(self, name: str, trained: Trained[AnyModel], sentences: Sentences) -> StepResult:
        """The lists of new sentences, with gold, as the last ranker of the model sees them."""
        return self._lists(name, trained.base, self.corpus(sentences))

    def _lists(self, name: str, base: StepResult, corpus: Corpus) -> StepResult:
        made = self.work.step(f"{name}-lists", ".jsonl.gz", base.key, corpus.key, self.plan.n)
        if not made.done:
            stage = f"lists of {name} sentences"
            write_lists(self.model(base), corpus.sentences, self.plan.n, made, self.engine, stage)
        return made

    def _train_lists(self, train: Corpus, model: AnyModel) -> StepResult:
        fit, depends = self.fold_fit(train, model)
        file = self.work.step("train-sentences", ".json.gz", train.key)
        if not file.done:
            with open_output(file.path) as stream:
                stream.write(msgspec.json.encode(train.sentences))
        folds = []
        documents = [sentence.document for sentence in train.sentences]
        for number, inside in enumerate(document_folds(documents, self.plan.folds), 1):
            key = (train.key, inside, *depends, self.plan.n)
            lists = self.work.step(f"fold-{number}-lists", ".jsonl.gz", *key)
            folds.append(Fold(number, inside, lists))
        made = self.work.step("train-lists", ".jsonl.gz", *(fold.lists.key for fold in folds))
        make = partial(tag_fold, FoldTaggers(file.path, fit, self.plan.n))
        jackknife(make, folds, made, engine=self.engine, what="training sentences")
        return made


class FoldTaggers(NamedTuple):
    """A job that tags folds in a worker: all sentences, the training function, list sizes."""

    sentences: Path
    fit: FoldFit
    n: int


def tag_fold(taggers: FoldTaggers, fold: Fold) -> None:
    """Write the lists of a fold."""
    sentences, inside = _sentences(taggers.sentences), fold.inside
    model = taggers.fit(sentences[: inside.start] + sentences[inside.stop :], fold.lists)
    own = sentences[inside.start : inside.stop]
    write_lists(model, own, taggers.n, fold.lists, first=inside.start + 1)


@lru_cache(maxsize=1)
def _sentences(path: Path) -> Sentences:
    """The sentences of a file, read once for all folds of a worker."""
    return msgspec.json.decode(b"".join(read_chunks(path)), type=list[Sentence])


def write_lists(
    model: RerankedTagger,
    sentences: Sentences,
    n: int,
    made: StepResult,
    engine: Engine = ALONE,
    stage: str = "",
    first: int = 1,
) -> None:
    """Write a model's lists of sentences, numbered from `first`, with gold in IOB2."""
    lists = model.lists(sentences, n, engine=engine)
    shown = engine.counted(stage, lists, len(sentences))
    gold = (convert(sentence.labels, "iob2") for sentence in sentences)
    write_nbest(with_gold(shown, gold, first), made.path)


def not_empty(sentences: Iterable[Sentence], expected: str) -> Sentences:
    """The sentences that have words, and gold besides; an error says what was expected."""
    kept = [sentence for sentence in sentences if len(sentence)]
    if not kept:
        raise FormatError("there are no sentences to learn from, or to choose by")
    if kept[0].gold is None:
        raise FormatError(f"expected one word per line, {expected}")
    return kept


def in_scheme(sentence: Sentence, scheme: str) -> tuple[str, ...]:
    """The gold tags of a sentence in another scheme; an error names the sentence."""
    try:
        return tuple(convert(sentence.labels, scheme))
    except ValueError as error:
        raise FormatError(f"{error}, in the sentence {' '.join(sentence.words)[:60]!r}") from None


def gold_lists(
    model: Any, files: Sequence[FilePath], n: int, read: Reader = read_tagged
) -> Iterator[NBest]:
    """What a model makes of sentences with gold tags, in any scheme."""
    units = getattr(model, "in_units", lambda sentence: sentence)
    sentences = [units(one) for file in files for one in read(file)]
    gold = (list(in_scheme(one, "iob2")) for one in sentences)
    return with_gold(model.lists(sentences, n), gold)
