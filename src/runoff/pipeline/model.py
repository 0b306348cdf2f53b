"""Models in which a base system proposes candidates for sentences, and a ranker picks."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from itertools import count
from typing import Any, Generic, TypeVar

import msgspec

from runoff.data.files import FilePath
from runoff.data.nbest import NBest
from runoff.engine.processes import cores
from runoff.errors import NotFittedError, UsageError
from runoff.problem.build.build import chunked
from runoff.tasks.ranking.reranker import Reranker
from runoff.tasks.ranking.why import Reasons, why

Sentence = TypeVar("Sentence")

SENTENCES_PER_CHUNK = 64


class RankedLists(ABC, Generic[Sentence]):
    """What models of trees, of chunks and of names have in common."""

    ranker: Reranker | None
    """Picks one of the base system's candidates; without one, its favourite is taken."""

    training: dict[str, Any]
    """How it was trained and on what; becomes the header of its file."""

    n: int
    """How many candidates the ranker has to choose from."""

    @abstractmethod
    def propose(self, sentences: Sequence[Sentence], n: int, threads: int = 1) -> list[NBest]:
        """What the base system proposes, before a ranker sees it."""

    @abstractmethod
    def save(self, path: FilePath) -> None:
        """Write the model file."""

    def lists(
        self, sentences: Iterable[Sentence], n: int | None = 1, *, jobs: int = 1
    ) -> Iterator[NBest]:
        """The n best candidates of every sentence, as n-best lists, as a stream.

        Parameters
        ----------
        sentences : as `propose` takes them.
        n : how many; None for all that the ranker chose from.
        jobs : threads, 0 for one per core; the result does not depend on it.
        """
        if n is not None and n < 1:
            raise UsageError(f"n must be at least 1, not {n}")
        size = self.n if n is None else max(n, self.n) if self.ranker else n
        threads, numbers = cores(jobs), count(1)
        for chunk in chunked(sentences, SENTENCES_PER_CHUNK * threads):
            for nbest in self._ranked(self.propose(chunk, size, threads)):
                yield msgspec.structs.replace(
                    nbest, id=next(numbers), candidates=nbest.candidates[:n]
                )

    def _ranked(self, lists: list[NBest]) -> list[NBest]:
        """The lists in the order of the ranker; a sentence without words has no choice."""
        if self.ranker is None:
            return lists
        ranked = iter(self.ranker.rerank([nbest for nbest in lists if nbest.input]))
        return [next(ranked) if nbest.input else nbest for nbest in lists]

    def why(self, nbest: NBest) -> Reasons | None:
        """Why the winner of a list beat the base's favourite, or the runner-up.

        None where there was nothing to decide.
        """
        if self.ranker is None:
            raise NotFittedError("this model has no ranker, so there are no reasons")
        return None if len(nbest) < 2 else why(self.ranker, nbest)
