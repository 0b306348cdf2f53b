"""Models that tag sentences: a base system proposes taggings, and a ranker picks."""

from __future__ import annotations

from collections.abc import Iterable

from runoff.data.nbest import Candidate, NBest
from runoff.data.schemes import Chunk, decode
from runoff.data.sentence import AnySentence
from runoff.data.text.read import sentences_of
from runoff.pipeline.model import RerankedSystem


class RerankedTagger(RerankedSystem[AnySentence]):
    """What models of chunks and of names have in common; candidates are in IOB2."""

    hyphens: bool
    """Whether words with hyphens stay whole in plain text, as they did in training."""

    def chunks(self, sentence: AnySentence) -> list[Chunk]:
        """The chunks of a sentence, given as words or as pairs of word and part of speech."""
        (nbest,) = self.lists([sentence])
        return decode(nbest.candidates[0].output)

    def sentences(self, text: str) -> list[NBest]:
        """The sentences of plain text, each with its tagging."""
        return list(self.lists(sentences_of(text, hyphens=self.hyphens)))


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
