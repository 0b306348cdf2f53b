"""Models of tasks: what all that read text share, and a base system with its ranker as one."""

from __future__ import annotations

import logging
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import Any, ClassVar, Generic, Self, TypeAlias, TypeVar

import msgspec

from runoff.data.limits import Limit
from runoff.data.nbest import NBest
from runoff.data.sentence import AnySentence, Sentence
from runoff.data.text.read import sentences_of
from runoff.engine import ALONE, AnyEngine, Engine, chunked
from runoff.engine.reference import Reference
from runoff.errors import NotFittedError, TooLongError, UsageError, check_at_least
from runoff.problem.extractor import kept_together
from runoff.store.arrays import prefixed, without_prefix
from runoff.store.file import Arrays
from runoff.store.model import SavedModel
from runoff.tasks.ranking.reranker import Reranker
from runoff.tasks.ranking.results.ranked import RankedList
from runoff.tasks.ranking.why import Reasons, reasons, why

Input = TypeVar("Input")
Result = TypeVar("Result")

Parts: TypeAlias = Mapping[str, Callable[[dict[str, Any], Arrays], Any]]
"""Names of the parts of a model, and how each is restored from its header and arrays."""

logger = logging.getLogger(__name__)

INPUTS_PER_CHUNK = 64
TEXTS_PER_CHUNK = 16


class TextModel(ABC, Generic[Result]):
    """A model with a verb for a text; many texts go through `pipe`."""

    @abstractmethod
    def results(
        self, texts: Sequence[str], engine: Engine = ALONE, *, first: int | None = None
    ) -> list[Result]:
        """The results of the model's verb for some texts, which are processed together.

        Parameters
        ----------
        first : number of the first text in a stream, where sentences that are too long are
            skipped; without it, they are errors.
        """

    def pipe(self, texts: Iterable[str], *, engine: AnyEngine = ALONE) -> Iterator[Result]:
        """The results of the model's verb for many texts, as a stream.

        A sentence that is longer than `longest` is logged, and has the result of an empty one.
        """
        if isinstance(texts, str):
            raise UsageError("`pipe` takes several texts; give one text to the model's verb")
        workers = Engine.of(engine)
        first = 1
        for chunk in chunked(texts, TEXTS_PER_CHUNK * workers.threads):
            yield from self.results(chunk, workers, first=first)
            first += len(chunk)


class SentenceModel(TextModel[list[Result]], Generic[Result]):
    """A model that works sentence by sentence, and gives one result for each."""

    hyphens: bool = False
    """Whether words with hyphens stay whole in plain text, as they did in training."""

    longest: int
    """Words of the longest sentence that the model's verb takes; see `runoff.data.limits`."""

    @abstractmethod
    def lists(
        self, inputs: Iterable[AnySentence], n: int = 1, *, engine: AnyEngine = ALONE
    ) -> Iterator[NBest]:
        """The n best candidates of every sentence, as n-best lists, as a stream."""

    @abstractmethod
    def result(self, sentence: Sentence, nbest: NBest) -> Result:
        """The result for a sentence, from the first candidate of its list."""

    def results(
        self, texts: Sequence[str], engine: Engine = ALONE, *, first: int | None = None
    ) -> list[list[Result]]:
        """The results for the sentences of each text."""
        limit = self._limit if first is None else replace(self._limit, over=_log)
        names = [None if first is None else f"text {first + i}" for i in range(len(texts))]
        sentences = [
            [
                self.of_document(sentence, str(number))
                for sentence in sentences_of(text, hyphens=self.hyphens, limit=limit, name=name)
            ]
            for number, (text, name) in enumerate(zip(texts, names, strict=True))
        ]
        lists = self.lists(chain.from_iterable(sentences), engine=engine)
        return [[self.result(one, next(lists)) for one in own] for own in sentences]

    def pipe(self, texts: Iterable[str], *, engine: AnyEngine = ALONE) -> Iterator[list[Result]]:
        """The results for the sentences of many texts, as a stream.

        A sentence that is longer than `longest` is logged, and has the result of an empty one.
        """
        if isinstance(texts, str):
            raise UsageError("`pipe` takes several texts; give one text to the model's verb")
        waiting: deque[list[Sentence]] = deque()
        limit = replace(self._limit, over=_log)

        def sentences() -> Iterator[Sentence]:
            for number, text in enumerate(texts, 1):
                found = sentences_of(text, hyphens=self.hyphens, limit=limit, name=f"text {number}")
                waiting.append([self.of_document(sentence, str(number)) for sentence in found])
                yield from waiting[-1]

        results: list[Result] = []
        for nbest in self.lists(sentences(), engine=engine):
            while len(results) == len(waiting[0]):
                yield results
                waiting.popleft()
                results = []
            results.append(self.result(waiting[0][len(results)], nbest))
        for _ in waiting:
            yield results
            results = []

    def of_document(self, sentence: Sentence, document: str) -> Sentence:
        """The sentence of a text or file, which a model may take for a document of that id."""
        return sentence

    def apply(self, given: str | AnySentence) -> list[Result] | Result:
        """The results for the sentences of a text, or the one for a sentence given as words."""
        if isinstance(given, str):
            return self.results([given])[0]
        sentence = Sentence.of(given)
        self._limit.exceeded(len(sentence), sum(map(len, sentence.words)))
        (nbest,) = self.lists([sentence])
        return self.result(sentence, nbest)

    @property
    def _limit(self) -> Limit:
        return Limit(self.longest, hint="set `longest` of the model to take more words")


def _log(error: TooLongError) -> None:
    logger.warning("%s; it is skipped", error.message)


class RerankedSystem(SavedModel, Generic[Input]):
    """The base class of models with a ranker: its file, its lists, its reasons.

    A subclass is a dataclass whose fields are its parts, its settings and `training`.
    """

    parts: ClassVar[Parts]
    """Its parts; each has `stored()`, and the names of its arrays begin with its own."""

    header: ClassVar[type[msgspec.Struct]]
    """What the file's header must have: settings, and the headers of the parts."""

    ranker: Reranker | None
    """Picks one of the base system's candidates; without one, its first choice is taken."""

    training: dict[str, Any]
    """How it was trained and on what; becomes the header of its file."""

    n: int
    """How many candidates the ranker has to choose from."""

    @abstractmethod
    def propose(self, inputs: Sequence[Input], n: int, threads: int = 1) -> list[NBest]:
        """The candidates of the base system, before a ranker sees them."""

    def stored(self) -> tuple[dict[str, Any], Arrays]:
        """Header and arrays, for a model file."""
        names = [name for name in self.header.__struct_fields__ if name not in self.parts]
        settings = msgspec.to_builtins({name: getattr(self, name) for name in names})
        header = {**self.training, **settings}
        arrays: dict[str, Any] = {}
        for name in self.parts:
            part = getattr(self, name)
            header[name], own = (None, {}) if part is None else part.stored()
            arrays |= prefixed(f"{name}.", own)
        return header, arrays

    @classmethod
    def restored(cls, header: dict[str, Any], arrays: Arrays) -> Self:
        """The model of a header and arrays, which are checked."""
        found = msgspec.structs.asdict(msgspec.convert(header, cls.header))
        for name, restore in cls.parts.items():
            if found[name] is not None:
                found[name] = restore(found[name], without_prefix(f"{name}.", arrays))
        training = {key: value for key, value in header.items() if key not in found}
        return cls(**found, training=training)  # type: ignore[call-arg]

    def lists(
        self, inputs: Iterable[Input], n: int | None = 1, *, engine: AnyEngine = ALONE
    ) -> Iterator[NBest]:
        """The n best candidates of every input, as n-best lists, as a stream.

        Parameters
        ----------
        inputs : as `propose` takes them.
        n : how many; None for all that the ranker chose from.
        """
        return (nbest for nbest, _ in self._stream(inputs, n, Engine.of(engine), why=False))

    def explained(
        self, inputs: Iterable[Input], n: int | None = 1, *, engine: AnyEngine = ALONE
    ) -> Iterator[tuple[NBest, Reasons | None]]:
        """The lists of `lists`, each with the reasons of `why`; features are extracted once."""
        if self.last_ranker is None:
            raise NotFittedError("this model has no ranker, so there are no reasons")
        return self._stream(inputs, n, Engine.of(engine), why=True)

    @property
    def last_ranker(self) -> Reranker | None:
        """The ranker that decides, where there are several."""
        return self.ranker

    @property
    def whole_documents(self) -> bool:
        """Whether the sentences of a document are ranked together."""
        return self.ranker is not None and kept_together(self.ranker.extractors) is not None

    def _stream(
        self, inputs: Iterable[Input], n: int | None, engine: Engine, *, why: bool
    ) -> Iterator[tuple[NBest, Reasons | None]]:
        """Every input's n best, and with `why` the reasons where there was something to decide.

        Lists carry the document of their input, and a ranker that looks at whole documents gets
        the lists of each together.
        """
        if n is not None:
            check_at_least(1, n=n)
        work = partial(_decoded, Reference(self, type(self).load), n, why)
        found = engine.stream(
            work,
            inputs,
            size=INPUTS_PER_CHUNK,
            together=_document if self.whole_documents else None,
            nearby=partial(work, threads=engine.threads),
        )
        for number, (nbest, why_first) in enumerate(found, 1):
            yield msgspec.structs.replace(nbest, id=number), why_first

    def decoded(
        self, inputs: Sequence[Input], n: int | None, *, why: bool, threads: int = 1
    ) -> list[tuple[NBest, Reasons | None]]:
        """The n best candidates of some inputs, and why the first was chosen, if asked."""
        size = self.n if n is None else max(n, self.n) if self.ranker else n
        proposed = zip(self.propose(inputs, size, threads), inputs, strict=True)
        ranked = self._ranked([with_document(*pair) for pair in proposed])
        return list(self.with_reasons(ranked, n, why=why))

    def with_reasons(
        self, lists: Iterable[tuple[NBest, RankedList | None]], n: int | None, *, why: bool
    ) -> Iterator[tuple[NBest, Reasons | None]]:
        """Lists cut to their n best, with the reasons of the last ranker where they are asked."""
        last = self.last_ranker if why else None
        for nbest, ranked in lists:
            found = reasons(last, ranked) if last and ranked and len(ranked.nbest) > 1 else None
            yield msgspec.structs.replace(nbest, candidates=nbest.candidates[:n]), found

    def _ranked(self, lists: list[NBest]) -> list[tuple[NBest, RankedList | None]]:
        """The lists in the order of the ranker; an empty input leaves no choice."""
        last = self.last_ranker
        if last is None:
            return [(nbest, None) for nbest in lists]
        ranked = iter(last.ranked([nbest for nbest in lists if nbest.input]))
        found = [next(ranked) if nbest.input else None for nbest in lists]
        pairs = zip(lists, found, strict=True)
        return [(nbest if one is None else one.nbest, one) for nbest, one in pairs]

    def why(self, nbest: NBest) -> Reasons | None:
        """Why the winner of a list beat the base's first choice, or the runner-up.

        None where there was nothing to decide.
        """
        last = self.last_ranker
        if last is None:
            raise NotFittedError("this model has no ranker, so there are no reasons")
        return None if len(nbest) < 2 else why(last, nbest)


def _decoded(
    model: Reference[RerankedSystem[Input]],
    n: int | None,
    why: bool,
    inputs: list[Input],
    threads: int = 1,
) -> list[tuple[NBest, Reasons | None]]:
    return model.model.decoded(inputs, n, why=why, threads=threads)


def with_document(nbest: NBest, given: object) -> NBest:
    """The list with the id of the document that its input is part of, if that is known."""
    document = _document(given)
    if document is None:
        return nbest
    return msgspec.structs.replace(nbest, extra={**nbest.extra, "document": document})


def _document(given: object) -> str | None:
    return given.document if isinstance(given, Sentence) else None
