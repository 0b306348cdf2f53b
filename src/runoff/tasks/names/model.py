"""Names: a maximum-entropy tagger and a reranker in one model, and its use."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import msgspec

from runoff.data.files import FilePath
from runoff.data.nbest import Candidate, NBest
from runoff.data.schemes import convert
from runoff.proposers.sequence.word_forms import Token
from runoff.store.file import checking, load, prefixed, save, without_prefix
from runoff.tasks.ranking.reranker import Reranker
from runoff.tasks.tagging.model import TaggingModel
from runoff.tasks.tagging.reranked import RankedTaggings, distinct

KIND = "names"

PARTS = ("tagger", "ranker")
"""Of a model, and what the names of its arrays begin with."""


@dataclass
class NamesModel(RankedTaggings):
    """Finds the names of sentences.

    Parameters
    ----------
    tagger : proposes for each word whether it begins a name, goes on with one, or is in none.
    ranker : picks one of its taggings; without one, the tagger's favourite is taken.
    training : how it was trained and on what; becomes the header of its file.
    n : how many taggings the ranker has to choose from.
    hyphens : whether words with hyphens stay whole in plain text, as they did in training.

    References
    ----------
    Collins and Duffy (2002), section 6.2.

    Examples
    --------
    >>> from runoff.data.tagged import TaggedSentence
    >>> from runoff.tasks.tagging.model import train_tagger
    >>> seen = [TaggedSentence((("Ann", "won"), ("B", "O")))]
    >>> tagger = train_tagger(seen, options={"prior": (10.0,), "min_count": 1})
    >>> NamesModel(tagger, None, {}).chunks(["Ann", "won"])
    [Chunk(type='', span=Span(start=0, end=1))]
    """

    tagger: TaggingModel
    ranker: Reranker | None
    training: dict[str, Any]
    n: int = 20
    hyphens: bool = False

    def propose(
        self, sentences: Sequence[Sequence[Token]], n: int, threads: int = 1
    ) -> list[NBest]:
        """What the tagger proposes, before a ranker sees it."""
        words = [[one if isinstance(one, str) else one[0] for one in own] for own in sentences]
        found = self.tagger.tagger.propose_all(words, n, threads=threads)
        return [
            NBest(None, list(own), distinct(_in_iob2(candidates)))
            for own, candidates in zip(words, found, strict=True)
        ]

    def save(self, path: FilePath) -> None:
        """Write the model file."""
        tagger, tagger_arrays = self.tagger.stored()
        ranker, ranker_arrays = (None, {}) if self.ranker is None else self.ranker.stored()
        header = {
            **self.training,
            "n": self.n,
            "hyphens": self.hyphens,
            "tagger": tagger,
            "ranker": ranker,
        }
        arrays = prefixed("tagger.", tagger_arrays) | prefixed("ranker.", ranker_arrays)
        save(path, KIND, header, arrays)

    @classmethod
    def load(cls, path: FilePath) -> NamesModel:
        """Read a model file; nothing in it is run."""
        _, header, arrays = load(path, kind=KIND)
        with checking(path):
            checked = msgspec.convert(header, _Header)
            ranker = None
            if checked.ranker is not None:
                ranker = Reranker.restored(checked.ranker, without_prefix("ranker.", arrays))
            return cls(
                TaggingModel.restored(checked.tagger, without_prefix("tagger.", arrays)),
                ranker,
                {key: header[key] for key in header if key not in _Header.__struct_fields__},
                checked.n,
                checked.hyphens,
            )


class _Header(msgspec.Struct):
    n: Annotated[int, msgspec.Meta(ge=1, le=10_000)]
    tagger: dict[str, Any]
    ranker: dict[str, Any] | None = None
    hyphens: bool = False


def _in_iob2(candidates: Iterable[Candidate]) -> Iterable[Candidate]:
    """The candidates as they are read: what goes on with no name begins one."""
    for candidate in candidates:
        yield Candidate(convert(candidate.output, "iob2"), candidate.logprob)
