"""Edit distance: the fewest substitutions, deletions and insertions between two sequences.

References
----------
Myers (1999), "A fast bit-vector algorithm for approximate string matching based on dynamic
programming", and Hyyrö (2003), "A bit-vector algorithm for computing Levenshtein and Damerau edit
distances": a column of the table is two bit vectors of differences, here Python integers, so a
step costs a dozen operations however long the gold is.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence

BLOCK = 1024
"""Units of an output whose columns are kept together, at least."""


def count_edits(output: Sequence[Hashable], gold: Sequence[Hashable]) -> tuple[int, int, int]:
    """The fewest substitutions, deletions and insertions that turn gold into the output.

    What both begin and end with is set aside first; candidates seldom differ in more than the
    middle. Time is the length of what is left of the output, times that of gold over 64.

    Examples
    --------
    >>> count_edits("kitten", "sitting")
    (2, 1, 0)
    """
    start, end = 0, min(len(output), len(gold))
    while start < end and output[start] == gold[start]:
        start += 1
    end -= start
    tail = 0
    while tail < end and output[-1 - tail] == gold[-1 - tail]:
        tail += 1
    output, gold = output[start : len(output) - tail], gold[start : len(gold) - tail]
    if not output or not gold:
        return 0, len(gold), len(output)
    return _trace(output, gold)


State = tuple[int, int]
"""A column of the table: where it grows downwards by 1, and where it shrinks; a bit per row."""


def _columns(
    output: Sequence[Hashable], where: dict[Hashable, int], full: int, state: State
) -> tuple[list[int], list[int], State]:
    """For columns of the table, where they grow downwards and where they grew from the left.

    Letters as in Hyyrö (2003): `pv`, `mv` are the vertical differences +1 and -1, `ph`, `mh` the
    horizontal ones, one bit per row; `d0` marks cells that equal their upper left neighbour.

    Parameters
    ----------
    where : the rows of each unit of gold.
    full : the bits of all rows.
    state : the column before.
    """
    pv, mv = state
    downs, rights = [], []
    for unit in output:
        equal = where.get(unit, 0)
        d0 = ((((equal & pv) + pv) ^ pv) | equal | mv) & full
        ph = mv | (full & ~(d0 | pv))
        mh = pv & d0
        rights.append(ph)
        ph = ph << 1 | 1
        pv = (mh << 1 | ~(d0 | ph)) & full
        mv = ph & d0 & full
        downs.append(pv)
    return downs, rights, (pv, mv)


def _trace(output: Sequence[Hashable], gold: Sequence[Hashable]) -> tuple[int, int, int]:
    """Walk back through the table along one best alignment, counting its edits.

    Of a long output, only the first columns of blocks are kept, and a block is made again when it
    is reached: memory is that of some thousand columns.
    """
    where: dict[Hashable, int] = {}
    for row, unit in enumerate(gold):
        where[unit] = where.get(unit, 0) | 1 << row
    full = (1 << len(gold)) - 1
    size = max(BLOCK, math.isqrt(len(output)))
    states = [(full, 0)]
    for start in range(0, len(output) - size, size):
        states.append(_columns(output[start : start + size], where, full, states[-1])[2])
    start, column, row = len(output), len(output), len(gold)
    substitutions = deletions = insertions = 0
    while column and row:
        if column <= start:
            start = (column - 1) // size * size
            block = output[start : start + size]
            downs, rights, _ = _columns(block, where, full, states[start // size])
        bit = 1 << row - 1
        if downs[column - 1 - start] & bit:
            deletions += 1
            row -= 1
        elif rights[column - 1 - start] & bit:
            insertions += 1
            column -= 1
        else:
            column, row = column - 1, row - 1
            substitutions += output[column] != gold[row]
    return substitutions, deletions + row, insertions + column
