"""Stand-in until the branch `records` is merged: pairs and B-cubed of clusterings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Sequence
from typing import NamedTuple

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


def _overlaps(gold: Clustering, found: Clustering) -> Counter[tuple[int, int]]:
    where = {one: i for i, cluster in enumerate(gold) for one in cluster}
    return Counter((where[one], j) for j, cluster in enumerate(found) for one in cluster)


def pair_counts(gold: Clustering, found: Clustering) -> PairCounts:
    """Pairs of records that are in one cluster: in both clusterings, in gold, and as found."""
    sizes = (_overlaps(gold, found).values(), map(len, gold), map(len, found))
    return PairCounts(*(sum(n * (n - 1) // 2 for n in part) for part in sizes))


def b_cubed(gold: Clustering, found: Clustering) -> BCubed:
    """Precision, recall and F1 of B-cubed, from 0 to 1."""
    both = _overlaps(gold, found)
    n = max(sum(both.values()), 1)
    p = sum(c * c / len(found[j]) for (_, j), c in both.items()) / n
    r = sum(c * c / len(gold[i]) for (i, _), c in both.items()) / n
    return BCubed(p, r, 2 * p * r / (p + r) if p + r else 0.0)
