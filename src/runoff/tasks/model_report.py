"""The report on a trained model: its tables, its curves, its largest weights."""

from __future__ import annotations

from functools import partial
from typing import Any

from runoff.data.files import FilePath
from runoff.fitting.record import FOR_PLOTS
from runoff.report.curves import find_curves, has_curves, read_record
from runoff.report.figure import draw_curves
from runoff.report.pieces import section, table_html
from runoff.report.plot import inline_svg
from runoff.report.tables import Cell, Table
from runoff.tasks.inspect import inspect_model

WEIGHTS = 40


def model_report(path: FilePath, name: str, prefix: str) -> list[str]:
    """The parts of a report on a model file."""
    found = inspect_model(path, WEIGHTS)
    apart = {"record", "dev", *found.parts}
    rows: list[dict[str, Cell]] = [
        {"what": key, "value": _shown(value)}
        for key, value in {"kind": found.kind, **found.header}.items()
        if key not in apart and value not in (None, {}, [])
    ]
    record = read_record(path)
    curves = []
    if has_curves(record):
        draw = partial(draw_curves, find_curves({"": record}))
        curves.append(inline_svg(draw, "Learning curves; the tables have the numbers", prefix))
    for title, steps in record.items():
        if steps and title != FOR_PLOTS:
            step = -(-len(steps) // 24) or 1
            thin: list[dict[str, Cell]] = [{**row} for row in reversed(steps[::-1][::step])]
            curves.append(table_html(Table(title, thin)))
    weights: list[dict[str, Cell]] = [
        {"feature": feature, "weight": weight} for feature, weight in found.weights
    ]
    return [
        section(f"The model {name}", table_html(Table("", rows))),
        section("How well it did", *(table_html(one) for one in found.tables)),
        section("How it learned", *curves),
        section("Largest weights", table_html(Table("", weights))),
    ]


def _shown(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} {_shown(one)}" for key, one in value.items())[:400]
    if isinstance(value, list):
        return ", ".join(map(_shown, value))[:400]
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)
