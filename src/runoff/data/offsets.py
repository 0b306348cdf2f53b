"""Offsets: where runs of entries begin that are laid end to end in one array."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray


def offsets_of(counts: ArrayLike | NDArray[Any]) -> NDArray[np.int64]:
    """The offsets of runs of these lengths, laid end to end, and the end of the last one.

    Examples
    --------
    >>> offsets_of([2, 0, 3]).tolist()
    [0, 2, 2, 5]
    """
    ends = np.cumsum(np.asarray(counts, dtype=np.int64))
    return np.concatenate([np.zeros(1, dtype=np.int64), ends])
