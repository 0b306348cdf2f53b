"""File formats of n-best lists: one reader and writer per format, and the table of formats.

A format module has `read(path)`, which streams lists, and `encode(lists)`, which streams bytes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from os import PathLike
from pathlib import Path
from typing import NamedTuple, TypeAlias

from runoff.data.files import FilePath, write_pieces
from runoff.data.formats import bllip, conll, espnet, jsonl, moses, svmlight, tsv
from runoff.data.nbest import NBest
from runoff.errors import FormatError, unknown_choice

LIST_PARTS = ("id", "input", "gold")
CANDIDATE_PARTS = ("output", "logprob", "quality", "features", "score", "rank")


class Format(NamedTuple):
    """How a format is read and written, and what it can hold.

    `carries` names parts of a list and its candidates; `extra` there is every key that Runoff
    does not know, `extra.comment` only that key of a candidate.
    """

    read: Callable[[FilePath], Iterator[NBest]]
    encode: Callable[[Iterable[NBest]], Iterator[bytes]]
    suffixes: tuple[str, ...]
    carries: frozenset[str]


FORMATS: dict[str, Format] = {
    name: Format(read, encode, tuple(suffixes.split()), frozenset(carries.split()))
    for name, read, encode, suffixes, carries in (
        ("jsonl", jsonl.read, jsonl.encode, ".jsonl .ndjson",
         "id input gold output logprob quality features score rank extra"),
        ("moses", moses.read, moses.encode, ".moses",
         "id output logprob features extra.columns"),
        ("bllip", bllip.read, bllip.encode, ".bllip", "id output logprob score"),
        ("espnet", espnet.read, espnet.encode, ".json", "id gold output logprob extra"),
        ("tsv", tsv.read, tsv.encode, ".tsv", "output logprob"),
        ("svmlight", svmlight.read, svmlight.encode, ".svmlight .svm",
         "id quality features extra.comment"),
        ("conll", conll.read, conll.encode, ".conll", "input gold output"),
    )
}  # fmt: skip

DEFAULT = "jsonl"

Lists: TypeAlias = FilePath | Iterable[NBest]
"""What functions that take lists are given: a file, or the lists themselves."""


def format_of(path: FilePath) -> str:
    """The format of a file, by its name, `.gz` or not; JSON Lines for any other name.

    Examples
    --------
    >>> format_of("dev.moses.gz"), format_of("-")
    ('moses', 'jsonl')
    """
    suffix = _suffix(path)
    return next((name for name, row in FORMATS.items() if suffix in row.suffixes), DEFAULT)


def _suffix(path: FilePath) -> str:
    return Path(str(path).removesuffix(".gz")).suffix


def _format(name: str) -> Format:
    if name not in FORMATS:
        raise unknown_choice("format", name, FORMATS)
    return FORMATS[name]


def read_nbest(path: FilePath, format: str | None = None) -> Iterator[NBest]:
    r"""The lists of a file, plain or gzip, one by one; `-` is stdin.

    The format is one of `FORMATS`; without one the file's name decides.

    Raises
    ------
    FormatError : what is wrong, with file, line and key.

    Examples
    --------
    >>> from pathlib import Path
    >>> _ = Path("heard.tsv").write_text("-4.2\tI scream\n-5.0\tice cream\n")
    >>> [nbest.candidates[0] for nbest in read_nbest("heard.tsv")]
    [Candidate(output='I scream', logprob=-4.2)]
    """
    if format is not None:
        return _format(format).read(path)
    suffix, name = _suffix(path), format_of(path)
    known = any(suffix in row.suffixes for row in FORMATS.values())
    return FORMATS[name].read(path) if known else _read_default(path)


def open_lists(lists: Lists, format: str | None = None) -> Iterator[NBest]:
    """Lists as they are, or read from the file that is named.

    Examples
    --------
    >>> [nbest.id for nbest in open_lists([NBest("u1"), NBest("u2")])]
    ['u1', 'u2']
    """
    return read_nbest(lists, format) if isinstance(lists, str | PathLike) else iter(lists)


def _read_default(path: FilePath) -> Iterator[NBest]:
    """The lists of a file that may be of another format; an error at its start says so."""
    try:
        yield from FORMATS[DEFAULT].read(path)
    except FormatError as error:
        if error.line == 1:
            others = ", ".join(name for name in FORMATS if name != DEFAULT)
            error.hint = f"read as {DEFAULT}; other formats: {others}"
        raise


def write_nbest(lists: Iterable[NBest], path: FilePath, format: str | None = None) -> None:
    r"""Write lists to a file, all or nothing; `-` is stdout.

    Examples
    --------
    >>> from runoff.data.nbest import Candidate
    >>> from pathlib import Path
    >>> write_nbest([NBest(7, None, [Candidate("I scream", -4.2)])], "heard.jsonl")
    >>> Path("heard.jsonl").read_text()
    '{"id":7,"candidates":[{"output":"I scream","logprob":-4.2}]}\n'
    """
    row = _format(format_of(path) if format is None else format)
    write_pieces(row.encode(lists), path)


def carried(format: str) -> frozenset[str]:
    """The parts of a list that a format keeps.

    Examples
    --------
    >>> sorted(carried("tsv"))
    ['logprob', 'output']
    """
    return _format(format).carries


def losses(lists: Iterable[NBest], format: str) -> dict[str, int]:
    """The parts of lists that a format would lose, each with the number of lists that have it.

    Examples
    --------
    >>> from runoff.data.nbest import Candidate
    >>> losses([NBest("u1", "x", [Candidate("y", -1.0, extra={"beam": 3})])], "tsv")
    {'id': 1, 'input': 1, 'extra.beam': 1}
    """
    kept = carried(format)
    lost: Counter[str] = Counter()
    for nbest in lists:
        lost.update(list(dict.fromkeys(_lost(nbest, kept))))
    return dict(lost)


def _lost(nbest: NBest, kept: frozenset[str]) -> Iterator[str]:
    """Names of the parts that a list has and that are not kept, some of them several times."""
    for part in LIST_PARTS:
        if part not in kept and getattr(nbest, part) is not None:
            yield part
    for part in CANDIDATE_PARTS:
        if part not in kept and any(getattr(c, part) is not None for c in nbest.candidates):
            yield part
    if "extra" not in kept:
        yield from (f"extra.{key} of the list" for key in nbest.extra)
        keys = (f"extra.{key}" for c in nbest.candidates for key in c.extra)
        yield from (key for key in keys if key not in kept)
