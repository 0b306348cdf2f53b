"""How long reranking takes."""

from __future__ import annotations

import time
from collections.abc import Iterable

from runoff.data.nbest import NBest
from runoff.engine import chunked
from runoff.problem.build.build import LISTS_PER_CHUNK
from runoff.problem.extractor import kept_together
from runoff.tasks.ranking.reranker import Reranker


def reranking_ms(reranker: Reranker, lists: Iterable[NBest]) -> float | None:
    """CPU milliseconds that reranking takes per list, from lists in memory to lists."""
    spent, done = 0.0, 0
    for some in chunked(lists, LISTS_PER_CHUNK, kept_together(reranker.extractors)):
        began = time.process_time()
        reranker.rerank(some)
        spent += time.process_time() - began
        done += len(some)
    return 1000 * spent / done if done else None
