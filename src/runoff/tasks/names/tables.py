"""Tables of experiments in names that those of other chunks do not have: time, lists, clusters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, Self

import numpy as np

from runoff.data.nbest import NBest
from runoff.metrics.chunks import ChunkF1
from runoff.report.tables import Cell, Table


class Spent(NamedTuple):
    """What a plan took.

    Parameters
    ----------
    paper : hours of training, and minutes of testing, in the paper.
    training, testing : CPU seconds of the last ranker: to learn, and to rerank the test lists.
    candidates : of a test list, on average.
    """

    paper: tuple[float, float] | None
    training: float | None
    testing: float
    candidates: float


class Gains(NamedTuple):
    """How clusters of test documents fare with evidence of their own, and without.

    Parameters
    ----------
    clusters : those of two documents or more.
    better, worse : those whose F1 rises, and falls.
    """

    label: str
    clusters: int
    better: int
    worse: int

    @classmethod
    def of(
        cls,
        label: str,
        clusters: Iterable[Sequence[object]],
        before: Iterable[NBest],
        after: Iterable[NBest],
    ) -> Self:
        """The gains of clusters of documents, from lists with gold in the order of their rankers.

        Examples
        --------
        >>> from runoff.data.nbest import Candidate
        >>> made = [
        ...     [NBest(1, ["A"], [Candidate([tag])], ["B-X"], {"document": d}) for d in "de"]
        ...     for tag in ("O", "B-X")
        ... ]
        >>> Gains.of("all", ["de"], *made)
        Gains(label='all', clusters=1, better=1, worse=0)
        """
        several = [set(one) for one in clusters if len(one) > 1]
        without, having = (_statistics(lists) for lists in (before, after))
        found = [tuple(_f1(own, cluster) for own in (without, having)) for cluster in several]
        better, worse = (sum(b > a for a, b in found), sum(b < a for a, b in found))
        return cls(label, len(several), better, worse)


Statistics = Mapping[object, np.ndarray]


def _statistics(lists: Iterable[NBest]) -> Statistics:
    """What the picks of each document's lists add up to."""
    metric, found = ChunkF1(), dict[object, np.ndarray]()
    for nbest in lists:
        own = metric.statistics([nbest.candidates[0].output], nbest.gold)[0]
        found[nbest.document] = found.get(nbest.document, 0) + own
    return found


def _f1(statistics: Statistics, documents: set[object]) -> float:
    total = sum(statistics[one] for one in documents if one in statistics)
    return float(ChunkF1().figures(np.asarray(total))["F1"])


def more_tables(spent: Mapping[str, Spent], gains: Sequence[Gains]) -> list[Table]:
    """The tables of time, of the lengths of lists, and of clusters."""
    times: list[dict[str, Cell]] = []
    for label, own in spent.items():
        hours, minutes = own.paper or (None, None)
        times.append(
            {
                "plan": label,
                "training, hours, paper": hours,
                "training, CPU s, ours": own.training,
                "test, minutes, paper": minutes,
                "test, CPU s, ours": own.testing,
                "candidates of a list": own.candidates,
            }
        )
    rows: list[dict[str, Cell]] = [
        {"plan": one.label, "clusters of several": one.clusters, "better": one.better,
         "worse": one.worse}
        for one in gains
    ]  # fmt: skip
    decimals = dict.fromkeys(("training, CPU s, ours", "test, CPU s, ours"), 1)
    found = [
        Table("Table 3: time of the last ranker", times, {**decimals, "candidates of a list": 1}),
        Table("section 6.4: clusters of test documents", rows),
    ]
    return [table for table in found if table.rows]
