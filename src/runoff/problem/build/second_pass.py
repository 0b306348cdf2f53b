"""The second pass of building a problem: features as found become features of a space."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runoff.data.offsets import offsets_of
from runoff.problem.build.first_pass import PassResult
from runoff.problem.build.spool import EntrySpool
from runoff.problem.problem import Integers
from runoff.problem.space import Entries, FeatureSpace
from runoff.store.file import let_go

ENTRIES_PER_BLOCK = 1 << 22  # a list of 50 parses has some 30,000


def encoded_blocks(
    result: PassResult, space: FeatureSpace, sources: Integers
) -> Iterator[tuple[slice, Entries]]:
    """The features of some candidates after others, and which candidates these are.

    Parameters
    ----------
    sources : the source of each provisional id, see `FeatureSpace.find`.
    """
    for lists, offsets, ids, values in _blocks(result, ENTRIES_PER_BLOCK // space.most_made):
        candidates = slice(lists[0], lists[-1])
        yield candidates, space.encode(lists - lists[0], offsets, ids, values, sources)


def with_features(result: PassResult, wanted: NDArray[np.bool_]) -> PassResult:
    """The result of a pass with only the features whose provisional ids are wanted."""
    spool = EntrySpool()
    for _, offsets, ids, values in _blocks(result, ENTRIES_PER_BLOCK):
        kept = wanted[ids]
        spool.append(np.diff(offsets_of(kept)[offsets]), ids[kept], values[kept])
    return result.with_entries(spool)


def _blocks(result: PassResult, size: int) -> Iterator[tuple[Integers, Integers, Any, Any]]:
    """List offsets, feature offsets, ids and values of lists that have about `size` entries.

    List offsets go on from block to block, feature offsets begin at 0.
    """
    for first, last in _runs(result.feature_offsets[result.list_offsets], max(size, 1)):
        lists = result.list_offsets[first : last + 1]
        offsets = result.feature_offsets[lists[0] : lists[-1] + 1]
        entries = slice(offsets[0], offsets[-1])
        ids = result.ids[entries]
        values = np.ones(len(ids)) if result.values is None else result.values[entries]
        yield lists, offsets - offsets[0], ids, values
        let_go(result.ids)
        let_go(result.values)


def _runs(offsets: Integers, size: int) -> Iterator[tuple[int, int]]:
    """Runs of lists that together have about `size` entries."""
    first, lists = 0, len(offsets) - 1
    while first < lists:
        last = int(np.searchsorted(offsets, offsets[first] + size))
        last = min(max(last, first + 1), lists)
        yield first, last
        first = last
