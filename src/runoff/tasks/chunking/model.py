"""Chunking: a tagger, a conditional random field and a reranker in one model, and its use."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import msgspec

from runoff.data.files import FilePath
from runoff.data.nbest import Candidate, NBest
from runoff.errors import UsageError
from runoff.proposers.sequence.crf import Crf
from runoff.proposers.sequence.word_forms import Token
from runoff.store.file import checking, load, prefixed, save, without_prefix
from runoff.tasks.ranking.reranker import Reranker
from runoff.tasks.tagging.model import TaggingModel
from runoff.tasks.tagging.reranked import RankedTaggings, distinct

KIND = "chunker"

PARTS = ("tagger", "crf", "ranker")
"""Of a model, and what the names of its arrays begin with."""

SCHEMES = ("iob2", "iobes")
"""What the CRF may learn; candidates are written in the first."""

_AS_IOB2 = {"S": "B", "E": "I"}


@dataclass
class ChunkingModel(RankedTaggings):
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
    >>> from runoff.data.tagged import TaggedSentence
    >>> votes = [TaggedSentence((("we", "vote"), ("S-NP", "S-VP")))]
    >>> model = ChunkingModel(None, Crf(prior=(10.0,)).fit(votes), None, {})
    >>> model.chunks(["we", "vote"])
    [Chunk(type='NP', span=Span(start=0, end=1)), Chunk(type='VP', span=Span(start=1, end=2))]
    """

    tagger: TaggingModel | None
    crf: Crf
    ranker: Reranker | None
    training: dict[str, Any]
    n: int = 20
    hyphens: bool = False

    def propose(
        self, sentences: Sequence[Sequence[Token]], n: int, threads: int = 1
    ) -> list[NBest]:
        """What the CRF proposes, before a ranker sees it."""
        tokens = self._tagged(sentences, threads)
        names = {label: _as_iob2(label) for label in self.crf.model.chain.labels}
        return [
            NBest(None, [_as_json(token) for token in own], _renamed(candidates, names))
            for own, candidates in zip(
                tokens, self.crf.propose_all(tokens, n, threads=threads), strict=True
            )
        ]

    def _tagged(
        self, sentences: Sequence[Sequence[Token]], threads: int
    ) -> Sequence[Sequence[Token]]:
        """The sentences with parts of speech, if the model has a tagger for those without."""
        if self.tagger is None:
            return sentences
        bare = [[str(word) for word in one] for one in sentences if _is_bare(one)]
        tags = iter(self.tagger.tagger.tag_all(bare, threads=threads))
        return [
            [(str(word), tag) for word, tag in zip(one, next(tags), strict=True)]
            if _is_bare(one)
            else one
            for one in sentences
        ]

    def save(self, path: FilePath) -> None:
        """Write the model file."""
        tagger, tagger_arrays = (None, {}) if self.tagger is None else self.tagger.stored()
        ranker, ranker_arrays = (None, {}) if self.ranker is None else self.ranker.stored()
        crf, crf_arrays = self.crf.stored()
        header = {
            **self.training,
            "n": self.n,
            "hyphens": self.hyphens,
            "tagger": tagger,
            "crf": crf,
            "ranker": ranker,
        }
        arrays = (
            prefixed("tagger.", tagger_arrays)
            | prefixed("crf.", crf_arrays)
            | prefixed("ranker.", ranker_arrays)
        )
        save(path, KIND, header, arrays)

    @classmethod
    def load(cls, path: FilePath) -> ChunkingModel:
        """Read a model file; nothing in it is run."""
        _, header, arrays = load(path, kind=KIND)
        with checking(path):
            checked = msgspec.convert(header, _Header)
            return cls(
                None
                if checked.tagger is None
                else TaggingModel.restored(checked.tagger, without_prefix("tagger.", arrays)),
                Crf.restored(checked.crf, without_prefix("crf.", arrays)),
                None
                if checked.ranker is None
                else Reranker.restored(checked.ranker, without_prefix("ranker.", arrays)),
                {key: header[key] for key in header if key not in _Header.__struct_fields__},
                checked.n,
                checked.hyphens,
            )


def make_crf(options: Mapping[str, Any]) -> Crf:
    """A CRF with these options, which are checked."""
    try:
        return Crf(**options).check()
    except TypeError as error:
        raise UsageError(f"no such option of the CRF: {error}") from None


def _is_bare(sentence: Sequence[Token]) -> bool:
    return all(isinstance(token, str) for token in sentence)


def _as_json(token: Token) -> str | list[str]:
    return token if isinstance(token, str) else list(token)


def _as_iob2(label: str) -> str:
    """A label of `SCHEMES` in IOB2: what is the same chunk there, as neighbours are those seen."""
    prefix, hyphen, kind = label.partition("-")
    return _AS_IOB2.get(prefix, prefix) + hyphen + kind


def _renamed(candidates: list[Candidate], names: Mapping[str, str]) -> list[Candidate]:
    """The candidates in IOB2; of those that say the same there, the first."""
    return distinct(
        Candidate([names[label] for label in one.output], one.logprob) for one in candidates
    )


class _Header(msgspec.Struct):
    n: Annotated[int, msgspec.Meta(ge=1, le=10_000)]
    crf: dict[str, Any]
    tagger: dict[str, Any] | None = None
    ranker: dict[str, Any] | None = None
    hyphens: bool = False
