"""Tables with named columns, read as lists: CSV and TSV with a header, Parquet, databases.

    utt,hyp,am,lm,ref
    u1,I scream,-31.2,-4.1,I scream
    u1,ice cream,-30.8,-3.9,I scream

A row is a candidate; rows of one list stand together and share an id or an input. Columns of
numbers are features. A row may also hold a whole list, where columns have lists (Parquet).
"""

from __future__ import annotations

from collections.abc import Iterator

from runoff.data.files import FilePath
from runoff.data.formats.any_keys.mapping import Map
from runoff.data.formats.any_keys.rows import Row, lists_of
from runoff.data.nbest import NBest


def read(path: FilePath, map: Map | None = None) -> Iterator[NBest]:
    """The lists of a table; its columns are read whole."""
    return lists_of(_rows(path), map or Map(), path)


def _rows(path: FilePath) -> Iterator[Row]:
    from runoff.data.records.files import read_table  # which reads JSON as formats do

    columns, lines = read_table(path)
    for place, values in enumerate(zip(*columns.values(), strict=True)):
        line = None if lines is None else lines[place]
        yield line, dict(zip(columns, values, strict=True))
