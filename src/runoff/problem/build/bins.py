"""Bins: real-valued features as binary ones, for learners that take nothing else.

Every real-valued feature gets cut points: quantiles of its values in the training lists. Only
values that can change an order count, so not those of lists in which all candidates have the same
one, and not 0, which is the same as absent.

A cut point above 0 asks whether the value is at least that, one below 0 whether it is at most that.
So a candidate without the feature, whose value is 0, answers no to every question: problems stay
sparse. Nothing is lost by it, since a question and its opposite order a list equally well.
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import ROUND_DOWN, Context

import numpy as np
from numpy.typing import NDArray

from runoff.store.file import let_go

MAX_BINS = 1000
ENTRIES_SORTED = 1 << 24
ENTRIES_PER_BLOCK = 1 << 20
_SIX_DIGITS = Context(prec=6, rounding=ROUND_DOWN)


def cut_points(values: NDArray[np.float64], bins: int) -> list[float]:
    """At most `bins` quantiles of rising values, none of which is 0; equal ones count once.

    They are rounded towards 0 to six digits, so that the name of the binary feature says exactly
    what it asks, and the value itself still answers yes.

    Examples
    --------
    >>> cut_points(np.array([-1.5, 0.25, 0.5, 2 / 3]), 3)
    [0.25, 0.5, 0.666666]
    >>> cut_points(np.array([0.5, 0.5, 0.5]), 3)
    [0.5]
    """
    places = np.arange(1, bins + 1) * len(values) // (bins + 1)
    return sorted({float(_SIX_DIGITS.create_decimal(v)) for v in values[places].tolist()})


def find_cuts(
    ids: NDArray[np.uint32], values: NDArray[np.float64] | None, real: NDArray[np.bool_], bins: int
) -> dict[int, list[float]]:
    """The cut points of every real-valued feature, by its id.

    Exact, and the order of the entries does not matter. The features are taken a group at a time,
    so memory does not grow with the entries but for those of one feature.

    Parameters
    ----------
    ids, values : entries, which may be on disk; without values all are 1.
    real : of each id, whether it is to have cut points.
    """
    wanted, counts = _counted(ids, real)
    group = np.cumsum(counts) // ENTRIES_SORTED
    places = np.flatnonzero(np.diff(group)) + 1
    cuts: dict[int, list[float]] = {}
    for members, sizes in zip(np.split(wanted, places), np.split(counts, places), strict=True):
        runs = np.split(_sorted_values(ids, values, members), np.cumsum(sizes)[:-1])
        for number, run in zip(members.tolist(), runs, strict=False):  # no members: an empty run
            cuts[number] = cut_points(run, bins)
    return cuts


def _counted(
    ids: NDArray[np.uint32], real: NDArray[np.bool_]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The real-valued features that have entries, and how many; all others are far more."""
    numbers = np.flatnonzero(real)
    counts = np.zeros(len(numbers), dtype=np.int64)
    for block in _blocks(len(ids)):
        own = ids[block][real[ids[block]]]
        counts += np.bincount(np.searchsorted(numbers, own), minlength=len(numbers))
        let_go(ids)
    return numbers[counts > 0], counts[counts > 0]


def _sorted_values(
    ids: NDArray[np.uint32], values: NDArray[np.float64] | None, members: NDArray[np.int64]
) -> NDArray[np.float64]:
    """The values of some features, one feature after another, rising in each."""
    parts = []
    for block in _blocks(len(ids)):
        chosen = np.isin(ids[block], members)
        numbers = ids[block][chosen]
        parts.append((numbers, np.ones(len(numbers)) if values is None else values[block][chosen]))
        let_go(ids)
        let_go(values)
    if not parts:
        return np.zeros(0)
    numbers, found = (np.concatenate(column) for column in zip(*parts, strict=True))
    return np.asarray(found[np.lexsort((found, numbers))])


def _blocks(size: int) -> Iterator[slice]:
    return (slice(start, start + ENTRIES_PER_BLOCK) for start in range(0, size, ENTRIES_PER_BLOCK))
