"""Tables of experiments with several base parsers and no ranker: paths of lambda, test figures."""

from __future__ import annotations

from typing import Any

import msgspec

from runoff.metrics.parseval import Parseval
from runoff.metrics.significance import paired_bootstrap
from runoff.report.tables import Cell, Table
from runoff.tasks.parsing.report import LENGTHS
from runoff.tasks.parsing.tables import PathFigures, Trial, titled, whose


def compared_tables(trials: list[Trial], data: str) -> list[Table]:
    """The tables of base parsers on such data; those that have no rows are left out."""
    found = [path_table(trials, data), labels_table(trials, data), compared_table(trials, data)]
    return [table for table in found if table.rows]


def path_table(trials: list[Trial], data: str) -> Table:
    """The best point of each parser by classification, on development trees."""
    rows: list[dict[str, Cell]] = []
    for trial in trials:
        paper, ours = whose(trial.paper, data)
        for source, one in ((paper, trial.paper.path), (ours, _path_of(trial))):
            if one is not None:
                figures = msgspec.structs.asdict(one)
                names = {"penalty": "lambda", "greedy": "greedy is best %", "cut": "cut short %"}
                own: dict[str, Cell] = {names.get(key, key): x for key, x in figures.items()}
                rows.append({"parser": trial.label, "figures": source, **own})
    decimals = {"lambda": 3, "LR": 2, "LP": 2, "F1": 2, "greedy is best %": 1, "cut short %": 1}
    title = "parsers by classification at their best lambda, on development trees"
    return Table(titled(trials[0].paper, "path", title), rows, {**decimals, "active": 0})


def _path_of(trial: Trial) -> PathFigures | None:
    record = trial.model.training.get("parser record")
    if not record:
        return None
    best = max(record["path"], key=lambda row: row["dev quality"])
    dev = trial.model.training["dev"]["figures"]["base"]["all"]
    searches = record["searches"]
    return PathFigures(
        penalty=best["lambda"],
        active=best["active"],
        greedy=searches["greedy parse is best"],
        cut=searches["cut short"],
        **{name: dev[name] for name in ("LR", "LP", "F1")},
    )


def labels_table(trials: list[Trial], data: str) -> Table:
    """F1 of the labels that the paper names, on development trees."""
    names = sorted({name for trial in trials for name in trial.paper.labels})
    rows: list[dict[str, Cell]] = []
    for trial in trials:
        paper, ours = whose(trial.paper, data)
        known = {paper: trial.paper.labels, ours: _f1_by_label(trial.labels or {})}
        for source, figures in known.items():
            if any(name in figures for name in names):
                own: dict[str, Cell] = {name: figures.get(name) for name in names}
                rows.append({"parser": trial.label, "figures": source, **own})
    title = "F1 by label, on development trees"
    return Table(titled(trials[0].paper, "labels", title), rows, dict.fromkeys(names, 1))


def _f1_by_label(counts: dict[str, list[int]]) -> dict[str, float]:
    """Twice those that match by all of gold and of the parser."""
    return {
        label: 200 * matched / max(1, gold + found)
        for label, (matched, gold, found) in counts.items()
    }


def _significance(trial: Trial, other: Trial) -> float | None:
    if trial.chosen is None or other.chosen is None:
        return None
    return float(paired_bootstrap(trial.chosen, other.chosen, Parseval()).p_value)


def compared_table(trials: list[Trial], data: str) -> Table:
    """Test figures of all plans by lengths, with the significance of what the first one gains."""
    rows: list[dict[str, Cell]] = []
    names = ("LR", "LP", "F1", "exact", "sentences")
    for words in LENGTHS:
        for trial in trials:
            paper, ours = whose(trial.paper, data)
            theirs: Any = trial.paper.trees
            known: dict[str, Any] = {
                paper: theirs.get("base", {}).get(words),
                ours: trial.report["figures"]["base"][words],
            }
            for source, figures in known.items():
                if not figures:
                    continue
                own: dict[str, Cell] = {name: figures.get(name) for name in names}
                compared = source == ours and words == "all" and trial is not trials[0]
                p = _significance(trial, trials[0]) if compared else None
                rows.append({"words": words, "parser": trial.label, "figures": source, **own,
                             f"p, against {trials[0].label}": p})  # fmt: skip
    kind = "test" if trials[0].test else "development"
    title = f"{kind} trees ({trials[0].report['metric']})"
    decimals = {**dict.fromkeys(names[:-1], 2), f"p, against {trials[0].label}": 4}
    return Table(titled(trials[0].paper, "compared", title), rows, decimals)
