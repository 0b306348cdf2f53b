"""An array that grows on disk."""

from __future__ import annotations

import tempfile
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray


class Spool:
    """Appended piece by piece, then read as one memory-mapped array.

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
        self._file = tempfile.TemporaryFile()

    def append(self, piece: NDArray[Any]) -> None:
        """Add entries at the end."""
        self._file.write(np.ascontiguousarray(piece, dtype=self.dtype).tobytes())

    def array(self) -> NDArray[Any]:
        """Everything appended so far."""
        self._file.flush()
        if self._file.tell() == 0:
            return np.zeros(0, dtype=self.dtype)
        return np.memmap(self._file, dtype=self.dtype, mode="r+")
