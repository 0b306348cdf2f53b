"""Arrays out of a model file, checked: whatever a file holds, one sentence says what is wrong."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from runoff.errors import ModelError
from runoff.store.file import Arrays

Shape = tuple[int | None, ...]
"""The lengths of an array; None stands for any."""

Number = TypeVar("Number", bound=np.generic)


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
