"""A tagger with what is known about its training, as a model file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Annotated, Any, overload

import msgspec
from msgspec.structs import replace

from runoff.data.limits import WORDS
from runoff.data.nbest import NBest
from runoff.data.sentence import AnySentence, Sentence
from runoff.engine import ALONE, AnyEngine, Engine
from runoff.engine.reference import Reference
from runoff.fitting.record import Record
from runoff.pipeline.model import SentenceModel, with_document
from runoff.proposers.base import Choices
from runoff.proposers.sequence.maxent_tagger import MaxentTagger
from runoff.store.file import Arrays
from runoff.store.model import SavedModel
from runoff.tasks.tagging.online import with_online_choices, with_online_tags

SENTENCES_PER_CHUNK = 64


@dataclass
class TaggingModel(SavedModel, SentenceModel[Sentence]):
    """A tagger with what is known about its training.

    Parameters
    ----------
    training : on what it was trained and how well it did; becomes the header of its file.
    """

    kind = "tagger"
    longest = WORDS["tag"]

    tagger: MaxentTagger
    training: dict[str, Any]

    def stored(self) -> tuple[dict[str, Any], Arrays]:
        """Header and arrays, for a model file."""
        parameters = {k: v for k, v in asdict(self.tagger).items() if not k.endswith("_")}
        header = {"parameters": parameters, **self.training, "record": self.tagger.record_}
        return header, self.tagger.arrays()

    @classmethod
    def restored(cls, header: dict[str, Any], arrays: Arrays) -> TaggingModel:
        """The model of a header and arrays, which are checked."""
        checked = msgspec.convert(header, _Header)
        tagger = MaxentTagger(**msgspec.structs.asdict(checked.parameters)).restore(arrays)
        tagger.record_ = checked.record
        training = {k: v for k, v in header.items() if k not in ("parameters", "record")}
        return cls(tagger, training)

    @overload
    def tag(self, text: str) -> list[Sentence]: ...  # type: ignore[overload-overlap]

    @overload
    def tag(self, text: AnySentence) -> Sentence: ...

    def tag(self, text: str | AnySentence) -> list[Sentence] | Sentence:
        """The sentences of a text with their tags, or one sentence given as words."""
        return self.apply(text)

    def result(self, sentence: Sentence, nbest: NBest) -> Sentence:
        """The sentence with the tags of the first candidate."""
        return replace(sentence, tags=tuple(nbest.candidates[0].output))

    def lists(
        self, inputs: Iterable[AnySentence], n: int = 1, *, engine: AnyEngine = ALONE
    ) -> Iterator[NBest]:
        """The n best tags of every sentence, as n-best lists, as a stream."""
        workers, work = Engine.of(engine), partial(_tagged, Reference(self, type(self).load), n)
        found = workers.stream(
            work,
            map(Sentence.of, inputs),
            size=SENTENCES_PER_CHUNK,
            nearby=partial(work, threads=workers.threads),
        )
        for number, nbest in enumerate(found, 1):
            yield replace(nbest, id=number)

    def choices(
        self, sentences: Sequence[Sentence], ratio: float, *, threads: int = 1
    ) -> list[Choices]:
        """For every word of each sentence the tags that it may have; see `MaxentTagger`."""
        found = self.tagger.choices_all(sentences, ratio, threads=threads)
        return [
            with_online_choices(sentence.words, row, self._tags)
            for sentence, row in zip(sentences, found, strict=True)
        ]

    @property
    def _tags(self) -> tuple[str, ...]:
        return self.tagger.model.dictionary.tags


def _tagged(
    model: Reference[TaggingModel], n: int, sentences: list[Sentence], threads: int = 1
) -> list[NBest]:
    tagger = model.model.tagger
    found = tagger.propose_all(sentences, n, threads=threads)
    return [
        with_document(
            NBest(
                None,
                list(sentence.words),
                with_online_tags(sentence.words, candidates, tagger.model.dictionary.tags),
            ),
            sentence,
        )
        for sentence, candidates in zip(sentences, found, strict=True)
    ]


Positive = Annotated[int, msgspec.Meta(ge=1, lt=1 << 31)]


class _Parameters(msgspec.Struct):
    prior: tuple[float, ...]
    frequent: Positive
    min_count: Positive
    beam: Positive
    iterations: Positive
    templates: tuple[str, ...]


class _Header(msgspec.Struct):
    parameters: _Parameters
    record: Record = {}
