"""Language models in use: the probability of texts, a feature of n-best lists, the next word."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import Annotated, Any

import msgspec
import numpy as np

from runoff.data.files import FilePath
from runoff.data.nbest import Candidate, NBest
from runoff.data.sentence import AnySentence, Sentence
from runoff.data.text.read import sentences_of
from runoff.engine import ALONE, AnyEngine, Engine
from runoff.engine.reference import Reference
from runoff.errors import FormatError, check_at_least
from runoff.ngrams.arpa import is_arpa, read_arpa, write_arpa
from runoff.ngrams.model import MAX_ORDER, SPECIAL, NgramModel, Perplexity
from runoff.pipeline.model import TextModel
from runoff.store.file import Arrays
from runoff.store.model import SavedModel

FEATURE = "lm"
"""What the feature of n-best lists is called by default."""

LISTS_PER_CHUNK = 64


@dataclass
class LanguageModel(SavedModel, TextModel[float]):
    """An n-gram model, and how it reads text. Log-probabilities are natural logarithms.

    Parameters
    ----------
    tokenized : whether texts are split at whitespace only, as those were that it was trained on.
    training : on what it was trained and how well it did; becomes the header of its file.
    """

    kind = "language model"

    ngrams: NgramModel
    tokenized: bool
    training: dict[str, Any]

    def stored(self) -> tuple[dict[str, Any], Arrays]:
        """Header and arrays, for a model file."""
        header = {"order": self.ngrams.order, "tokenized": self.tokenized, **self.training}
        return header, self.ngrams.arrays()

    @classmethod
    def restored(cls, header: dict[str, Any], arrays: Arrays) -> LanguageModel:
        """The model of a header and arrays."""
        found = msgspec.convert(header, _Header)
        training = {key: one for key, one in header.items() if key not in ("order", "tokenized")}
        return cls(NgramModel.restored(found.order, arrays), found.tokenized, training)

    @classmethod
    def read(cls, path: FilePath, *, map: bool = True) -> LanguageModel:
        """The model of a model file, or of an ARPA file, whose text is tokenised."""
        if is_arpa(path):
            return cls(read_arpa(path), True, {})
        return cls.load(path, map=map)

    def write_arpa(self, path: FilePath) -> None:
        """Write the n-grams as an ARPA file, which other programs read."""
        write_arpa(self.ngrams, path)

    def words(self, text: str | AnySentence) -> Sequence[str]:
        """The words of a text, which is one sentence for the model."""
        if not isinstance(text, str):
            return Sentence.of(text).words
        if self.tokenized:
            return text.split()
        return list(chain.from_iterable(one.words for one in sentences_of(text)))

    def score(self, text: str | AnySentence) -> float:
        """The log-probability of a sentence, its end included: a text, or words."""
        return self.ngrams.score(self.words(text))

    def results(
        self, texts: Sequence[str], engine: Engine = ALONE, *, first: int | None = None
    ) -> list[float]:
        """The scores of some texts, each of which is one sentence."""
        words = [self.words(text) for text in texts]
        scores: list[float] = self.ngrams.scores(words, threads=engine.threads).tolist()
        return scores

    def perplexity(
        self, sentences: Iterable[AnySentence], *, engine: AnyEngine = ALONE
    ) -> Perplexity:
        """How well the model predicts sentences."""
        words = [Sentence.of(one).words for one in sentences]
        return self.ngrams.perplexity(words, threads=Engine.of(engine).threads)

    def scored(
        self, lists: Iterable[NBest], name: str = FEATURE, *, engine: AnyEngine = ALONE
    ) -> Iterator[NBest]:
        """The lists with the score of each candidate's text as a feature of a name, as a stream."""
        workers, work = Engine.of(engine), partial(_scored, Reference(self, type(self).load), name)
        nearby = partial(work, threads=workers.threads)
        return workers.stream(work, lists, size=LISTS_PER_CHUNK, nearby=nearby)

    def scored_chunk(self, name: str, lists: Sequence[NBest], threads: int = 1) -> list[NBest]:
        """What `scored` gives for some lists."""
        words = [self._output(nbest, i) for nbest in lists for i in range(len(nbest))]
        scores = iter(self.ngrams.scores(words, threads=threads).tolist())
        found = []
        for nbest in lists:
            features = [{**(c.features or {}), name: next(scores)} for c in nbest.candidates]
            pairs = zip(nbest.candidates, features, strict=True)
            made = [msgspec.structs.replace(c, features=own) for c, own in pairs]
            found.append(msgspec.structs.replace(nbest, candidates=made))
        return found

    def _output(self, nbest: NBest, place: int) -> Sequence[str]:
        output = nbest.candidates[place].output
        if isinstance(output, str):
            return self.words(output)
        if isinstance(output, list | tuple) and all(isinstance(word, str) for word in output):
            return output
        problem = f"{nbest.name(place)}: the output of candidate {place + 1} is no text"
        raise FormatError(problem, hint="a language model scores texts and lists of words")

    def lists(
        self, inputs: Iterable[str | AnySentence], n: int = 5, *, engine: AnyEngine = ALONE
    ) -> Iterator[NBest]:
        """The n most probable next words after texts, as n-best lists, as a stream."""
        check_at_least(1, n=n)
        work = partial(_next_words, Reference(self, type(self).load), n)
        words = map(self.words, inputs)
        for number, nbest in enumerate(Engine.of(engine).stream(work, words, size=1), 1):
            yield msgspec.structs.replace(nbest, id=number)

    def next_words(self, words: Sequence[str], n: int) -> NBest:
        """The n most probable words after some words, as a list."""
        never = [SPECIAL.index("<unk>"), SPECIAL.index("<s>")]
        scores = self.ngrams.next_scores(words)
        scores[never] = -math.inf
        best = np.argsort(-scores, kind="stable")[: min(n, len(scores) - len(never))].tolist()
        names = self.ngrams.vocabulary
        candidates = [Candidate(names[word], float(scores[word])) for word in best]
        return NBest(None, " ".join(words), candidates)


def _scored(
    model: Reference[LanguageModel], name: str, lists: list[NBest], threads: int = 1
) -> list[NBest]:
    return model.model.scored_chunk(name, lists, threads)


def _next_words(model: Reference[LanguageModel], n: int, texts: list[Sequence[str]]) -> list[NBest]:
    return [model.model.next_words(words, n) for words in texts]


class _Header(msgspec.Struct):
    order: Annotated[int, msgspec.Meta(ge=1, le=MAX_ORDER)]
    tokenized: bool
