"""The tables of experiments in parsing: the paper's figures and ours."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

import msgspec

from runoff.fitting.record import Record
from runoff.metrics.base import Floats
from runoff.report.tables import Cell, Key, Table, any_figure, side_by_side
from runoff.tasks.parsing.classification.training import TrainingFigures
from runoff.tasks.parsing.model import ParsingModel
from runoff.tasks.parsing.report import FIGURES, LENGTHS
from runoff.tasks.ranking.subtree_tables import Subtrees, subtree_table

Model = Literal["base", "reranked", "oracle"]
Length = Literal["<=40", "<=100", ">5", "all"]
Figure = Literal["LR", "LP", "F1", "exact", "CB", "0CB", "2CB", "tags", "sentences"]
Name = Literal[
    "summary",
    "trees",
    "peaks",
    "savings",
    "subtrees",
    "losses",
    "curve",
    "profile",
    "ensemble",
    "sampling",
    "path",
    "compared",
    "steps",
    "atoms",
    "labels",
]


class Peak(NamedTuple):
    """The best round with a smoothing: development quality, where the base order's is 100."""

    smoothing: float
    relative: float
    best_round: int | None = None


class Saving(NamedTuple):
    """Savings(a, b)."""

    first: int
    last: int
    savings: float


class Summary(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """The summary of a ranker: its choice, its gain, its work.

    Parameters
    ----------
    error_reduction : relative error reduction in F1, in per cent.
    p : significance of that, by approximate randomisation.
    smoothing, rounds : chosen on development trees.
    features : that have a weight.
    work : of all rounds, in passes over the data.
    ms_per_sentence : CPU time of reranking.
    """

    error_reduction: float | None = None
    p: float | None = None
    smoothing: float | None = None
    rounds: int | None = None
    features: int | None = None
    work: float | None = None
    ms_per_sentence: float | None = None


class PathFigures(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """The best point on the path of lambda of a parser by classification: development figures.

    Parameters
    ----------
    penalty : lambda.
    active : how many leaves have a value.
    greedy, cut : sentences whose greedy parse is the best, and whose search was cut short, in per
        cent.
    """

    penalty: float | None = None
    active: float | None = None
    LR: float | None = None
    LP: float | None = None
    F1: float | None = None
    greedy: float | None = None
    cut: float | None = None


class Figures(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """The figures of a paper.

    Parameters
    ----------
    data : on what.
    tables : what the paper calls them; with `losses`, the loss functions are drawn.
    trees : figures of PARSEVAL of base, reranked and oracle, by lengths of sentences.
    published : those of other systems that the paper compares itself with.
    labels : F1 by label, on development trees.
    """

    data: str = ""
    tables: dict[Name, str] = {}
    summary: Summary = Summary()
    trees: dict[Model, dict[Length, dict[Figure, float]]] = {}
    published: dict[str, dict[Length, dict[Figure, float]]] = {}
    peaks: list[Peak] = []
    savings: list[Saving] = []
    subtrees: Subtrees | None = None
    training: TrainingFigures | None = None
    path: PathFigures | None = None
    labels: dict[str, float] = {}


class Trial(NamedTuple):
    """A plan that was carried out: the paper's figures, the model, figures of test trees, time.

    `chosen` has the statistics of the tree that was chosen for each test sentence, `labels` counts
    brackets of development trees by label: those that match, gold's and the parser's.
    """

    label: str
    paper: Figures
    model: ParsingModel
    test: dict[str, Any] | None
    ms_per_sentence: float | None = None
    chosen: Floats | None = None
    labels: dict[str, list[int]] | None = None

    @property
    def curves(self) -> Record:
        """The learning curves of the ranker, or else those of the base parser."""
        path = self.model.training.get("parser record", {}).get("path", [])
        return self.record or ({"path": path} if path else {})

    @property
    def record(self) -> Record:
        """How the ranker learned; empty without one."""
        return {} if self.model.ranker is None else self.model.ranker.ranker.record_

    @property
    def report(self) -> dict[str, Any]:
        """Figures of test trees, or else of development trees."""
        return self.test or self.model.training["dev"]

    def ours(self) -> Figures:
        """Our figures, in the form of the paper's."""
        return Figures(
            summary=self._summary(),
            trees=self.report["figures"],
            peaks=[
                Peak(row["smoothing"], row["relative"], int(row["best round"]))
                for row in self.record.get("smoothing", [])
                if "relative" in row
            ],
            savings=[
                Saving(int(row["from"]), int(row["to"]), row["savings"])
                for row in self.record.get("savings", [])
            ],
        )

    def _summary(self) -> Summary:
        if self.model.ranker is None:
            return Summary()
        rows = self.record.get("smoothing", [])
        best = max(rows, key=lambda row: row["dev quality"], default={})
        chosen = best.get("smoothing")
        curve = [row for row in self.record.get("curve", []) if row.get("smoothing") == chosen]
        return Summary(
            error_reduction=self.report["error reduction"],
            p=self.report["p"],
            smoothing=chosen,
            rounds=int(best["best round"]) if best else None,
            features=self.model.ranker.n_weights(),
            work=curve[-1].get("work") if curve else None,
            ms_per_sentence=self.ms_per_sentence,
        )


def tables(trials: list[Trial], data: str) -> list[Table]:
    """The tables of an experiment on such data; those that have no rows are left out."""
    found = [_summaries(trials, data)]
    found += [_trees(trial, data, alone=len(trials) == 1) for trial in trials]
    found += [_peaks(trials), _savings(trials)]
    for label, paper, model, *_ in trials:
        own = label if len(trials) > 1 else None
        number = paper.tables.get("subtrees")
        found.append(subtree_table(paper.subtrees, model.ranker, number, own))
    return [table for table in found if table.rows]


def whose(paper: Figures, data: str) -> tuple[str, str]:
    """What rows of the paper's figures and of ours are called; they may be of other data."""
    return f"paper ({paper.data})" if paper.data else "paper", f"ours ({data})"


def titled(paper: Figures, table: Name, text: str) -> str:
    """A title with the name that the paper has for the table."""
    return f"{paper.tables[table]}: {text}" if table in paper.tables else text


def _summaries(trials: list[Trial], data: str) -> Table:
    rows: list[dict[str, Cell]] = []
    for trial in trials:
        named: dict[str, Cell] = {"plan": trial.label} if len(trials) > 1 else {}
        paper, ours = whose(trial.paper, data)
        for source, figures in ((paper, trial.paper), (ours, trial.ours())):
            summary = _named(figures.summary)
            if any_figure(summary.values()):
                rows.append({**named, "figures": source, **summary})
    filled = [name for name in (rows[0] if rows else {}) if any_figure(row[name] for row in rows)]
    trees = "test" if trials[0].test else "development"
    return Table(
        titled(trials[0].paper, "summary", f"the ranker, on {trees} trees"),
        [{name: row[name] for name in filled} for row in rows],
        {"error reduction": 2, "p": 4, "smoothing": 5, "work": 1, "ms per sentence": 2},
    )


def _named(summary: Summary) -> dict[str, Cell]:
    return {key.replace("_", " "): one for key, one in msgspec.structs.asdict(summary).items()}


def _trees(trial: Trial, data: str, *, alone: bool) -> Table:
    """Each length and model a row of the paper's figures, where it has some, and one of ours.

    Systems that the paper compares itself with are rows of their own.
    """
    rows: list[dict[str, Cell]] = []
    paper, ours = whose(trial.paper, data)
    sources: dict[str, Any] = {
        paper: trial.paper.trees,
        ours: trial.report["figures"],
        paper.replace("paper", "published"): trial.paper.published,
    }
    for words in LENGTHS:
        for model in (*trial.report["figures"], *trial.paper.published):
            for source, figures in sources.items():
                known = figures.get(model, {}).get(words)
                if known:
                    own: dict[str, Cell] = {name: known.get(name) for name in FIGURES}
                    rows.append({"words": words, "model": model, "figures": source, **own})
    kind = "test" if trial.test else "development"
    label = "" if alone else f", {trial.label}"
    title = f"{kind} trees{label} ({trial.report['metric']})"
    return Table(titled(trial.paper, "trees", title), rows, dict.fromkeys(FIGURES[:-1], 2))


def _peaks(trials: list[Trial]) -> Table:
    """Best round and quality by smoothing, plans side by side."""
    columns: dict[str, dict[Key, Cell]] = {}
    for trial in trials:
        before = "" if len(trials) == 1 else f"{trial.label} "
        for whose, figures in (("paper", trial.paper), ("ours", trial.ours())):
            rounds, scores = f"{before}N, {whose}", f"{before}score, {whose}"
            columns[rounds] = {(one.smoothing,): one.best_round for one in figures.peaks}
            columns[scores] = {(one.smoothing,): one.relative for one in figures.peaks}
    title = "best round N on development trees, and the quality then (base order = 100)"
    decimals = {"smoothing": 5} | {name: 3 for name in columns if "score" in name}
    rows = side_by_side(["smoothing"], columns)
    return Table(titled(trials[0].paper, "peaks", title), rows, decimals)


def _savings(trials: list[Trial]) -> Table:
    """How much less work than the naive algorithm, by rounds, plans side by side."""
    columns: dict[str, dict[Key, Cell]] = {}
    for trial in trials:
        before = "" if len(trials) == 1 else f"{trial.label}, "
        for whose, figures in (("paper", trial.paper), ("ours", trial.ours())):
            name = f"{before}{whose}"
            columns[name] = {(one.first, one.last): one.savings for one in figures.savings}
    rows = side_by_side(["from", "to"], columns)
    title = titled(trials[0].paper, "savings", "Savings(from, to)")
    return Table(title, rows, dict.fromkeys(columns, 1))
