"""The feature space: names <-> ids, fixed by the training lists."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runoff.errors import ModelError
from runoff.store import Arrays, pack_names, unpack_names


class FeatureSpace:
    """Names in the order of their ids.

    Parameters
    ----------
    names : sorted, so that ids do not depend on the order of the lists.
    thresholds : with thresholds 1, 2, 4 a count of 3 becomes the two binary features `name` and
        `name>=2`; without any, values stay as they are.
    real : ids of features that thresholds do not apply to, because they are not counts.

    Examples
    --------
    >>> space = FeatureSpace(["commas", "commas>=2"], thresholds=(1, 2, 4))
    >>> space.ids["commas>=2"], len(space)
    (1, 2)
    """

    def __init__(
        self, names: Sequence[str], *, thresholds: Sequence[int] = (), real: Sequence[int] = ()
    ) -> None:
        self.names = list(names)
        self.thresholds = tuple(thresholds)
        self.real = frozenset(real)

    def __len__(self) -> int:
        return len(self.names)

    @cached_property
    def ids(self) -> dict[str, int]:
        """The id of every name."""
        return {name: number for number, name in enumerate(self.names)}

    def restrict(self, kept: NDArray[np.int64]) -> FeatureSpace:
        """The space of some of the features, renumbered; `kept` holds rising ids."""
        kept_ids = kept.tolist()
        real = [new for new, old in enumerate(kept_ids) if old in self.real]
        names = [self.names[old] for old in kept_ids]
        return FeatureSpace(names, thresholds=self.thresholds, real=real)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """What a model file keeps of it."""
        return {
            **pack_names(self.names),
            "thresholds": np.array(self.thresholds, dtype=np.int64),
            "real_features": np.array(sorted(self.real), dtype=np.int64),
        }

    @classmethod
    def from_arrays(cls, arrays: Arrays) -> FeatureSpace:
        """The space that a model file keeps; everything in it is checked."""
        try:
            names, thresholds = unpack_names(arrays), arrays["thresholds"].tolist()
            real = arrays["real_features"].tolist()
        except KeyError as error:
            raise ModelError(f"the array {error} is missing") from None
        if len(set(names)) != len(names):
            raise ModelError("a feature is named twice")
        if not all(isinstance(n, int) and n > 0 for n in thresholds):
            raise ModelError("a threshold is not a positive whole number")
        if not all(isinstance(n, int) and 0 <= n < len(names) for n in real):
            raise ModelError("a feature number is out of range")
        return cls(names, thresholds=thresholds, real=real)


def threshold_name(name: str, threshold: int) -> str:
    """How the binary feature "count of at least threshold" is called."""
    return name if threshold == 1 else f"{name}>={threshold}"
