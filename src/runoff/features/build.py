"""Building ranking problems: in parallel, and in memory that does not grow with the features.

Two passes. The first extracts features list by list, in workers where the caller gives a parallel
`map`, and spools them to disk under provisional ids; it counts in how many lists each feature
occurs. The second drops what is too rare and renumbers the rest in the order of their names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from typing import Any, TypeVar

import numpy as np

from runoff.data.nbest import NBest
from runoff.errors import FormatError, UsageError
from runoff.features.chunk import Chunk, extract_chunk
from runoff.features.extract import Extractor
from runoff.features.problem import Floats, Integers, RankingProblem
from runoff.features.space import FeatureSpace, threshold_name
from runoff.features.spool import Spool
from runoff.metrics.base import Metric

LISTS_PER_CHUNK = 64
ENTRIES_PER_BLOCK = 1 << 20

Mapper = Callable[[Callable[[Any], Any], Iterable[Any]], Iterator[Any]]
Item = TypeVar("Item")


def build_problem(
    lists: Iterable[NBest],
    extractors: Sequence[Extractor],
    *,
    metric: Metric | None = None,
    space: FeatureSpace | None = None,
    min_lists: int = 1,
    thresholds: Sequence[int] = (),
    map: Mapper = map,
) -> tuple[RankingProblem, FeatureSpace]:
    """The lists as a ranking problem, and its feature space.

    Parameters
    ----------
    metric : gives the qualities; without one the problem has none.
    space : the feature space to use; without one it is made from these lists.
    min_lists : a feature stays if it occurs in at least so many lists (Collins & Koo use 5).
    thresholds : turn counts into binary features, see `FeatureSpace`.
    map : maps a function over chunks of lists, in order; `engine.mapper` gives a parallel one.

    Examples
    --------
    >>> from runoff.data.nbest import Candidate
    >>> from runoff.features.extract import find_extractors
    >>> lists = [NBest("a", None, [Candidate("yes", -1.0), Candidate("no", -2.0)])]
    >>> problem, space = build_problem(lists, find_extractors(["text"]))
    >>> space.names[:3]
    ['base rank', 'bigram: <s> no', 'bigram: <s> yes']
    """
    if space is None:
        _check_cut_offs(min_lists, thresholds)
    work = partial(extract_chunk, extractors=extractors, metric=metric, thresholds=thresholds)
    provisional = _Provisional(len(thresholds) or 1)
    for chunk in map(work, _numbered(chunked(lists, LISTS_PER_CHUNK))):
        provisional.add(chunk)
    if space is None:
        space = provisional.make_space(min_lists, thresholds)
    return provisional.finish(space, with_qualities=metric is not None), space


def _check_cut_offs(min_lists: int, thresholds: Sequence[int]) -> None:
    if min_lists < 1:
        raise UsageError(f"min_lists must be at least 1, not {min_lists}")
    if list(thresholds) != sorted(set(thresholds)) or (thresholds and thresholds[0] != 1):
        given = ", ".join(map(str, thresholds))
        raise UsageError(f"thresholds are rising whole numbers from 1, as 1, 2, 4; not {given}")


def chunked(items: Iterable[Item], size: int) -> Iterator[list[Item]]:
    """Consecutive runs of at most `size` items.

    Examples
    --------
    >>> list(chunked("abcde", 2))
    [['a', 'b'], ['c', 'd'], ['e']]
    """
    iterator = iter(items)
    while chunk := list(islice(iterator, size)):
        yield chunk


def _numbered(chunks: Iterable[list[NBest]]) -> Iterator[tuple[int, list[NBest]]]:
    """Each chunk with the number of its first list, from 1."""
    number = 1
    for chunk in chunks:
        yield number, chunk
        number += len(chunk)


class _Provisional:
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

    def make_space(self, min_lists: int, thresholds: Sequence[int]) -> FeatureSpace:
        real: set[str] = set()
        names: set[str] = set()
        for name, number in self.ids.items():
            columns = list(thresholds) if self.is_count[number] else [1]
            if thresholds and not self.is_count[number]:
                real.add(name)
            for column, threshold in enumerate(columns or [1]):
                if self.list_counts[number, column] >= min_lists:
                    names.add(threshold_name(name, threshold))
        ordered = sorted(names)
        real_ids = [number for number, name in enumerate(ordered) if name in real]
        return FeatureSpace(ordered, thresholds=thresholds, real=real_ids)

    def finish(self, space: FeatureSpace, *, with_qualities: bool) -> RankingProblem:
        sizes, counts, logprobs, qualities = (
            np.concatenate([np.zeros(0, dtype=dtype), *columns])
            for dtype, columns in zip(
                (np.int64, np.int64, np.float64, np.float64),
                zip(*self.parts, strict=True) if self.parts else ((), (), (), ()),
                strict=True,
            )
        )
        final_counts, ids, values = self._renumber(space, counts)
        return RankingProblem(
            list_offsets=_offsets(sizes),
            feature_offsets=_offsets(final_counts),
            feature_ids=ids.array(),
            feature_values=None if values is None else values.array(),
            logprobs=logprobs,
            qualities=qualities if with_qualities else None,
            n_features=len(space),
            given_logprobs=self.has_logprobs is not False,
        )

    def _renumber(
        self, space: FeatureSpace, counts: Integers
    ) -> tuple[Integers, Spool, Spool | None]:
        table = self._final_ids(space)
        old_ids, old_values = self.spooled_ids.array(), self.spooled_values.array()
        ids, values = Spool(np.uint32), Spool(np.float64)
        offsets, final_counts, all_ones = _offsets(counts), np.zeros_like(counts), True
        for first, last in _blocks(offsets):
            place = slice(offsets[first], offsets[last])
            owners = np.repeat(np.arange(first, last), counts[first:last])
            owner, number, value = self._expand(
                space, table, owners, old_ids[place], old_values[place]
            )
            order = np.lexsort((number, owner))
            ids.append(number[order].astype(np.uint32))
            values.append(value[order])
            final_counts[first:last] = np.bincount(owner - first, minlength=last - first)
            all_ones = all_ones and bool((value == 1.0).all())
        return final_counts, ids, None if all_ones else values

    def _final_ids(self, space: FeatureSpace) -> Integers:
        """Final id of each provisional id and threshold, -1 where there is none."""
        table = np.full((len(self.ids), len(space.thresholds) or 1), -1, dtype=np.int64)
        for name, number in self.ids.items():
            final = space.ids.get(name, -1)
            if not space.thresholds or final in space.real:
                table[number, 0] = final
            else:
                for column, threshold in enumerate(space.thresholds):
                    table[number, column] = space.ids.get(threshold_name(name, threshold), -1)
        return table

    @staticmethod
    def _expand(
        space: FeatureSpace, table: Integers, owners: Integers, ids: Integers, values: Floats
    ) -> tuple[Integers, Integers, Floats]:
        """Owner, final id and value of every feature that stays, thresholds applied."""
        if not space.thresholds:
            final = table[ids, 0]
            keep = final >= 0
            return owners[keep], final[keep], values[keep]
        parts = []
        is_real = np.isin(table[ids, 0], np.array(sorted(space.real), dtype=np.int64))
        for column, threshold in enumerate(space.thresholds):
            final = table[ids, column]
            as_value = is_real if column == 0 else np.zeros_like(is_real)
            keep = (final >= 0) & (as_value | (~is_real & (values >= threshold)))
            value = np.where(as_value, values, 1.0)
            parts.append((owners[keep], final[keep], value[keep]))
        owner, number, value = (np.concatenate(column) for column in zip(*parts, strict=True))
        return owner, number, value


def _offsets(counts: Integers) -> Integers:
    return np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(counts, dtype=np.int64)])


def _blocks(offsets: Integers) -> Iterator[tuple[int, int]]:
    """Runs of candidates that together have about `ENTRIES_PER_BLOCK` features."""
    first, candidates = 0, len(offsets) - 1
    while first < candidates:
        last = int(np.searchsorted(offsets, offsets[first] + ENTRIES_PER_BLOCK))
        last = min(max(last, first + 1), candidates)
        yield first, last
        first = last
