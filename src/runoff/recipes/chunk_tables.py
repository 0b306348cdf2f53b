"""The tables of experiments in chunking and names: the paper's figures and ours."""

from __future__ import annotations

from itertools import zip_longest
from typing import Any, Literal, NamedTuple

import msgspec

from runoff.recipes.experiment import Cell, Table
from runoff.tasks.inspect import has_token
from runoff.tasks.ranked_taggings import RankedTaggings

Model = Literal["base", "reranked", "oracle"]
Name = Literal["overall", "types", "subtrees"]

ANY = "any"
"""The type of names whose boundaries alone were asked for."""

SHOWN = 4
"""Subtrees of the highest weights that a table shows, and of the lowest."""


class TypeFigures(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """How well chunks of a type are found, in per cent; F1 of the base as well."""

    precision: float | None = None
    recall: float | None = None
    f1: float | None = None
    base: float | None = None


class Weighted(NamedTuple):
    """A feature, as a subtree, and its weight."""

    weight: float
    name: str


class Subtrees(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """Weights of features that have a label or word, highest first."""

    having: str
    weights: list[Weighted] = []


class Figures(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """What a paper found.

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
    model: RankedTaggings
    report: dict[str, Any]

    def ours(self) -> Figures:
        """What we found, in the same form."""
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
            subtrees=self._subtrees(),
        )

    def _subtrees(self) -> Subtrees | None:
        wanted, ranker = self.paper.subtrees, self.model.ranker
        if wanted is None or ranker is None:
            return None
        found = [
            Weighted(weight, name)
            for name, weight in ranker.named_weights()
            if has_token(name, wanted.having)
        ]
        found.sort(reverse=True)
        shown = found if len(found) <= 2 * SHOWN else found[:SHOWN] + found[-SHOWN:]
        return Subtrees(having=wanted.having, weights=shown)


def tables(trials: list[Trial]) -> list[Table]:
    """The tables of an experiment; by type and of subtrees, those of its first plan."""
    found = [_overall(trials), _types(trials[0]), _subtrees(trials[0])]
    return [table for table in found if table.rows]


def _titled(paper: Figures, table: Name, text: str) -> str:
    return f"{paper.tables[table]}: {text}" if table in paper.tables else text


def _overall(trials: list[Trial]) -> Table:
    rows: list[dict[str, Cell]] = []
    for trial in trials:
        named: dict[str, Cell] = {"plan": trial.label} if len(trials) > 1 else {}
        ours = trial.ours()
        rows += [
            {**named, "": name, "paper": trial.paper.overall.get(name), "ours": figure}
            for name, figure in ours.overall.items()
        ]
        if ours.features is not None:
            counts: dict[str, Cell] = {"paper": trial.paper.features, "ours": ours.features}
            rows.append({**named, "": "features with a weight", **counts})
        if "p" in trial.report:
            rows.append({**named, "": "p", "paper": None, "ours": trial.report["p"]})
    title = _titled(trials[0].paper, "overall", "F1 of test sentences")
    return Table(title, rows, {"paper": 2, "ours": 2})


def _types(trial: Trial) -> Table:
    """Types as rows; `base` is F1 before reranking, and `mended` the share of its errors."""
    paper, ours = trial.paper.types, trial.ours().types
    nothing = TypeFigures()
    rows: list[dict[str, Cell]] = []
    for kind, own in ours.items():
        row: dict[str, Cell] = {"type": kind}
        for name in TypeFigures.__struct_fields__:
            row |= {f"{name}, paper": getattr(paper.get(kind, nothing), name)} if paper else {}
            row[f"{name}, ours"] = getattr(own, name)
        row |= {"mended, paper": mended(paper.get(kind, nothing))} if paper else {}
        rows.append(row | {"mended, ours": mended(own)})
    title = _titled(trial.paper, "types", "by type of chunk")
    return Table(title, rows, dict.fromkeys(rows[0] if rows else {}, 2))


def mended(figures: TypeFigures) -> float | None:
    """The share of the base's errors in F1 that are mended, in per cent.

    Examples
    --------
    >>> mended(TypeFigures(base=80.0, f1=85.0))
    25.0
    """
    if figures.f1 is None or figures.base is None or figures.base == 100:
        return None
    return 100 * (figures.f1 - figures.base) / (100 - figures.base)


def _subtrees(trial: Trial) -> Table:
    paper, ours = trial.paper.subtrees, trial.ours().subtrees
    if paper is None or ours is None:
        return Table("", [])
    rows: list[dict[str, Cell]] = [
        {
            "w, paper": left and left.weight,
            "subtree, paper": left and left.name,
            "w, ours": right and right.weight,
            "subtree, ours": right and right.name,
        }
        for left, right in zip_longest(paper.weights, ours.weights)
    ]
    title = _titled(trial.paper, "subtrees", f"what has {paper.having}: highest and lowest weights")
    return Table(title, rows, {"w, paper": 4, "w, ours": 4})
