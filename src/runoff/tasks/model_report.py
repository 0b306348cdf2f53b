"""The report on a trained model: its tables, its curves, its largest weights."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from runoff.data.files import FilePath
from runoff.errors import UsageError
from runoff.report.curves import read_record
from runoff.report.learning import learning_parts, smoothing_parts
from runoff.report.pieces import section, table_html
from runoff.report.tables import Cell, Table
from runoff.store.file import load as load_file
from runoff.tasks import task_of
from runoff.tasks.inspect import inspect_model
from runoff.tasks.load import load, ranker_of
from runoff.tasks.ranking.list_report import list_report

WEIGHTS = 40

CANDIDATES = 20
"""Candidates that a model proposes for an annotated sentence."""


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
    weights: list[dict[str, Cell]] = [
        {"feature": feature, "weight": weight} for feature, weight in found.weights
    ]
    return [
        section(f"The model {name}", table_html(Table("", rows))),
        section("How well it did", *(table_html(one) for one in found.tables)),
        section("How it learned", *learning_parts(record, prefix)),
        section("Effect of smoothing", *smoothing_parts(record, f"s{prefix}")),
        section("Largest weights", table_html(Table("", weights))),
    ]


def gold_report(path: FilePath, name: str, gold: Sequence[FilePath]) -> list[str]:
    """The parts of a report on what a model makes of annotated data, with its worst cases."""
    model, task = load(path), task_of(load_file(path).kind)
    module: Any = None if task is None else task.module("report")
    source = ", ".join(Path(one).name for one in gold)
    if task is not None and hasattr(module, "gold_lists"):
        found = ranker_of(model)
        lists = module.gold_lists(model, gold, CANDIDATES)
        rankers = {} if found is None else {name: found}
        return list_report(lists, source, rankers, task.metric, learned=False)
    if hasattr(module, "gold_parts"):
        parts: list[str] = module.gold_parts(model, gold)
        return parts
    raise UsageError(f"there is no report on what {name} makes of annotated data")


def _shown(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} {_shown(one)}" for key, one in value.items())[:400]
    if isinstance(value, list):
        return ", ".join(map(_shown, value))[:400]
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)
