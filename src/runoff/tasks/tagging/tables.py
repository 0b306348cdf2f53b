"""The tables of experiments in chunking and names: the paper's figures and ours."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

import msgspec

from runoff.fitting.record import Record
from runoff.report.tables import Cell, Table
from runoff.tasks.ranking.subtree_tables import Subtrees, subtree_table
from runoff.tasks.tagging.reranked import RerankedTagger

Model = Literal["base", "reranked", "oracle"]
Name = Literal["overall", "models", "types", "subtrees"]

ANY = "any"
"""The type of names whose boundaries alone were asked for."""

OVERALL = "Overall"
"""The row of all types together."""


class TypeFigures(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """How well chunks of a type are found, in per cent; F1 of the base as well."""

    precision: float | None = None
    recall: float | None = None
    f1: float | None = None
    base: float | None = None


COLUMNS = {"precision": "P", "recall": "R", "f1": "F1", "base": "base"}
"""What a table of types calls its figures."""


class Scores(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """How well chunks of any type are found, in per cent."""

    precision: float | None = None
    recall: float | None = None
    f1: float | None = None

    def error_reduction(self, base: Scores) -> Scores:
        """The relative error reductions that lead from the scores of a base to these, in per cent.

        Examples
        --------
        >>> Scores(precision=90.0, f1=85.0).error_reduction(Scores(precision=80.0, f1=80.0))
        Scores(precision=50.0, recall=None, f1=25.0)
        """
        names = self.__struct_fields__
        return Scores(**{n: reduced(getattr(base, n), getattr(self, n)) for n in names})


class Figures(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """The figures of a paper.

    Parameters
    ----------
    tables : what the paper calls them.
    overall : F1 of base, reranked and oracle.
    models : precision, recall and F1 of them, in a paper that has all three; then it is the table
        of these that is shown, with error reductions, and none by type.
    published : F1 of other systems that the paper compares itself with.
    types : of what is picked.
    features : that have a weight.
    ms_per_sentence : what reranking takes.
    time : hours of training, and minutes of testing.
    """

    tables: dict[Name, str] = {}
    overall: dict[Model, float] = {}
    models: dict[Model, Scores] = {}
    published: dict[str, float] = {}
    types: dict[str, TypeFigures] = {}
    features: int | None = None
    ms_per_sentence: float | None = None
    time: tuple[float, float] | None = None
    subtrees: Subtrees | None = None


class Trial(NamedTuple):
    """A plan that was carried out: the paper's figures, the model, its report on test, its time."""

    label: str
    paper: Figures
    model: RerankedTagger
    report: dict[str, Any]
    ms_per_sentence: float | None = None

    @property
    def record(self) -> Record:
        """The training record of the ranker; empty without one."""
        return {} if self.model.ranker is None else self.model.ranker.ranker.record_

    def ours(self) -> Figures:
        """Our figures, in the form of the paper's."""
        return Figures(
            overall={name: row["F1"] for name, row in self.report["figures"].items()},
            models={
                name: Scores(precision=row["precision"], recall=row["recall"], f1=row["F1"])
                for name, row in self.report["figures"].items()
            },
            types=self._types(),
            features=None if self.model.ranker is None else self.model.ranker.n_weights(),
            ms_per_sentence=self.ms_per_sentence,
        )

    def _types(self) -> dict[str, TypeFigures]:
        """What is picked: by type, and of several types together."""
        base, figures = self.report.get("base types", {}), self.report["figures"]
        found = {
            kind or ANY: TypeFigures(
                **{name: row[name] for name in ("precision", "recall", "f1")},
                base=base[kind]["f1"] if kind in base else None,
            )
            for kind, row in self.report["types"].items()
        }
        if len(found) > 1:
            picked = figures.get("reranked", figures["base"])
            found[OVERALL] = TypeFigures(
                **{name: picked[name] for name in ("precision", "recall")},
                f1=picked["F1"],
                base=figures["base"]["F1"] if base else None,
            )
        return found


def tables(trials: list[Trial]) -> list[Table]:
    """The tables of an experiment; those that have no rows are left out."""
    if trials[0].paper.models:
        found = [_models(trials), _rankers(trials)]
    else:
        found = [_overall(trials), _rankers(trials)]
        found += [_types(trial, alone=len(trials) == 1) for trial in trials]
    for label, paper, model, *_ in trials:
        own = label if len(trials) > 1 else None
        number = paper.tables.get("subtrees")
        found.append(subtree_table(paper.subtrees, model.ranker, number, own))
    return [table for table in found if table.rows]


def _titled(paper: Figures, table: Name, text: str) -> str:
    return f"{paper.tables[table]}: {text}" if table in paper.tables else text


def _overall(trials: list[Trial]) -> Table:
    rows: list[dict[str, Cell]] = [
        {**_named(trial, trials), "": name, "paper": trial.paper.overall.get(name), "ours": figure}
        for trial in trials
        for name, figure in trial.ours().overall.items()
    ]
    rows += [
        {
            **dict.fromkeys(_named(trial, trials)),
            "": f"{name}, published",
            "paper": f1,
            "ours": None,
        }
        for trial in trials
        for name, f1 in trial.paper.published.items()
    ]
    title = _titled(trials[0].paper, "overall", "F1 of test sentences")
    return Table(title, rows, {"paper": 2, "ours": 2})


def _models(trials: list[Trial]) -> Table:
    """Models as rows with all their figures, and the error reduction by the ranker."""
    rows: list[dict[str, Cell]] = []
    for trial in trials:
        paper, ours = _with_reduction(trial.paper.models), _with_reduction(trial.ours().models)
        for name, own in ours.items():
            row: dict[str, Cell] = {**_named(trial, trials), "": name}
            for column in Scores.__struct_fields__:
                row[f"{COLUMNS[column]}, paper"] = getattr(paper.get(name, Scores()), column)
                row[f"{COLUMNS[column]}, ours"] = getattr(own, column)
            rows.append(row)
    title = _titled(trials[0].paper, "models", "test sentences")
    return Table(title, rows, dict.fromkeys(rows[0], 2))


def _with_reduction(models: Mapping[Model, Scores]) -> dict[str, Scores]:
    """The scores of models, and after those of the base and reranked the error reduction."""
    found: dict[str, Scores] = {}
    for name, scores in models.items():
        found[name] = scores
        if name == "reranked" and "base" in models:
            found["error reduction"] = scores.error_reduction(models["base"])
    return found


def _named(trial: Trial, trials: list[Trial]) -> dict[str, Cell]:
    """The label of a plan, if there are several."""
    return {"plan": trial.label} if len(trials) > 1 else {}


def _rankers(trials: list[Trial]) -> Table:
    """The number of weights of rankers, CPU time of reranking, and significance of gains."""
    rows: list[dict[str, Cell]] = [
        {
            **_named(trial, trials),
            "features, paper": trial.paper.features,
            "features, ours": trial.ours().features,
            "ms per sentence, paper": trial.paper.ms_per_sentence,
            "ms per sentence, ours": trial.ms_per_sentence,
            "p": trial.report["p"],
        }
        for trial in trials
        if "p" in trial.report
    ]
    decimals = {"p": 4, "ms per sentence, paper": 1, "ms per sentence, ours": 2}
    return Table("the ranker, on test sentences", rows, decimals)


def _types(trial: Trial, *, alone: bool) -> Table:
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
    text = "by type of chunk" if alone else f"by type of chunk, {trial.label}"
    title = _titled(trial.paper, "types", text)
    return Table(title, rows, dict.fromkeys(rows[0] if rows else {}, 2))


def error_reduction(figures: TypeFigures) -> float | None:
    """The relative error reduction in F1, in per cent.

    Examples
    --------
    >>> error_reduction(TypeFigures(base=80.0, f1=85.0))
    25.0
    """
    return reduced(figures.base, figures.f1)


def reduced(base: float | None, figure: float | None) -> float | None:
    """The relative error reduction from one figure to another, in per cent, if there are both."""
    if base is None or figure is None or base == 100:
        return None
    return 100 * (figure - base) / (100 - base)
