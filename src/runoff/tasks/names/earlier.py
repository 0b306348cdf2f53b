"""The rankers of all stages but the last, as one part of a model."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Self

from runoff.data.nbest import NBest
from runoff.engine import chunked
from runoff.errors import ModelError
from runoff.problem.build.build import LISTS_PER_CHUNK
from runoff.store.arrays import prefixed, without_prefix
from runoff.store.file import Arrays
from runoff.tasks.names.stages import Scores
from runoff.tasks.ranking.reranker import Reranker


@dataclass
class EarlierStages:
    """Rankers whose winners and scores are what the next one learns from."""

    rankers: list[Reranker]

    def stored(self) -> tuple[dict[str, Any], Arrays]:
        """Header and arrays, for a model file."""
        headers, arrays = [], dict[str, Any]()
        for number, ranker in enumerate(self.rankers, 1):
            header, own = ranker.stored()
            headers.append(header)
            arrays |= prefixed(f"{number}.", own)
        return {"rankers": headers}, arrays

    @classmethod
    def restored(cls, header: Mapping[str, Any], arrays: Arrays) -> Self:
        """The rankers of a header and arrays, which are checked."""
        headers = header.get("rankers")
        if not isinstance(headers, list) or not all(isinstance(one, dict) for one in headers):
            raise ModelError("the rankers of earlier stages are not a list of headers")
        numbered = enumerate(headers, 1)
        return cls([Reranker.restored(h, without_prefix(f"{n}.", arrays)) for n, h in numbered])


def scores_of(ranker: Reranker, lists: Iterable[NBest]) -> Iterator[Scores]:
    """The scores of the candidates of every list; a list without words leaves no choice."""
    for chunk in chunked(lists, LISTS_PER_CHUNK):
        kept = [nbest for nbest in chunk if nbest.input]
        problem = ranker.problem(kept)
        scores = ranker.ranker.scores(problem).tolist()
        own = (scores[a:b] for a, b in pairwise(problem.list_offsets.tolist()))
        for nbest in chunk:
            yield next(own) if nbest.input else [0.0] * len(nbest)
