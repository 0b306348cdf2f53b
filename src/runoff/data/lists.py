"""Lists from wherever they are: what every function that takes lists may be given."""

from __future__ import annotations

import glob
import hashlib
from collections.abc import Iterable, Iterator, Sequence
from os import PathLike
from pathlib import Path
from typing import TypeAlias

from runoff.data.files import FilePath, read_chunks
from runoff.data.formats import FORMATS, found_format, read_nbest
from runoff.data.formats.any_keys.mapping import Map
from runoff.data.nbest import NBest


class NBestFiles:
    """The lists of one file or several, which may be read again and again.

    Parameters
    ----------
    names : files, or patterns such as `runs/*.jsonl`; `-` is stdin, which is read only once.
    format : of the files, where looking into them does not tell.
    map : the keys or columns of the parts of a list, see `runoff.data.formats.read_nbest`.

    Examples
    --------
    >>> _ = Path("one.tsv").write_text("-1 yes".replace(" ", chr(9)))
    >>> [nbest.candidates[0].output for nbest in NBestFiles(["one.tsv", "on*.tsv"])]
    ['yes', 'yes']
    """

    def __init__(
        self,
        names: FilePath | Sequence[FilePath],
        format: str | None = None,
        map: Map | str | None = None,
    ) -> None:
        given = [names] if isinstance(names, str | PathLike) else list(names)
        self.paths = [path for name in given for path in _expanded(name)]
        self.format, self.map = format, Map.parse(map)

    def __iter__(self) -> Iterator[NBest]:
        return (nbest for path in self.paths for nbest in read_nbest(path, self.format, self.map))

    def __str__(self) -> str:
        return ", ".join(map(str, self.paths))

    def like(self, map: Map) -> NBestFiles:
        """The same files, read by a map that a model remembers, unless there is one already."""
        return self if self.map or not map else _Remembered(self.paths, self.format, map)

    def digest(self) -> bytes | None:
        """A hash of what the files hold and how it is read; None of stdin, which is read once."""
        if any(str(path) == "-" for path in self.paths):
            return None
        digest = hashlib.blake2b(digest_size=16)
        for path in self.paths:
            # the same bytes under another name may be another format
            name = self.format or found_format(path, self.map)
            digest.update(f"{name} {self.map}\n".encode("utf-8", "surrogatepass"))
            for chunk in read_chunks(path):
                digest.update(chunk)
        return digest.digest()


class _Remembered(NBestFiles):
    """Files read by the map of a model, each if its format has keys."""

    def __iter__(self) -> Iterator[NBest]:
        for path in self.paths:
            name = self.format or found_format(path, self.map)
            mapped = name in FORMATS and FORMATS[name].mapped
            yield from read_nbest(path, name, self.map if mapped else None)


def _expanded(name: FilePath) -> list[FilePath]:
    """The files of a pattern, sorted, or the file itself."""
    if str(name) == "-" or not glob.has_magic(str(name)) or Path(name).exists():
        return [name]
    found = sorted(glob.glob(str(name), recursive=True))  # noqa: PTH207
    return [*found] or [name]


def path_of(given: object) -> FilePath | None:
    """The file that lists were given as, for errors; None if they were given themselves.

    Examples
    --------
    >>> path_of("votes.jsonl"), path_of([]), path_of(NBestFiles("votes.jsonl"))
    ('votes.jsonl', None, 'votes.jsonl')
    """
    if isinstance(given, NBestFiles):
        return str(given)
    return given if isinstance(given, str | PathLike) else None


Lists: TypeAlias = FilePath | NBestFiles | Iterable[NBest]
"""What functions that take lists are given: a file or several, or the lists themselves."""


def as_files(
    lists: Lists, format: str | None = None, map: Map | str | None = None
) -> NBestFiles | Iterable[NBest]:
    """The files that are named, as something that can be read twice; lists as they are."""
    return NBestFiles(lists, format, map) if isinstance(lists, str | PathLike) else lists


def open_lists(
    lists: Lists, format: str | None = None, map: Map | str | None = None
) -> Iterator[NBest]:
    """Lists as they are, or read from the file that is named.

    Examples
    --------
    >>> [nbest.id for nbest in open_lists([NBest("u1"), NBest("u2")])]
    ['u1', 'u2']
    """
    return iter(as_files(lists, format, map))
