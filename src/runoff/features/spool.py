"""Arrays that grow, on disk where they are large."""

from __future__ import annotations

import tempfile
from typing import IO, Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

IN_MEMORY = 1 << 24  # bytes


class Spool:
    """Appended piece by piece, then read as one array: memory-mapped, unless it is small.

    The file has no name and goes away with the last view of it; `TMPDIR` says where it lives.

    Examples
    --------
    >>> spool = Spool(np.int64)
    >>> spool.append(np.array([1, 2]))
    >>> spool.append(np.array([3]))
    >>> spool.array().tolist()
    [1, 2, 3]
    """

    def __init__(self, dtype: DTypeLike) -> None:
        self.dtype = np.dtype(dtype)
        self._pieces = [np.zeros(0, dtype=self.dtype)]
        self._size = 0
        self._file: IO[bytes] | None = None

    def append(self, piece: NDArray[Any]) -> None:
        """Add entries at the end."""
        self._pieces.append(np.ascontiguousarray(piece, dtype=self.dtype))
        self._size += self._pieces[-1].nbytes
        if self._size > IN_MEMORY:
            if self._file is None:
                self._file = tempfile.TemporaryFile()
            for one in self._pieces:
                self._file.write(one.tobytes())
            self._pieces.clear()

    def array(self) -> NDArray[Any]:
        """Everything appended so far."""
        if self._file is None:
            return np.concatenate(self._pieces)
        self._file.flush()
        return np.memmap(self._file, dtype=self.dtype, mode="r+")


class EntrySpool:
    """Features of candidates, some candidates after others.

    Examples
    --------
    >>> spool = EntrySpool()
    >>> spool.append(np.array([1, 2]), np.array([7, 5, 7]), np.ones(3))
    >>> offsets, ids, values, all_ones = spool.columns()
    >>> offsets.tolist(), ids.tolist(), all_ones
    ([0, 1, 3], [7, 5, 7], True)
    """

    def __init__(self) -> None:
        self._counts, self._ids, self._values = Spool(np.int64), Spool(np.uint32), Spool(np.float64)
        self._all_ones = True

    def append(
        self, counts: NDArray[np.int64], ids: NDArray[np.uint32], values: NDArray[np.float64]
    ) -> None:
        """Add how many each candidate has, which, and their values."""
        self._counts.append(counts)
        self._ids.append(ids)
        self._values.append(values)
        self._all_ones = self._all_ones and bool((values == 1.0).all())

    def columns(
        self,
    ) -> tuple[NDArray[np.int64], NDArray[np.uint32], NDArray[np.float64], bool]:
        """Where the features of each candidate begin, ids, values, and whether these are all 1."""
        return (
            offsets_of(self._counts.array()),
            self._ids.array(),
            self._values.array(),
            self._all_ones,
        )


def offsets_of(counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Where runs of these lengths begin, laid end to end, and where the last one ends.

    Examples
    --------
    >>> offsets_of(np.array([2, 0, 3])).tolist()
    [0, 2, 2, 5]
    """
    return np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(counts, dtype=np.int64)])
