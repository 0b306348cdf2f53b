"""Data frames of any library, and tables of lists: a row per candidate."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, Literal

from runoff.data.nbest import Candidate, NBest
from runoff.errors import UsageError, import_extra, unknown_choice

COLUMNS = ("output", "logprob", "quality", "score", "rank")


def frame_columns(given: Any) -> dict[str, list[Any]] | None:
    """The columns of a data frame, by name; None if it is none.

    Frames of pandas, polars and pyarrow give their columns themselves; anything else that speaks
    Arrow's PyCapsule interface is read with pyarrow.
    """
    names = getattr(given, "column_names", getattr(given, "columns", None))
    if names is not None and not callable(names) and hasattr(given, "__getitem__"):
        return {str(name): _values(given[name]) for name in names}
    if hasattr(given, "__arrow_c_stream__"):
        table = import_extra("pyarrow", "arrow").table(given)
        return {name: _values(table[name]) for name in table.column_names}
    return None


def _values(column: Any) -> list[Any]:
    values = column.to_pylist() if hasattr(column, "to_pylist") else column.to_list()
    return [_plain(value) for value in values]


def _plain(value: Any) -> Any:
    """The value as Python has it; what libraries write for a missing one is None."""
    if value is None or type(value).__name__ in {"NAType", "NaTType"}:
        return None
    if hasattr(value, "tolist"):
        value = value.tolist()
    return None if isinstance(value, float) and math.isnan(value) else value


def to_frame(
    lists: Iterable[NBest], library: Literal["arrow", "pandas", "polars"] = "arrow"
) -> Any:
    """A table with a row per candidate, which `from_frame` reads back.

    It has the columns `id`, `input`, `gold`, `output`, `logprob`, `quality`, `score` and `rank`, as
    far as lists have them, and one for each feature. Values that are no text are written as JSON.

    Parameters
    ----------
    library : whose table: `arrow` (pyarrow, which others read), `pandas` or `polars`.

    Examples
    --------
    >>> table = to_frame([NBest("u1", None, [Candidate("I scream", -4.2, features={"lm": -7.5})])])
    >>> table.to_pylist()
    [{'id': 'u1', 'output': 'I scream', 'logprob': -4.2, 'lm': -7.5}]
    """
    rows = [row for number, nbest in enumerate(lists) for row in _rows(number, nbest)]
    names = dict.fromkeys(("id", "input", "gold", *COLUMNS))
    names |= dict.fromkeys(name for row in rows for name in row)
    columns = {name: [row.get(name) for row in rows] for name in names}
    kept = {name: one for name, one in columns.items() if any(v is not None for v in one)}
    makers = {"arrow": ("pyarrow", "table"), "pandas": ("pandas", "DataFrame"),
              "polars": ("polars", "DataFrame")}  # fmt: skip
    if library not in makers:
        raise unknown_choice("library", library, makers)
    package, maker = makers[library]
    return getattr(import_extra(package, "arrow"), maker)(kept)


def _rows(number: int, nbest: NBest) -> Iterable[dict[str, Any]]:
    whole = {
        "id": str(number if nbest.id is None else nbest.id),
        "input": _text(nbest.input),
        "gold": _text(nbest.gold),
    }
    for candidate in nbest.candidates:
        own = {name: getattr(candidate, name) for name in COLUMNS}
        features = {_free(name): value for name, value in (candidate.features or {}).items()}
        yield {**whole, **own, "output": _text(candidate.output), **features}


def _free(name: str) -> str:
    """The name of a feature as a column, which must not be that of a part of a list."""
    return f"feature {name}" if name in ("id", "input", "gold", *COLUMNS) else name


def _text(value: Any) -> str | None:
    from runoff.data.formats.json_text import encode_json

    return value if value is None or isinstance(value, str) else encode_json(value).decode()


def check_frame(given: Any) -> dict[str, list[Any]]:
    """The columns of a data frame, or an error."""
    columns = frame_columns(given)
    if columns is None:
        kind = type(given).__name__
        raise UsageError(f"expected a data frame of pandas, polars or pyarrow, not {kind}")
    return columns


def one_candidate(given: Any) -> Candidate | None:
    """The candidate that a text, or a pair of text and log-probability, is; None for others.

    Examples
    --------
    >>> one_candidate("yes"), one_candidate(("yes", -1.5))
    (Candidate(output='yes'), Candidate(output='yes', logprob=-1.5))
    """
    if isinstance(given, Candidate):
        return given
    if isinstance(given, str):
        return Candidate(given)
    if isinstance(given, tuple) and len(given) == 2 and isinstance(given[0], str):
        logprob = _plain(given[1])
        if isinstance(logprob, int | float) and not isinstance(logprob, bool):
            return Candidate(given[0], float(logprob))
    return None
