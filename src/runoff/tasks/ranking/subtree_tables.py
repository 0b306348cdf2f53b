"""Tables of the subtrees that a ranker has weights for: the paper's and ours."""

from __future__ import annotations

from itertools import zip_longest
from typing import NamedTuple

import msgspec

from runoff.report.tables import Cell, Table
from runoff.tasks.ranking.reranker import Reranker
from runoff.tasks.ranking.weights import has_token

SHOWN = 4
"""Subtrees of the highest weights that a table shows, and of the lowest."""


class Weighted(NamedTuple):
    """A feature, as a subtree, and its weight."""

    weight: float
    name: str


class Subtrees(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """Weights of features that have a label or word, highest first."""

    having: str
    weights: list[Weighted] = []


def subtree_table(
    paper: Subtrees | None, ranker: Reranker | None, number: str | None, plan: str | None = None
) -> Table:
    """The paper's subtrees, if it has any, beside ours that have the same label or word.

    There are no rows if no label or word is named, or without a ranker.

    Parameters
    ----------
    number : what the paper calls the table.
    plan : whose subtrees ours are, where there are several plans.
    """
    if paper is None or ranker is None:
        return Table("", [])
    ours = _extremes(ranker, paper.having)
    columns = {"paper": paper.weights, "ours": ours} if paper.weights else {"ours": ours}
    rows: list[dict[str, Cell]] = []
    for several in zip_longest(*columns.values()):
        row: dict[str, Cell] = {}
        for whose, one in zip(columns, several, strict=True):
            row |= {f"w, {whose}": one and one.weight, f"subtree, {whose}": one and one.name}
        rows.append(row)
    whose = "" if plan is None else f", {plan}"
    text = f"what has {paper.having}{whose}: highest and lowest weights"
    return Table(f"{number}: {text}" if number else text, rows, {"w, paper": 4, "w, ours": 4})


def _extremes(ranker: Reranker, having: str) -> list[Weighted]:
    """The highest and the lowest weights of subtrees that have a label or word."""
    found = [
        Weighted(weight, name) for name, weight in ranker.named_weights() if has_token(name, having)
    ]
    found.sort(reverse=True)
    return found if len(found) <= 2 * SHOWN else found[:SHOWN] + found[-SHOWN:]
