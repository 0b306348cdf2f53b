"""Records: rows with an id and named fields, read from files of many kinds or made in Python."""

from __future__ import annotations

import datetime
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import Any, TypeAlias

from runoff.data.files import FilePath
from runoff.data.formats.common import shown
from runoff.data.frames import frame_columns
from runoff.data.limits import FIELD
from runoff.data.records.files import Table, read_table, too_long
from runoff.errors import FormatError, RunoffError, UsageError

Value: TypeAlias = str | list[str] | None
"""A field of a record: text, several texts, or None where it is missing."""

ID = "id"
"""The column that has the ids if none is named and there is one of this name."""


@dataclass(frozen=True, repr=False)
class Records:
    """Records by column: every record has an id and, in each field, text, a list of texts or None.

    Parameters
    ----------
    ids : one for each record, all different.
    fields : names of the fields, in the order of the file; the column of the ids is not among them.
    columns : the values of each field, one per record.
    source : where they were read, for errors.

    Examples
    --------
    >>> records = as_records([{"id": "a", "name": "Li, W."}, {"id": "b", "name": "Wei Li"}])
    >>> records
    Records(2 records: name)
    >>> records.ids, records.columns["name"]
    (['a', 'b'], ['Li, W.', 'Wei Li'])
    """

    ids: list[str]
    fields: list[str]
    columns: dict[str, list[Any]]
    source: object = None

    def __len__(self) -> int:
        return len(self.ids)

    def __repr__(self) -> str:
        count = f"{len(self):,} record" + "s" * (len(self) != 1)
        fields = (self._described(name) for name in self.fields)
        return f"Records({count}: {', '.join(fields)})" if self.fields else f"Records({count})"

    def _described(self, name: str) -> str:
        missing = self.columns[name].count(None)
        return f"{name} ({missing:,} missing)" if missing else name

    def column(self, name: str) -> list[Any]:
        """The values of a field; an error for an unknown field names those that exist."""
        if name not in self.columns:
            known = ", ".join(map(_printable, self.fields)) or "none"
            raise FormatError(f"no column {name!r}; the columns are: {known}", path=self.source)
        return self.columns[name]

    def take(self, places: Iterable[int]) -> Records:
        """Some of the records, by index and in that order."""
        places = list(places)
        columns = {name: [column[i] for i in places] for name, column in self.columns.items()}
        return Records([self.ids[i] for i in places], self.fields, columns, self.source)


def read_records(source: FilePath, id_column: str | None = None) -> Records:
    r"""The records of a file, plain or gzip; `-` is stdin, `records.db::people` a table.

    CSV and TSV begin with a line of names. JSON Lines has one object per line, whose lists stay
    lists. Parquet needs the extra `arrow`; tables of SQLite files are read as they are, those of
    DuckDB files need the extra `duckdb`. Whitespace around a value is dropped; empty text, an
    empty list and null are None; numbers are read as text.

    Parameters
    ----------
    id_column : column with the ids; by default `id` if there is one, else records are numbered
        from 1.

    Raises
    ------
    FormatError : what is wrong, with file, line and column.

    Examples
    --------
    >>> from pathlib import Path
    >>> _ = Path("people.csv").write_text("id,name,born\na,Wei Li,1970\nb,W. Li,\n")
    >>> read_records("people.csv")
    Records(2 records: name, born (1 missing))
    """
    return _records(read_table(source), source, id_column)


def as_records(given: Any, id_column: str | None = None) -> Records:
    """Records of a list of dictionaries or a data frame (pandas, polars, pyarrow), or of a file.

    Examples
    --------
    >>> as_records([{"name": "Wei Li"}, {"year": 2006}]).columns
    {'name': ['Wei Li', None], 'year': [None, '2006']}
    """
    if isinstance(given, Records):
        return given
    if isinstance(given, str | PathLike):
        return read_records(given, id_column)
    columns = frame_columns(given)
    if columns is not None:
        return _records(Table(columns), None, id_column)
    rows = list(given)
    for number, row in enumerate(rows, start=1):
        if not isinstance(row, Mapping):
            raise UsageError(f"record {number}: expected a dictionary, not {type(row).__name__}")
    fields = dict.fromkeys(str(name) for row in rows for name in row)
    return _records(Table({f: [row.get(f) for row in rows] for f in fields}), None, id_column)


def _records(table: Table, source: FilePath | None, id_column: str | None) -> Records:
    lines = table.lines
    columns = {n: _cleaned(c, n, source, lines) for n, c in table.columns.items()}
    records = Records([], list(columns), columns, source)
    if not columns or not len(next(iter(columns.values()))):
        raise FormatError("there are no records", path=source)
    name = ID if id_column is None and ID in columns else id_column
    if name is None:
        ids = [str(number) for number in range(1, len(next(iter(columns.values()))) + 1)]
    else:
        ids = _checked_ids(records.column(name), name, source, lines)
        columns = {other: column for other, column in columns.items() if other != name}
    return Records(ids, list(columns), columns, source)


def _checked_ids(
    ids: list[Any], name: str, source: FilePath | None, lines: Sequence[int] | None
) -> list[str]:
    """The ids, if every record has one of its own."""
    if set(map(type, ids)) == {str} and len(set(ids)) == len(ids):
        return ids
    first: dict[str, int] = {}
    for place, one in enumerate(ids):
        if not isinstance(one, str):
            problem = "the record has no id" if one is None else "an id must be one text"
            raise _error(problem, place, name, source, lines)
        other = first.setdefault(one, place)
        if other != place:
            where = f"record {other + 1}" if lines is None else f"line {lines[other]}"
            raise _error(f"{shown(one)} is also the id of {where}", place, name, source, lines)
    return ids


def _cleaned(
    column: list[Any], name: str, source: FilePath | None, lines: Sequence[int] | None
) -> list[Value]:
    """The values of a column as text, lists of texts, or None."""
    if set(map(type, column)) == {str}:
        known = dict.fromkeys(column)
        if 2 * len(known) < len(column) and max(map(len, known)) <= FIELD:
            cleaned = {value: value.strip() or None for value in known}  # each value once
            return list(map(cleaned.__getitem__, column))
    values: list[Value] = []
    append = values.append
    try:
        for value in column:
            append((value.strip() or None) if type(value) is str else _clean(value))
    except TypeError as error:
        raise _error(str(error), len(values), name, source, lines) from None
    for place, value in enumerate(values):
        if value is not None and (len(value) > FIELD or _items_too_long(value)):
            raise too_long(source, None if lines is None else lines[place], _printable(name))
    return values


def _items_too_long(value: str | list[str]) -> bool:
    return type(value) is list and sum(map(len, value)) > FIELD


def _clean(value: Any) -> Value:
    if hasattr(value, "tolist"):  # numpy's numbers and arrays
        value = value.tolist()
    if isinstance(value, list | tuple):
        items = [_text(item) for item in value]
        return [item for item in items if item] or None
    return _text(value) or None


def _text(value: Any) -> str:
    """One value as text, empty where it is missing; a whole number has no decimal point."""
    if value is None or type(value).__name__ in {"NAType", "NaTType"}:
        return ""
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        if math.isnan(value):
            return ""
        return str(int(value)) if value.is_integer() else repr(value)
    if isinstance(value, int | datetime.date | datetime.time) or hasattr(value, "as_tuple"):
        return str(value)
    kind = "an object" if isinstance(value, Mapping) else type(value).__name__
    raise TypeError(f"expected text, a number or a list of them, not {kind}")


def _error(
    problem: str, place: int, name: str, source: FilePath | None, lines: Sequence[int] | None
) -> RunoffError:
    key = _printable(name)
    if lines is not None:
        return FormatError(problem, path=source, line=lines[place], key=key)
    return FormatError(problem, path=source, key=f"record {place + 1}: {key}")


def _printable(name: str) -> str:
    """A name of a field, in quotes if a line could not hold it."""
    return name if name.isprintable() else ascii(name)
