"""A tagger with what is known about its training, as a model file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from typing import Annotated, Any

import msgspec

from runoff.data.files import FilePath
from runoff.data.nbest import NBest
from runoff.data.sentence import AnySentence, Sentence
from runoff.engine import ALONE, AnyEngine, Engine, chunked
from runoff.fitting.record import Record
from runoff.proposers.sequence.maxent_tagger import MaxentTagger
from runoff.store.file import Arrays, checking, load, save

KIND = "tagger"

SENTENCES_PER_CHUNK = 64


@dataclass
class TaggingModel:
    """A tagger with what is known about its training.

    Parameters
    ----------
    training : on what it was trained and how well it did; becomes the header of its file.
    """

    tagger: MaxentTagger
    training: dict[str, Any]

    def save(self, path: FilePath) -> None:
        """Write the model file."""
        save(path, KIND, *self.stored())

    def stored(self) -> tuple[dict[str, Any], Arrays]:
        """Header and arrays, for a model file."""
        parameters = {k: v for k, v in asdict(self.tagger).items() if not k.endswith("_")}
        header = {"parameters": parameters, **self.training, "record": self.tagger.record_}
        return header, self.tagger.arrays()

    @classmethod
    def load(cls, path: FilePath) -> TaggingModel:
        """Read a model file; nothing in it is run."""
        _, header, arrays = load(path, kind=KIND)
        with checking(path):
            return cls.restored(header, arrays)

    @classmethod
    def restored(cls, header: dict[str, Any], arrays: Arrays) -> TaggingModel:
        """The model of a header and arrays, which are checked."""
        checked = msgspec.convert(header, _Header)
        tagger = MaxentTagger(**msgspec.structs.asdict(checked.parameters)).restore(arrays)
        tagger.record_ = checked.record
        training = {k: v for k, v in header.items() if k not in ("parameters", "record")}
        return cls(tagger, training)

    def lists(
        self, sentences: Iterable[AnySentence], n: int = 1, *, engine: AnyEngine = ALONE
    ) -> Iterator[NBest]:
        """The n best tags of every sentence, as n-best lists, as a stream."""
        threads, number = Engine.of(engine).threads, 0
        for chunk in chunked(map(Sentence.of, sentences), SENTENCES_PER_CHUNK):
            for sentence, found in zip(
                chunk, self.tagger.propose_all(chunk, n, threads=threads), strict=True
            ):
                number += 1
                yield NBest(number, list(sentence.words), found)


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
