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
from runoff.errors import NotFittedError, check_at_least
from runoff.problem.build.build import chunked
from runoff.tasks.ranking.reranker import RankedList, Reranker
from runoff.tasks.ranking.why import Reasons, reasons, why

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
        return (nbest for nbest, _ in self._stream(sentences, n, jobs))

    def explained(
        self, sentences: Iterable[Sentence], n: int | None = 1, *, jobs: int = 1
    ) -> Iterator[tuple[NBest, Reasons | None]]:
        """What `lists` gives, each with the reasons of `why`; features are extracted once."""
        if self.ranker is None:
            raise NotFittedError("this model has no ranker, so there are no reasons")
        for nbest, ranked in self._stream(sentences, n, jobs):
            decided = ranked is not None and len(ranked.nbest) > 1
            yield nbest, reasons(self.ranker, ranked) if ranked and decided else None

    def _stream(
        self, sentences: Iterable[Sentence], n: int | None, jobs: int
    ) -> Iterator[tuple[NBest, RankedList | None]]:
        """Every sentence's n best, and how they were ranked, if they were."""
        if n is not None:
            check_at_least(1, n=n)
        size = self.n if n is None else max(n, self.n) if self.ranker else n
        threads, numbers = cores(jobs), count(1)
        for chunk in chunked(sentences, SENTENCES_PER_CHUNK * threads):
            for nbest, ranked in self._ranked(self.propose(chunk, size, threads)):
                best = nbest.candidates[:n]
                yield msgspec.structs.replace(nbest, id=next(numbers), candidates=best), ranked

    def _ranked(self, lists: list[NBest]) -> list[tuple[NBest, RankedList | None]]:
        """The lists in the order of the ranker; a sentence without words has no choice."""
        if self.ranker is None:
            return [(nbest, None) for nbest in lists]
        ranked = iter(self.ranker.ranked([nbest for nbest in lists if nbest.input]))
        found = [next(ranked) if nbest.input else None for nbest in lists]
        pairs = zip(lists, found, strict=True)
        return [(nbest if one is None else one.nbest, one) for nbest, one in pairs]

    def why(self, nbest: NBest) -> Reasons | None:
        """Why the winner of a list beat the base's favourite, or the runner-up.

        None where there was nothing to decide.
        """
        if self.ranker is None:
            raise NotFittedError("this model has no ranker, so there are no reasons")
        return None if len(nbest) < 2 else why(self.ranker, nbest)
