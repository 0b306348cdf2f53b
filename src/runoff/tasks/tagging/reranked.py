"""Models that tag sentences: a base system proposes taggings, and a ranker picks."""

from __future__ import annotations

from collections.abc import Iterable

from runoff.data.nbest import Candidate, NBest
from runoff.data.sentence import AnySentence, Sentence
from runoff.pipeline.model import RerankedSystem, SentenceModel
from runoff.tasks.tagging.chunked import ChunkedSentence


class RerankedTagger(RerankedSystem[AnySentence], SentenceModel[ChunkedSentence]):
    """The base class of models of chunks and names; candidates are in IOB2."""

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
