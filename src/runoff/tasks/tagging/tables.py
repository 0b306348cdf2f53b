"""The tables of experiments in chunking and names: the paper's figures and ours."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

import msgspec

from runoff.fitting.record import Record
from runoff.report.tables import Cell, Table
from runoff.tasks.ranking.subtree_tables import Subtrees, subtree_table
from runoff.tasks.tagging.reranked import RerankedTagger

Model = Literal["base", "reranked", "oracle"]
Name = Literal["overall", "types", "subtrees"]

ANY = "any"
"""The type of names whose boundaries alone were asked for."""


class TypeFigures(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """How well chunks of a type are found, in per cent; F1 of the base as well."""

    precision: float | None = None
    recall: float | None = None
    f1: float | None = None
    base: float | None = None


COLUMNS = {"precision": "P", "recall": "R", "f1": "F1", "base": "base"}
"""What a table of types calls its figures."""


class Figures(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """The figures of a paper.

    Parameters
    ----------
    tables : what the paper calls them.
    overall : F1 of base, reranked and oracle.
    types : of what is picked.
    features : that have a weight.
    """

    tables: dict[Name, str] = {}
    overall: dict[Model, float] = {}
    types: dict[str, TypeFigures] = {}
    features: int | None = None
    subtrees: Subtrees | None = None


class Trial(NamedTuple):
    """A plan that was carried out: the paper's figures, the model, and its report on test."""

    label: str
    paper: Figures
    model: RerankedTagger
    report: dict[str, Any]

    @property
    def record(self) -> Record:
        """The training record of the ranker; empty without one."""
        return {} if self.model.ranker is None else self.model.ranker.ranker.record_

    def ours(self) -> Figures:
        """Our figures, in the form of the paper's."""
        base = self.report.get("base types", {})
        return Figures(
            overall={name: row["F1"] for name, row in self.report["figures"].items()},
            types={
                kind or ANY: TypeFigures(
                    **{name: row[name] for name in ("precision", "recall", "f1")},
                    base=base[kind]["f1"] if kind in base else None,
                )
                for kind, row in self.report["types"].items()
            },
            features=None if self.model.ranker is None else self.model.ranker.n_weights(),
        )


def tables(trials: list[Trial]) -> list[Table]:
    """The tables of an experiment; by type and of subtrees, those of its first plan."""
    paper, model = trials[0].paper, trials[0].model
    subtrees = subtree_table(paper.subtrees, model.ranker, paper.tables.get("subtrees"))
    found = [_overall(trials), _rankers(trials), _types(trials[0]), subtrees]
    return [table for table in found if table.rows]


def _titled(paper: Figures, table: Name, text: str) -> str:
    return f"{paper.tables[table]}: {text}" if table in paper.tables else text


def _overall(trials: list[Trial]) -> Table:
    rows: list[dict[str, Cell]] = [
        {**_named(trial, trials), "": name, "paper": trial.paper.overall.get(name), "ours": figure}
        for trial in trials
        for name, figure in trial.ours().overall.items()
    ]
    title = _titled(trials[0].paper, "overall", "F1 of test sentences")
    return Table(title, rows, {"paper": 2, "ours": 2})


def _named(trial: Trial, trials: list[Trial]) -> dict[str, Cell]:
    """The label of a plan, if there are several."""
    return {"plan": trial.label} if len(trials) > 1 else {}


def _rankers(trials: list[Trial]) -> Table:
    """The number of weights of rankers, and the significance of their gains."""
    rows: list[dict[str, Cell]] = [
        {
            **_named(trial, trials),
            "features, paper": trial.paper.features,
            "features, ours": trial.ours().features,
            "p": trial.report["p"],
        }
        for trial in trials
        if "p" in trial.report
    ]
    return Table("the ranker, on test sentences", rows, {"p": 4})


def _types(trial: Trial) -> Table:
    """Types as rows; `base` is F1 before reranking."""
    paper, ours = trial.paper.types, trial.ours().types
    nothing = TypeFigures()
    rows: list[dict[str, Cell]] = []
    for kind, own in ours.items():
        row: dict[str, Cell] = {"type": kind}
        for name, short in COLUMNS.items():
            row |= {f"{short}, paper": getattr(paper.get(kind, nothing), name)} if paper else {}
            row[f"{short}, ours"] = getattr(own, name)
        row |= (
            {"error reduction, paper": error_reduction(paper.get(kind, nothing))} if paper else {}
        )
        rows.append(row | {"error reduction, ours": error_reduction(own)})
    title = _titled(trial.paper, "types", "by type of chunk")
    return Table(title, rows, dict.fromkeys(rows[0] if rows else {}, 2))


def error_reduction(figures: TypeFigures) -> float | None:
    """The relative error reduction in F1, in per cent.

    Examples
    --------
    >>> error_reduction(TypeFigures(base=80.0, f1=85.0))
    25.0
    """
    if figures.f1 is None or figures.base is None or figures.base == 100:
        return None
    return 100 * (figures.f1 - figures.base) / (100 - figures.base)
