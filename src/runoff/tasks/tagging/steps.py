"""What the training of chunkers and of name taggers have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar

from runoff.data.formats import read_nbest, write_nbest
from runoff.data.schemes import convert
from runoff.data.tagged import TaggedSentence
from runoff.data.text.plain import keep_hyphens
from runoff.errors import FormatError
from runoff.pipeline.gold_lists import numbered, with_gold
from runoff.pipeline.steps import AnyPlan, Steps
from runoff.pipeline.work_folder import Product, counted, say
from runoff.proposers.sequence.crf import tokens_of
from runoff.tasks.parsing.folds import places
from runoff.tasks.ranking.reranker import Reranker
from runoff.tasks.tagging.chunk_report import report
from runoff.tasks.tagging.model import fingerprint
from runoff.tasks.tagging.reranked import RankedTaggings

AnyModel = TypeVar("AnyModel", bound=RankedTaggings)
Sentences = list[TaggedSentence]


class Prepared(NamedTuple):
    """The base model without a ranker, its lists of dev, and for a ranker those of training."""

    base: Product
    train: Product | None
    dev: Product | None


@dataclass(frozen=True)
class TaggingSteps(Steps[AnyPlan], ABC, Generic[AnyPlan, AnyModel]):
    """From sentences to a base system, its lists, a ranker of them, and a report."""

    @abstractmethod
    def prepared(self, sentences: Iterable[TaggedSentence]) -> Sentences:
        """The sentences as the base learns from them; to prepare them again changes nothing."""

    @abstractmethod
    def base(self, train: Sentences, dev: Sentences | None) -> Product:
        """The base system of all training sentences."""

    @abstractmethod
    def model(self, base: Product) -> AnyModel:
        """The base system as a model, still without a ranker."""

    @abstractmethod
    def fold(self, number: int, place: range, train: Sentences, model: AnyModel) -> Product:
        """Lists of a fold, by a base system that has not seen it.

        `model` is that of all sentences; the fold's has the prior that was found for it.
        """

    def about(self, train: Sentences, dev: Sentences | None) -> dict[str, Any]:
        """What the header of a model says of its training."""
        return {
            "dev sentences": None if dev is None else len(dev),
            "folds": self.plan.folds if self.plan.rerank else None,
            "attribution": self.plan.attribution,
        }

    def run(self, train: Sentences, dev: Sentences | None) -> AnyModel:
        """All steps, from sentences to a model."""
        train, dev = self.prepared(train), None if dev is None else self.prepared(dev)
        base, lists, dev_lists = self.prepare(train, dev)
        model = self.model(base)
        model.hyphens = keep_hyphens(sentence.words for sentence in train)
        if lists is not None:
            model.ranker = Reranker.load(self.ranker(lists, dev_lists).path)
        model.training |= self.about(train, dev)
        if dev_lists is not None:
            say(self.progress, "report")
            model.training["dev"] = report(read_nbest(dev_lists.path), model.ranker)
        return model

    def prepare(self, train: Sentences, dev: Sentences | None) -> Prepared:
        """The steps before the ranker."""
        self.check_folds(len(train), "sentences")
        base = self.base(train, dev)
        dev_lists = None if dev is None else self.lists("dev", base, dev)
        if not self.plan.rerank:
            return Prepared(base, None, dev_lists)
        model = self.model(base)
        folds = [
            self.fold(number, place, train, model)
            for number, place in enumerate(places(len(train), self.plan.folds), 1)
        ]
        made = self.work.product("train-lists", ".jsonl.gz", *(fold.key for fold in folds))
        if not made.done:
            lists = (nbest for fold in folds for nbest in read_nbest(fold.path))
            write_nbest(numbered(lists), made.path)
        return Prepared(base, made, dev_lists)

    def ranker(self, lists: Product, dev: Product | None) -> Product:
        """The ranker of lists."""
        return self.ranker_step(lists, dev, "chunk-f1")

    def lists(self, name: str, base: Product, sentences: Sentences) -> Product:
        """The base model's lists of sentences that it has not seen, with gold, as a file."""
        key = (base.key, fingerprint(sentences), self.plan.n)
        made = self.work.product(f"{name}-lists", ".jsonl.gz", *key)
        if not made.done:
            self.write_lists(name, self.model(base), sentences, made)
        return made

    def write_lists(self, name: str, model: AnyModel, sentences: Sentences, made: Product) -> None:
        """Write a model's lists of sentences, with gold in IOB2."""
        lists = model.lists(map(tokens_of, sentences), self.plan.n, jobs=self.jobs)
        shown = counted(self.progress, f"lists of {name} sentences", lists, len(sentences))
        gold = (convert(sentence.tags, "iob2") for sentence in sentences)
        write_nbest(with_gold(shown, gold), made.path)


def not_empty(sentences: Iterable[TaggedSentence], expected: str) -> Sentences:
    """The sentences that have words, and tags besides; an error says what was expected."""
    kept = [sentence for sentence in sentences if len(sentence)]
    if not kept:
        raise FormatError("there are no sentences to learn from, or to choose by")
    if len(kept[0].columns) < 2:
        raise FormatError(f"expected a word a line, {expected}")
    return kept


def in_scheme(sentence: TaggedSentence, scheme: str) -> tuple[str, ...]:
    """The tags of a sentence in another scheme; an error names the sentence."""
    try:
        return tuple(convert(sentence.tags, scheme))
    except ValueError as error:
        raise FormatError(f"{error}, in the sentence {' '.join(sentence.words)[:60]!r}") from None
