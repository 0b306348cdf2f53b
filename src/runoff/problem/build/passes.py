"""The two passes of building a problem: find and count features, then encode those of a space."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from runoff import _native
from runoff.data.numbering import offsets_of
from runoff.errors import FormatError, RunoffError
from runoff.problem.batch_features import BatchFeatures, fingerprints
from runoff.problem.build import runs
from runoff.problem.build.batch import ListBatch
from runoff.problem.build.runs import Counts, Run
from runoff.problem.build.spool import ENTRIES_PER_BLOCK, EntrySpool, Spool, stretches
from runoff.problem.problem import Floats, Integers
from runoff.problem.space import Entries, FeatureSpace
from runoff.store.file import let_go


class PassResult(NamedTuple):
    """All lists as arrays, like a `RankingProblem`; features have provisional ids, or a space's."""

    list_offsets: Integers
    logprobs: Floats
    qualities: Floats
    statistics: Floats
    given_logprobs: bool
    feature_offsets: Integers
    ids: NDArray[np.uint32]
    values: Floats | None

    def with_entries(self, spool: EntrySpool) -> PassResult:
        """A result of the same lists with other features."""
        offsets, ids, values = spool.columns()
        return self._replace(feature_offsets=offsets, ids=ids, values=values)


class FirstPass(ABC):
    """What the first pass leaves: spooled features, and the other columns."""

    def __init__(self) -> None:
        self.spool = EntrySpool()
        self.parts: list[tuple[Integers, Floats, Floats]] = []
        self.statistics = Spool(np.float64)
        self.n_statistics = 0
        self.has_logprobs: bool | None = None

    def all(self, batches: Iterable[ListBatch]) -> PassResult:
        """The result of this pass over all batches."""
        for batch in batches:
            self.add(batch)
        return self.result()

    def add(self, batch: ListBatch) -> None:
        """Take over what a worker found."""
        self.spool.append(*self.entries(batch))
        self.parts.append((batch.list_sizes, batch.logprobs, batch.qualities))
        self.statistics.append(batch.statistics.reshape(-1))
        self.n_statistics = batch.statistics.shape[1]
        self._check_logprobs(batch.has_logprobs)

    @abstractmethod
    def entries(self, batch: ListBatch) -> Entries:
        """The features of a batch, under the ids of this pass."""

    def _check_logprobs(self, seen: set[bool]) -> None:
        if self.has_logprobs is not None:
            seen = seen | {self.has_logprobs}
        if len(seen) > 1:
            raise FormatError(
                "some lists give every candidate a logprob and some do not",
                hint="`runoff check` names the lists; give all of them logprobs, or none",
            )
        self.has_logprobs = next(iter(seen), None)

    def result(self) -> PassResult:
        """Everything that was added; the features stay on disk."""
        sizes, logprobs, qualities = (
            np.concatenate([np.zeros(0, dtype=dtype), *columns])
            for dtype, columns in zip(
                (np.int64, np.float64, np.float64),
                zip(*self.parts, strict=True) if self.parts else ((), (), ()),
                strict=True,
            )
        )
        return PassResult(
            offsets_of(sizes),
            logprobs,
            qualities,
            self.statistics.array().reshape(len(logprobs), self.n_statistics),
            self.has_logprobs is not False,
            *self.spool.columns(),
        )


class KnownSpacePass(FirstPass):
    """The first pass for a space that is known: ids are those of the space."""

    def __init__(self, space: FeatureSpace) -> None:
        super().__init__()
        self.space = space

    def entries(self, batch: ListBatch) -> Entries:
        """The features in the space."""
        features = batch.features
        list_offsets, offsets = offsets_of(batch.list_sizes), offsets_of(features.feature_counts)
        sources = self.space.find(features.keys)
        return self.space.encode(list_offsets, offsets, features.ids, features.values, sources)


class CountingPass(FirstPass):
    """The first pass for a space yet to be chosen: every feature gets an id, and is counted.

    There may be many millions. Of each the fingerprint and counts are kept; its name only once it
    has occurred in `min_lists` lists, in `names`, with its id in `named`. Where they would be too
    many for memory, they go to disk as runs, see `runoff.problem.build.runs`, and in the end only
    those in enough lists have ids.
    """

    def __init__(self, min_lists: int, n_thresholds: int) -> None:
        super().__init__()
        self.min_lists, self.n_thresholds = min_lists, n_thresholds
        self.runs: list[Run] = []
        self._begin()

    def _begin(self) -> None:
        """Begin a run."""
        self.spool = EntrySpool()
        self.table = _native.FingerprintTable()
        self.list_counts = np.zeros((0, self.n_thresholds), dtype=np.uint32)
        self.is_count = np.zeros(0, dtype=np.bool_)
        self.names: list[str] = []
        self.named: list[int] = []
        self._keys, self._checks = Spool(np.uint64), Spool(np.uint32)

    def add(self, batch: ListBatch) -> None:
        """Take over what a worker found."""
        super().add(batch)
        if len(self.table) >= runs.FEATURES_AT_ONCE // (runs.LATER if self.runs else 1):
            self._end()

    def entries(self, batch: ListBatch) -> Entries:
        """The features under provisional ids."""
        features = batch.features
        return Entries(
            features.feature_counts, self.number(features)[features.ids], features.values
        )

    def number(self, features: BatchFeatures) -> NDArray[np.uint32]:
        """The id of each feature, which is counted."""
        size = len(self.table)
        try:
            numbers = self.table.add(features.keys, features.checks)
        except RuntimeError as error:
            raise RunoffError(f"{error}; rename features, or leave a feature set out") from None
        new = np.flatnonzero(numbers >= size)
        self._keys.append(features.keys[new])
        self._checks.append(features.checks[new])
        self._grow(len(self.table))
        before = self.list_counts[numbers, 0]
        self.list_counts[numbers] += features.list_counts.astype(np.uint32)
        self.is_count[numbers] &= features.is_count
        # one of an earlier run may need its name now, so all have names from the second run on
        least = 1 if self.runs else self.min_lists
        enough = (before < least) & (self.list_counts[numbers, 0] >= least)
        self.names.extend(features.names.at(np.flatnonzero(enough)))
        self.named.extend(numbers[enough].tolist())
        return numbers

    def _grow(self, size: int) -> None:
        if size > len(self.is_count):  # by half, which keeps the copying linear
            more = max(size, len(self.is_count) * 3 // 2) - len(self.is_count)
            self.list_counts = np.pad(self.list_counts, ((0, more), (0, 0)))
            self.is_count = np.pad(self.is_count, (0, more), constant_values=True)

    def _end(self) -> None:
        """End a run."""
        size = len(self.table)
        self.runs.append(
            Run(
                Counts(
                    self._keys.array(),
                    self._checks.array(),
                    self.list_counts[:size],
                    self.is_count[:size],
                ),
                self.spool,
                self.names,
                np.array(self.named, dtype=np.int64),
            )
        )
        self._begin()

    def result(self) -> PassResult:
        """Everything that was added; the features stay on disk."""
        if self.runs:
            self._end()
            self._merge()
        return super().result()

    def _merge(self) -> None:
        """Go on as if only the features of all runs had been seen that are in enough lists."""
        found = runs.frequent(self.runs, self.min_lists)
        self.table.add(found.keys, found.checks)
        self.list_counts, self.is_count = found.list_counts, found.is_count
        self.names = runs.names_of(self.runs, found.keys)
        self.named = list(range(len(self.names)))
        self.spool = runs.renumbered(self.runs, self.table)

    def has_seen(self, names: Sequence[str]) -> list[bool]:
        """Whether there are features of these names, kept or not."""
        keys, _ = fingerprints(names)
        found = [self.table.find(keys), *(run.find(keys) for run in self.runs)]
        return [number >= 0 for number in np.max(found, axis=0).tolist()]


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
    for first, last in stretches(result.feature_offsets[result.list_offsets], max(size, 1)):
        lists = result.list_offsets[first : last + 1]
        offsets = result.feature_offsets[lists[0] : lists[-1] + 1]
        entries = slice(offsets[0], offsets[-1])
        ids = result.ids[entries]
        values = np.ones(len(ids)) if result.values is None else result.values[entries]
        yield lists, offsets - offsets[0], ids, values
        let_go(result.ids)
        let_go(result.values)
