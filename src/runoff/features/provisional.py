"""What the first pass of building a problem leaves behind."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from runoff.errors import FormatError
from runoff.features.chunk import Chunk
from runoff.features.problem import Floats, Integers
from runoff.features.spool import Spool


class Found(NamedTuple):
    """All lists as arrays, like a `RankingProblem`, with provisional ids for the features."""

    list_offsets: Integers
    feature_offsets: Integers
    ids: NDArray[np.uint32]
    values: Floats
    logprobs: Floats
    qualities: Floats


class Provisional:
    """What the first pass leaves: spooled features, and counts for each provisional id."""

    def __init__(self, n_thresholds: int) -> None:
        self.ids: dict[str, int] = {}
        self.list_counts = np.zeros((0, n_thresholds), dtype=np.int64)
        self.is_count = np.zeros(0, dtype=np.bool_)
        self.spooled_ids = Spool(np.uint32)
        self.spooled_values = Spool(np.float64)
        self.parts: list[tuple[Integers, Integers, Floats, Floats]] = []
        self.has_logprobs: bool | None = None

    def add(self, chunk: Chunk) -> None:
        """Take over what a worker found."""
        ids = self.ids
        mapping = np.array([ids.setdefault(n, len(ids)) for n in chunk.names], dtype=np.int64)
        self._grow(len(ids))
        np.add.at(self.list_counts, mapping, chunk.list_counts)
        np.logical_and.at(self.is_count, mapping, chunk.is_count)
        self.spooled_ids.append(mapping[chunk.ids].astype(np.uint32))
        self.spooled_values.append(chunk.values)
        self.parts.append((chunk.list_sizes, chunk.feature_counts, chunk.logprobs, chunk.qualities))
        self._check_logprobs(chunk.has_logprobs)

    def _grow(self, size: int) -> None:
        if size > len(self.is_count):  # doubling keeps the copying linear
            more = max(size, 2 * len(self.is_count)) - len(self.is_count)
            self.list_counts = np.pad(self.list_counts, ((0, more), (0, 0)))
            self.is_count = np.pad(self.is_count, (0, more), constant_values=True)

    def _check_logprobs(self, found: set[bool]) -> None:
        if self.has_logprobs is not None:
            found = found | {self.has_logprobs}
        if len(found) > 1:
            raise FormatError(
                "some lists give every candidate a logprob and some do not",
                hint="`runoff check` names the lists; give all of them logprobs, or none",
            )
        self.has_logprobs = next(iter(found), None)

    def found(self) -> Found:
        """Everything that was added; the features stay on disk."""
        sizes, counts, logprobs, qualities = (
            np.concatenate([np.zeros(0, dtype=dtype), *columns])
            for dtype, columns in zip(
                (np.int64, np.int64, np.float64, np.float64),
                zip(*self.parts, strict=True) if self.parts else ((), (), (), ()),
                strict=True,
            )
        )
        ids, values = self.spooled_ids.array(), self.spooled_values.array()
        return Found(offsets_of(sizes), offsets_of(counts), ids, values, logprobs, qualities)


def offsets_of(counts: Integers) -> Integers:
    """Where runs of these lengths begin, laid end to end, and where the last one ends.

    Examples
    --------
    >>> offsets_of(np.array([2, 0, 3])).tolist()
    [0, 2, 2, 5]
    """
    return np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(counts, dtype=np.int64)])
