"""Model files: one safetensors file with a readable header; loading one runs no code.

The header is JSON under the metadata key `header`; `kind` and `version` say what the file holds
and who can read it, and `checksum` is a hash of all of it. Equal content gives equal bytes: nothing
in a file depends on time or place.

Arrays are memory-mapped: of a large model only what is used enters memory. The system ends a
process that reads a mapped file which has become shorter, so a file in use may be deleted or
replaced by another, as `save` does it, but must not be written in place; or it is read with
`map=False`.
"""

from __future__ import annotations

import hashlib
import json
import mmap
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from math import prod
from pathlib import Path
from typing import IO, Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from runoff.data.files import FilePath, open_output
from runoff.data.inputs import note_read
from runoff.errors import ModelError, ModelVersionError, UsageError

VERSION = 2
"""Version of the layout below; a file of another one is refused."""

DTYPES = {
    "F64": "<f8",
    "F32": "<f4",
    "I64": "<i8",
    "I32": "<i4",
    "U32": "<u4",
    "U16": "<u2",
    "U8": "|u1",
}
"""The array types a model may hold, by their name in safetensors."""

_NAMES = {np.dtype(code): name for name, code in DTYPES.items()}
_BLOCK = 1 << 20  # array entries written at once; a memory-mapped array never enters memory whole

Arrays = Mapping[str, NDArray[Any]]


class Stored(NamedTuple):
    """The contents of a model file; the arrays are read-only, and memory-mapped where asked."""

    kind: str
    header: dict[str, Any]
    arrays: dict[str, NDArray[Any]]


def save(path: FilePath, kind: str, header: Mapping[str, Any], arrays: Arrays) -> None:
    """Write a model file, all or nothing.

    Examples
    --------
    >>> save("toy.runoff", "toy", {"made by": "hand"}, {"weights": np.array([0.5, 2.0])})
    >>> load("toy.runoff", kind="toy").header
    {'made by': 'hand'}
    """
    with open_output(path) as stream:
        _write(stream, kind, header, arrays)


def load(path: FilePath, kind: str | None = None, *, map: bool = True) -> Stored:
    """Open a model file.

    Parameters
    ----------
    kind : what the file must hold; any kind where it is not given.
    map : whether arrays stay in the file until they are read; otherwise they are copied now, and
        whatever becomes of the file does not matter.

    Raises
    ------
    ModelError : not a sound model file, or one of another kind.
    ModelVersionError : written by an earlier or later Runoff.
    """
    check_regular(path)
    with _opened(Path(path)) as stream:
        metadata, places = _read_head(Path(path), stream)
        header = _checked_header(metadata, path, kind)
        arrays = {name: _array(path, stream, place, map) for name, place in places.items()}
    return Stored(metadata["kind"], header, arrays)


def checksum(path: FilePath) -> str:
    """The hash of the content of a model file, as the file says.

    Examples
    --------
    >>> save("toy.runoff", "toy", {}, {"weights": np.array([0.5, 2.0])})
    >>> len(checksum("toy.runoff"))
    32
    """
    with _opened(Path(path)) as stream:
        return _read_head(Path(path), stream)[0]["checksum"]


def is_intact(path: FilePath) -> bool:
    """Whether a model file is as it was written, by its checksum; the whole file is read.

    Examples
    --------
    >>> save("toy.runoff", "toy", {}, {"weights": np.array([0.5, 2.0])})
    >>> is_intact("toy.runoff")
    True
    >>> _ = Path("toy.runoff").write_bytes(Path("toy.runoff").read_bytes()[:-1] + b"!")
    >>> is_intact("toy.runoff")
    False
    """
    try:
        with Path(path).open("rb") as stream:
            size = int.from_bytes(stream.read(8), "little")
            head = json.loads(stream.read(min(size, Path(path).stat().st_size)))
            found = head["__metadata__"].pop("checksum")
            digest = _head_digest(head)
            while block := stream.read(_BLOCK):
                digest.update(block)
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return False
    return bool(found == digest.hexdigest())


def check_regular(path: FilePath) -> None:
    """Raise an error unless a path names a regular file, which can be mapped and read twice.

    A pipe would be waited for, a device may never end.
    """
    try:
        found = Path(path).stat().st_mode
    except FileNotFoundError:
        raise ModelError("no such file", path=path) from None
    except OSError as error:
        raise ModelError((error.strerror or str(error)).lower(), path=path) from None
    except ValueError:  # a zero byte in the name
        raise ModelError("no such file", path=ascii(str(path))) from None
    if not stat.S_ISREG(found):
        kind = "a directory" if stat.S_ISDIR(found) else "a pipe or a device"
        raise ModelError(f"is {kind}, not a model file", path=path)
    note_read(path)


@contextmanager
def checking(path: FilePath | None = None) -> Iterator[None]:
    """Turn every error about a header or arrays into a `ModelError` that names the file.

    Complaints are those of `take` and msgspec, of options that make no sense, and the `ValueError`
    of native code that checks what it is given.
    """
    try:
        yield
    except msgspec.ValidationError as error:
        raise ModelError(f"the header is broken: {error}", path=path) from None
    except ModelError as error:
        raise ModelError(error.problem, path=path, hint=error.hint) from None
    except UsageError as error:
        raise ModelError(error.message, path=path, hint=error.hint) from None
    except ValueError as error:
        raise ModelError(str(error), path=path) from None


def is_model(path: FilePath) -> bool:
    """Whether a file looks like a model file, by its first bytes."""
    try:
        if not Path(path).is_file():  # nothing is taken out of a pipe that others will read
            return False
        with Path(path).open("rb") as stream:
            head = stream.read(9)
    except (OSError, ValueError):
        return False
    return len(head) == 9 and head[8:] == b"{" and int.from_bytes(head[:8], "little") < 1 << 40


def _write(stream: IO[bytes], kind: str, header: Mapping[str, Any], arrays: Arrays) -> None:
    # Wide types first keeps every array aligned without padding, as safetensors itself does.
    ordered = sorted(arrays.items(), key=lambda item: (-item[1].dtype.itemsize, item[0]))
    metadata = {"version": str(VERSION), "kind": kind, "header": json.dumps(header)}
    head: dict[str, Any] = {"__metadata__": metadata}
    end = 0
    for name, array in ordered:
        start, end = end, end + array.nbytes
        shape, dtype = list(array.shape), _NAMES[array.dtype]
        head[name] = {"dtype": dtype, "shape": shape, "data_offsets": [start, end]}
    digest = _head_digest(head)
    for _, array in ordered:
        for block in _blocks(array):
            digest.update(block)
    metadata["checksum"] = digest.hexdigest()
    text = _head_text(head)
    text += b" " * (-len(text) % 8)
    stream.write(len(text).to_bytes(8, "little") + text)
    for _, array in ordered:
        for block in _blocks(array):
            stream.write(block)


def _head_text(head: Mapping[str, Any]) -> bytes:
    return json.dumps(head, separators=(",", ":")).encode()


def _head_digest(head: Mapping[str, Any]) -> hashlib.blake2b:
    """The checksum of a file so far, whose head has none yet; the bytes of the arrays follow."""
    return hashlib.blake2b(_head_text(head), digest_size=16)


def _blocks(array: NDArray[Any]) -> Iterator[memoryview]:
    """The bytes of an array, piece by piece; memory of a mapped one is given back."""
    flat = array.reshape(-1)
    for start in range(0, len(flat), _BLOCK):
        yield np.ascontiguousarray(flat[start : start + _BLOCK]).data.cast("B")
        let_go(array)


class _Place(NamedTuple):
    dtype: str
    shape: tuple[int, ...]
    offset: int


@contextmanager
def _opened(path: Path) -> Iterator[IO[bytes]]:
    """The file, opened once: if another takes its place meanwhile, all parts are still of one."""
    try:
        stream = path.open("rb")
    except FileNotFoundError:
        raise ModelError("no such file", path=path) from None
    except (OSError, ValueError) as error:
        raise _damaged(path) from error
    with stream:
        yield stream


def _read_head(path: Path, stream: IO[bytes]) -> tuple[dict[str, str], dict[str, _Place]]:
    """Metadata and offsets of the arrays; the safetensors library has checked them first."""
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(path, framework="numpy") as checked:
            metadata = dict(checked.metadata() or {})
        length = int.from_bytes(stream.read(8), "little")
        head = msgspec.json.decode(stream.read(length))
        places = {
            name: _Place(
                DTYPES[entry["dtype"]], tuple(entry["shape"]), 8 + length + entry["data_offsets"][0]
            )
            for name, entry in head.items()
            if name != "__metadata__"
        }
    except (SafetensorError, OSError, ValueError, msgspec.MsgspecError, RecursionError) as error:
        raise _damaged(path) from error
    except KeyError as error:
        raise ModelError(
            f"has an array of the type {error}, which models do not use", path=path
        ) from None
    return metadata, places


def _damaged(path: FilePath) -> ModelError:
    return ModelError("not a model file, or a damaged one", path=path)


def _checked_header(
    metadata: Mapping[str, str], path: FilePath, kind: str | None
) -> dict[str, Any]:
    """The header of a file of our version, and of the kind that is wanted."""
    try:
        version, found = int(metadata["version"]), metadata["kind"]
        header: dict[str, Any] = msgspec.json.decode(metadata["header"], type=dict[str, Any])
    except (KeyError, ValueError, msgspec.MsgspecError, RecursionError):
        raise ModelError("not a Runoff model: its header is missing or broken", path=path) from None
    if version != VERSION:
        problem = f"written in format {version}, and this Runoff reads format {VERSION}"
        hint = "train it again" if version < VERSION else "pip install --upgrade runoff"
        raise ModelVersionError(problem, path=path, hint=hint)
    if kind is not None and found != kind:
        raise ModelError(f"holds {_in_words(found)}; {_in_words(kind)} is needed", path=path)
    return header


def _in_words(kind: str) -> str:
    """A kind of model in a sentence: `a parser model`."""
    noun = kind if kind.endswith("model") else f"{kind} model"
    return f"{'an' if kind[:1] in 'aeiou' else 'a'} {noun}"


def _array(path: FilePath, stream: IO[bytes], place: _Place, mapped: bool) -> NDArray[Any]:
    """An array of a file, mapped from it or read."""
    dtype, shape, offset = place
    try:
        if 0 in shape:
            return np.zeros(shape, dtype=dtype)
        if mapped and offset % np.dtype(dtype).itemsize == 0:  # native code counts on it
            return np.memmap(stream, dtype=dtype, mode="r", offset=offset, shape=shape)
        stream.seek(offset)
        found = np.fromfile(stream, dtype=dtype, count=prod(shape)).reshape(shape)
    except (OSError, OverflowError, ValueError) as error:  # a short file, or an absurd shape
        raise _damaged(path) from error
    found.flags.writeable = False
    return found


def let_go(array: NDArray[Any] | None) -> None:
    """Give back the memory of a memory-mapped array; it is read again when needed.

    Other arrays stay as they are.
    """
    base: object = None if array is None else array.base
    if isinstance(base, mmap.mmap) and hasattr(mmap, "MADV_DONTNEED"):
        base.madvise(mmap.MADV_DONTNEED)
