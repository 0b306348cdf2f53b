"""One row per list: what the base system and the ranker chose, and what that gained.

Lists stream; what is kept of them is a row each, and sums of statistics. The page and the report
are made from these.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec
import numpy as np

from runoff.data.nbest import NBest
from runoff.metrics.base import Floats, Metric
from runoff.metrics.measure import Measured, measure
from runoff.metrics.oracle import one_best, oracle, random_totals
from runoff.report.tables import shown_value
from runoff.tasks.ranking.reranker import Reranker

SHOWN = 120
"""Characters of a list that stand for it among others."""

BLIND: dict[str, Callable[[Sequence[int]], int]] = {
    "shortest": lambda sizes: int(np.argmin(sizes)),
    "longest": lambda sizes: int(np.argmax(sizes)),
}
"""Choices that see nothing of a candidate but its length, beside a random one: what a ranker that
learned no more than that would reach."""


class Row(msgspec.Struct, omit_defaults=True):
    """A list among others.

    Parameters
    ----------
    number : of the list, from 0.
    text : the beginning of its input, or of its first candidate.
    before : the rank of the pick in the base order; 0 if the ranker left it there.
    margin : by how much the pick's score leads the next; None where there is no choice.
    base, picked, oracle : qualities, where they are known.
    """

    number: int
    id: str | int | None
    text: str
    n: int
    before: int
    margin: float | None = None
    confidence: float | None = None
    base: float | None = None
    picked: float | None = None
    oracle: float | None = None

    @property
    def gain(self) -> float:
        """The quality that the ranker won, or lost if it is negative."""
        return (self.picked or 0.0) - (self.base or 0.0)


@dataclass
class Overview:
    """Rows of lists, and the figures of ways to choose from them.

    Parameters
    ----------
    reranker : picks; without one, the scores that lists carry do, or else the base order.
    metric : gives qualities; without one there are none.
    totals, statistics : of each way to choose: summed statistics, and those of every list.
    """

    reranker: Reranker | None = None
    metric: Metric | None = None
    totals: dict[str, Floats] = field(default_factory=dict)
    statistics: dict[str, list[Floats]] = field(default_factory=dict)
    lists: int = 0
    candidates: int = 0
    longest: int = 0

    def add(self, lists: Sequence[NBest]) -> list[tuple[NBest, Row]]:
        """The lists in their new order, their candidates with qualities, and the row of each.

        Lists of one document have to come together, if an extractor looks at documents.
        """
        found = measure(lists, self.metric, self.lists + 1) if self.metric else None
        if found is not None:
            lists = with_qualities(lists, found)
        ordered = self._ordered(lists)
        rows = [self._row(self.lists + i, nbest) for i, nbest in enumerate(ordered)]
        if found is not None:
            self._sum(lists, ordered, found)
        self.lists += len(lists)
        self.candidates += sum(map(len, lists))
        self.longest = max([self.longest, *map(len, lists)])
        return list(zip(ordered, rows, strict=True))

    def figures(self) -> dict[str, dict[str, float]]:
        """The metric's figures of each way to choose; none without a metric."""
        if self.metric is None:
            return {}
        return {
            name: {key: float(value) for key, value in self.metric.figures(total).items()}
            for name, total in self.totals.items()
        }

    def _ordered(self, lists: Sequence[NBest]) -> list[NBest]:
        if self.reranker is not None:
            return self.reranker.rerank(lists)
        return [in_given_order(nbest) for nbest in lists]

    def _row(self, number: int, nbest: NBest) -> Row:
        candidates = nbest.candidates
        scores = [c.score for c in candidates[:2] if c.score is not None]
        row = Row(
            number,
            nbest.id,
            short_text(nbest),
            len(nbest),
            candidates[0].rank or 0,
            margin=scores[0] - scores[1] if len(scores) == 2 else None,
            confidence=nbest.extra.get("confidence"),
        )
        qualities = [c.quality for c in candidates]
        if self.metric is not None and None not in qualities:
            ranks = [c.rank for c in candidates]
            row.base = qualities[ranks.index(0)]
            row.picked, row.oracle = qualities[0], max(q for q in qualities if q is not None)
        return row

    def _sum(self, lists: Sequence[NBest], ordered: Sequence[NBest], found: Measured) -> None:
        starts = found.offsets[:-1]
        base_orders = [nbest.base_order() for nbest in lists]
        picks = [
            start + order[nbest.candidates[0].rank or 0]
            for start, order, nbest in zip(starts.tolist(), base_orders, ordered, strict=True)
        ]
        rows: dict[str, Any] = {"base": one_best(found)}
        if any(c.score is not None for nbest in ordered for c in nbest.candidates[:1]):
            rows["picked"] = np.array(picks, dtype=np.int64)
        rows["oracle"] = oracle(found)
        for name, choose in BLIND.items():
            places = [choose([output_size(c.output) for c in one.candidates]) for one in lists]
            rows[name] = starts + np.array(places, dtype=np.int64)
        for name, chosen in rows.items():
            self.statistics.setdefault(name, []).append(found.statistics[chosen])
        sums = {name: found.statistics[chosen].sum(axis=0) for name, chosen in rows.items()}
        sums["random"] = random_totals(found)
        for name, total in sums.items():
            self.totals[name] = self.totals.get(name, np.zeros(len(total))) + total


def with_qualities(lists: Sequence[NBest], found: Measured) -> list[NBest]:
    """The lists, every candidate with the quality that was measured."""
    qualities = iter(found.qualities.tolist())
    return [
        msgspec.structs.replace(
            nbest,
            candidates=[
                msgspec.structs.replace(c, quality=next(qualities)) for c in nbest.candidates
            ],
        )
        for nbest in lists
    ]


def in_given_order(nbest: NBest) -> NBest:
    """The list in the order of the scores that it carries, or else in the base order."""
    ranks, order = nbest.base_ranks(), nbest.base_order()
    scores = [c.score for c in nbest.candidates if c.score is not None]
    if len(scores) == len(nbest):
        order = sorted(range(len(nbest)), key=lambda place: (-scores[place], ranks[place]))
    candidates = [msgspec.structs.replace(nbest.candidates[i], rank=ranks[i]) for i in order]
    return msgspec.structs.replace(nbest, candidates=candidates)


def output_size(output: Any) -> int:
    """The length of an output: words of a text, or items of a list.

    Examples
    --------
    >>> output_size("a vote was held"), output_size(["B-NP", "O"]), output_size(None)
    (4, 2, 0)
    """
    if isinstance(output, str):
        return len(output.split())
    return len(output) if isinstance(output, list | tuple | dict) else 0


def short_text(nbest: NBest) -> str:
    """The beginning of a list's input, or of its best candidate where there is none."""
    given = nbest.candidates[0].output if nbest.input is None else nbest.input
    return shown_value(given)[:SHOWN]


def metric_for(first: NBest, metric: Metric | None, quality: Metric) -> Metric | None:
    """The metric that was named, or the qualities that lists carry, if the first one does."""
    if metric is not None:
        return metric
    return quality if all(c.quality is not None for c in first.candidates) else None


def only_rows(found: Iterable[tuple[NBest, Row]]) -> list[Row]:
    """The rows without their lists."""
    return [row for _, row in found]
