"""The second pass of building a problem: features as found become features of a space."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from runoff.features.problem import Floats, Integers
from runoff.features.provisional import Found, offsets_of
from runoff.features.space import Encodings
from runoff.store import let_go

ENTRIES_PER_BLOCK = 1 << 20

Places = NDArray[np.int32]


class Entries(NamedTuple):
    """Features of candidates, one entry each: whose, which, and its value."""

    owners: Integers
    ids: NDArray[Any]
    values: Floats

    def chosen(self, places: Integers) -> Entries:
        """Some of the entries."""
        return Entries(self.owners[places], self.ids[places], self.values[places])


class Encoder:
    """What becomes of every feature that was found, in the terms of a feature space.

    Parameters
    ----------
    encodings : what becomes of some features: nothing, themselves, or what thresholds or bins make.
    n_features : size of the space.
    places : where each provisional id is among those features, -1 where it is not; without them
        the ids are the places.
    """

    def __init__(self, encodings: Encodings, n_features: int, places: Places | None = None) -> None:
        self.counts, self.ids, self.cuts = encodings
        self.offsets = offsets_of(self.counts)
        self.n_features = n_features
        self.places = places

    def blocks(self, found: Found) -> Iterator[tuple[slice, Entries]]:
        """Encoded entries in the order of candidates and ids, some lists at a time.

        The slice says which candidates these are; owners are numbered from its start.
        """
        size = max(ENTRIES_PER_BLOCK // int(self.counts.max(initial=1)), 1)
        sizes = np.diff(found.list_offsets)
        for first, last in _runs(found.feature_offsets[found.list_offsets], size):
            start, stop = found.list_offsets[first], found.list_offsets[last]
            offsets = found.feature_offsets[start : stop + 1]
            place = slice(offsets[0], offsets[-1])
            owners = np.repeat(np.arange(stop - start), np.diff(offsets))
            lists = np.repeat(np.arange(last - first), sizes[first:last])  # of each candidate
            entries = Entries(owners, found.ids[place], found.values[place])
            if self.places is not None:
                entries = entries._replace(ids=self.places[entries.ids])
                entries = entries.chosen(np.flatnonzero(entries.ids >= 0))
            yield slice(start, stop), self._encoded(entries, lists, sizes[first:last])
            let_go(found.ids)
            let_go(found.values)

    def _encoded(self, found: Entries, lists: Integers, sizes: Integers) -> Entries:
        rows = self.counts[found.ids]
        which = np.repeat(self.offsets[found.ids] - offsets_of(rows)[:-1], rows)
        which += np.arange(len(which))
        cuts, values = self.cuts[which], np.repeat(found.values, rows)
        as_it_is = np.isnan(cuts)
        holds = as_it_is | np.where(cuts > 0, values >= cuts, values <= cuts)
        made = Entries(
            np.repeat(found.owners, rows), self.ids[which], np.where(as_it_is, values, 1.0)
        )
        if not as_it_is.all():
            made, as_it_is = made.chosen(np.flatnonzero(holds)), as_it_is[holds]
            telling = as_it_is | self._telling(lists[made.owners], made.ids, sizes)
            made = made.chosen(np.flatnonzero(telling))
        return made.chosen(np.argsort(made.owners * self.n_features + made.ids))  # no two are equal

    def _telling(self, lists: Integers, ids: Integers, sizes: Integers) -> Integers:
        """Whether some candidate of the list does not have the binary feature."""
        keys = lists * self.n_features + ids
        _, inverse, counts = np.unique(keys, return_inverse=True, return_counts=True)
        return np.asarray(counts[inverse] < sizes[lists])


def _runs(offsets: Integers, size: int) -> Iterator[tuple[int, int]]:
    """Runs of lists that together have about `size` entries."""
    first, lists = 0, len(offsets) - 1
    while first < lists:
        last = int(np.searchsorted(offsets, offsets[first] + size))
        last = min(max(last, first + 1), lists)
        yield first, last
        first = last
