"""How a ranker learned, for reports: its curves, and what its smoothing or prior did."""

from __future__ import annotations

from functools import partial

from runoff.fitting.record import FOR_PLOTS, Record
from runoff.report.curves import QUALITIES, RUNS, find_curves, has_curves
from runoff.report.figure import draw_curves, draw_lines
from runoff.report.pieces import table_html
from runoff.report.plot import inline_svg
from runoff.report.tables import Cell, Table

SHOWN = 24
"""Rows of a table of steps, at most."""


def learning_parts(record: Record, prefix: str) -> list[str]:
    """Learning curves, with their numbers folded away."""
    parts = []
    if has_curves(record):
        draw = partial(draw_curves, find_curves({"": record}))
        about = "Learning curves; the tables below have the numbers"
        parts.append(inline_svg(draw, about, prefix))
    for title, rows in record.items():
        if rows and title != FOR_PLOTS:
            step = -(-len(rows) // SHOWN) or 1
            thin: list[dict[str, Cell]] = [{**row} for row in reversed(rows[::-1][::step])]
            table = table_html(Table(title, thin))
            parts.append(f"<details><summary>numbers: {title}</summary>{table}</details>")
    return parts


def smoothing_parts(record: Record, prefix: str) -> list[str]:
    """The best quality on development lists by smoothing or prior, if several were tried."""
    parts = []
    for name in RUNS:
        rows = record.get(name, [])
        column = next((one for one in QUALITIES if rows and one in rows[0]), None)
        if column is None or len(rows) < 2:
            continue
        points = sorted((row[name], row[column]) for row in rows)
        draw = partial(draw_lines, "", column, name, {name: points}, log=True)
        about = f"Quality on development lists by {name}; the table has the numbers"
        parts += [
            inline_svg(draw, about, f"{prefix}-{name}"),
            table_html(Table("", [{**row} for row in rows], {name: 5})),
        ]
    return parts
