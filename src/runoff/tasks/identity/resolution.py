"""Records in clusters, with the reasons for every merge and for every one that was not made."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from runoff._native import Agglomeration
from runoff.data.records.records import Records
from runoff.errors import UsageError
from runoff.proposers.identity.compared import Compared, Constraints, Merges, Weights

if TYPE_CHECKING:
    from runoff.tasks.identity.model import IdentityModel

ALWAYS = "every set"
"""What the weight of no statement is called."""


class Term(NamedTuple):
    """A statement with its value and weight, and their product, a part of the log-odds."""

    statement: str
    value: float
    weight: float
    term: float


class Joint(NamedTuple):
    """Two sets of records, and what speaks for and against their being one thing.

    Parameters
    ----------
    first, second : ids of the records in both sets.
    terms : their sum is `logodds`; the greatest ones first.
    """

    first: list[str]
    second: list[str]
    logodds: float
    terms: list[Term]


class Reasons(NamedTuple):
    """Why two records are in one cluster, or are not.

    Parameters
    ----------
    same : whether they are in one cluster.
    chain : the merges that brought them together, the last one last; or the one that would.
    pair : what the model of pairs says of the two alone.
    note : what else there is to know.
    """

    first: str
    second: str
    same: bool
    chain: list[Joint]
    pair: Joint | None
    note: str | None = None


class Doubt(NamedTuple):
    """A merge to be looked at by a person: two records, whether they were merged, log-odds."""

    first: str
    second: str
    merged: bool
    logodds: float


@dataclass(frozen=True, eq=False, repr=False)
class Resolution:
    """The clusters of records.

    Iterating gives the clusters, each a list of ids, in the order of their first records.
    """

    model: IdentityModel
    records: Records
    node: NDArray[np.int64]
    compared: Compared
    agglomeration: Agglomeration
    merges: Merges
    known: Constraints | None

    def __repr__(self) -> str:
        return f"Resolution({len(self.records):,} records in {len(self):,} clusters)"

    def __len__(self) -> int:
        return len(self.clusters)

    def __iter__(self) -> Iterator[list[str]]:
        return iter(self.clusters)

    @cached_property
    def sets(self) -> NDArray[np.uint32]:
        """The first distinct record of the set of each distinct record."""
        found: NDArray[np.uint32] = self.agglomeration.assignment()
        return found

    @cached_property
    def labels(self) -> list[int]:
        """The number of each record's cluster, from 1, in the order of their first records."""
        numbers: dict[int, int] = {}
        found = self.sets[self.node].tolist()
        return [numbers.setdefault(one, len(numbers) + 1) for one in found]

    @cached_property
    def clusters(self) -> list[list[str]]:
        """The ids of the records of each cluster."""
        found: list[list[str]] = [[] for _ in range(max(self.labels, default=0))]
        for one, label in zip(self.records.ids, self.labels, strict=True):
            found[label - 1].append(one)
        return found

    @cached_property
    def confidences(self) -> list[float]:
        """For each record how certain its cluster is: that it is one thing, and that it is whole.

        The smaller of the probability that the cluster is one thing, and that the likeliest merge
        that was not made is wrong, with log-odds counted from where merging ends. Records that are
        equal in every field are certainly one thing.
        """
        stop = self.model.rule.stop
        scores, doubts = self.agglomeration.scores() - stop, self.agglomeration.doubts() - stop
        different = np.bincount(self.sets, minlength=len(self.compared))[self.sets]
        one = np.where(different > 1, scores, np.inf)
        certain = np.minimum(_probability(one), _probability(-doubts))
        return [float(p) for p in certain[self.node]]

    def why(self, first: str, second: str) -> Reasons:
        """What joined two records, or kept them apart, as terms that sum to log-odds."""
        places = {one: place for place, one in enumerate(self.records.ids)}
        for name in (first, second):
            if name not in places:
                raise UsageError(f"there is no record with the id {name!r}")
        a, b = (int(self.node[places[name]]) for name in (first, second))
        same = bool(self.sets[a] == self.sets[b])
        if a == b:
            equal = "they are equal in every field that is compared"
            return Reasons(first, second, True, [], None, equal)
        chain = self._chain(a, b) if same else [self._joint(*(self._members(x) for x in (a, b)))]
        stop = self.model.rule.stop
        note = f"merges are made while their log-odds are above {stop:g}" if stop else None
        if not chain:
            note = "they were brought together by a decision or a move"
        return Reasons(first, second, same, chain, self._pair(a, b), note)

    def _members(self, node: int) -> list[int]:
        return np.flatnonzero(self.sets == self.sets[node]).tolist()

    def _chain(self, a: int, b: int) -> list[Joint]:
        """The merges that made the first set with both records, as far as it has one of them."""
        start = np.arange(len(self.sets)) if self.known is None else self.known.start
        members: dict[int, list[int]] = {}
        for one, group in enumerate(start.tolist()):
            members.setdefault(group, []).append(one)
        found = []
        for kept, lost in zip(self.merges.kept.tolist(), self.merges.lost.tolist(), strict=True):
            if kept not in members or lost not in members:
                return []  # moves have changed what merges began with
            first, second = members[kept], members.pop(lost)
            if {a, b} & {*first, *second}:
                found.append((list(first), second))
            members[kept] = first + second
            if {a, b} <= set(members[kept]):
                return [self._joint(*pair) for pair in found]
        return []

    def _joint(self, first: list[int], second: list[int]) -> Joint:
        sets = (np.array(one, dtype=np.uint32) for one in (first, second))
        values = self.compared.sets.merge_values(*sets)
        return self._explained(first, second, values, self.model.weights)

    def _pair(self, a: int, b: int) -> Joint | None:
        table = self.compared.table
        low, high = sorted((a, b))
        place = np.flatnonzero((table.left == low) & (table.right == high)).astype(np.uint32)
        if not len(place):
            return None
        values = self.compared.pair_rows(place)[0]
        return self._explained([a], [b], values, self.model.pair_weights)

    def _explained(
        self, first: list[int], second: list[int], values: Weights, weights: Weights
    ) -> Joint:
        names = [*map(str, self.model.statements), "sum of match(*) between", ALWAYS]
        terms = [
            Term(*one) for one in zip(names, values.tolist(), weights.tolist(),
                                      (values * weights).tolist(), strict=True)
        ]  # fmt: skip
        terms.sort(key=lambda term: -abs(term.term))
        logodds = float(sum(term.term for term in terms))
        shown = [term for term in terms if term.term]
        return Joint(self._ids(first), self._ids(second), logodds, shown)

    def _ids(self, nodes: list[int]) -> list[str]:
        wanted = set(nodes)
        pairs = zip(self.records.ids, self.node.tolist(), strict=True)
        return [one for one, node in pairs if node in wanted]

    def doubts(self, n: int = 50) -> list[Doubt]:
        """The merges for a person to look at: the least certain ones, and the likeliest missed."""
        first = np.unique(self.node, return_index=True)[1]
        gains = np.asarray(self.merges.gains)
        least = np.argsort(gains, kind="stable")[:n]
        kept, lost = self.merges.kept[least], self.merges.lost[least]
        made = Merges(kept, lost, gains[least], self.merges.scores[least])
        missed = Merges(*self.agglomeration.open(n))
        found = []
        for merges, merged in ((made, True), (missed, False)):
            for a, b, gain in zip(merges.kept, merges.lost, merges.gains.tolist(), strict=True):
                one, other = (self.records.ids[int(first[i])] for i in (a, b))
                found.append(Doubt(one, other, merged, gain))
        stop = self.model.rule.stop
        found.sort(key=lambda doubt: (abs(doubt.logodds - stop), doubt.first, doubt.second))
        return found[:n]


def _probability(logodds: Any) -> NDArray[np.float64]:
    found: NDArray[np.float64] = np.exp(-np.logaddexp(0.0, -logodds))
    return found
