"""Clusters of documents that mention the same names (Ji, Rudin & Grishman 2006, section 4.3).

A document d joins a cluster T if H(T, d) = - sum over the names x of T of prob(T, x) log prob(d, x)
is below a threshold; of several clusters, the one where it is lowest. The paper does not say how
prob(d, x) is smoothed; here d has `PRIOR` names more, shared among all names as they are in all
documents together.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

PRIOR = 1.0
"""How many names a document is smoothed by."""

NameCounts: TypeAlias = Mapping[str, float]
"""The names of the candidates of a document, and how often each was proposed."""


@dataclass
class Cluster:
    """Documents that count as one, by their numbers; and related ones, which only give evidence."""

    documents: list[int] = field(default_factory=list)
    related: list[int] = field(default_factory=list)


def clusters(
    documents: Sequence[NameCounts], threshold: float, related: Sequence[NameCounts] = ()
) -> list[Cluster]:
    """The clusters of documents, in the order of their first ones.

    Related documents come last, so they widen clusters, and never begin or shape one.

    Examples
    --------
    >>> day = [{"李明": 1, "天津": 1}, {"上海": 2}, {"李明": 1}]
    >>> [one.documents for one in clusters(day, threshold=2.0)]
    [[0, 2], [1]]
    """
    usual: Counter[str] = Counter()
    for names in (*documents, *related):
        usual.update(names)
    growing = _Growing(usual)
    found: list[Cluster] = []
    for number, names in enumerate(documents):
        nearest, entropy = growing.nearest(names)
        if entropy >= threshold:
            nearest = len(found)
            found.append(Cluster())
        found[nearest].documents.append(number)
        growing.add(nearest, names)
    for number, names in enumerate(related):
        nearest, entropy = growing.nearest(names)
        if entropy < threshold:
            found[nearest].related.append(number)
    return found


class _Growing:
    """Clusters while documents join them, with an inverted index of their names."""

    def __init__(self, usual: Counter[str]) -> None:
        total = usual.total() or 1
        self.usual = {name: count / total for name, count in usual.items()}
        self.sizes: list[float] = []
        self.surprise: list[float] = []  # sum of count times -log usual, of each cluster
        self.counts: dict[str, dict[int, float]] = defaultdict(dict)

    def add(self, cluster: int, names: NameCounts) -> None:
        """Let a document join a cluster, or begin the next one."""
        if cluster == len(self.sizes):
            self.sizes.append(0.0)
            self.surprise.append(0.0)
        for name, count in names.items():
            own = self.counts[name]
            own[cluster] = own.get(cluster, 0.0) + count
            self.sizes[cluster] += count
            self.surprise[cluster] -= count * math.log(PRIOR * self.usual[name])

    def nearest(self, names: NameCounts) -> tuple[int, float]:
        """The cluster with the lowest H(T, d), the first of equals, and that.

        Only clusters that share a name with the document are looked at.
        """
        gains: dict[int, float] = defaultdict(float)
        for name, count in names.items():
            gain = math.log1p(count / (PRIOR * self.usual[name]))
            for cluster, own in self.counts.get(name, {}).items():
                gains[cluster] += own * gain
        length = math.log(sum(names.values()) + PRIOR)
        entropies = (
            ((self.surprise[one] - gain) / self.sizes[one] + length, one)
            for one, gain in gains.items()
        )
        entropy, cluster = min(entropies, default=(math.inf, 0))
        return cluster, entropy
