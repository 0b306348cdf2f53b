"""The curves of training records: what a plot shows, before anything is drawn."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec

from runoff.data.files import FilePath
from runoff.errors import ModelError, UsageError
from runoff.fitting.record import Record
from runoff.store.file import load

STEPS = ("round", "epoch", "iteration")
"""A table of a record that has one of these columns is a learning curve over it."""

QUALITIES = ("relative", "dev quality")
"""Columns with the quality on development lists, the one to draw first."""

LARGEST = 1e100
"""Numbers beyond this leave a gap in a curve; a loss that explodes must not take the plot along."""


class Best(NamedTuple):
    """The step at which the quality on development lists was highest, and that quality."""

    column: str  # of QUALITIES
    step: float
    quality: float


class Curve(NamedTuple):
    """One run of a learner: numbers by column, one for each step."""

    label: str
    unit: str  # what a step is, of STEPS
    columns: dict[str, list[float]]
    best: Best | None

    @property
    def steps(self) -> list[float]:
        """The numbers on the x axis."""
        return self.columns[self.unit]


def read_record(path: FilePath) -> Record:
    """The training record that a model file keeps, checked; that of a parser is its ranker's."""
    header = load(path).header
    holder = header["ranker"] if isinstance(header.get("ranker"), dict) else header
    record = holder.get("record", {})
    try:
        return msgspec.convert(record, Record)
    except msgspec.ValidationError as error:
        raise ModelError(f"the training record is broken: {error}", path=path) from None


def find_curves(records: Mapping[str, Record]) -> list[Curve]:
    """All curves of one record; or the best curve of each of several records, by label.

    Examples
    --------
    >>> one = {"epochs": [{"epoch": 1.0, "wrong": 7.0}, {"epoch": 2.0, "wrong": 5.0}]}
    >>> [(curve.label, curve.columns["wrong"]) for curve in find_curves({"a": one, "b": one})]
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


def _curves(record: Record) -> list[Curve]:
    groups: dict[tuple[str, float | None], list[dict[str, float]]] = {}
    for title, rows in record.items():
        for row in rows:
            if len(row.keys() & set(STEPS)) == 1 and row.keys() - {*STEPS, "smoothing"}:
                groups.setdefault((title, row.get("smoothing")), []).append(row)
    bests = {row.get("smoothing"): row for row in record.get("smoothing", [])}
    return [
        _curve(title, smoothing, rows, bests.get(smoothing, {}))
        for (title, smoothing), rows in groups.items()
    ]


def _curve(
    title: str,
    smoothing: float | None,
    rows: Sequence[Mapping[str, float]],
    best: Mapping[str, float],
) -> Curve:
    unit = next(unit for unit in STEPS if unit in rows[0])
    names = [name for name in rows[0] if name != "smoothing"]
    columns = {name: [_drawable(row.get(name, math.nan)) for row in rows] for name in names}
    if "relative" in columns and "dev quality" in columns:
        # errors count as negative qualities, and of their ratio to the base order's less is better
        negative = any(quality < 0 for quality in columns["dev quality"])
        columns.pop("relative" if negative else "dev quality")
    if "work" in columns:
        pairs = zip(columns[unit], columns["work"], strict=True)
        columns["savings"] = [n / work if work > 0 else math.nan for n, work in pairs]
    label = title if smoothing is None else f"smoothing {smoothing:g}"
    return Curve(label, unit, columns, _best(unit, columns, best))


def _drawable(value: float) -> float:
    """The value, or nan where it is so large that no axis can be made for it."""
    return value if abs(value) < LARGEST else math.nan


def _best(
    unit: str, columns: Mapping[str, Sequence[float]], told: Mapping[str, float]
) -> Best | None:
    """The best step: the learner's, as a curve may be thinned out, else the curve's."""
    column = next((name for name in QUALITIES if name in columns), None)
    if column is None:
        return None
    if f"best {unit}" in told and column in told:
        return Best(column, _drawable(told[f"best {unit}"]), _drawable(told[column]))
    pairs = zip(columns[column], columns[unit], strict=True)
    known = [pair for pair in pairs if not math.isnan(pair[0])]
    quality, step = max(known, default=(math.nan, math.nan))  # the last of equals
    return Best(column, step, quality) if known else None
