"""Clusters against gold: pairs of records that belong together, and B-cubed.

A clustering is a list of sets of ids; gold and output have the same ids, each in one set.

References
----------
Bagga and Baldwin (1998), "Algorithms for scoring coreference chains": B-cubed.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np

from runoff.metrics.base import Floats, Integers, MeasureError, ratio, rows

Clustering = Sequence[Collection[Hashable]]


class PairCounts(NamedTuple):
    """Pairs of records that are together: in both clusterings, in gold, in what was found."""

    correct: int
    gold: int
    found: int


class BCubed(NamedTuple):
    """The mean precision and recall of records, and the harmonic mean of the two."""

    precision: float
    recall: float
    f1: float


def pair_counts(gold: Clustering, found: Clustering) -> PairCounts:
    """Pairs of records that are in one cluster: in both clusterings, in gold, and as found.

    Examples
    --------
    >>> pair_counts([{"a", "b", "c"}, {"d"}], [{"a", "b"}, {"c", "d"}])
    PairCounts(correct=1, gold=3, found=2)
    """
    counts = Overlaps.of(_labels(gold, None), found, None).pairs()
    return PairCounts(*map(int, counts))


def b_cubed(gold: Clustering, found: Clustering) -> BCubed:
    """Precision, recall and F1 of B-cubed, from 0 to 1.

    Examples
    --------
    >>> scores = b_cubed([{"a", "b", "c"}, {"d"}], [{"a", "b"}, {"c", "d"}])
    >>> [round(score, 3) for score in scores]
    [0.75, 0.667, 0.706]
    """
    sums = Overlaps.of(_labels(gold, None), found, None).shares()
    precision, recall = ratio(sums[:2], sums[2])
    return BCubed(float(precision), float(recall), float(_harmonic(precision, recall)))


class Overlaps(NamedTuple):
    """Records that a cluster of gold and one of the output share, and how many each has.

    One number for each two clusters that share any: `shared`, `gold` and `found` records; `sizes`
    are those of all gold clusters and of all found ones.
    """

    shared: Floats
    gold: Floats
    found: Floats
    sizes: tuple[Floats, Floats]

    @classmethod
    def of_labels(cls, gold: Integers, found: Integers) -> Overlaps:
        """The overlaps of two labels of the same records, from 0."""
        wanted, given = (np.bincount(labels).astype(np.float64) for labels in (gold, found))
        keys, shared = np.unique(gold * max(1, len(given)) + found, return_counts=True)
        rows, columns = np.divmod(keys, max(1, len(given)))
        return cls(shared.astype(np.float64), wanted[rows], given[columns], (wanted, given))

    @classmethod
    def of(cls, wanted: dict[Hashable, int], found: Clustering, output: int | None) -> Overlaps:
        """The overlaps of a clustering with gold; `wanted` has the cluster of each id in gold."""
        given = _labels(found, output)
        if given.keys() != wanted.keys():
            absent, extra = wanted.keys() - given.keys(), given.keys() - wanted.keys()
            example = min(absent or extra, key=repr)
            problem = f"lacks {example!r}" if absent else f"has {example!r}, which gold has not"
            raise MeasureError(problem, output=output, hint="every id is in one cluster of each")
        labels = np.array([(wanted[one], label) for one, label in given.items()], dtype=np.int64)
        return cls.of_labels(*labels.reshape(-1, 2).T)

    def pairs(self) -> list[float]:
        """Pairs in both, in gold, as found."""
        return [float((size * (size - 1)).sum() / 2) for size in (self.shared, *self.sizes)]

    def shares(self) -> Floats:
        """Summed precision and recall of the records, and how many there are."""
        squares = self.shared**2
        sums = (squares / self.found).sum(), (squares / self.gold).sum(), self.shared.sum()
        return np.array(sums)

    def counts(self) -> list[int]:
        """Clusters of gold, and of the output."""
        return [len(size) for size in self.sizes]


class PairF1:
    """Precision, recall and F1 of pairs of records that are in one cluster.

    The quality of an output is its own F1 between 0 and 1, and 1 where neither gold nor output
    puts two records together.

    Examples
    --------
    >>> statistics = PairF1().statistics([[["a", "b"], ["c"]]], [["a", "b", "c"]])
    >>> statistics
    array([[1., 3., 1., 1., 2.]])
    >>> PairF1().figures(statistics)["F1"]
    array([50.])
    """

    name = "pair-f1"
    higher_is_better = True
    reads: Literal["output"] = "output"
    columns = ("correct pairs", "gold pairs", "output pairs", "gold clusters", "output clusters")

    def statistics(self, outputs: Sequence[Any], gold: Any) -> Floats:
        """One row per output; see `columns`."""
        wanted = _labels(gold, None)
        overlaps = (Overlaps.of(wanted, output, i) for i, output in enumerate(outputs))
        return rows([[*one.pairs(), *one.counts()] for one in overlaps], len(self.columns))

    def figures(self, totals: Floats) -> dict[str, Floats]:
        """F1, precision and recall of pairs in per cent; clusters of the output and of gold."""
        correct, gold, output, gold_clusters, clusters = (totals[..., i] for i in range(5))
        return {
            "F1": 100 * ratio(2 * correct, gold + output),
            "precision": 100 * ratio(correct, output),
            "recall": 100 * ratio(correct, gold),
            "clusters": clusters,
            "gold clusters": gold_clusters,
        }

    def quality(self, statistics: Floats) -> Floats:
        """F1 of each output, from 0 to 1."""
        correct, gold, output = (statistics[..., column] for column in range(3))
        return ratio(2 * correct, gold + output, empty=1.0)

    def signature(self) -> str:
        """`pair-f1|unit:pair`."""
        return "pair-f1|unit:pair"


class BCubedF1:
    """B-cubed: for each record, how much of its cluster is right, and how much of gold's is there.

    The quality of an output is its own F1 between 0 and 1.

    Examples
    --------
    >>> statistics = BCubedF1().statistics([[["a", "b"], ["c"]]], [["a", "b", "c"]])
    >>> BCubedF1().figures(statistics)["recall"].round(2)
    array([55.56])
    """

    name = "b-cubed"
    higher_is_better = True
    reads: Literal["output"] = "output"
    columns = ("precision of records", "recall of records", "records")

    def statistics(self, outputs: Sequence[Any], gold: Any) -> Floats:
        """One row per output; see `columns`."""
        wanted = _labels(gold, None)
        overlaps = (Overlaps.of(wanted, output, i) for i, output in enumerate(outputs))
        return rows([one.shares().tolist() for one in overlaps], len(self.columns))

    def figures(self, totals: Floats) -> dict[str, Floats]:
        """F1, precision and recall in per cent, and the number of records."""
        precision, recall = (ratio(totals[..., i], totals[..., 2]) for i in range(2))
        return {
            "F1": 100 * _harmonic(precision, recall),
            "precision": 100 * precision,
            "recall": 100 * recall,
            "records": totals[..., 2],
        }

    def quality(self, statistics: Floats) -> Floats:
        """F1 of each output, from 0 to 1."""
        precision, recall = (ratio(statistics[..., i], statistics[..., 2], 1.0) for i in range(2))
        return _harmonic(precision, recall)

    def signature(self) -> str:
        """`b-cubed|unit:record`."""
        return "b-cubed|unit:record"


def _harmonic(precision: Floats, recall: Floats) -> Floats:
    return ratio(2 * precision * recall, precision + recall)


def _labels(clusters: Any, output: int | None) -> dict[Hashable, int]:
    """The number of each id's cluster; clusters without ids do not count."""
    kinds = (list, tuple, set, frozenset)
    if not isinstance(clusters, kinds) or not all(isinstance(one, kinds) for one in clusters):
        problem = f"expected a list of lists of ids, not {clusters!r:.60}"
        raise MeasureError(problem, output=output)
    labels: dict[Hashable, int] = {}
    for number, cluster in enumerate(one for one in clusters if one):
        for record in cluster:
            if not isinstance(record, str | int):
                raise MeasureError(f"an id is text or a number, not {record!r:.60}", output=output)
            if record in labels:
                raise MeasureError(f"has {record!r:.60} twice", output=output)
            labels[record] = number
    return labels
