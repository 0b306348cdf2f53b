"""What the first pass of building a problem leaves behind."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from runoff import _native
from runoff.errors import FormatError, RunoffError
from runoff.features.chunk import Chunk
from runoff.features.encoded import Encoded, fingerprints
from runoff.features.problem import Floats, Integers
from runoff.features.space import FeatureSpace
from runoff.features.spool import Spool


class Found(NamedTuple):
    """All lists as arrays, like a `RankingProblem`, with provisional ids for the features."""

    list_offsets: Integers
    feature_offsets: Integers
    ids: NDArray[np.uint32]
    values: Floats
    logprobs: Floats
    qualities: Floats


class FirstPass(ABC):
    """What the first pass leaves: spooled features under provisional ids, and the other columns."""

    def __init__(self) -> None:
        self.spooled_ids = Spool(np.uint32)
        self.spooled_values = Spool(np.float64)
        self.parts: list[tuple[Integers, Integers, Floats, Floats]] = []
        self.has_logprobs: bool | None = None

    def add(self, chunk: Chunk) -> None:
        """Take over what a worker found."""
        features = chunk.features
        numbers = self.number(features)
        ids, values, counts = numbers[features.ids], features.values, features.feature_counts
        known = ids >= 0
        if not known.all():
            owners = np.repeat(np.arange(len(counts)), counts)
            counts = np.bincount(owners[known], minlength=len(counts))
            ids, values = ids[known], values[known]
        self.spooled_ids.append(ids)
        self.spooled_values.append(values)
        self.parts.append((chunk.list_sizes, counts, chunk.logprobs, chunk.qualities))
        self._check_logprobs(chunk.has_logprobs)

    @abstractmethod
    def number(self, features: Encoded) -> Integers:
        """The provisional id of each feature of a chunk, -1 for those that are not wanted."""

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


class Known(FirstPass):
    """The first pass for a space that is known: provisional ids are the places of its sources."""

    def __init__(self, space: FeatureSpace) -> None:
        super().__init__()
        self.space = space

    def number(self, features: Encoded) -> Integers:
        """Where each feature is among the space's sources."""
        return self.space.find(features.keys)


class Provisional(FirstPass):
    """The first pass for a space yet to be chosen: every feature gets an id, and is counted.

    There may be many millions. Of each the fingerprint and counts are kept; its name only once it
    has occurred in `min_lists` lists, in `names`, with its id in `named`.
    """

    def __init__(self, min_lists: int, n_thresholds: int) -> None:
        super().__init__()
        self.min_lists = min_lists
        self.table = _native.FingerprintTable()
        self.list_counts = np.zeros((0, n_thresholds), dtype=np.uint32)
        self.is_count = np.zeros(0, dtype=np.bool_)
        self.names: list[str] = []
        self.named: list[int] = []

    def number(self, features: Encoded) -> Integers:
        """The id of each feature, which is counted."""
        try:
            numbers = self.table.add(features.keys, features.checks).astype(np.int64)
        except RuntimeError as error:
            raise RunoffError(f"{error}; rename features, or leave a feature set out") from None
        self._grow(len(self.table))
        before = self.list_counts[numbers, 0]
        self.list_counts[numbers] += features.list_counts.astype(np.uint32)
        self.is_count[numbers] &= features.is_count
        enough = (before < self.min_lists) & (self.list_counts[numbers, 0] >= self.min_lists)
        self.names.extend(features.names.at(np.flatnonzero(enough)))
        self.named.extend(numbers[enough].tolist())
        return numbers

    def _grow(self, size: int) -> None:
        if size > len(self.is_count):  # by half, which keeps the copying linear
            more = max(size, len(self.is_count) * 3 // 2) - len(self.is_count)
            self.list_counts = np.pad(self.list_counts, ((0, more), (0, 0)))
            self.is_count = np.pad(self.is_count, (0, more), constant_values=True)

    def has_seen(self, names: Sequence[str]) -> list[bool]:
        """Whether there are features of these names, kept or not."""
        keys, _ = fingerprints(names)
        return [number >= 0 for number in self.table.find(keys).tolist()]


def offsets_of(counts: Integers) -> Integers:
    """Where runs of these lengths begin, laid end to end, and where the last one ends.

    Examples
    --------
    >>> offsets_of(np.array([2, 0, 3])).tolist()
    [0, 2, 2, 5]
    """
    return np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(counts, dtype=np.int64)])
