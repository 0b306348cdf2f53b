"""Counting features out of core: runs of lists on disk, merged in the order of fingerprints.

A run ends when so many features have been seen that their table would not stay small. Its
fingerprints and counts then go to disk, sorted, and its features start anew. When all lists have
been read the runs are merged a slice of fingerprints at a time, and only features that occur in
enough lists are kept: of the others nothing is ever in memory at once. What comes out does not
depend on where runs end.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from runoff import _native
from runoff.data.numbering import offsets_of
from runoff.errors import RunoffError
from runoff.problem.batch_features import Checks, Keys
from runoff.problem.build.spool import ENTRIES_PER_BLOCK, EntrySpool, Spool, stretches
from runoff.problem.problem import Integers

FEATURES_AT_ONCE = 1 << 24
"""Features after which the first run ends; a table of so many takes half a gigabyte."""

LATER = 4
"""Later runs end after this part of them, since they have the names of all their features."""

SLICE = 1 << 20
"""Features of a run that are merged at once, about."""


class Counts(NamedTuple):
    """Features by rising fingerprint: in how many lists they are, and whether they are counts."""

    keys: Keys
    checks: Checks
    list_counts: NDArray[np.uint32]  # (features, thresholds)
    is_count: NDArray[np.bool_]

    def at(self, which: Integers | NDArray[np.bool_] | slice) -> Counts:
        """Some of the features."""
        keys, checks, list_counts, is_count = self
        return Counts(keys[which], checks[which], list_counts[which], is_count[which])

    @classmethod
    def joined(cls, parts: Iterable[Counts]) -> Counts:
        """One after the other."""
        keys, checks, list_counts, is_count = zip(*parts, strict=True)
        return cls(
            np.concatenate(keys),
            np.concatenate(checks),
            np.concatenate(list_counts),
            np.concatenate(is_count),
        )


class Run:
    """The features of some lists, all on disk.

    Parameters
    ----------
    counts : of its features, in the order of the ids that its entries have.
    spool : the features of its candidates.
    names, named : names of some of its features, and their ids.
    """

    def __init__(
        self, counts: Counts, spool: EntrySpool, names: Sequence[str], named: Integers
    ) -> None:
        order = np.argsort(counts.keys)
        keys, checks, list_counts, is_count = counts.at(order)
        self.counts = Counts(
            _on_disk(keys), _on_disk(checks), _on_disk(list_counts), _on_disk(is_count)
        )
        self.ids, self.spool = _on_disk(order.astype(np.uint32)), spool
        by_id = np.argsort(named)
        texts = [names[index].encode("utf-8", "surrogatepass") for index in by_id.tolist()]
        self._named = _on_disk(named[by_id])
        self._text = _on_disk(np.frombuffer(b"".join(texts), dtype=np.uint8))
        self._offsets = _on_disk(offsets_of(np.array([len(text) for text in texts])))

    def find(self, keys: Keys) -> Integers:
        """The places of fingerprints among the sorted ones, -1 for others."""
        own = self.counts.keys
        if not len(own):
            return np.full(len(keys), -1, dtype=np.int64)
        places = np.minimum(np.searchsorted(own, keys), len(own) - 1)
        return np.where(own[places] == keys, places, -1)

    def names_at(self, places: Integers) -> dict[int, str]:
        """The names that the run knows of features at some places, by their index there."""
        if not len(self._named):
            return {}
        ids = self.ids[places].astype(np.int64)
        rows = np.minimum(np.searchsorted(self._named, ids), len(self._named) - 1)
        known = np.flatnonzero(self._named[rows] == ids)
        starts, ends = self._offsets[rows[known]], self._offsets[rows[known] + 1]
        return {
            index: self._text[start:end].tobytes().decode("utf-8", "surrogatepass")
            for index, start, end in zip(
                known.tolist(), starts.tolist(), ends.tolist(), strict=True
            )
        }


def _on_disk(array: NDArray[Any]) -> NDArray[Any]:
    spool = Spool(array.dtype)
    spool.append(array.reshape(-1))
    return spool.array().reshape(array.shape)


def frequent(runs: Sequence[Run], min_lists: int) -> Counts:
    """The features of all runs that occur in enough lists."""
    return Counts.joined(part.at(part.list_counts[:, 0] >= min_lists) for part in _slices(runs))


def _slices(runs: Sequence[Run]) -> Iterator[Counts]:
    """What runs have between two fingerprints, and then between the next two, summed up."""
    number = max(len(run.ids) for run in runs) // SLICE + 1
    bounds = [(1 << 64) * n // number for n in range(1, number)]
    places = [
        [0, *np.searchsorted(run.counts.keys, np.array(bounds, dtype=np.uint64)), len(run.ids)]
        for run in runs
    ]
    for n in range(number):
        parts = (
            run.counts.at(slice(own[n], own[n + 1])) for run, own in zip(runs, places, strict=True)
        )
        yield _summed(Counts.joined(parts))


def _summed(counts: Counts) -> Counts:
    """One row per feature of rows that runs have of the same ones."""
    if not len(counts.keys):
        return counts
    keys, checks, list_counts, is_count = counts.at(np.argsort(counts.keys, kind="stable"))
    same = keys[1:] == keys[:-1]
    firsts = np.flatnonzero(np.concatenate([[True], ~same]))
    if (checks[1:][same] != checks[:-1][same]).any():
        raise RunoffError("two features have one fingerprint; rename features, or leave a set out")
    return Counts(
        keys[firsts],
        checks[firsts],
        np.add.reduceat(list_counts, firsts, axis=0),
        np.logical_and.reduceat(is_count, firsts),
    )


def names_of(runs: Sequence[Run], keys: Keys) -> list[str]:
    """The names of features, each of which some run has named."""
    found: dict[int, str] = {}
    for run in runs:
        places = run.find(keys)
        there = np.flatnonzero(places >= 0)
        named = run.names_at(places[there])
        found |= {int(there[index]): name for index, name in named.items()}
    return [found[number] for number in range(len(keys))]


def renumbered(runs: Sequence[Run], table: _native.FingerprintTable) -> EntrySpool:
    """The features of all candidates under the numbers of a table, without those it lacks."""
    spool = EntrySpool()
    for run in runs:
        numbers = np.empty(len(run.ids), dtype=np.int64)
        numbers[run.ids] = table.find(np.array(run.counts.keys))
        offsets, ids, values = run.spool.columns()
        for first, last in stretches(offsets, ENTRIES_PER_BLOCK):
            own = offsets[first : last + 1]
            entries = slice(own[0], own[-1])
            new = numbers[ids[entries]]
            kept = new >= 0
            given = np.ones(len(new)) if values is None else values[entries]
            counts = np.diff(offsets_of(kept)[own - own[0]])
            spool.append(counts, new[kept].astype(np.uint32), given[kept])
    return spool
