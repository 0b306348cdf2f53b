"""Looking into n-best lists: what they hold, and what could be won."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain

import numpy as np

from runoff.data.lists import Lists, open_lists, path_of
from runoff.data.nbest import NBest
from runoff.errors import FormatError
from runoff.metrics import AnyMetric
from runoff.metrics import metric as find_metric
from runoff.metrics.measure import measure
from runoff.metrics.oracle import Row, table


@dataclass
class Inspection:
    """The contents of a file of lists.

    `by_n` has 1-best, oracle, random and worst of the first n candidates, where there is
    something to measure by.
    """

    lists: int = 0
    candidates: int = 0
    shortest: int = 0
    median: float = 0.0
    longest: int = 0
    duplicates: int = 0
    ties: int = 0
    out_of_order: int = 0
    parts: dict[str, int] = field(default_factory=dict)
    signature: str | None = None
    by_n: list[Row] = field(default_factory=list)


def inspect(lists: Lists, metric: AnyMetric | None = None) -> Inspection:
    """Sizes, duplicates, ties, and 1-best, oracle, random and worst by n.

    Parameters
    ----------
    metric : measures against gold; without one, qualities that the lists carry are used.

    Examples
    --------
    >>> from runoff.data.nbest import Candidate
    >>> seen = inspect([NBest(1, None, [Candidate("a", -1.0), Candidate("a", -1.0)])])
    >>> seen.lists, seen.duplicates, seen.ties
    (1, 1, 1)
    """
    stream = open_lists(lists)
    first = next(stream, None)
    if first is None:
        raise FormatError("there are no lists to inspect", path=path_of(lists))
    if metric is None and all(c.quality is not None for c in first.candidates):
        metric = "quality"
    result, sizes = Inspection(), list[int]()
    watched = _watch(chain([first], stream), result, sizes)
    if metric is None:
        for _ in watched:
            pass
    else:
        chosen = find_metric(metric, allow_code=True)
        result.by_n = table(measure(watched, chosen), chosen)
        result.signature = chosen.signature()
    result.shortest, result.longest = min(sizes), max(sizes)
    result.median = float(np.median(sizes))
    return result


def _watch(lists: Iterable[NBest], result: Inspection, sizes: list[int]) -> Iterator[NBest]:
    parts: Counter[str] = Counter()
    for nbest in lists:
        sizes.append(len(nbest))
        result.lists += 1
        result.candidates += len(nbest)
        outputs = [repr(c.output) for c in nbest.candidates if c.output is not None]
        result.duplicates += len(outputs) - len(set(outputs))
        scores = nbest.base_scores()
        result.ties += len(scores) > 1 and scores.count(max(scores)) > 1
        result.out_of_order += nbest.base_order() != list(range(len(nbest)))
        parts.update(_parts(nbest))
        yield nbest
    result.parts = dict(parts)


def _parts(nbest: NBest) -> Iterator[str]:
    """Parts that the list has, those of candidates if all of them have it."""
    yield from (part for part in ("id", "input", "gold") if getattr(nbest, part) is not None)
    for part in ("output", "logprob", "quality", "features", "score"):
        if all(getattr(c, part) is not None for c in nbest.candidates):
            yield part
