"""Numbers that arrays hold in place of other things: of names, and where runs of entries begin."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Numbers = NDArray[np.uint32]

OUTSIDE = ""
"""What stands where there is no word, before the first and after the last; its number is 0."""


class Numbering(dict[str, int]):
    """Numbers for names, in the order in which they are first asked for.

    Parameters
    ----------
    names : names that have the first numbers.

    Examples
    --------
    >>> words = Numbering([OUTSIDE])
    >>> words.numbers(["to", "be", "or", "not", "to", "be"]).tolist(), words["or"], len(words)
    ([1, 2, 3, 4, 1, 2], 3, 5)
    """

    def __init__(self, names: Iterable[str] = ()) -> None:
        super().__init__()
        for name in names:
            self[name]

    def __missing__(self, name: str) -> int:
        number = self[name] = len(self)
        return number

    def numbers(self, names: Sequence[str]) -> Numbers:
        """The numbers of names; new names get new ones."""
        return np.fromiter(map(self.__getitem__, names), dtype=np.uint32, count=len(names))


def offsets_of(counts: ArrayLike | NDArray[Any]) -> NDArray[np.int64]:
    """The offsets of runs of these lengths, laid end to end, and the end of the last one.

    Lengths in a table are taken row by row.

    Examples
    --------
    >>> offsets_of([2, 0, 3]).tolist(), offsets_of([[2, 0], [3, 1]]).tolist()
    ([0, 2, 2, 5], [0, 2, 2, 5, 6])
    """
    lengths = np.asarray(counts, dtype=np.int64)
    offsets = np.zeros(lengths.size + 1, dtype=np.int64)
    np.cumsum(lengths, out=offsets[1:])
    return offsets


def sizes_of(offsets: NDArray[Any]) -> NDArray[np.int64]:
    """The lengths of runs that are laid end to end.

    Examples
    --------
    >>> sizes_of(np.array([0, 2, 2, 5], dtype=np.uint32))
    array([2, 0, 3])
    """
    whole = offsets.astype(np.int64)
    return whole[1:] - whole[:-1]
