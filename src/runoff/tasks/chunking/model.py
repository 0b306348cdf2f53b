"""Chunking: a tagger, a conditional random field and a reranker in one model, and its use."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, overload

import msgspec
from msgspec.structs import replace

from runoff.data.limits import WORDS
from runoff.data.nbest import Candidate, NBest
from runoff.data.sentence import AnySentence, Sentence
from runoff.fitting.parameters import with_options
from runoff.pipeline.model import Parts
from runoff.proposers.sequence.crf import Crf
from runoff.tasks.ranking.reranker import Reranker
from runoff.tasks.tagging.chunked import ChunkedSentence
from runoff.tasks.tagging.model import TaggingModel
from runoff.tasks.tagging.reranked import RerankedTagger, distinct

SCHEMES = ("iob2", "iobes")
"""What the CRF may learn; candidates are written in the first."""

_AS_IOB2 = {"S": "B", "E": "I"}


class _Header(msgspec.Struct, kw_only=True):
    n: Annotated[int, msgspec.Meta(ge=1, le=10_000)]
    hyphens: bool = False
    tagger: dict[str, Any] | None = None
    crf: dict[str, Any]
    ranker: dict[str, Any] | None = None


@dataclass
class ChunkingModel(RerankedTagger):
    """Finds the chunks of sentences.

    Parameters
    ----------
    tagger : gives words their parts of speech where they come without; None if the CRF needs none.
    crf : proposes taggings.
    ranker : picks one of them; without one, the CRF's favourite is taken.
    training : how it was trained and on what; becomes the header of its file.
    n : how many taggings the ranker has to choose from.
    hyphens : whether words with hyphens stay whole in plain text, as they did in training.

    Examples
    --------
    >>> votes = [Sentence(("we", "vote"), gold=("S-NP", "S-VP"))]
    >>> model = ChunkingModel(None, Crf(prior=(10.0,)).fit(votes), None, {})
    >>> print(model.chunk(["we", "vote"]))
    [NP we] [VP vote]
    """

    kind: ClassVar[str] = "chunker"
    parts: ClassVar[Parts] = {
        "tagger": TaggingModel.restored,
        "crf": Crf.restored,
        "ranker": Reranker.restored,
    }
    header: ClassVar[type[msgspec.Struct]] = _Header
    longest = WORDS["chunk"]

    tagger: TaggingModel | None
    crf: Crf
    ranker: Reranker | None
    training: dict[str, Any]
    n: int = 20
    hyphens: bool = False

    @overload
    def chunk(self, text: str) -> list[ChunkedSentence]: ...  # type: ignore[overload-overlap]

    @overload
    def chunk(self, text: AnySentence) -> ChunkedSentence: ...

    def chunk(self, text: str | AnySentence) -> list[ChunkedSentence] | ChunkedSentence:
        """The chunks of every sentence of a text, or of one sentence given as words."""
        return self.apply(text)

    def base_tags(self) -> Iterable[str]:
        """The labels of the CRF."""
        return self.crf.model.chain.labels

    def propose(self, inputs: Sequence[AnySentence], n: int, threads: int = 1) -> list[NBest]:
        """The candidates of the CRF, before a ranker sees them."""
        sentences = self._tagged([Sentence.of(one) for one in inputs], threads)
        names = {label: _as_iob2(label) for label in self.crf.model.chain.labels}
        return [
            NBest(None, _as_json(sentence), _renamed(candidates, names))
            for sentence, candidates in zip(
                sentences, self.crf.propose_all(sentences, n, threads=threads), strict=True
            )
        ]

    def _tagged(self, sentences: list[Sentence], threads: int) -> list[Sentence]:
        """The sentences with parts of speech, if the model has a tagger for those without."""
        if self.tagger is None:
            return sentences
        bare = [one for one in sentences if one.tags is None]
        tags = self.tagger.lists(bare, engine=threads)
        return [
            replace(one, tags=tuple(next(tags).candidates[0].output)) if one.tags is None else one
            for one in sentences
        ]


def make_crf(options: Mapping[str, Any]) -> Crf:
    """A CRF with these options, which are checked."""
    crf = with_options(Crf, options, "the CRF")
    crf.check()
    return crf


def _as_json(sentence: Sentence) -> list[str] | list[list[str]]:
    """The words, or pairs of word and part of speech."""
    return list(sentence.words) if sentence.tags is None else [[*pair] for pair in sentence.pairs]


def _as_iob2(label: str) -> str:
    """A label of `SCHEMES` in IOB2: what is the same chunk there, as neighbours are those seen."""
    prefix, hyphen, kind = label.partition("-")
    return _AS_IOB2.get(prefix, prefix) + hyphen + kind


def _renamed(candidates: list[Candidate], names: Mapping[str, str]) -> list[Candidate]:
    """The candidates in IOB2; of those that say the same there, the first."""
    return distinct(
        Candidate([names[label] for label in one.output], one.logprob) for one in candidates
    )
