"""One shard of a command's output, and the mark that says what made it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from runoff.data.files import open_output, read_chunks
from runoff.errors import FormatError, UsageError


class Mark(msgspec.Struct, kw_only=True):
    """What made a shard, and what it is.

    Parameters
    ----------
    command : the words after `runoff`, without the shard.
    inputs : names and sizes of the files that were cut.
    numbered : whether its lists are numbered from its own first one.
    characters : how many each file has in the part that was read, if lists say where they are.
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
    characters: dict[str, int] = {}


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
        characters: Mapping[str, int],
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
            characters=dict(characters),
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
