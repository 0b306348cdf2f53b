"""Arrays that grow, on disk where they are large."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from typing import IO, Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from runoff.data.numbering import offsets_of

IN_MEMORY = 1 << 24  # bytes

ENTRIES_PER_BLOCK = 1 << 22
"""Features of candidates that are looked at at once; a list of 50 parses has some 30,000."""


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
                self._file.write(one.data)
            self._pieces.clear()

    def array(self) -> NDArray[Any]:
        """Everything appended so far."""
        if self._file is None:
            return np.concatenate(self._pieces)
        self._file.flush()
        return np.memmap(self._file, dtype=self.dtype, mode="r+")


class EntrySpool:
    """Features of candidates, some candidates after others; no values while all of them are 1.

    Examples
    --------
    >>> spool = EntrySpool()
    >>> spool.append(np.array([1, 2]), np.array([7, 5, 7]), np.ones(3))
    >>> offsets, ids, values = spool.columns()
    >>> offsets.tolist(), ids.tolist(), values
    ([0, 1, 3], [7, 5, 7], None)
    >>> spool.append(np.array([1]), np.array([5]), np.array([0.5]))
    >>> spool.columns()[2]
    array([1. , 1. , 1. , 0.5])
    """

    def __init__(self) -> None:
        self._counts, self._ids, self._values = Spool(np.int64), Spool(np.uint32), Spool(np.float64)
        self._ones: list[int] | None = []  # sizes of the pieces so far, while all values are 1

    def append(
        self, counts: NDArray[np.int64], ids: NDArray[np.uint32], values: NDArray[np.float64]
    ) -> None:
        """Add how many each candidate has, which, and their values."""
        self._counts.append(counts)
        self._ids.append(ids)
        if self._ones is not None and (values == 1.0).all():
            self._ones.append(len(values))
            return
        for size in self._ones or ():
            self._values.append(np.ones(size))
        self._ones = None
        self._values.append(values)

    def columns(
        self,
    ) -> tuple[NDArray[np.int64], NDArray[np.uint32], NDArray[np.float64] | None]:
        """Where the features of each candidate begin, ids, and values unless these are all 1."""
        values = None if self._ones is not None else self._values.array()
        return offsets_of(self._counts.array()), self._ids.array(), values


def stretches(offsets: NDArray[np.int64], size: int) -> Iterator[tuple[int, int]]:
    """Stretches of rows that together have about `size` entries, each of at least one row.

    Examples
    --------
    >>> list(stretches(np.array([0, 3, 4, 5, 9]), 4))
    [(0, 2), (2, 4)]
    """
    first, rows = 0, len(offsets) - 1
    while first < rows:
        last = int(np.searchsorted(offsets, offsets[first] + size))
        last = min(max(last, first + 1), rows)
        yield first, last
        first = last
