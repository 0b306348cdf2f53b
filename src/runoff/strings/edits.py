"""Edit distance: the fewest substitutions, deletions and insertions between two sequences.

The table is native (`cpp/runoff/strings/edits.hpp`), with bit vectors for columns.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import chain, repeat
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from runoff import _native
from runoff.data.numbering import offsets_of

BLOCK = 1024
"""Units of an output whose columns are kept together, at least."""


class Edits(NamedTuple):
    """The edits that turn gold into an output."""

    substitutions: int
    deletions: int
    insertions: int


def count_edits(output: Sequence[Hashable], gold: Sequence[Hashable]) -> Edits:
    """The fewest substitutions, deletions and insertions that turn gold into the output.

    What both begin and end with is set aside first; candidates seldom differ in more than the
    middle. Time is the length of what is left of the output, times that of gold over 64.

    Examples
    --------
    >>> count_edits("kitten", "sitting")
    Edits(substitutions=2, deletions=1, insertions=0)
    """
    return Edits(*edit_counts([output], gold)[0].tolist())


def edit_counts(
    outputs: Sequence[Sequence[Hashable]], gold: Sequence[Hashable]
) -> NDArray[np.int64]:
    """The `Edits` of several outputs, one row each.

    Examples
    --------
    >>> edit_counts([["ice", "cream"], ["I"]], ["I", "scream"]).tolist()
    [[2, 0, 0], [0, 1, 0]]
    """
    numbers = {unit: number for number, unit in enumerate(dict.fromkeys(gold), 1)}  # 0: not in gold
    known = map(numbers.get, chain.from_iterable(outputs), repeat(0))
    sizes = np.array([len(output) for output in outputs], dtype=np.int64)
    found = _native.edit_counts(
        np.fromiter(known, dtype=np.uint32, count=int(sizes.sum())),
        offsets_of(sizes),
        np.array([numbers[unit] for unit in gold], dtype=np.uint32),
        BLOCK,
    )
    return found.reshape(-1, 3)
