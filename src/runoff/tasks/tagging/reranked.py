"""Models that tag sentences: a base system proposes taggings, and a ranker picks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from runoff.data.nbest import Candidate, NBest
from runoff.data.schemes import Chunk, decode
from runoff.data.text.read import sentence_words
from runoff.data.text.sentences import split_sentences
from runoff.pipeline.model import RerankedSystem
from runoff.proposers.sequence.word_forms import Token


class RerankedTagger(RerankedSystem[Sequence[Token]]):
    """What models of chunks and of names have in common; candidates are in IOB2.

    Sentences are words, or pairs of word and part of speech.
    """

    hyphens: bool
    """Whether words with hyphens stay whole in plain text, as they did in training."""

    def chunks(self, sentence: Sequence[Token]) -> list[Chunk]:
        """The chunks of a sentence, given as words or as pairs of word and part of speech."""
        (nbest,) = self.lists([sentence])
        return decode(nbest.candidates[0].output)

    def sentences(self, text: str) -> list[NBest]:
        """The sentences of plain text, each with its tagging."""
        pieces = split_sentences(text)
        return list(self.lists(sentence_words(one.text, hyphens=self.hyphens) for one in pieces))


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
