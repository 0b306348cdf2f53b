"""File formats of n-best lists: one reader and writer per format, and the table of formats.

A format module has `read(path)`, which streams lists, and `encode(lists)`, which streams bytes; one
that other systems write may have the first only. What format a file is in is found by looking at
its beginning (`runoff.data.formats.look`), and by its name where that does not tell.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from runoff.data.compression import without_suffix
from runoff.data.files import FilePath, peek, write_pieces
from runoff.data.formats import bllip, conll, fairseq, jsonl, moses, openai, svmlight, tsv, winners
from runoff.data.formats.any_keys import json, tables
from runoff.data.formats.any_keys.mapping import Map
from runoff.data.formats.common import shown
from runoff.data.formats.look import found_in
from runoff.data.formats.speech import espnet, nemo, results
from runoff.data.nbest import NBest
from runoff.errors import FormatError, UsageError, unknown_choice
from runoff.user_code import plugin, plugins

LIST_PARTS = ("id", "input", "gold")
CANDIDATE_PARTS = ("output", "logprob", "quality", "features", "score", "rank")

Read = Callable[..., Iterator[NBest]]
Encode = Callable[[Iterable[NBest]], Iterator[bytes]]


class Format(NamedTuple):
    """How a format is read and written, and what it can hold.

    `carries` names parts of a list and its candidates; `extra` there is every key that Runoff
    does not know, `extra.comment` only that key of a candidate. `mapped` says that the reader takes
    a map of keys too.
    """

    read: Read | None
    encode: Encode | None
    suffixes: tuple[str, ...]
    carries: frozenset[str]
    mapped: bool = False


def _row(
    read: Read | None, encode: Encode | None = None, suffixes: str = "", carries: str = "",
    *, mapped: bool = False,
) -> Format:  # fmt: skip
    return Format(read, encode, tuple(suffixes.split()), frozenset(carries.split()), mapped)


FORMATS: dict[str, Format] = {
    "jsonl": _row(jsonl.read, jsonl.encode, ".jsonl .ndjson",
                  "id input gold output logprob quality features score rank extra"),
    "moses": _row(moses.read, moses.encode, ".moses", "id output logprob features extra.columns"),
    "bllip": _row(bllip.read, bllip.encode, ".bllip", "id output logprob score"),
    "espnet": _row(espnet.read, espnet.encode, ".json", "id gold output logprob extra"),
    "tsv": _row(tsv.read, tsv.encode, ".tsv", "output logprob"),
    "svmlight": _row(svmlight.read, svmlight.encode, ".svmlight .svm",
                     "id quality features extra.comment"),
    "conll": _row(conll.read, conll.encode, ".conll", "input gold output"),
    "best": _row(None, winners.encode, ".txt", "output"),
    "json": _row(json.read, mapped=True),
    "csv": _row(tables.read, suffixes=".csv .tab", mapped=True),
    "parquet": _row(tables.read, suffixes=".parquet", mapped=True),
    "openai": _row(openai.read),
    "fairseq": _row(fairseq.read),
    "whisper": _row(results.read_whisper, mapped=True),
    "vosk": _row(results.read_vosk),
    "sherpa": _row(results.read_sherpa, mapped=True),
    "nemo": _row(nemo.read, mapped=True),
}  # fmt: skip
"""All formats; those without `encode` are written by other systems only."""

READ = {name: row for name, row in FORMATS.items() if row.read is not None}
WRITTEN = {name: row for name, row in FORMATS.items() if row.encode is not None}

DEFAULT = "jsonl"

CERTAIN = ("moses", "bllip", "svmlight", "conll")
"""Formats whose suffixes nothing else has, so that the name alone tells."""


def format_of(path: FilePath) -> str:
    """The format in which a file is written, by its name, `.gz` or not; JSON Lines without suffix.

    Raises
    ------
    UsageError : the name ends in something else.

    Examples
    --------
    >>> format_of("dev.moses.gz"), format_of("-"), format_of("best.txt")
    ('moses', 'jsonl', 'best')
    """
    suffix, named = _suffix(path), _named(path, WRITTEN)
    if named is None and suffix and path_is_new(path):
        endings = " ".join(one for row in WRITTEN.values() for one in row.suffixes)
        raise UsageError(
            f"{path}: no format that is written has names that end in {shown(suffix)}",
            hint=f"end the name in one of {endings}, or name the format: --to NAME",
        )
    return named or DEFAULT


def path_is_new(path: FilePath) -> bool:
    """Whether a file is neither a device nor a pipe, whose names tell nothing."""
    target = Path(path)
    return target.is_file() or not target.exists()


def found_format(path: FilePath, map: Map | None = None) -> str:
    """The format of a file that is to be read, by looking into it; its name tells what that cannot.

    Raises
    ------
    FormatError : nothing tells; the error shows how the file begins.
    """
    named = _named(path, READ)
    if named in CERTAIN:
        return named
    head = peek(path)
    found = found_in(head)
    if map and (found == "jsonl" or (found is None and head.lstrip()[:1] in (b"{", b"["))):
        return "json"
    if found is None and (named == "tsv" or map):
        return "csv"
    if found is None and named is None and head.strip() and head.lstrip()[:1] not in (b"{", b"["):
        first = head.decode("utf-8", "replace").strip().partition("\n")[0]
        raise FormatError(
            f"cannot tell the format; the file begins with {shown(first)}",
            path=path,
            hint=f"name it: --format {', '.join(READ)}; or name its columns: --map output=COLUMN",
        )
    return found or named or DEFAULT


def _named(path: FilePath, rows: dict[str, Format]) -> str | None:
    suffix = _suffix(path)
    return next((name for name, row in rows.items() if suffix in row.suffixes), None)


def _suffix(path: FilePath) -> str:
    return Path(without_suffix(path)).suffix


def _format(name: str, rows: dict[str, Format] | None = None) -> Format:
    rows = FORMATS if rows is None else rows
    if name in rows:
        return rows[name]
    found = plugin("formats", name)
    if not isinstance(found, Format):
        raise unknown_choice("format", name, [*rows, *plugins("formats")])
    return found


def read_nbest(
    path: FilePath, format: str | None = None, map: Map | str | None = None
) -> Iterator[NBest]:
    r"""The lists of a file, plain or compressed, one by one; `-` is stdin.

    Parameters
    ----------
    format : one of `READ`; without one, the beginning of the file decides.
    map : the keys or columns of the parts of a list, such as `input=prompt,output=completions`,
        where a JSON file or a table does not use the usual names.

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
    keys = Map.parse(map)
    name = found_format(path, keys) if format is None else format
    row = _format(name, READ)
    assert row.read is not None
    if keys and not row.mapped:
        raise UsageError(
            f"{path}: {name} has no keys to map",
            hint=f"--map is for {', '.join(one for one, row in READ.items() if row.mapped)}",
        )
    try:
        yield from row.read(path, keys) if row.mapped else row.read(path)
    except FormatError as error:
        if error.hint is None and error.line is not None:
            other = "; for a part under another key: --map PART=KEY" if row.mapped else ""
            error.hint = f"it was read as {name}; name another format: --format NAME{other}"
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
    row = _format(format_of(path) if format is None else format, WRITTEN)
    assert row.encode is not None
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
