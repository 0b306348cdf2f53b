"""Numbers for names: every new name gets the next one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

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
