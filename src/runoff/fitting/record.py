"""Records of fits: tables for people to read, which checkpoints keep as arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from runoff.data.files import FilePath
from runoff.errors import ModelError
from runoff.store.file import Arrays

Record = dict[str, list[dict[str, float]]]
"""What a fit leaves for people to read: tables by their titles, each a list of rows."""

FOR_PLOTS = "development curve"
"""Title of the table with all steps that a plot of the development quality shows; commands do not
print it, since the other tables have some of its rows."""

PIXELS = 250
"""The width of a plot for which a record keeps steps."""


def record_in(header: Mapping[str, Any], path: FilePath) -> Record:
    """The training record in the header of a model file, checked; empty where there is none."""
    try:
        record = msgspec.convert(header.get("record") or {}, Record)
    except msgspec.ValidationError as error:
        raise ModelError(f"the training record is broken: {error}", path=path) from None
    if not all(row.keys() == rows[0].keys() for rows in record.values() for row in rows):
        raise ModelError("the training record is broken: rows of different columns", path=path)
    return record


def drawn_steps(values: NDArray[np.float64], pixels: int = PIXELS) -> NDArray[np.int64]:
    """The steps, from 1, without which a line over a logarithmic axis would look different.

    These are, of each column of pixels, the first, the last, the lowest and the highest, but none
    in the middle of a level stretch.

    References
    ----------
    Jugel, Jerzak, Hackenbroich and Markl (2014), "M4: a visualization-oriented time series data
    aggregation".

    Examples
    --------
    >>> drawn_steps(np.array([7.0, 8.0, 8.0, 9.0, 7.5, 8.0, 8.0, 8.0, 8.5, 8.0]), pixels=2)
    array([ 1,  3,  4,  5, 10])
    """
    columns = np.log(np.arange(1, len(values) + 1)) / np.log(len(values) + 1) * pixels
    changes = np.diff(columns.astype(np.int64), prepend=-1, append=-1) != 0
    ends = [np.flatnonzero(changes[:-1]), np.flatnonzero(changes[1:])]
    by_value = np.lexsort((values, columns.astype(np.int64)))
    kept = np.unique(np.concatenate([*ends, *(by_value[end] for end in ends)]))
    turns = np.diff(values[kept], prepend=np.nan, append=np.nan) != 0  # the ends of a curve, too
    steps: NDArray[np.int64] = kept[turns[:-1] | turns[1:]] + 1
    return steps


def record_columns(rows: Sequence[dict[str, float]]) -> dict[str, NDArray[Any]]:
    """Rows of a record as arrays, to go into a state; all rows have the same keys.

    Examples
    --------
    >>> record_columns([{"epoch": 1.0, "wrong": 7.0}, {"epoch": 2.0, "wrong": 4.0}])
    {'record: epoch': array([1., 2.]), 'record: wrong': array([7., 4.])}
    """
    keys = rows[0] if rows else ()
    return {_COLUMN + key: np.array([row[key] for row in rows]) for key in keys}


def record_rows(state: Arrays) -> list[dict[str, float]]:
    """The rows of a record that a state holds."""
    columns = {k[len(_COLUMN) :]: v.tolist() for k, v in state.items() if k.startswith(_COLUMN)}
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


_COLUMN = "record: "
