"""Whole numbers of models in few bytes: small ones take one byte each."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from runoff.errors import ModelError
from runoff.store.arrays import check_below, take
from runoff.store.file import Arrays

LARGEST = (1 << 32) - 1
_LONGEST = 5  # bytes of one number


def pack_numbers(numbers: ArrayLike) -> NDArray[np.uint8]:
    """Numbers from 0 to 2^32 - 1, seven bits per byte, low first; the last byte has no high bit.

    Examples
    --------
    >>> pack_numbers([5, 127, 128])
    array([  5, 127, 128,   1], dtype=uint8)
    >>> take_numbers({"sizes": pack_numbers([5, 127, 128])}, "sizes")
    array([  5, 127, 128])
    """
    given = np.asarray(numbers, dtype=np.int64)
    places = np.arange(_LONGEST)
    parts = given[:, None] >> (7 * places)
    present = (parts > 0) | (places == 0)
    more = np.concatenate([present[:, 1:], np.zeros((len(given), 1), dtype=np.bool_)], axis=1)
    packed: NDArray[np.uint8] = ((parts & 127) | (more * 128))[present].astype(np.uint8)
    return packed


def take_numbers(
    arrays: Arrays, name: str, size: int | None = None, *, below: int = LARGEST + 1
) -> NDArray[np.int64]:
    """The numbers that `pack_numbers` packed, out of a model file and checked.

    Parameters
    ----------
    size : how many there must be, if that is known.
    below : all must be smaller.

    Raises
    ------
    ModelError : the array is missing, or it does not hold such numbers.
    """
    packed = take(arrays, name, np.uint8)
    ends = np.flatnonzero(packed < 128)
    sizes = np.diff(ends, prepend=-1)
    if (len(packed) and packed[-1] > 127) or sizes.max(initial=0) > _LONGEST:
        raise ModelError(f"the array {name!r} does not hold packed numbers")
    if size is not None and len(sizes) != size:
        raise ModelError(f"the array {name!r} must hold {size} numbers, not {len(sizes)}")
    starts = ends - sizes + 1
    shifts = 7 * (np.arange(len(packed)) - np.repeat(starts, sizes))
    parts = (packed.astype(np.int64) & 127) << shifts
    numbers = np.add.reduceat(parts, starts) if len(starts) else np.zeros(0, dtype=np.int64)
    check_below(numbers, name, below)
    return numbers


def pack_signed(numbers: ArrayLike) -> NDArray[np.uint8]:
    """Packed numbers that may be negative: 0, -1, 1, -2 become 0, 1, 2, 3."""
    given = np.asarray(numbers, dtype=np.int64)
    return pack_numbers(np.where(given < 0, -2 * given - 1, 2 * given))


def take_signed(arrays: Arrays, name: str, size: int | None = None) -> NDArray[np.int64]:
    """The numbers that `pack_signed` packed, out of a model file and checked.

    Examples
    --------
    >>> take_signed({"weights": pack_signed([-3, 0, 200])}, "weights")
    array([ -3,   0, 200])
    """
    numbers = take_numbers(arrays, name, size)
    signed: NDArray[np.int64] = np.where(numbers % 2 == 1, -(numbers // 2) - 1, numbers // 2)
    return signed
