"""Models that tag sentences: a base system proposes taggings, and a ranker picks."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from typing import Any, Self

from runoff.data.nbest import Candidate, NBest
from runoff.data.schemes import split_tag
from runoff.data.sentence import AnySentence, Sentence
from runoff.pipeline.model import RerankedSystem, SentenceModel
from runoff.store.file import Arrays
from runoff.tasks.tagging.chunked import ChunkedSentence


class RerankedTagger(RerankedSystem[AnySentence], SentenceModel[ChunkedSentence]):
    """The base class of models of chunks and names; candidates are in IOB2."""

    @classmethod
    def restored(cls, header: dict[str, Any], arrays: Arrays) -> Self:
        """The model of a header and arrays, which are checked; so are its base system's tags."""
        model = super().restored(header, arrays)
        for tag in model.base_tags():
            split_tag(tag)
        return model

    @abstractmethod
    def base_tags(self) -> Iterable[str]:
        """The tags that the base system may give."""

    def in_units(self, sentence: Sentence) -> Sentence:
        """The sentence as the base system takes it."""
        return sentence

    def result(self, sentence: Sentence, nbest: NBest) -> ChunkedSentence:
        """The chunks of the first candidate of a list."""
        return ChunkedSentence(sentence, tuple(nbest.candidates[0].output))


def distinct(candidates: Iterable[Candidate]) -> list[Candidate]:
    """The candidates; of those with the same tags, the first.

    Examples
    --------
    >>> [one.logprob for one in distinct([Candidate(["B"], -1.0), Candidate(["B"], -2.0)])]
    [-1.0]
    """
    found: dict[tuple[str, ...], Candidate] = {}
    for candidate in candidates:
        found.setdefault(tuple(candidate.output), candidate)
    return list(found.values())
