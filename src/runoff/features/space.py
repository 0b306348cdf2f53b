"""The feature space: names <-> ids, fixed by the training lists."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from runoff import _native
from runoff.errors import ModelError
from runoff.features.bins import cut_suffix
from runoff.features.encoded import Keys, fingerprints
from runoff.store import Arrays, pack_names, unpack_names


class Encodings(NamedTuple):
    """What becomes of several features: how many of the space's, which, what must be reached."""

    counts: NDArray[np.int64]
    ids: NDArray[np.int64]
    cuts: NDArray[np.float64]


class FeatureSpace:
    """Names in the order of their ids.

    Parameters
    ----------
    names : sorted, so that ids do not depend on the order of the lists.
    thresholds : with thresholds 1, 2, 4 a count of 3 becomes the two binary features `name` and
        `name>=2`; without any, values stay as they are.
    real : ids of features that thresholds do not apply to, because they are not counts.
    cuts : cut points by the ids of the binary features that bins make, see `runoff.features.bins`;
        the feature `length ratio>=0.85` has the cut point 0.85 of `length ratio`.

    Examples
    --------
    >>> space = FeatureSpace(["commas", "commas>=2"], thresholds=(1, 2, 4))
    >>> space.ids["commas>=2"], len(space)
    (1, 2)
    """

    def __init__(
        self,
        names: Sequence[str],
        *,
        thresholds: Sequence[int] = (),
        real: Sequence[int] = (),
        cuts: Mapping[int, float] | None = None,
    ) -> None:
        self.names = list(names)
        self.thresholds = tuple(thresholds)
        self.real = frozenset(real)
        self.cuts = dict(cuts or {})

    def __len__(self) -> int:
        return len(self.names)

    @cached_property
    def ids(self) -> dict[str, int]:
        """The id of every name."""
        return {name: number for number, name in enumerate(self.names)}

    @cached_property
    def _bins(self) -> dict[str, list[tuple[int, float]]]:
        bins: dict[str, list[tuple[int, float]]] = {}
        for number, cut in self.cuts.items():
            bins.setdefault(self.names[number].removesuffix(cut_suffix(cut)), []).append(
                (number, cut)
            )
        return bins

    @cached_property
    def sources(self) -> list[str]:
        """The features, as extractors name them, of which those of the space are made."""
        if not self.thresholds and not self.cuts:
            return self.names
        ends = ["", *(f">={t}" for t in self.thresholds if t > 1)]
        names = {
            name.removesuffix(end): None
            for number, name in enumerate(self.names)
            for end in ([cut_suffix(self.cuts[number])] if number in self.cuts else ends)
        }
        return [name for name in names if self.encodings(name)]

    @cached_property
    def _table(self) -> _native.FingerprintTable:
        table = _native.FingerprintTable()
        try:
            table.add(*fingerprints(self.sources))
        except RuntimeError as error:
            raise ModelError(str(error)) from None
        return table

    def find(self, keys: Keys) -> NDArray[np.int64]:
        """The places among `sources` of features by their fingerprints, -1 for others.

        Examples
        --------
        >>> FeatureSpace(["length", "ratio"]).find(fingerprints(["ratio", "colour"])[0]).tolist()
        [1, -1]
        """
        return self._table.find(keys)

    @cached_property
    def source_encodings(self) -> Encodings:
        """What becomes of the `sources`."""
        return self.encodings_of(self.sources)

    def encodings_of(self, names: Iterable[str]) -> Encodings:
        """What becomes of several features, see `encodings`, as arrays."""
        counts: list[int] = []
        ids: list[int] = []
        cuts: list[float] = []
        for name in names:
            encodings = self.encodings(name)
            counts.append(len(encodings))
            ids.extend(number for number, _ in encodings)
            cuts.extend(cut for _, cut in encodings)
        return Encodings(
            np.array(counts, dtype=np.int64),
            np.array(ids, dtype=np.int64),
            np.array(cuts, dtype=np.float64),
        )

    def __getstate__(self) -> dict[str, Any]:
        kept = ("names", "thresholds", "real", "cuts")  # what is made of them is made again
        return {name: self.__dict__[name] for name in kept}

    def encodings(self, name: str) -> list[tuple[int, float]]:
        """What becomes of a feature: the ids of features here, and what its value must reach.

        A feature that keeps its value has nan there.

        Examples
        --------
        >>> FeatureSpace(["commas", "commas>=2"], thresholds=(1, 2, 4)).encodings("commas")
        [(0, 1.0), (1, 2.0)]
        >>> FeatureSpace(["ratio>=0.5"], cuts={0: 0.5}).encodings("ratio")
        [(0, 0.5)]
        """
        if name in self._bins:
            return self._bins[name]
        if not self.thresholds or self.ids.get(name) in self.real:
            wanted = [(name, math.nan)]
        else:
            wanted = [(threshold_name(name, t), float(t)) for t in self.thresholds]
        found = [(self.ids[made], cut) for made, cut in wanted if made in self.ids]
        return [one for one in found if one[0] not in self.cuts]

    def restrict(self, kept: NDArray[np.int64]) -> FeatureSpace:
        """The space of some of the features, renumbered; `kept` holds rising ids."""
        kept_ids = kept.tolist()
        real = [new for new, old in enumerate(kept_ids) if old in self.real]
        cuts = {new: self.cuts[old] for new, old in enumerate(kept_ids) if old in self.cuts}
        names = [self.names[old] for old in kept_ids]
        return FeatureSpace(names, thresholds=self.thresholds, real=real, cuts=cuts)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """What a model file keeps of it."""
        return {
            **pack_names(self.names),
            "thresholds": np.array(self.thresholds, dtype=np.int64),
            "real_features": np.array(sorted(self.real), dtype=np.int64),
            "cut_features": np.array(sorted(self.cuts), dtype=np.int64),
            "cuts": np.array([self.cuts[n] for n in sorted(self.cuts)], dtype=np.float64),
        }

    @classmethod
    def from_arrays(cls, arrays: Arrays) -> FeatureSpace:
        """The space that a model file keeps; everything in it is checked."""
        try:
            names = unpack_names(arrays)
            thresholds, real, cut_ids, cuts = (arrays[name].ravel().tolist() for name in _ARRAYS)
        except KeyError as error:
            raise ModelError(f"the array {error} is missing") from None
        if len(set(names)) != len(names):
            raise ModelError("a feature is named twice")
        if not all(isinstance(n, int) and n > 0 for n in thresholds):
            raise ModelError("a threshold is not a positive whole number")
        if not all(isinstance(n, int) and 0 <= n < len(names) for n in [*real, *cut_ids]):
            raise ModelError("a feature number is out of range")
        _check_cuts(names, cut_ids, cuts)
        by_id = dict(zip(cut_ids, cuts, strict=True))
        return cls(names, thresholds=thresholds, real=real, cuts=by_id)


_ARRAYS = ("thresholds", "real_features", "cut_features", "cuts")


def _check_cuts(names: Sequence[str], ids: Sequence[int], cuts: Sequence[float]) -> None:
    if list(ids) != sorted(set(ids)) or len(cuts) != len(ids):
        raise ModelError("the features with cut points do not rise, or do not have one each")
    for number, cut in zip(ids, cuts, strict=True):
        if not isinstance(cut, float) or not math.isfinite(cut) or cut == 0:
            raise ModelError("a cut point is not a finite number other than 0")
        if not names[number].endswith(cut_suffix(cut)):
            raise ModelError(f"the feature {names[number]!r} is not called after its cut point")


def threshold_name(name: str, threshold: int) -> str:
    """How the binary feature "count of at least threshold" is called."""
    return name if threshold == 1 else f"{name}>={threshold}"
