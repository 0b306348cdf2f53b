"""Compressed files, known by their first bytes: gzip, and Zstandard where Python has it."""

from __future__ import annotations

import gzip
import io
import zlib
from importlib import import_module
from types import ModuleType
from typing import IO, BinaryIO, cast

from runoff.errors import FormatError

GZIP = b"\x1f\x8b"
ZSTD = b"\x28\xb5\x2f\xfd"
SUFFIXES = (".gz", ".zst")


def without_suffix(path: object) -> str:
    """The name of a file without the suffix of a compression.

    Examples
    --------
    >>> without_suffix("heard.jsonl.zst"), without_suffix("heard.jsonl")
    ('heard.jsonl', 'heard.jsonl')
    """
    name = str(path)
    return next((name.removesuffix(one) for one in SUFFIXES if name.endswith(one)), name)


def unpacked(stream: BinaryIO, first: bytes, path: object = None) -> BinaryIO:
    """The stream, decompressed if its first bytes say so."""
    if first.startswith(GZIP):
        return cast(BinaryIO, gzip.GzipFile(fileobj=stream, mode="rb"))
    if first.startswith(ZSTD):
        module = _zstd(path)
        if module.__name__ == "zstandard":
            reader = module.ZstdDecompressor().stream_reader(stream, read_across_frames=True)
            return cast(BinaryIO, io.BufferedReader(reader))
        return cast(BinaryIO, module.ZstdFile(stream, "rb"))
    return stream


def packed(stream: IO[bytes], suffix: str) -> IO[bytes] | None:
    """A stream that compresses into another, by the suffix of the file; None if it has none.

    Equal content gives equal bytes: there is no time stamp.
    """
    if suffix == ".gz":
        return cast(IO[bytes], gzip.GzipFile("", "wb", fileobj=stream, mtime=0))
    if suffix == ".zst":
        module = _zstd()
        if module.__name__ == "zstandard":
            return cast(IO[bytes], module.open(stream, "wb", closefd=False))
        return cast(IO[bytes], module.ZstdFile(stream, "wb"))
    return None


def beginning(first: bytes) -> bytes:
    """What the first bytes of a file decompress to, as far as they go."""
    try:
        if first.startswith(GZIP):
            return zlib.decompressobj(wbits=31).decompress(first)
        if first.startswith(ZSTD):
            module = _zstd()
            if module.__name__ == "zstandard":
                return bytes(module.ZstdDecompressor().decompressobj().decompress(first))
            return bytes(module.ZstdDecompressor().decompress(first))
    except BROKEN:
        return b""
    except Exception as error:
        if not _of_zstd(error):
            raise
        return b""
    return first


BROKEN = (gzip.BadGzipFile, zlib.error)


def broken_stream(error: Exception, path: object, line: int | None) -> FormatError | None:
    """The error for a compressed stream that is broken or truncated; None for another error."""
    if isinstance(error, EOFError):
        problem = "the gzip stream ends too early; the file is truncated"
        return FormatError(problem, path=path, line=line)
    if isinstance(error, BROKEN):
        return FormatError(f"broken gzip stream ({error})", path=path, line=line)
    if _of_zstd(error):
        return FormatError(f"broken Zstandard stream ({error})", path=path, line=line)
    return None


def _of_zstd(error: Exception) -> bool:
    return type(error).__name__ == "ZstdError"


def _zstd(path: object = None) -> ModuleType:
    """Python's own module, from 3.14 on, or the package of the extra."""
    for name in ("compression.zstd", "zstandard"):
        try:
            return import_module(name)
        except ModuleNotFoundError:
            continue
    raise FormatError(
        "a file with Zstandard needs Python 3.14 or the package 'zstandard'",
        path=path,
        hint="pip install 'runoff[zstd]'",
    )
