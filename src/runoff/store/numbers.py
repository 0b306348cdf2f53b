"""Numbers and strings of models in few bytes: small numbers take one byte each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from runoff.errors import ModelError
from runoff.store.file import Arrays

LARGEST = (1 << 32) - 1
_LONGEST = 5  # bytes of one number


def pack_numbers(numbers: ArrayLike) -> NDArray[np.uint8]:
    """Numbers from 0 to 2^32 - 1, seven bits a byte, low ones first; the last byte has no high bit.

    Examples
    --------
    >>> pack_numbers([5, 127, 128])
    array([  5, 127, 128,   1], dtype=uint8)
    >>> unpack_numbers(pack_numbers([5, 127, 128]), "example")
    array([  5, 127, 128])
    """
    given = np.asarray(numbers, dtype=np.int64)
    places = np.arange(_LONGEST)
    parts = given[:, None] >> (7 * places)
    present = (parts > 0) | (places == 0)
    more = np.concatenate([present[:, 1:], np.zeros((len(given), 1), dtype=np.bool_)], axis=1)
    packed: NDArray[np.uint8] = ((parts & 127) | (more * 128))[present].astype(np.uint8)
    return packed


def unpack_numbers(packed: NDArray[Any] | None, what: str) -> NDArray[np.int64]:
    """The numbers that `pack_numbers` packed.

    Raises
    ------
    ModelError : the array is missing or not such numbers; `what` says which.
    """
    if packed is None or packed.dtype != np.uint8 or packed.ndim != 1:
        raise ModelError(f"the {what} are missing or of the wrong type")
    ends = np.flatnonzero(packed < 128)
    sizes = np.diff(ends, prepend=-1)
    if (len(packed) and packed[-1] > 127) or (len(sizes) and sizes.max() > _LONGEST):
        raise ModelError(f"the {what} are broken")
    starts = ends - sizes + 1
    shifts = 7 * (np.arange(len(packed)) - np.repeat(starts, sizes))
    parts = (packed.astype(np.int64) & 127) << shifts
    numbers = np.add.reduceat(parts, starts) if len(starts) else np.zeros(0, dtype=np.int64)
    if len(numbers) and numbers.max() > LARGEST:
        raise ModelError(f"the {what} are out of range")
    return numbers


def pack_signed(numbers: ArrayLike) -> NDArray[np.uint8]:
    """Numbers that may be negative: 0, -1, 1, -2 become 0, 1, 2, 3."""
    given = np.asarray(numbers, dtype=np.int64)
    return pack_numbers(np.where(given < 0, -2 * given - 1, 2 * given))


def unpack_signed(packed: NDArray[Any] | None, what: str) -> NDArray[np.int64]:
    """The numbers that `pack_signed` packed.

    Examples
    --------
    >>> unpack_signed(pack_signed([-3, 0, 200]), "example")
    array([ -3,   0, 200])
    """
    numbers = unpack_numbers(packed, what)
    signed: NDArray[np.int64] = np.where(numbers % 2 == 1, -(numbers // 2) - 1, numbers // 2)
    return signed


def pack_strings(name: str, strings: Sequence[str]) -> dict[str, NDArray[np.uint8]]:
    """Strings as two arrays: their UTF-8, and the size of each."""
    encoded = [string.encode("utf-8", "surrogatepass") for string in strings]
    text = np.frombuffer(b"".join(encoded), dtype=np.uint8)
    return {name: text, f"{name} sizes": pack_numbers([len(string) for string in encoded])}


def unpack_strings(arrays: Arrays, name: str) -> list[str]:
    """The strings that `pack_strings` packed.

    Examples
    --------
    >>> unpack_strings(pack_strings("tags", ["NN", "VB"]), "tags")
    ['NN', 'VB']
    """
    text, sizes = arrays.get(name), unpack_numbers(arrays.get(f"{name} sizes"), f"{name} sizes")
    if text is None or text.dtype != np.uint8 or text.ndim != 1 or sizes.sum() != len(text):
        raise ModelError(f"the {name} are missing or broken")
    blob, ends = text.tobytes(), np.cumsum(sizes).tolist()
    starts = [0, *ends][:-1]
    try:
        return [
            blob[a:b].decode("utf-8", "surrogatepass") for a, b in zip(starts, ends, strict=True)
        ]
    except UnicodeDecodeError:
        raise ModelError(f"the {name} are not UTF-8") from None
