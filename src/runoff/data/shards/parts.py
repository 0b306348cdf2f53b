"""Parts of files, cut where lines or paragraphs begin, which are read as if they were files."""

from __future__ import annotations

import io
import mmap
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Literal, TypeAlias

from runoff.data.compression import GZIP, ZSTD

Cut: TypeAlias = Literal["lines", "paragraphs", "files"]
"""Where files may be cut: between lines, at empty lines, or not at all."""

_ENDS = {"lines": re.compile(rb"\n"), "paragraphs": re.compile(rb"\n(?:[ \t\r]*\n)+")}


class FilePart:
    """The bytes of a file from one place to another, each moved to the next place to cut.

    So parts that lie end to end are the whole file. It is opened like a file, and errors say where
    it begins; their line numbers count from there.
    """

    def __init__(self, path: str, start: int, end: int, cut: Cut) -> None:
        self.path, self.start, self.end, self.cut = path, start, end, cut

    def __fspath__(self) -> str:
        return self.path

    def __str__(self) -> str:
        return f"from byte {self.start:,} of {self.path}"

    def open(self) -> io.BufferedReader:
        """The part as a stream."""
        stream = Path(self.path).open("rb", buffering=0)
        size = stream.seek(0, io.SEEK_END)
        if not size:
            return io.BufferedReader(stream)
        with mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as whole:
            first, last = (
                _boundary(whole, place, size, self.cut) for place in (self.start, self.end)
            )
        stream.seek(first)
        return io.BufferedReader(_Window(stream, last - first))


def _boundary(whole: mmap.mmap, place: int, size: int, cut: Cut) -> int:
    """The first place to cut that is not before another place."""
    if place <= 0 or place >= size or cut == "files":
        return min(max(place, 0), size)
    found = _ENDS[cut].search(whole, max(place - 2, 0) if cut == "paragraphs" else place - 1)
    return size if found is None else found.end()


class _Window(io.RawIOBase):
    """The next bytes of a stream, up to a number."""

    def __init__(self, stream: io.FileIO, size: int) -> None:
        self._stream, self._left = stream, size

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        block = self._stream.read(min(len(buffer), self._left)) or b""
        buffer[: len(block)] = block
        self._left -= len(block)
        return len(block)

    def close(self) -> None:
        self._stream.close()
        super().close()


def shard_of(files: Iterable[tuple[str, Cut]], shard: int, shards: int) -> list[FilePart]:
    """The part of files that a shard reads: about its share of their bytes.

    A file that may not be cut is read by the shard in whose share it begins.

    Parameters
    ----------
    files : names, and where each may be cut; compressed ones never are.
    shard : from 1 to `shards`.

    Examples
    --------
    >>> _ = Path("votes.txt").write_text("yes no yes maybe".replace(" ", chr(10)))
    >>> for shard in (1, 2):
    ...     (part,) = shard_of([("votes.txt", "lines")], shard, 2)
    ...     with part.open() as stream:
    ...         print(stream.read().split())
    [b'yes', b'no', b'yes']
    [b'maybe']
    """
    named = [(name, cut, Path(name).stat().st_size) for name, cut in files]
    total, begin, found = sum(size for *_, size in named), 0, []
    low, high = (total * number // shards for number in (shard - 1, shard))
    for name, cut, size in named:
        first, last = max(low - begin, 0), min(high - begin, size)
        if cut == "files" or _is_packed(name):
            if low <= begin < high:
                found.append(FilePart(name, 0, size, "files"))
        elif first < last:
            found.append(FilePart(name, first, last, cut))
        begin += size
    return found


def _is_packed(name: str) -> bool:
    with Path(name).open("rb") as stream:
        return stream.read(4).startswith((GZIP, ZSTD))
