"""Stand-in until the branch `records` is merged: records by column."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from os import PathLike
from typing import Any

import msgspec

from runoff.data.files import FilePath, read_lines
from runoff.errors import FormatError


@dataclass(frozen=True, repr=False)
class Records:
    """Records by column: an id each and, in each field, text, a list of texts or None."""

    ids: list[str]
    fields: list[str]
    columns: dict[str, list[Any]]
    source: object = None

    def __len__(self) -> int:
        return len(self.ids)

    def column(self, name: str) -> list[Any]:
        """The values of a field; an error for an unknown field names those that exist."""
        if name not in self.columns:
            known = ", ".join(self.fields) or "none"
            raise FormatError(f"no column {name!r}; the columns are: {known}", path=self.source)
        return self.columns[name]

    def take(self, places: Iterable[int]) -> Records:
        """Some of the records, by index and in that order."""
        places = list(places)
        columns = {name: [column[i] for i in places] for name, column in self.columns.items()}
        return Records([self.ids[i] for i in places], self.fields, columns, self.source)


def read_records(source: FilePath, id_column: str | None = None) -> Records:
    """The records of a file."""
    return as_records([msgspec.json.decode(line) for _, line in read_lines(source)], id_column)


def as_records(given: Any, id_column: str | None = None) -> Records:
    """Records of a list of dictionaries, or of a file."""
    if isinstance(given, Records):
        return given
    if isinstance(given, str | PathLike):
        return read_records(given, id_column)
    rows = list(given)
    name = id_column or "id"
    fields = [f for f in dict.fromkeys(f for row in rows for f in row) if f != name]
    columns = {f: [_clean(row.get(f)) for row in rows] for f in fields}
    ids = [str(row.get(name, i + 1)) for i, row in enumerate(rows)]
    return Records(ids, fields, columns)


def _clean(value: Any) -> Any:
    if isinstance(value, list):
        return [str(one) for one in value] or None
    return None if value is None else str(value).strip() or None
