"""The curves of training records: what a plot shows, before anything is drawn."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

from runoff.data.files import FilePath
from runoff.errors import UsageError
from runoff.fitting.record import FOR_PLOTS, Record, record_in
from runoff.store.file import load

STEPS = ("round", "epoch", "iteration", "active")
"""A table of a record that has one of these columns is a learning curve over it."""

QUALITIES = ("relative", "dev quality")
"""Columns with the quality on development lists, the one to draw first."""

RUNS = ("smoothing", "prior")
"""Columns that tell the runs of one record apart: each value has a curve."""

LARGEST = 1e100
"""Numbers beyond this leave a gap in a curve; a loss that explodes must not take the plot along."""


class Best(NamedTuple):
    """The step at which the quality on development lists was highest, and that quality."""

    column: str  # of QUALITIES
    step: float
    quality: float


class Line(NamedTuple):
    """The numbers of a column, and the steps after which it had them."""

    steps: list[float]
    values: list[float]


class Curve(NamedTuple):
    """One run of a learner: a line for each column of its record."""

    label: str
    unit: str  # what a step is, of STEPS
    lines: dict[str, Line]
    best: Best | None


def read_record(path: FilePath) -> Record:
    """The training record that a model file keeps, checked; that of a parser is its ranker's."""
    header = load(path).header
    holder = header["ranker"] if isinstance(header.get("ranker"), dict) else header
    return record_in(holder, path)


def find_curves(records: Mapping[str, Record]) -> list[Curve]:
    """All curves of one record; or the best curve of each of several records, by label.

    Examples
    --------
    >>> one = {"epochs": [{"epoch": 1.0, "wrong": 7.0}, {"epoch": 2.0, "wrong": 5.0}]}
    >>> [(curve.label, curve.lines["wrong"].values) for curve in find_curves({"a": one, "b": one})]
    [('a', [7.0, 5.0]), ('b', [7.0, 5.0])]
    """
    found: list[Curve] = []
    for label, record in records.items():
        curves = _curves(record)
        if not curves:
            where = f" of {label!r}" if len(records) > 1 else ""
            raise UsageError(f"the training record{where} has no learning curve to draw")
        if len(records) == 1:
            return curves
        best = max(curves, key=lambda curve: curve.best.quality if curve.best else -math.inf)
        more = f", {best.label}" if len(curves) > 1 else ""
        found.append(best._replace(label=f"{label}{more}"))
    return found


def has_curves(record: Record) -> bool:
    """Whether a training record has learning curves to draw."""
    return bool(_curves(record))


Rows = list[dict[str, float]]
Group = tuple[str, float | None]
"""The name and the value of what tells runs of one record apart, or its table alone."""


def _curves(record: Record) -> list[Curve]:
    tables = {title: rows for title, rows in record.items() if title != FOR_PLOTS}
    groups = [one for title, rows in tables.items() for one in _groups(title, rows).items()]
    fine = {value: rows for (_, value), rows in _groups("", record.get(FOR_PLOTS, [])).items()}
    bests = {row.get("smoothing"): row for row in record.get("smoothing", [])}
    return [
        _curve(name if value is None else f"{name} {value:g}", rows, fine.get(value, []),
               bests.get(value, {}))
        for (name, value), rows in groups
    ]  # fmt: skip


def _groups(title: str, rows: Rows) -> dict[Group, Rows]:
    """The rows of a table that are steps, by the run that they are of."""
    groups: dict[Group, Rows] = {}
    for row in rows:
        if len(row.keys() & set(STEPS)) == 1 and row.keys() - {*STEPS, *RUNS}:
            run = next((name for name in RUNS if name in row), None)
            key = (title, None) if run is None else (run, row[run])
            groups.setdefault(key, []).append(row)
    return groups


def _curve(label: str, rows: Rows, fine: Rows, best: Mapping[str, float]) -> Curve:
    """The curve of some rows; `fine` has all steps of the development quality, if it is known."""
    unit = next(unit for unit in STEPS if unit in rows[0])
    names = [name for name in rows[0] if name not in (unit, *RUNS)]
    lines = {
        name: _line(unit, name, fine if fine and name in QUALITIES else rows) for name in names
    }
    if "relative" in lines and "dev quality" in lines:
        # errors count as negative qualities, and of their ratio to the base order's less is better
        negative = any(quality < 0 for quality in lines["dev quality"].values)
        lines.pop("relative" if negative else "dev quality")
    if "work" in lines:
        steps, work = lines["work"]
        ratios = [n / one if one > 0 else math.nan for n, one in zip(steps, work, strict=True)]
        lines["savings"] = Line(steps, ratios)
    return Curve(label, unit, lines, _best(unit, lines, best))


def _line(unit: str, name: str, rows: Rows) -> Line:
    steps, values = ([_drawable(row.get(key, math.nan)) for row in rows] for key in (unit, name))
    return Line(steps, values)


def _drawable(value: float) -> float:
    """The value, or nan where it is so large that no axis can be made for it."""
    return value if abs(value) < LARGEST else math.nan


def _best(unit: str, lines: Mapping[str, Line], told: Mapping[str, float]) -> Best | None:
    """The best step: the learner's, as a curve may be thinned out, else the curve's."""
    column = next((name for name in QUALITIES if name in lines), None)
    if column is None:
        return None
    if f"best {unit}" in told and column in told:
        return Best(column, _drawable(told[f"best {unit}"]), _drawable(told[column]))
    pairs = zip(lines[column].values, lines[column].steps, strict=True)
    known = [pair for pair in pairs if not math.isnan(pair[0])]
    quality, step = max(known, default=(math.nan, math.nan))  # the last of equals
    return Best(column, step, quality) if known else None
