"""The second pass of building a problem: features as found become features of a space."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from runoff.features.problem import Integers
from runoff.features.provisional import Found
from runoff.features.space import Entries, FeatureSpace
from runoff.store import let_go

ENTRIES_PER_BLOCK = 1 << 20


def encoded_blocks(
    found: Found, space: FeatureSpace, places: Integers
) -> Iterator[tuple[slice, Entries]]:
    """The features of some candidates after others, and which candidates these are.

    Parameters
    ----------
    places : the source of each provisional id, see `FeatureSpace.find`.
    """
    size = max(ENTRIES_PER_BLOCK // space.most_made, 1)
    for first, last in _runs(found.feature_offsets[found.list_offsets], size):
        start, stop = found.list_offsets[first], found.list_offsets[last]
        offsets = found.feature_offsets[start : stop + 1]
        place = slice(offsets[0], offsets[-1])
        yield (
            slice(start, stop),
            space.encode(
                found.list_offsets[first : last + 1] - start,
                offsets - offsets[0],
                found.ids[place],
                found.values[place],
                places,
            ),
        )
        let_go(found.ids)
        let_go(found.values)


def _runs(offsets: Integers, size: int) -> Iterator[tuple[int, int]]:
    """Runs of lists that together have about `size` entries."""
    first, lists = 0, len(offsets) - 1
    while first < lists:
        last = int(np.searchsorted(offsets, offsets[first] + size))
        last = min(max(last, first + 1), lists)
        yield first, last
        first = last
