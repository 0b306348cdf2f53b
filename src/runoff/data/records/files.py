"""Files of records as columns: CSV, TSV, JSON Lines, Parquet, tables of SQLite and DuckDB files."""

from __future__ import annotations

import contextlib
import csv
import re
import sqlite3
from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from runoff.data.compression import without_suffix
from runoff.data.files import FilePath, decode, open_input, read_lines
from runoff.data.formats.json_text import decode_json
from runoff.data.limits import FIELD
from runoff.errors import FormatError, TooLongError, import_extra

SUFFIXES = {".csv": "csv", ".tsv": "tsv", ".tab": "tsv", ".jsonl": "jsonl", ".ndjson": "jsonl"}
"""Text formats by the file's name; of any other name, the first line tells."""

MAGIC = (
    ("parquet", re.compile(rb"PAR1")),
    ("sqlite", re.compile(rb"SQLite format 3\0")),
    ("duckdb", re.compile(rb".{8}DUCK", re.DOTALL)),
)
"""How the binary formats begin."""

CHUNK = 512
"""Rows that are read before they become columns; so few that no garbage collection begins."""

MANY = 10_000
"""Values of a column after which it is known whether they come again."""

Lines = Iterator[tuple[int, bytes]]


class Table(NamedTuple):
    """The columns of a file, by name and in its order, and the line of each record if it has one.

    Values are what the format gives: text, numbers, lists, None.
    """

    columns: dict[str, list[Any]]
    lines: Sequence[int] | None = None


def format_of_name(path: FilePath) -> str | None:
    """The text format that a file's name tells, `.gz` or not; None for any other name.

    Examples
    --------
    >>> format_of_name("people.tsv.gz"), format_of_name("-")
    ('tsv', None)
    """
    return SUFFIXES.get(Path(without_suffix(path)).suffix.lower())


def read_table(source: FilePath) -> Table:
    """The columns of a file, or of the table `records.db::people` of a database; `-` is stdin.

    Raises
    ------
    FormatError : the file is broken or empty, or a row has more or fewer fields than the header.
    """
    path, table = split_table(source)
    binary = None if str(path) == "-" else _binary_format(path)
    if binary == "parquet":
        return _read_parquet(path)
    if binary is not None:
        return _read_database(path, binary, table)
    if table is not None:
        raise FormatError(f"not a database, so it has no table {table!r}", path=path)
    lines = read_lines(path)
    first = next(((number, line) for number, line in lines if line.strip()), None)
    if first is None:
        raise FormatError("the file is empty", path=path)
    kind = format_of_name(path) or _guess(first[1])
    lines = chain([first], lines)
    return _read_jsonl(lines, path) if kind == "jsonl" else _read_rows(lines, path, kind, first[0])


def split_table(source: FilePath) -> tuple[FilePath, str | None]:
    """The file and the table of `records.db::people`; the table is None if there is none.

    Examples
    --------
    >>> split_table("records.db::people"), split_table("people.csv")
    (('records.db', 'people'), ('people.csv', None))
    """
    path, colons, table = str(source).rpartition("::")
    return (path, table) if colons and not Path(source).exists() else (source, None)


def _binary_format(path: FilePath) -> str | None:
    with open_input(path) as stream, contextlib.suppress(OSError, EOFError):
        head = stream.read(16)
        return next((name for name, magic in MAGIC if magic.match(head)), None)
    return None  # a broken gzip stream, which the reader of text reports


def _guess(line: bytes) -> str:
    if line.lstrip().startswith(b"{"):
        return "jsonl"
    return "tsv" if b"\t" in line else "csv"


def _read_jsonl(lines: Lines, path: FilePath) -> Table:
    columns: dict[str, list[Any]] = {}
    numbers = array("q")
    for number, line in lines:
        if not line or line.isspace():
            continue
        value = decode_json(line, path, number)
        if not isinstance(value, dict):
            raise FormatError("expected one JSON object, a record", path=path, line=number)
        for key, one in value.items():
            column = columns.setdefault(key, [])
            column.extend([None] * (len(numbers) - len(column)))
            column.append(one)
        numbers.append(number)
    for column in columns.values():
        column.extend([None] * (len(numbers) - len(column)))
    return Table(columns, numbers)


def _read_rows(lines: Lines, path: FilePath, kind: str, first: int) -> Table:
    """CSV with quotes, or TSV, which has none; the first row has the names of the columns."""
    texts = (decode(line, path, number) + "\n" for number, line in lines)
    if kind == "tsv":
        reader = csv.reader(texts, delimiter="\t", quoting=csv.QUOTE_NONE)
    else:
        reader = csv.reader(texts, strict=True)
    numbers, rows = array("q"), []
    header: list[str] | None = None
    columns: list[_Column] = []
    for number, row in _numbered_rows(reader, path, first):
        if header is None:
            header = _header(row, path, number)
            columns = [_Column() for _ in header]
            continue
        if len(row) != len(header):
            problem = f"has {len(row)} fields, but the header has {len(header)}"
            raise FormatError(problem, path=path, line=number)
        numbers.append(number)
        rows.append(row)
        if len(rows) == CHUNK:
            _add_rows(columns, rows)
    _add_rows(columns, rows)
    return Table(dict(zip(header or (), (one.values for one in columns), strict=True)), numbers)


class _Column:
    """The values of a column; those that come again are kept once."""

    def __init__(self) -> None:
        self.values: list[Any] = []
        self.known: dict[str, str] = {}

    def add(self, values: Sequence[str]) -> None:
        """Further values."""
        if 2 * len(self.known) > len(self.values) > MANY:
            self.values += values  # few come again, and remembering them takes memory
        else:
            self.values += map(self.known.setdefault, values, values)


def _add_rows(columns: Sequence[_Column], rows: list[list[str]]) -> None:
    """Move rows to the columns."""
    for column, values in zip(columns, zip(*rows, strict=True), strict=False):
        column.add(values)
    rows.clear()


def _numbered_rows(reader: Any, path: FilePath, first: int) -> Iterator[tuple[int, list[str]]]:
    """Rows that are not blank, with the numbers of the lines where they begin."""
    before = csv.field_size_limit(FIELD)
    start = first
    try:
        for row in reader:
            if row:
                yield start, row
            start = first + reader.line_num
    except csv.Error as error:
        if "field limit" in str(error):
            raise too_long(path, start) from None
        unclosed = "unexpected end" in str(error)
        problem = "a quote that is never closed" if unclosed else "a quote inside a field"
        hint = 'quote the whole field, and write quotes in it twice: "12"" vinyl"'
        raise FormatError(problem, path=path, line=start, hint=hint) from None
    finally:
        csv.field_size_limit(before)


def too_long(path: object, line: int | None, key: str | None = None) -> TooLongError:
    """The error for a field that is longer than the longest that is read."""
    return TooLongError(f"a field of more than {FIELD:,} characters", path=path, line=line, key=key)


def _header(row: list[str], path: FilePath, number: int) -> list[str]:
    names = [name.strip() for name in row]
    if "" in names:
        problem = f"column {names.index('') + 1} has no name"
        raise FormatError(problem, path=path, line=number, hint="the first line names the columns")
    twice = next((name for i, name in enumerate(names) if name in names[:i]), None)
    if twice is not None:
        raise FormatError(f"two columns are called {twice!r}", path=path, line=number)
    return names


def _read_parquet(path: FilePath) -> Table:
    arrow, parquet = (import_extra(name, "arrow") for name in ("pyarrow", "pyarrow.parquet"))
    try:
        found = parquet.ParquetFile(str(path)).read()
        return Table({name: found[name].to_pylist() for name in found.column_names})
    except (arrow.ArrowException, OSError, UnicodeDecodeError) as error:
        raise FormatError(f"broken Parquet file ({_first_line(error)})", path=path) from None


def _read_database(path: FilePath, kind: str, table: str | None) -> Table:
    if kind == "sqlite":
        module: Any = sqlite3
        tables = "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') ORDER BY name"
    else:
        module = import_extra("duckdb", "duckdb")
        tables = "SELECT table_name FROM information_schema.tables ORDER BY table_name"
    try:
        with contextlib.closing(_connect(module, path)) as connection:
            name = _table_name(
                table, [row[0] for row in connection.execute(tables).fetchall()], path
            )
            quoted = '"' + name.replace('"', '""') + '"'
            cursor = connection.execute(f"SELECT * FROM {quoted}")
            names = [column[0] for column in cursor.description]
            return Table(_transposed(names, cursor.fetchall()))
    except (module.Error, UnicodeDecodeError) as error:
        raise FormatError(f"broken database ({_first_line(error)})", path=path) from None


def _connect(module: Any, path: FilePath) -> Any:
    """A connection that cannot write."""
    if module is sqlite3:
        return sqlite3.connect(f"{Path(path).resolve().as_uri()}?mode=ro", uri=True)
    return module.connect(str(path), read_only=True)


def _table_name(wanted: str | None, tables: list[str], path: FilePath) -> str:
    if wanted is None and len(tables) == 1:
        return tables[0]
    if wanted in tables:
        return str(wanted)
    problem = "name one of its tables" if wanted is None else f"no table {wanted!r}"
    hint = f"as {path}::{tables[0]}" if tables and wanted is None else None
    raise FormatError(f"{problem}: {', '.join(tables) or 'there are none'}", path=path, hint=hint)


def _transposed(names: list[str], rows: Sequence[Iterable[Any]]) -> dict[str, list[Any]]:
    columns = zip(*rows, strict=True) if rows else [() for _ in names]
    return {name: list(column) for name, column in zip(names, columns, strict=True)}


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0]
