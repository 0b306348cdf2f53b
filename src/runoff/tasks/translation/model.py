"""Translators in use: text to text, n-best lists, reasons."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Annotated, Any, NamedTuple

import msgspec
import numpy as np

from runoff.data.files import FilePath, read_text_lines
from runoff.data.limits import WORDS, Limit, Over, reject
from runoff.data.nbest import Candidate, NBest
from runoff.data.sentence import AnySentence, Sentence
from runoff.engine import ALONE, AnyEngine, Engine
from runoff.engine.reference import Reference
from runoff.errors import ModelError, TooLongError, check_at_least
from runoff.learners.terms import Terms
from runoff.ngrams.model import MAX_ORDER, NgramModel
from runoff.pipeline.model import TextModel
from runoff.proposers.translation.blocks import BlockTable
from runoff.proposers.translation.decoder import Decoder, Derivation, Floats, Found, Search
from runoff.proposers.translation.features import (
    COPIED_WORDS,
    COPYING,
    FeatureSet,
    feature_set,
)
from runoff.store.arrays import prefixed, take, without_prefix
from runoff.store.file import Arrays
from runoff.store.model import SavedModel
from runoff.store.strings import StringTable, pack_words, take_words
from runoff.tasks.translation.wording import Wording

SENTENCES_PER_CHUNK = 32

LONGEST_LINE = 1 << 20

COPIED = "copied words"
"""A term of a score that is no feature."""

logger = logging.getLogger(__name__)


@dataclass
class TranslationModel(SavedModel, TextModel[str]):
    """A translator: blocks, a language model, and the weights of their features.

    Every line of a text is translated by itself.

    Parameters
    ----------
    features : name of the set of features.
    weights : of each of them.
    search : how translations are searched for; it may be replaced.
    training : on what it was trained and how well it did; becomes the header of its file.
    """

    kind = "translator"

    decoder: Decoder
    features: str
    weights: Floats
    search: Search
    wording: Wording
    training: dict[str, Any]
    longest: int = WORDS["translate"]

    @property
    def feature_set(self) -> FeatureSet:
        """The features, by name."""
        return feature_set(self.features)

    def translate(self, text: str) -> str:
        """The translation of a text, line by line."""
        return self.results([text])[0]

    def results(
        self, texts: Sequence[str], engine: Engine = ALONE, *, first: int | None = None
    ) -> list[str]:
        """The translations of some texts."""
        lines = [text.split("\n") for text in texts]
        words = [
            [self._words(line, None if first is None else f"text {first + i}") for line in own]
            for i, own in enumerate(lines)
        ]
        lists = self.lists((one for own in words for one in own), engine=engine)
        return ["\n".join(next(lists).candidates[0].output for _ in own) for own in words]

    def _words(self, line: str, name: str | None) -> list[str]:
        words = self.cut(line)
        hint = "set `longest` of the model to take more words"
        limit = Limit(self.longest, hint=hint)
        if name is not None:
            limit = replace(limit, over=_log)
        return [] if limit.exceeded(len(words), len(line), path=name) else words

    def lists(
        self, inputs: Iterable[str | AnySentence], n: int = 1, *, engine: AnyEngine = ALONE
    ) -> Iterator[NBest]:
        """The n best translations of sentences, as n-best lists, as a stream.

        A sentence is a text of one line, or words as the model has them. Lists are numbered from
        0, as those of Moses are and as `runoff convert --gold` expects. Candidates have named
        features whose weighted sum is `logprob`; `extra` has their words, and their blocks: first
        and last source word, first and last target word, counted from 0.
        """
        check_at_least(1, n=n)
        workers, work = Engine.of(engine), partial(_translated, Reference(self, type(self).load), n)
        found = workers.stream(
            work,
            map(self.source_words, inputs),
            size=SENTENCES_PER_CHUNK,
            nearby=partial(work, threads=workers.threads),
        )
        for number, nbest in enumerate(found):
            yield msgspec.structs.replace(nbest, id=number)

    def source_words(self, given: str | AnySentence) -> list[str]:
        """The words of a sentence."""
        return self.cut(given) if isinstance(given, str) else [*Sentence.of(given).words]

    def cut(self, line: str) -> list[str]:
        """The words of a line of the source, with their case."""
        return self.wording.given(line)

    def prepared(self, sentences: Sequence[Sequence[str]], threads: int = 1) -> Sequence[Any]:
        """Sentences as `found` takes them at once: here their words, by themselves."""
        return sentences

    def found(
        self,
        sentences: Sequence[Any],
        n: int = 1,
        *,
        targets: Sequence[Sequence[str]] | None = None,
        threads: int = 1,
    ) -> list[Found]:
        """The n best translations of sentences that are given as words, block by block.

        Parameters
        ----------
        targets : translations that are to be made; see `Decoder.translate`.
        """
        weights = self.feature_set.raw_weights(self.weights)
        known = [self.wording.known(sentence) for sentence in sentences]
        found = self.decoder.translate(
            known, weights, self.search, n=n, distinct=targets is None, targets=targets,
            threads=threads,
        )  # fmt: skip
        for sentence, words, one in zip(sentences, known, found, strict=True):
            if words != [*sentence]:
                for derivation in one.derivations:
                    _copy_case(derivation, sentence)
        return found

    def candidate(self, found: Derivation) -> Candidate:
        """A translation as a candidate of a list."""
        names, values = self.feature_set.names, self.feature_set.values(found.features)
        blocks = [
            [[one.source.start, one.source.stop - 1], [one.target.start, one.target.stop - 1]]
            for one in found.steps
        ]
        return Candidate(
            self.wording.text(found.words),
            -found.cost,
            features=dict(zip(names, values.tolist(), strict=True)),
            extra={"words": list(found.words), "blocks": blocks},
        )

    def own_terms(self, nbest: NBest) -> Terms:
        """The features of translations with their weights, and what copied words add."""
        names = self.feature_set.names
        rows = [[(c.features or {}).get(name, 0.0) for name in names] for c in nbest.candidates]
        values = np.array(rows, dtype=np.float64).reshape(-1, len(names))
        scores = np.array([c.logprob or 0.0 for c in nbest.candidates])
        rest = (scores - values @ self.weights).round(9)  # copied words are no feature
        weights = np.append(self.weights, 1.0)
        return Terms([*names, COPIED], weights, np.column_stack([values, rest]))

    def copying(self, raw: Floats) -> float:
        """What copied words add to a score, which is no feature of its own."""
        return float(raw[COPIED_WORDS]) * -COPYING

    def read(
        self, files: Sequence[FilePath], longest: int | None = None, over: Over = reject
    ) -> Iterator[list[str]]:
        """The words of every line of files; `over` is given the error for one that is too long."""
        limit = Limit(longest or self.longest, over)
        for file in files:
            for number, line in read_text_lines(file, LONGEST_LINE, over):
                words = self.cut(line)
                long = limit.exceeded(len(words), len(line), path=file, line=number)
                yield [] if long else words

    def read_targets(self, file: FilePath) -> Iterator[list[str]]:
        """The words of every line of a file of translations."""
        for _, line in read_text_lines(file, LONGEST_LINE):
            yield self.wording.words(line)

    def stored(self) -> tuple[dict[str, Any], Arrays]:
        """Header and arrays, for a model file."""
        header, arrays = self._stored_parts()
        return header, {
            **arrays,
            **prefixed("source.", pack_words(self.decoder.source)),
            **prefixed("blocks.", self.decoder.table.arrays()),
        }

    def _stored_parts(self) -> tuple[dict[str, Any], Arrays]:
        """What the files of all translators have."""
        wording, forms = self.wording, StringTable.of(["", *self.wording.pairs])
        header = {
            **self.training,
            "features": self.features,
            "search": {key: one for key, one in asdict(self.search).items() if one != np.inf},
            "order": self.decoder.lm.order,
            "tokenized": wording.tokenized,
            "cased": wording.cased,
            "capital": wording.capital,
        }
        return header, {
            "weights": self.weights,
            **prefixed("target.", pack_words(self.decoder.target)),
            **prefixed("forms.", pack_words(forms)),
            **prefixed("lm.", self.decoder.lm.arrays()),
        }

    @classmethod
    def restored(cls, header: dict[str, Any], arrays: Arrays) -> TranslationModel:
        """The model of a header and arrays."""
        if header.get("system") == "tree":
            from runoff.tasks.translation.trees.model import TreeTranslationModel

            return TreeTranslationModel.restored(header, arrays)
        found = msgspec.convert(header, Header)
        parts = restored_parts(found, header, arrays)
        decoder = Decoder(
            take_words(without_prefix("source.", arrays)),
            parts.target,
            BlockTable.restored(without_prefix("blocks.", arrays)),
            parts.lm,
        )
        search = msgspec.convert(found.search, Search)
        search.check()
        return cls(decoder, found.features, parts.weights, search, parts.wording, parts.training)


def _translated(
    model: Reference[TranslationModel], n: int, sentences: list[list[str]], threads: int = 1
) -> list[NBest]:
    found = model.model.found(sentences, n, threads=threads)
    return [
        NBest(None, " ".join(sentence), [model.model.candidate(one) for one in own.derivations])
        for sentence, own in zip(sentences, found, strict=True)
    ]


def _copy_case(found: Derivation, sentence: Sequence[str]) -> None:
    """Give words that were copied the case that they have in the source."""
    for step in found.steps:
        if step.block < 0:
            found.words[step.target.start] = sentence[step.source.start]


class Header(msgspec.Struct):
    """What the headers of all translators have."""

    features: str
    search: dict[str, Any]
    order: Annotated[int, msgspec.Meta(ge=1, le=MAX_ORDER)]
    tokenized: bool
    cased: bool
    capital: bool


class Restored(NamedTuple):
    """What the files of all translators have, beside their rules or blocks."""

    target: StringTable
    lm: NgramModel
    weights: Floats
    wording: Wording
    training: dict[str, Any]


def restored_parts(found: Header, header: dict[str, Any], arrays: Arrays) -> Restored:
    """The parts of a file; what its header does not have by name is of the training."""
    names = feature_set(found.features).names
    forms = _forms_of(take_words(without_prefix("forms.", arrays)))
    return Restored(
        take_words(without_prefix("target.", arrays)),
        NgramModel.restored(found.order, without_prefix("lm.", arrays)),
        np.array(take(arrays, "weights", np.float64, (len(names),))),
        Wording(found.tokenized, found.cased, forms, found.capital),
        {k: v for k, v in header.items() if k not in found.__struct_fields__},
    )


def _forms_of(table: StringTable) -> dict[str, str]:
    """The forms of words out of a file."""
    parts = [pair.split(" ") for pair in table.strings()[1:]]
    if any(len(one) != 2 for one in parts):
        raise ModelError("the array 'forms.words' must hold pairs of words")
    return {word: form for word, form in parts}


def _log(error: TooLongError) -> None:
    logger.warning("%s; it is skipped", error.message)
