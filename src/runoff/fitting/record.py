"""Records of fits: tables for people to read, which checkpoints keep as arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runoff.store.file import Arrays

Record = dict[str, list[dict[str, float]]]
"""What a fit leaves for people to read: tables by their titles, each a list of rows."""


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
