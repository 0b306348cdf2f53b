"""Opening and writing files: plain or compressed, `-` for the standard streams, all or nothing."""

from __future__ import annotations

import contextlib
import fcntl
import glob
import io
import os
import stat
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, BinaryIO, cast

from runoff.data.compression import beginning, broken_stream, packed, unpacked
from runoff.data.inputs import check_not_read, note_read
from runoff.data.limits import Over, reject
from runoff.data.shards.parts import FilePart
from runoff.errors import FormatError, TooLongError

MAX_LINE = 1 << 26
"""Longest line that is read, in bytes; a longer one is a broken file, not a sentence or list."""

MAX_FILE = 1 << 28
"""Longest file that is read whole, in bytes."""

PART = ".runoff.part"
"""How the names of files end that are being written."""

BYTE_ORDER_MARK = b"\xef\xbb\xbf"

FilePath = str | os.PathLike[str]  # or a `FilePart`, which is one


@contextlib.contextmanager
def open_input(path: FilePath) -> Iterator[BinaryIO]:
    """Open a file for reading, decompressing it if its first bytes say so; `-` is stdin.

    Raises
    ------
    FormatError : the file is missing, a directory or unreadable; the gzip stream is broken.
    """
    note_read(path)
    with contextlib.ExitStack() as stack:
        buffered = _WAITING.pop(_key(path), None) or _opened(path)
        if str(path) != "-":
            stack.enter_context(buffered)
        with _read_errors(path):
            first = buffered.peek(4)[:4]
        yield unpacked(cast(BinaryIO, buffered), first, path)


def _opened(path: FilePath) -> io.BufferedReader:
    if str(path) == "-":
        raw = sys.stdin.buffer
        return raw if isinstance(raw, io.BufferedReader) else io.BufferedReader(raw)  # type: ignore[arg-type]
    try:
        return path.open() if isinstance(path, FilePart) else Path(path).open("rb")
    except FileNotFoundError:
        raise FormatError("no such file", path=path) from None
    except IsADirectoryError:
        raise FormatError("is a directory, not a file", path=path) from None
    except OSError as error:
        raise FormatError(_reason(error), path=path) from None
    except ValueError:  # a zero byte in the name
        raise FormatError("no such file", path=ascii(str(path))) from None


def expanded(name: FilePath) -> list[FilePath]:
    """The files of a pattern such as `runs/*.jsonl`, sorted, or the file itself."""
    if str(name) == "-" or not glob.has_magic(str(name)) or Path(name).exists():
        return [name]
    found = sorted(glob.glob(str(name), recursive=True))  # noqa: PTH207
    return [*found] or [name]


def files_of(names: Iterable[FilePath], endings: tuple[str, ...]) -> list[FilePath]:
    """The files of patterns, and of folders those below whose names have one of the endings.

    What begins with a full stop, such as `.git`, is passed over in folders.

    Raises
    ------
    FormatError : a folder without such files.
    """
    found: list[FilePath] = []
    for name in (path for given in names for path in expanded(given)):
        if str(name) == "-" or not Path(name).is_dir():
            found.append(name)
            continue
        below = (path.relative_to(name) for path in sorted(Path(name).rglob("*")))
        kept = [
            Path(name) / path
            for path in below
            if path.name.lower().endswith(endings)
            and not any(p.startswith(".") for p in path.parts)
        ]
        own = [str(path) for path in kept if path.is_file()]
        if not own:
            raise FormatError(
                f"no files in this folder that end in {', '.join(endings)}", path=name
            )
        found += own
    return found


_WAITING: dict[tuple[str, int], io.BufferedReader] = {}
"""Streams that were looked into and can be opened only once, by name and by what stdin was."""


def _key(path: FilePath) -> tuple[str, int]:
    return str(path), id(sys.stdin.buffer) if str(path) == "-" else 0


def peek(path: FilePath, size: int = 1 << 16) -> bytes:
    """The beginning of a file, decompressed, which is not consumed even if it is a pipe.

    Of a pipe that is what has arrived when there is anything.
    """
    if str(path) != "-" and Path(path).is_file():
        with open_input(path) as stream, _read_errors(path):
            return stream.read(size).removeprefix(BYTE_ORDER_MARK)
    note_read(path)
    stream = _WAITING.setdefault(_key(path), _WAITING.get(_key(path)) or _opened(path))
    with _read_errors(path):
        return beginning(stream.peek(size)).removeprefix(BYTE_ORDER_MARK)


def read_lines(
    path: FilePath, longest: int = MAX_LINE, over: Over = reject
) -> Iterator[tuple[int, bytes]]:
    """Lines of a file with their numbers, from 1, without the line ending.

    A byte-order mark at the start is dropped. Broken gzip and over-long lines are errors that
    name the line.

    Parameters
    ----------
    longest : bytes of the longest line that is read.
    over : is given the error for a longer one, which is then read as an empty line.
    """
    number = 0
    with open_input(path) as stream:
        while True:
            try:  # not a context manager, which would cost more than reading the line
                line = stream.readline(longest + 1)
            except Exception as error:
                raise _read_error(error, path, number + 1) from None
            if not line:
                return
            number += 1
            if len(line) > longest:
                problem = f"a line of more than {longest:,} bytes"
                over(TooLongError(problem, path=path, line=number))
                with _read_errors(path, number):
                    while not line.endswith(b"\n") and (line := stream.readline(1 << 18)):
                        pass
                line = b""
            if number == 1:
                line = line.removeprefix(BYTE_ORDER_MARK)
            yield number, line.rstrip(b"\r\n")


def read_chunks(path: FilePath, size: int = 1 << 18) -> Iterator[bytes]:
    """The bytes of a file, decompressed, a chunk at a time."""
    first = True
    with open_input(path) as stream:
        while True:
            with _read_errors(path):
                chunk = stream.read(size)
            if not chunk:
                return
            yield chunk.removeprefix(BYTE_ORDER_MARK) if first else chunk
            first = False


def read_whole(path: FilePath, longest: int = MAX_FILE) -> bytes:
    """The bytes of a file, decompressed, which are at most so many."""
    chunks, size = [], 0
    for chunk in read_chunks(path):
        chunks.append(chunk)
        size += len(chunk)
        if size > longest:
            raise TooLongError(f"a file of more than {longest:,} bytes", path=path)
    return b"".join(chunks)


@contextlib.contextmanager
def _read_errors(path: FilePath, line: int | None = None) -> Iterator[None]:
    try:
        yield
    except Exception as error:
        raise _read_error(error, path, line) from None


def _read_error(error: Exception, path: FilePath, line: int | None) -> Exception:
    """The error for users, if it is one of reading."""
    broken = broken_stream(error, path, line)
    if broken is None and isinstance(error, OSError):
        return FormatError(_reason(error), path=path, line=line)
    return broken or error


def decode(line: bytes, path: object, number: int) -> str:
    """The line as text, or an error that names the first byte that is not UTF-8."""
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError as error:
        problem = f"not UTF-8: byte 0x{line[error.start]:02x} at column {error.start + 1}"
        raise FormatError(problem, path=path, line=number) from None


def read_text_lines(
    path: FilePath, longest: int = MAX_LINE, over: Over = reject
) -> Iterator[tuple[int, str]]:
    """Lines of a UTF-8 file with their numbers, from 1; see `read_lines`."""
    for number, line in read_lines(path, longest, over):
        yield number, decode(line, path, number)


@contextlib.contextmanager
def open_output(path: FilePath, *, zipped: bool = True) -> Iterator[IO[bytes]]:
    """Open a file for writing; it appears whole at the end, or not at all.

    The bytes go to a temporary neighbour which takes the file's place when everything is on
    disk. A name ending in `.gz` or `.zst` is compressed (without a time stamp, so equal content
    gives equal bytes) unless `zipped` is false; `-` is stdout; devices and pipes are written
    directly.
    """
    check_target(path)
    target = Path(path)
    if str(path) == "-":
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
    elif target.exists() and not target.is_file() and not target.is_dir():
        with target.open("wb") as stream:
            yield stream
    else:
        with _replacing(target) as stream:
            small = packed(stream, target.suffix) if zipped else None
            if small is None:
                yield stream
            else:
                with small:
                    yield small


def write_pieces(pieces: Iterable[bytes], path: FilePath) -> None:
    """Write a text to a file, piece by piece, as `open_output` does.

    A text that begins with a byte-order mark gets another, as readers drop the first.
    """
    with open_output(path) as stream:
        first = True
        for piece in pieces:
            if first and piece.startswith(BYTE_ORDER_MARK):
                stream.write(BYTE_ORDER_MARK)
            stream.write(piece)
            first = first and not piece


def check_target(path: FilePath) -> None:
    """Raise an error if a file cannot be written, before the work for it is done."""
    check_not_read(path)
    if str(path) == "-":
        return
    target = Path(path)
    try:
        found = target.stat().st_mode
    except FileNotFoundError:
        found = 0
    except (OSError, ValueError) as error:  # a loop of links, a name too long, a zero byte in it
        problem = _reason(error) if isinstance(error, OSError) else "not a name of a file"
        raise FormatError(problem, path=path) from None
    if stat.S_ISDIR(found):
        raise FormatError("is a directory, not a file", path=target)
    folder = target.resolve().parent
    if not folder.is_dir():
        raise FormatError(f"no such folder: {folder}", path=target.resolve())


@contextlib.contextmanager
def _replacing(target: Path) -> Iterator[IO[bytes]]:
    target = target.resolve()  # a link stays a link; what it points to is replaced
    sweep(target.parent)
    try:
        handle, temporary = _part_of(target)
    except OSError as error:  # which names a file that nobody asked for
        raise OSError(error.errno, error.strerror, str(target)) from None
    try:
        with os.fdopen(handle, "wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
            temporary.chmod(target.stat().st_mode if target.exists() else 0o666 & ~_umask())
            temporary.replace(target)  # while it is locked, so that nobody sweeps it
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _part_of(target: Path) -> tuple[int, Path]:
    """A temporary neighbour of a file, locked while this process writes to it."""
    prefix = f".{target.name[:40]}."  # a long name must not become too long
    while True:
        handle, name = tempfile.mkstemp(prefix=prefix, suffix=PART, dir=target.parent)
        with contextlib.suppress(OSError):  # a file system without locks: nothing is swept there
            fcntl.flock(handle, fcntl.LOCK_EX)
        if os.fstat(handle).st_nlink:
            return handle, Path(name)
        os.close(handle)  # another process has swept it before it was locked


def sweep(folder: Path) -> None:
    """Delete what killed processes have left in a folder: parts of files that nobody has locked."""
    for part in folder.glob(f".*{PART}"):
        with contextlib.suppress(OSError), part.open("rb") as stream:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
            part.unlink()


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()


def file_names(given: FilePath | Iterable[FilePath]) -> list[FilePath]:
    """The files of one name, or of several.

    Examples
    --------
    >>> file_names("one.txt"), file_names(("one.txt", "two.txt"))
    (['one.txt'], ['one.txt', 'two.txt'])
    """
    return [given] if isinstance(given, str | os.PathLike) else list(given)
