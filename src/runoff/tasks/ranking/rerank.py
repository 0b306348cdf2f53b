"""Reranking as a stream, by one worker or many."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import closing
from functools import partial

from runoff.data.lists import Lists, open_lists
from runoff.data.nbest import NBest
from runoff.engine import ALONE, AnyEngine, Engine
from runoff.engine.reference import Reference
from runoff.problem.build.build import LISTS_PER_CHUNK
from runoff.problem.extractor import are_native, kept_together
from runoff.tasks.ranking.reranker import Reranker
from runoff.tasks.ranking.results.ranked import ListScores, abstaining, ordered, with_confidence


def rerank(
    reranker: Reranker, lists: Lists, *, abstain: float | None = None, engine: AnyEngine = ALONE
) -> Iterator[NBest]:
    """The lists with their candidates in the ranker's order, as a stream.

    Parameters
    ----------
    abstain : lists whose confidence is lower stay in the base order; see `Reranker.rerank`.
    engine : what reranks: a number of workers, or an `Engine`.

    Examples
    --------
    >>> import runoff as ro
    >>> lists = [ro.NBest(1, None, [ro.Candidate("a", -1.0), ro.Candidate("b", -2.0)], gold="b")]
    >>> reranker = ro.fit(lists, metric="exact", min_lists=1)
    >>> [nbest.candidates[0].rank for nbest in ro.rerank(reranker, lists)]
    [1]
    """
    reranker.check_abstain(abstain)
    return _reranked(reranker, open_lists(lists), abstain, Engine.of(engine))


def _reranked(
    reranker: Reranker, lists: Iterable[NBest], abstain: float | None, engine: Engine
) -> Iterator[NBest]:
    """The lists in their new order; of workers come their scores alone, not all of them again."""
    waiting: deque[NBest] = deque()

    def seen() -> Iterator[NBest]:
        for nbest in lists:
            waiting.append(nbest)
            yield nbest

    scored = engine.stream(
        partial(_scored, reranker.reference()),
        seen(),
        size=LISTS_PER_CHUNK,
        together=kept_together(reranker.extractors),
        native=are_native(reranker.extractors),
    )
    with closing(scored) as found:
        for scores, sure in found:
            ranked = with_confidence(ordered(waiting.popleft(), scores)[0], sure)
            yield ranked if abstain is None else abstaining(ranked, abstain)


def _scored(reranker: Reference[Reranker], lists: list[NBest]) -> list[ListScores]:
    return reranker.model.list_scores(reranker.model.problem(lists))
