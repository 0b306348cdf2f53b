"""Lists from wherever they are: what every function that takes lists may be given."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from os import PathLike
from typing import Any, TypeAlias

from runoff.data.files import FilePath, expanded, read_chunks
from runoff.data.formats import FORMATS, found_format, read_nbest
from runoff.data.formats.any_keys.mapping import Map
from runoff.data.formats.any_keys.rows import lists_of
from runoff.data.frames import check_frame, frame_columns, one_candidate
from runoff.data.nbest import Candidate, NBest
from runoff.errors import UsageError


class NBestFiles:
    """The lists of one file or several, which may be read again and again.

    Parameters
    ----------
    names : files, or patterns such as `runs/*.jsonl`; `-` is stdin, which is read only once.
    format : of the files, where looking into them does not tell.
    map : the keys or columns of the parts of a list, see `runoff.data.formats.read_nbest`.

    Examples
    --------
    >>> from pathlib import Path
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
        self.paths = [path for name in given for path in expanded(name)]
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


Lists: TypeAlias = Any
"""What functions that take lists are given: a file or several (`Path`, pattern), lists (`NBest`,
dictionaries), texts or pairs of text and log-probability as one list, several such lists, or a data
frame; and any iterable of these."""


def as_files(
    lists: Lists, format: str | None = None, map: Map | str | None = None
) -> NBestFiles | Iterable[NBest]:
    """The files that are named, as something that can be read twice; else the lists themselves."""
    if isinstance(lists, NBestFiles):
        return lists
    if isinstance(lists, str | PathLike):
        return NBestFiles(lists, format, map)
    if isinstance(lists, list | tuple) and lists and all(isinstance(p, PathLike) for p in lists):
        return NBestFiles(lists, format, map)
    return as_lists(lists, map)


def open_lists(
    lists: Lists, format: str | None = None, map: Map | str | None = None
) -> Iterator[NBest]:
    """Lists as they are, or read from the file that is named.

    Examples
    --------
    >>> [nbest.id for nbest in open_lists([NBest("u1"), {"id": "u2", "candidates": ["yes", "no"]}])]
    ['u1', 'u2']
    """
    return iter(as_files(lists, format, map))


def as_lists(given: Any, map: Map | str | None = None) -> Iterable[NBest]:
    """Lists out of what Python people have; see `Lists`.

    Examples
    --------
    >>> [list(nbest.candidates) for nbest in as_lists(["yes", "no"])]
    [[Candidate(output='yes'), Candidate(output='no')]]
    >>> [len(nbest) for nbest in as_lists([["a", "b"], [("c", -1.0), ("d", -2.0), ("e", -2.5)]])]
    [2, 3]
    """
    if isinstance(given, NBest):
        return [given]
    columns = frame_columns(given)
    if columns is not None:
        return from_frame(given, map)
    if isinstance(given, Mapping):
        given = [given]
    if not isinstance(given, Iterable):
        kind = type(given).__name__
        raise UsageError(f"expected lists, a file of them or a data frame, not {kind}")
    if isinstance(given, Sequence) and all(isinstance(one, NBest) for one in given):
        return given
    return _converted(iter(given), Map.parse(map))


def from_frame(frame: Any, map: Map | str | None = None) -> list[NBest]:
    """The lists of a data frame of pandas, polars or pyarrow: a row per candidate, or per list.

    Columns are named as those of tables are, see `runoff.read_nbest`; `map` names others.

    Examples
    --------
    >>> import pyarrow
    >>> table = pyarrow.table({"utt": ["u1", "u1"], "hyp": ["I scream", "ice cream"]})
    >>> [nbest.id for nbest in from_frame(table)]
    ['u1']
    """
    columns = check_frame(frame)
    rows = zip(*columns.values(), strict=True)
    return list(
        lists_of(((None, dict(zip(columns, row, strict=True))) for row in rows), Map.parse(map))
    )


def _converted(items: Iterator[Any], map: Map) -> Iterator[NBest]:
    first = next(items, None)
    if first is None:
        return
    every = chain([first], items)
    if one_candidate(first) is not None:
        yield NBest(candidates=[_candidate(one) for one in every])
    elif isinstance(first, Mapping):
        yield from lists_of(((None, _row(one)) for one in every), map)
    else:
        for one in every:
            yield _list(one, map)


def _row(given: Any) -> Mapping[str, Any]:
    if isinstance(given, Mapping):
        return given
    raise UsageError(f"expected a dictionary as all before, not {type(given).__name__}")


def _list(given: Any, map: Map) -> NBest:
    if isinstance(given, NBest):
        return given
    if isinstance(given, Mapping):
        (made,) = lists_of([(None, given)], map)
        return made
    if isinstance(given, Iterable) and not isinstance(given, str | bytes):
        return NBest(candidates=_candidates(list(given)))
    raise UsageError(f"expected a list of candidates, not {type(given).__name__}")


def _candidates(given: list[Any]) -> Sequence[Candidate]:
    if given and all(isinstance(one, Mapping) for one in given):
        return next(lists_of([(None, {"candidates": given})], Map())).candidates
    return [_candidate(one) for one in given]


def _candidate(given: Any) -> Candidate:
    found = one_candidate(given)
    if found is not None:
        return found
    if isinstance(given, Mapping):
        return _candidates([given])[0]
    raise UsageError(
        f"expected a candidate, not {type(given).__name__}",
        hint="a candidate is a text, a pair of text and log-probability, a dictionary or a "
        "Candidate",
    )
