"""Stand-in until the branch `records` is merged: similarities of two texts, from 0 to 1."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from runoff.errors import import_extra

SCORERS = {
    "ratio": "ratio",
    "token_sort_ratio": "token_sort_ratio",
    "token_set_ratio": "token_set_ratio",
    "partial_ratio": "partial_ratio",
}


def pairs(
    name: str, values: list[str], left: NDArray[np.uint32], right: NDArray[np.uint32]
) -> NDArray[np.float32]:
    """The similarity of each pair of values."""
    fuzz: Any = import_extra("rapidfuzz.fuzz", "identity")
    process: Any = import_extra("rapidfuzz.process", "identity")
    texts = np.array(values, dtype=object)
    found = np.empty(len(left), dtype=np.float32)
    for start in range(0, len(left), 1 << 18):
        part = slice(start, start + (1 << 18))
        found[part] = process.cpdist(
            texts[left[part]],
            texts[right[part]],
            scorer=getattr(fuzz, SCORERS[name]),
            dtype=np.float32,
        )
    return found / np.float32(100)


def ratio(a: str, b: str) -> float:
    """The edit similarity of two texts."""
    return float(pairs("ratio", [a, b], np.array([0], np.uint32), np.array([1], np.uint32))[0])
