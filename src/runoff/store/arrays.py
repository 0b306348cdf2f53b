"""Arrays out of a model file, checked: whatever a file holds, one sentence says what is wrong.

Whole numbers can be packed: small ones take one byte each.
"""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from runoff.errors import ModelError
from runoff.store.file import Arrays

Shape = tuple[int | None, ...]
"""The lengths of an array; None stands for any."""

Number = TypeVar("Number", bound=np.generic)

LARGEST = (1 << 32) - 1
"""The largest number that can be packed."""

_LONGEST = 5  # bytes of a packed number


def take(
    arrays: Arrays,
    name: str,
    dtype: type[Number] | tuple[type[Number], ...],
    shape: Shape = (None,),
    *,
    below: int | None = None,
    finite: bool = True,
) -> NDArray[Number]:
    """An array of a model file, checked; it is memory-mapped where the file's arrays are.

    Parameters
    ----------
    dtype : its type, or the types that it may have.
    shape : its lengths; None stands for any.
    below : where it is given, all numbers must lie in [0, below).
    finite : whether numbers must be finite; False leaves a large array unread.

    Raises
    ------
    ModelError : the array is missing, or not what is expected.

    Examples
    --------
    >>> take({"ids": np.array([0, 2])}, "ids", np.int64, below=3).tolist()
    [0, 2]
    >>> take({"ids": np.array([0, 2])}, "ids", np.uint32, (3,))
    Traceback (most recent call last):
    runoff.errors.ModelError: the array 'ids' must be uint32 of shape (3), not int64 of shape (2)
    """
    found = arrays.get(name)
    if found is None:
        raise ModelError(f"the array {name!r} is missing")
    types = dtype if isinstance(dtype, tuple) else (dtype,)
    if found.dtype not in types or not _fits(found.shape, shape):
        kinds = " or ".join(np.dtype(one).name for one in types)
        raise ModelError(
            f"the array {name!r} must be {kinds} of shape {_shown(shape)}, "
            f"not {found.dtype.name} of shape {_shown(found.shape)}"
        )
    if finite and found.dtype.kind == "f" and not (usable := np.isfinite(found)).all():
        raise ModelError(f"the array {name!r} must be finite, but holds {found[~usable][0]}")
    if below is not None:
        check_below(found, name, below)
    return found


def take_offsets(arrays: Arrays, name: str, end: int, size: int | None = None) -> NDArray[np.int64]:
    """Where parts of another array begin, and its length: numbers that rise from 0 to `end`.

    Parameters
    ----------
    size : how many offsets there are, which is one more than parts.

    Examples
    --------
    >>> take_offsets({"offsets": np.array([0, 3, 2, 7])}, "offsets", 7)
    Traceback (most recent call last):
    runoff.errors.ModelError: the array 'offsets' must rise from 0 to 7, but falls from 3 to 2
    """
    found = take(arrays, name, np.int64, (size,))
    expected = f"the array {name!r} must rise from 0 to {end}"
    if not len(found):
        raise ModelError(f"{expected}, but is empty")
    if found[0] != 0 or found[-1] != end:
        raise ModelError(f"{expected}, but begins with {found[0]} and ends with {found[-1]}")
    falls = np.flatnonzero(found[1:] < found[:-1])
    if len(falls):
        before, after = found[falls[0] : falls[0] + 2].tolist()
        raise ModelError(f"{expected}, but falls from {before} to {after}")
    return found


def check_below(numbers: NDArray[Any], name: str, below: int) -> None:
    """Raise an error unless all numbers of the array lie in [0, below)."""
    if numbers.size and (low := numbers.min()) < 0:
        raise ModelError(f"the array {name!r} must hold numbers in [0, {below}), but holds {low}")
    if numbers.size and (high := numbers.max()) >= below:
        raise ModelError(f"the array {name!r} must hold numbers in [0, {below}), but holds {high}")


def _fits(found: tuple[int, ...], expected: Shape) -> bool:
    return len(found) == len(expected) and all(
        wanted in (None, size) for size, wanted in zip(found, expected, strict=True)
    )


def _shown(shape: Shape) -> str:
    return f"({', '.join('any' if size is None else str(size) for size in shape)})"


def prefixed(prefix: str, arrays: Arrays) -> dict[str, NDArray[Any]]:
    """The arrays under names that begin with a prefix, for a file that has several parts."""
    return {prefix + name: array for name, array in arrays.items()}


def without_prefix(prefix: str, arrays: Arrays) -> dict[str, NDArray[Any]]:
    """The arrays of one part of a file, under their own names.

    Examples
    --------
    >>> parts = prefixed("parser.", {"weights": np.ones(2)})
    >>> list(parts), list(without_prefix("parser.", parts))
    (['parser.weights'], ['weights'])
    """
    size = len(prefix)
    return {name[size:]: array for name, array in arrays.items() if name.startswith(prefix)}


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
