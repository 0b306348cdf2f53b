"""The feature space: names <-> ids, fixed by the training lists."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from runoff import _native
from runoff.data.numbering import offsets_of
from runoff.errors import ModelError
from runoff.problem.batch_features import Keys
from runoff.store.arrays import take
from runoff.store.file import Arrays
from runoff.store.strings import StringTable, pack_names, take_names


class Entries(NamedTuple):
    """Features of candidates, laid end to end: how many each has, which, and their values."""

    counts: NDArray[np.int64]
    ids: NDArray[np.uint32]
    values: NDArray[np.float64]


class FeatureSpace:
    """Names in the order of their ids.

    Extractors may name features otherwise: those which thresholds or bins are applied to. What they
    name are the space's sources.

    Parameters
    ----------
    names : sorted, so that ids do not depend on the order of the lists.
    thresholds : with thresholds 1, 2, 4 a count of 3 becomes the two binary features `name` and
        `name>=2`; without any, values stay as they are.
    real : ids of features that thresholds do not apply to, because they are not counts.
    cuts : cut points by the ids of the binary features that bins make, see
        `runoff.problem.build.bins`; the feature `length ratio>=0.85` has the cut point 0.85 of
        `length ratio`.

    Examples
    --------
    >>> space = FeatureSpace(["commas", "commas>=2"], thresholds=(1, 2, 4))
    >>> space.names, len(space)
    (['commas', 'commas>=2'], 2)
    """

    def __init__(
        self,
        names: Sequence[str] | StringTable,
        *,
        thresholds: Sequence[int] = (),
        real: Sequence[int] = (),
        cuts: Mapping[int, float] | None = None,
    ) -> None:
        self.joined = names if isinstance(names, StringTable) else StringTable.of(names)
        self.thresholds = tuple(thresholds)
        self.real = frozenset(real)
        self.cuts = dict(cuts or {})

    def __len__(self) -> int:
        return len(self.joined)

    @cached_property
    def names(self) -> list[str]:
        """The names of the features, which scoring does not need."""
        return self.joined.strings()

    def find(self, keys: Keys) -> NDArray[np.int64]:
        """The numbers of sources by their fingerprints, -1 for other features.

        Examples
        --------
        >>> from runoff.problem.batch_features import fingerprints
        >>> FeatureSpace(["length", "ratio"]).find(fingerprints(["ratio", "colour"])[0]).tolist()
        [1, -1]
        """
        return self._sources.table.find(keys)

    def encode(
        self,
        list_offsets: NDArray[np.int64],
        feature_offsets: NDArray[np.int64],
        ids: NDArray[np.uint32],
        values: NDArray[np.float64],
        sources: NDArray[np.int64],
    ) -> Entries:
        """The features of lists as features of the space; ids rise within a candidate.

        Binary features that all candidates of a list have are left out there.

        Parameters
        ----------
        list_offsets, feature_offsets, ids, values : what was found, as in a `RankingProblem`.
        sources : the source of each feature that was found, see `find`.

        Examples
        --------
        >>> space = FeatureSpace(["commas", "commas>=2"], thresholds=(1, 2, 4))
        >>> lists, offsets = np.array([0, 2]), np.array([0, 1, 2])
        >>> ids, values = np.array([0, 0], dtype=np.uint32), np.array([3.0, 1.0])
        >>> found = space.encode(lists, offsets, ids, values, sources=np.array([0]))
        >>> found.counts.tolist(), found.ids.tolist()
        ([1, 0], [1])
        """
        return Entries(
            *self._sources.encodings.encode(list_offsets, feature_offsets, ids, values, sources)
        )

    @property
    def made(self) -> Made:
        """What becomes of each source."""
        return self._sources.made

    @property
    def most_made(self) -> int:
        """The most features that are made of one source."""
        return self._sources.most_made

    @cached_property
    def _sources(self) -> _Sources:
        """The sources, and what becomes of them."""
        plain, counted = self._plain(), self._counted()
        made = _Made(*(np.concatenate(pair) for pair in zip(plain, counted, strict=True)))
        starts, ends = self.joined.starts[made.ids], self.joined.ends[made.ids]
        keys, checks = _native.fingerprints(self.joined.text, starts, ends - made.suffixes)
        n = len(plain.ids)
        is_count = _numbered(keys[:n], checks[:n])[0].find(keys[n:]) < 0
        kept = np.concatenate([np.arange(n), n + np.flatnonzero(is_count)])
        table, numbers = _numbered(keys[kept], checks[kept])
        kept = kept[np.argsort(numbers, kind="stable")]
        counts = np.bincount(numbers, minlength=len(table))
        found = Made(offsets_of(counts), made.ids[kept], made.cuts[kept])
        encodings = _native.Encodings(*found, len(self))
        return _Sources(table, encodings, int(counts.max(initial=1)), found)

    def _plain(self) -> _Made:
        """The features that bins make, and those that keep their values."""
        binned = sorted(self.cuts)
        cuts = [self.cuts[number] for number in binned]
        others = np.flatnonzero(self._unbinned() & ~self._are_counts())
        return _Made(
            np.concatenate([np.array(binned, dtype=np.int64), others]),
            np.array([len(cut_suffix(cut)) for cut in cuts] + [0] * len(others), dtype=np.int64),
            np.concatenate([cuts, np.full(len(others), math.nan)]),
        )

    def _counted(self) -> _Made:
        """The features that thresholds make."""
        ids = np.flatnonzero(self._unbinned() & self._are_counts())
        suffixes = [threshold_suffix(t) for t in self.thresholds]
        parts = [self._ending(ids, suffix) for suffix in suffixes]
        sizes = [len(part) for part in parts]
        return _Made(
            np.concatenate([ids[:0], *parts]),
            np.repeat(np.array([len(suffix) for suffix in suffixes], dtype=np.int64), sizes),
            np.repeat(np.array(self.thresholds, dtype=np.float64), sizes),
        )

    def _unbinned(self) -> NDArray[np.bool_]:
        mask = np.ones(len(self), dtype=np.bool_)
        mask[list(self.cuts)] = False
        return mask

    def _are_counts(self) -> NDArray[np.bool_]:
        """Whether thresholds apply to each feature."""
        mask = np.full(len(self), bool(self.thresholds))
        mask[list(self.real)] = False
        return mask

    def _ending(self, ids: NDArray[np.int64], suffix: str) -> NDArray[np.int64]:
        """The ids of the features whose names end with a suffix."""
        text, ends = self.joined.text, self.joined.ends
        ending = ids[(ends - self.joined.starts)[ids] >= len(suffix)]
        for back, byte in enumerate(reversed(suffix.encode()), 1):
            ending = ending[text[ends[ending] - back] == byte]
        return ending

    def __getstate__(self) -> dict[str, Any]:
        kept = ("joined", "thresholds", "real", "cuts")  # what is made of them is made again
        return {name: self.__dict__[name] for name in kept}

    def restrict(self, kept: NDArray[np.int64]) -> FeatureSpace:
        """The space of some of the features, renumbered; `kept` holds rising ids."""
        kept_ids = kept.tolist()
        real = [new for new, old in enumerate(kept_ids) if old in self.real]
        cuts = {new: self.cuts[old] for new, old in enumerate(kept_ids) if old in self.cuts}
        names = [self.names[old] for old in kept_ids]
        return FeatureSpace(names, thresholds=self.thresholds, real=real, cuts=cuts)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The space as arrays for a model file."""
        return {
            "names": pack_names(self.joined),
            "thresholds": np.array(self.thresholds, dtype=np.int64),
            "real_features": np.array(sorted(self.real), dtype=np.int64),
            "cut_features": np.array(sorted(self.cuts), dtype=np.int64),
            "cuts": np.array([self.cuts[n] for n in sorted(self.cuts)], dtype=np.float64),
        }

    @classmethod
    def from_arrays(cls, arrays: Arrays) -> FeatureSpace:
        """The space that a model file keeps; everything in it is checked."""
        joined = take_names(arrays, "names")
        thresholds = take(arrays, "thresholds", np.int64).tolist()
        real = take(arrays, "real_features", np.int64, below=len(joined)).tolist()
        cut_ids = take(arrays, "cut_features", np.int64, below=len(joined)).tolist()
        cuts = take(arrays, "cuts", np.float64, (len(cut_ids),)).tolist()
        if [0, *thresholds] != sorted({0, *thresholds}):
            raise ModelError("the thresholds of counts are not positive numbers in rising order")
        _check_cuts(joined, cut_ids, cuts)
        by_id = dict(zip(cut_ids, cuts, strict=True))
        space = cls(joined, thresholds=thresholds, real=real, cuts=by_id)
        table, _ = _numbered(*_native.fingerprints(joined.text, joined.starts, joined.ends))
        if len(table) != len(joined):
            raise ModelError("a feature is named twice")
        return space


def _numbered(
    keys: Keys, checks: NDArray[np.uint32]
) -> tuple[_native.FingerprintTable, NDArray[np.uint32]]:
    table = _native.FingerprintTable()
    try:
        return table, table.add(keys, checks)
    except RuntimeError as error:
        raise ModelError(str(error)) from None


class _Sources(NamedTuple):
    table: _native.FingerprintTable
    encodings: _native.Encodings
    most_made: int
    made: Made


class Made(NamedTuple):
    """The features of a space that are made of each of its sources.

    Parameters
    ----------
    offsets : source i makes the features `[offsets[i], offsets[i + 1])` of the others.
    ids : their ids.
    cuts : what the source's value must reach; nan for a feature that has this value itself.
    """

    offsets: NDArray[np.int64]
    ids: NDArray[np.int64]
    cuts: NDArray[np.float64]


class _Made(NamedTuple):
    """Features of a space, the bytes of their names beyond their sources', what must be reached."""

    ids: NDArray[np.int64]
    suffixes: NDArray[np.int64]
    cuts: NDArray[np.float64]


def _check_cuts(joined: StringTable, ids: Sequence[int], cuts: Sequence[float]) -> None:
    if list(ids) != sorted(set(ids)):
        raise ModelError("the features with cut points are not in rising order")
    for number, cut in zip(ids, cuts, strict=True):
        if cut == 0:
            raise ModelError("a cut point is 0")
        name = joined[number]
        if not name.endswith(cut_suffix(cut)):
            raise ModelError(f"the feature {name!r} is not called after its cut point")


def threshold_name(name: str, threshold: int) -> str:
    """The name of the binary feature "count of at least threshold"."""
    return name + threshold_suffix(threshold)


def threshold_suffix(threshold: int) -> str:
    """The suffix that `threshold_name` adds to the name of the feature."""
    return "" if threshold == 1 else f">={threshold}"


def cut_name(name: str, cut: float) -> str:
    """The name of the binary feature of a cut point.

    Examples
    --------
    >>> cut_name("length ratio", 0.85), cut_name("logprob per word", -2.5)
    ('length ratio>=0.85', 'logprob per word<=-2.5')
    """
    return name + cut_suffix(cut)


def cut_suffix(cut: float) -> str:
    """The suffix that `cut_name` adds to the name of the feature."""
    return f"{'>=' if cut > 0 else '<='}{cut:.6g}"
