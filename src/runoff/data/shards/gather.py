"""Gathering the shards of a folder: what is missing, and all of them end to end."""

from __future__ import annotations

import hashlib
import re
import shlex
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from runoff.data.files import FilePath, open_output, read_chunks, read_lines
from runoff.data.shards.shard import Mark, read_mark
from runoff.errors import FormatError, RunoffError

_PART = re.compile(r"part-(\d{5,})-of-(\d{5,})\.done")
_NUMBERED = re.compile(rb'\{"id":(\d+)')


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
    """What shards hold, one after the other; lists are numbered and placed as in the whole."""
    before, places = 0, _Places()
    for mark in marks:
        path, digest = folder / mark.name, hashlib.blake2b(digest_size=16)
        lines = (line + b"\n" for _, line in read_lines(path))
        pieces = lines if mark.numbered else read_chunks(path)
        for piece in pieces:
            digest.update(piece)
            moved = places.moved(piece) if mark.characters else piece
            yield _shifted(moved, before) if mark.numbered and before else moved
        if digest.hexdigest() != mark.hash:
            raise FormatError("is not what its mark says", path=path, hint="remove its mark")
        before += mark.lines
        places.end(mark)


def _shifted(line: bytes, by: int) -> bytes:
    return _NUMBERED.sub(lambda found: b'{"id":%d' % (int(found[1]) + by), line, count=1)


class _Places:
    """Where lists are in their files, whose earlier parts other shards have read."""

    def __init__(self) -> None:
        self._sentences, self._characters = Counter[str](), Counter[str]()
        self._seen: dict[str, int] = {}

    def moved(self, line: bytes) -> bytes:
        """A list of JSON with its place in the whole file."""
        found = msgspec.json.decode(line)
        name = found.get("file")
        self._seen[name] = found.get("sentence", 0)
        if not (self._sentences[name] or self._characters[name]):
            return line
        found["sentence"] += self._sentences[name]
        _add(found, self._characters[name])
        return msgspec.json.encode(found) + b"\n"

    def end(self, mark: Mark) -> None:
        """Note that the next line is of another shard."""
        self._sentences.update(self._seen)
        self._characters.update(mark.characters)
        self._seen = {}


def _add(found: dict[str, Any], characters: int) -> None:
    """Move the places in a text that a list names, which count characters."""
    for key in ("start", "end"):
        if key in found:
            found[key] += characters
    if "offsets" in found:
        found["offsets"] = [[a + characters, b + characters] for a, b in found["offsets"]]
