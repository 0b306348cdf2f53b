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


def subtree_table(paper: Subtrees | None, ranker: Reranker | None, number: str | None) -> Table:
    """The paper's subtrees beside ours that have the same label or word; no rows without both.

    Parameters
    ----------
    number : what the paper calls the table.
    """
    if paper is None or ranker is None:
        return Table("", [])
    rows: list[dict[str, Cell]] = [
        {
            "w, paper": left and left.weight,
            "subtree, paper": left and left.name,
            "w, ours": right and right.weight,
            "subtree, ours": right and right.name,
        }
        for left, right in zip_longest(paper.weights, _extremes(ranker, paper.having))
    ]
    text = f"what has {paper.having}: highest and lowest weights"
    return Table(f"{number}: {text}" if number else text, rows, {"w, paper": 4, "w, ours": 4})


def _extremes(ranker: Reranker, having: str) -> list[Weighted]:
    """The highest and the lowest weights of subtrees that have a label or word."""
    found = [
        Weighted(weight, name) for name, weight in ranker.named_weights() if has_token(name, having)
    ]
    found.sort(reverse=True)
    return found if len(found) <= 2 * SHOWN else found[:SHOWN] + found[-SHOWN:]
