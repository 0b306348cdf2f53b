"""Strings of models: one table in memory, and the layouts that model files have for it.

| layout | functions | arrays |
|---|---|---|
| compressed | `pack_names`, `take_names` | one, small: the names of many features are much alike |
| sized | `pack_strings`, `take_strings` | UTF-8, and the size of each string |
| with ends | `pack_words`, `take_words` | UTF-8, and where each string ends |
| lines | `pack_lines`, `take_lines` | UTF-8, one string per line |
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import repeat
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from runoff.errors import ModelError, UsageError
from runoff.store.arrays import LARGEST, pack_numbers, take, take_numbers
from runoff.store.file import Arrays

UNKNOWN = 0xFFFFFFFF
"""The number of a string that is not in a table; nothing else has it."""

_END = b"\xff"  # after a string; UTF-8 never has this byte
_LARGEST_RATIO = 50  # bytes of names to packed bytes; those of parse features have about 9


class StringTable:
    """Strings by number, and numbers by string; nothing is decoded before it is needed.

    Parameters
    ----------
    text : the strings as UTF-8, end to end.
    ends : where each ends.
    gap : how many bytes lie between two of them, which are no part of either.

    Examples
    --------
    >>> table = StringTable.of(["length", "agreement"])
    >>> len(table), table[1], table.strings()
    (2, 'agreement', ['length', 'agreement'])
    >>> table.starts, table.ends
    (array([0, 7]), array([ 6, 16]))
    """

    def __init__(self, text: NDArray[np.uint8], ends: ArrayLike, gap: int = 0) -> None:
        self.text = np.asarray(text)  # arrays of files are slow to index
        self.ends: NDArray[np.int64] = np.asarray(ends, dtype=np.int64)
        self.gap = gap

    @classmethod
    def of(cls, strings: Iterable[str]) -> StringTable:
        """The table of strings that are in the order of their numbers."""
        return cls.separated(b"".join([_encoded(string) + _END for string in strings]))

    @classmethod
    def separated(cls, text: bytes) -> StringTable:
        """The table of a text in which each string is followed by a byte 255."""
        array = np.frombuffer(text, dtype=np.uint8)
        return cls(array, np.flatnonzero(array == _END[0]), gap=1)

    def __len__(self) -> int:
        return len(self.ends)

    def __getitem__(self, number: int) -> str:
        if not 0 <= number < len(self):
            raise ModelError(f"the model refers to string {number}, but has only {len(self)}")
        start = int(self.ends[number - 1]) + self.gap if number else 0
        return _decoded(self.text[start : int(self.ends[number])].tobytes())

    def __iter__(self) -> Iterator[str]:
        return iter(self.strings())

    @property
    def starts(self) -> NDArray[np.int64]:
        """Where each string begins."""
        return np.concatenate([[0], self.ends + self.gap])[:-1]

    @property
    def sizes(self) -> NDArray[np.int64]:
        """How many bytes each string has."""
        return self.ends - self.starts

    def strings(self) -> list[str]:
        """The strings, in the order of their numbers."""
        blob, bounds = (
            self.text.tobytes(),
            zip(self.starts.tolist(), self.ends.tolist(), strict=True),
        )
        return [_decoded(blob[start:end]) for start, end in bounds]

    @cached_property
    def numbered(self) -> dict[str, int]:
        """The numbers of all strings."""
        return {string: number for number, string in enumerate(self.strings())}

    def numbers(self, strings: Sequence[str]) -> NDArray[np.uint32]:
        """The numbers of strings; `UNKNOWN` for those that are not here.

        Examples
        --------
        >>> StringTable.of(["", "to", "be"]).numbers(["be", "bee", "to"]).tolist()
        [2, 4294967295, 1]
        """
        known = map(self.numbered.get, strings, repeat(UNKNOWN))
        return np.fromiter(known, dtype=np.uint32, count=len(strings))

    def dense(self) -> StringTable:
        """A table of the same strings without gaps."""
        if not self.gap:
            return self
        return StringTable(self.text[self.text != _END[0]], np.cumsum(self.sizes))


def pack_names(table: StringTable) -> NDArray[np.uint8]:
    """Strings as one compressed array."""
    text = (table if table.gap else StringTable.of(table)).text.tobytes()
    packed = zlib.compress(text)
    if len(text) > _LARGEST_RATIO * len(packed) or len(table) > len(packed):
        packed = zlib.compress(text, 0)
    return np.frombuffer(packed, dtype=np.uint8)


def take_names(arrays: Arrays, name: str) -> StringTable:
    """The strings that `pack_names` packed, out of a model file and checked.

    The memory this takes is bounded by the size of the array, whatever is in it.

    Examples
    --------
    >>> names = pack_names(StringTable.of(["length", "agreement"]))
    >>> take_names({"names": names}, "names").strings()
    ['length', 'agreement']
    """
    packed = take(arrays, name, np.uint8)
    stream = zlib.decompressobj()
    try:  # one byte more than there may be, so that the end is reached
        text = stream.decompress(packed.tobytes(), _LARGEST_RATIO * len(packed) + 1)
    except zlib.error:
        raise ModelError(f"the array {name!r} does not hold packed strings") from None
    if not stream.eof or stream.unused_data or not (text or _END).endswith(_END):
        raise ModelError(f"the array {name!r} does not hold packed strings")
    if len(text) > _LARGEST_RATIO * len(packed) or text.count(_END) > len(packed):
        raise ModelError(f"the array {name!r} is larger than its packing allows")
    return _separated(text, name)


def pack_strings(name: str, strings: Iterable[str]) -> dict[str, NDArray[np.uint8]]:
    """Strings as two arrays: their UTF-8, and the size of each."""
    table = StringTable.of(strings)
    return {name: table.dense().text, f"{name} sizes": pack_numbers(table.sizes)}


def take_strings(arrays: Arrays, name: str) -> list[str]:
    """The strings that `pack_strings` packed, out of a model file and checked.

    Examples
    --------
    >>> take_strings(pack_strings("tags", ["NN", "VB"]), "tags")
    ['NN', 'VB']
    """
    ends = np.cumsum(take_numbers(arrays, f"{name} sizes"))
    return _checked(take(arrays, name, np.uint8), ends, name).strings()


def pack_words(table: StringTable) -> dict[str, NDArray[Any]]:
    """A vocabulary as two arrays: UTF-8, and where each word ends."""
    dense = table.dense()
    if len(dense.text) > LARGEST:
        raise UsageError("the words of a vocabulary must not take more than 4 GB")
    return {"words": dense.text, "word ends": dense.ends.astype(np.uint32)}


def take_words(arrays: Arrays) -> StringTable:
    """The vocabulary that `pack_words` packed, out of a model file and checked; it has a word.

    Examples
    --------
    >>> take_words(pack_words(StringTable.of(["", "to", "be"])))[2]
    'be'
    """
    table = _checked(take(arrays, "words", np.uint8), take(arrays, "word ends", np.uint32), "words")
    if not len(table):
        raise ModelError("the array 'words' must hold at least one string")
    return table


def pack_lines(strings: Iterable[str]) -> NDArray[np.uint8]:
    """Strings, of which there is at least one and which have no line breaks, as one array."""
    return np.frombuffer(b"\n".join(map(_encoded, strings)), dtype=np.uint8)


def take_lines(arrays: Arrays, name: str) -> list[str]:
    """The strings that `pack_lines` packed, out of a model file and checked.

    Examples
    --------
    >>> take_lines({"paths": pack_lines(["00", "01"])}, "paths")
    ['00', '01']
    """
    text = take(arrays, name, np.uint8).tobytes()
    if _END in text:
        raise _not_utf8(name)
    return _separated(text.replace(b"\n", _END) + _END, name).strings()


def _separated(text: bytes, name: str) -> StringTable:
    try:
        _decoded(text.replace(_END, b"\n"))
    except UnicodeDecodeError:
        raise _not_utf8(name) from None
    return StringTable.separated(text)


def _checked(text: NDArray[np.uint8], ends: NDArray[Any], name: str) -> StringTable:
    """The table of a text without gaps, which must be cut between characters."""
    table = StringTable(text, ends)
    if (table.sizes < 0).any() or (table.ends[-1] if len(table) else 0) != len(text):
        raise ModelError(f"the strings of the array {name!r} must end one after the other")
    try:
        _decoded(table.text.tobytes())
    except UnicodeDecodeError:
        raise _not_utf8(name) from None
    cuts = table.starts[table.starts < len(text)]
    if (table.text[cuts] & 0xC0 == 0x80).any():  # within a character
        raise _not_utf8(name)
    return table


def _not_utf8(name: str) -> ModelError:
    return ModelError(f"a string of the array {name!r} is not UTF-8")


def _encoded(string: str) -> bytes:
    return string.encode("utf-8", "surrogatepass")


def _decoded(text: bytes) -> str:
    return text.decode("utf-8", "surrogatepass")
