"""Shards of a command's output: their names, the marks of those that are done, and gathering.

A shard is a file `part-00017-of-01000.jsonl`, which appears whole or not at all, and beside it a
mark `part-00017-of-01000.done`, which says what made it. Shards laid end to end are what the
command gives without shards.
"""

from __future__ import annotations

import hashlib
import re
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from runoff.data.files import FilePath, open_output, read_chunks, read_lines
from runoff.errors import FormatError, RunoffError, UsageError

_PART = re.compile(r"part-(\d{5,})-of-(\d{5,})\.done")
_NUMBERED = re.compile(rb'\{"id":(\d+)')


class Mark(msgspec.Struct, kw_only=True):
    """What made a shard, and what it is.

    Parameters
    ----------
    command : the words after `runoff`, without the shard.
    inputs : names and sizes of the files that were cut.
    numbered : whether its lists are numbered from its own first one.
    name, bytes, lines, hash : of the file; the hash is that of what it holds uncompressed.
    seconds : of CPU that it took.
    """

    runoff: str
    command: list[str]
    inputs: list[tuple[str, int]]
    shard: int
    shards: int
    numbered: bool
    name: str
    bytes: int
    lines: int
    hash: str
    seconds: float


class Shard(NamedTuple):
    """One of several shards in a folder.

    Examples
    --------
    >>> Shard.parse("17/1000", "out", ".jsonl").path.name
    'part-00017-of-01000.jsonl'
    """

    number: int
    shards: int
    path: Path

    @classmethod
    def parse(cls, text: str, output: str, ending: str) -> Shard:
        """The shard that `17/1000` names, in a folder.

        Parameters
        ----------
        output : the folder, or a pattern such as `OUT/*.jsonl.zst`, which says how names end.
        ending : of names, where the output is a folder.
        """
        first, slash, last = text.partition("/")
        if not (slash and first.isdigit() and last.isdigit() and 1 <= int(first) <= int(last)):
            raise UsageError(f"expected a shard such as 17/1000, from 1/1000 on, not {text!r}")
        folder = Path(output)
        if folder.name.startswith("*."):
            folder, ending = folder.parent, folder.name[1:]
        if output == "-" or folder.is_file():
            raise UsageError("--shard needs a folder to write to: -o DIR, or -o 'DIR/*.jsonl.zst'")
        name = f"part-{int(first):05}-of-{int(last):05}"
        return cls(int(first), int(last), folder / f"{name}{ending}")

    @property
    def mark_path(self) -> Path:
        """Where the mark is."""
        return self.path.parent / f"{self.path.name.partition('.')[0]}.done"

    def is_done(self, command: Sequence[str], inputs: Sequence[tuple[str, int]]) -> bool:
        """Whether the same command has made it of the same inputs; another one is an error."""
        if not (self.mark_path.exists() and self.path.exists()):
            return False
        mark = read_mark(self.mark_path)
        if (mark.command, mark.inputs) != (list(command), list(inputs)):
            raise UsageError(
                f"{self.path} was made by another command or of other files",
                hint="write to another folder, or remove it",
            )
        return mark.bytes == self.path.stat().st_size

    def finish(
        self,
        command: Sequence[str],
        inputs: Sequence[tuple[str, int]],
        *,
        numbered: bool,
        seconds: float,
    ) -> None:
        """Write the mark of a shard that is there."""
        import runoff

        lines, digest = _content(self.path)
        mark = Mark(
            runoff=runoff.__version__,
            command=list(command),
            inputs=list(inputs),
            shard=self.number,
            shards=self.shards,
            numbered=numbered,
            name=self.path.name,
            bytes=self.path.stat().st_size,
            lines=lines,
            hash=digest,
            seconds=round(seconds, 2),
        )
        with open_output(self.mark_path) as stream:
            stream.write(msgspec.json.encode(mark) + b"\n")


def read_mark(path: Path) -> Mark:
    """The mark in a file."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=Mark)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise FormatError(f"not a mark of a shard: {error}", path=path) from None


def _content(path: Path) -> tuple[int, str]:
    """The lines of a file and the hash of what it holds."""
    lines, digest = 0, hashlib.blake2b(digest_size=16)
    for chunk in read_chunks(path):
        lines += chunk.count(b"\n")
        digest.update(chunk)
    return lines, digest.hexdigest()


class Gathered(NamedTuple):
    """What a folder of shards has.

    Parameters
    ----------
    missing : numbers of the shards that are not there, or whose file has another size.
    commands : that make them.
    """

    shards: int
    missing: list[int]
    commands: list[str]
    lines: int
    bytes: int
    seconds: float


def gather(folder: FilePath, output: FilePath | None = None) -> Gathered:
    """Look through a folder of shards, and lay them end to end if all are there.

    Parameters
    ----------
    output : the file that gets them; each is compared with the hash in its mark.
    """
    marks = _marks(Path(folder))
    first = next(iter(marks.values()))
    there = {
        number: mark
        for number, mark in marks.items()
        if (path := Path(folder, mark.name)).exists() and path.stat().st_size == mark.bytes
    }
    missing = [number for number in range(1, first.shards + 1) if number not in there]
    found = Gathered(
        first.shards,
        missing,
        [f"runoff {shlex.join(first.command)} --shard {n}/{first.shards}" for n in missing],
        sum(mark.lines for mark in there.values()),
        sum(mark.bytes for mark in there.values()),
        sum(mark.seconds for mark in there.values()),
    )
    if output is not None:
        if missing:
            raise RunoffError(f"{len(missing)} of {first.shards:,} shards are missing")
        ordered = [there[number] for number in range(1, first.shards + 1)]
        with open_output(output) as stream:
            for piece in _joined(Path(folder), ordered):
                stream.write(piece)
    return found


def _marks(folder: Path) -> dict[int, Mark]:
    """The marks of a folder by their number, all of one command."""
    if not folder.is_dir():
        raise FormatError("no such folder", path=folder)
    marks: dict[int, Mark] = {}
    for path in sorted(folder.iterdir()):
        if not _PART.fullmatch(path.name):
            continue
        mark = read_mark(path)
        other = next(iter(marks.values()), mark)
        for what in ("command", "inputs", "shards", "runoff"):
            if getattr(mark, what) != getattr(other, what):
                problem = f"{mark.name} and {other.name} differ in {what}"
                raise FormatError(problem, path=folder, hint="keep the shards of one command")
        marks[mark.shard] = mark
    if not marks:
        raise FormatError("has no shards that are done", path=folder)
    return marks


def _joined(folder: Path, marks: Sequence[Mark]) -> Iterator[bytes]:
    """What shards hold, one after the other; lists are numbered through."""
    before = 0
    for mark in marks:
        path, digest = folder / mark.name, hashlib.blake2b(digest_size=16)
        lines = (line + b"\n" for _, line in read_lines(path))
        pieces = lines if mark.numbered else read_chunks(path)
        for piece in pieces:
            digest.update(piece)
            yield _shifted(piece, before) if mark.numbered and before else piece
        if digest.hexdigest() != mark.hash:
            raise FormatError("is not what its mark says", path=path, hint="remove its mark")
        before += mark.lines


def _shifted(line: bytes, by: int) -> bytes:
    return _NUMBERED.sub(lambda found: b'{"id":%d' % (int(found[1]) + by), line, count=1)
