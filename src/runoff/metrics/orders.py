"""Metrics of the whole order of a list, for candidates with grades: NDCG, MAP, MRR and hits.

Grades are the qualities that lists carry. The figures are those of `trec_eval` and of LightGBM:
gains of NDCG are `2^grade - 1`, and a candidate is relevant if its grade is above 0. A list in
which nothing is relevant has the value 0, as there, so that all systems have the same lists.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np

from runoff.errors import UsageError
from runoff.metrics.base import Floats, ratio, rows

NAME = re.compile(r"(ndcg|map|mrr|hit)(?:@([1-9][0-9]{0,8}))?")


def ndcg(grades: Floats, k: int) -> float:
    """Discounted gain of the first k, as a share of what the best order has.

    Examples
    --------
    >>> round(ndcg(np.array([0.0, 2.0, 1.0]), 10), 4)
    0.659
    """
    discounts = 1 / np.log2(np.arange(2, len(grades) + 2))
    gains = np.exp2(grades) - 1
    best = float(np.sort(gains)[::-1][:k] @ discounts[:k])
    return float(gains[:k] @ discounts[:k]) / best if best > 0 else 0.0


def average_precision(grades: Floats, k: int) -> float:
    """The mean precision at the ranks of relevant candidates among the first k.

    Examples
    --------
    >>> average_precision(np.array([0, 1, 1]), 10)
    0.5833333333333333
    """
    relevant = grades > 0
    ranks = np.flatnonzero(relevant[:k]) + 1
    total = min(int(relevant.sum()), k)
    return float((np.arange(1, len(ranks) + 1) / ranks).sum()) / total if total else 0.0


def reciprocal_rank(grades: Floats, k: int) -> float:
    """One over the rank of the first relevant candidate among the first k, or 0.

    Examples
    --------
    >>> reciprocal_rank(np.array([0, 1, 1]), 10)
    0.5
    """
    ranks = np.flatnonzero(grades[:k] > 0)
    return 1 / (int(ranks[0]) + 1) if len(ranks) else 0.0


def hit(grades: Floats, k: int) -> float:
    """1 if one of the first k is relevant, else 0.

    Examples
    --------
    >>> hit(np.array([0, 1]), 1), hit(np.array([0, 1]), 2)
    (0.0, 1.0)
    """
    return float((grades[:k] > 0).any())


FUNCTIONS: dict[str, Callable[[Floats, int], float]] = {
    "ndcg": ndcg,
    "map": average_precision,
    "mrr": reciprocal_rank,
    "hit": hit,
}
ALL = 1 << 30


class OrderMetric:
    """The mean of a figure of the order of every list.

    Where only the first candidate is looked at, as in training, it is worth its grade.

    Parameters
    ----------
    kind : one of `FUNCTIONS`.
    k : how many candidates count; None is all.

    Examples
    --------
    >>> OrderMetric("ndcg", 10).of_order(np.array([2.0, 1.0, 0.0]))
    1.0
    """

    higher_is_better = True
    reads: Literal["quality"] = "quality"
    columns = ("value", "lists")

    def __init__(self, kind: str, k: int | None = None) -> None:
        self.kind, self.k = kind, k
        self.name = kind if k is None else f"{kind}@{k}"

    @classmethod
    def named(cls, name: str) -> OrderMetric | None:
        """The metric that a name such as `ndcg@10` stands for; None for another name."""
        match = NAME.fullmatch(name)
        if match is None:
            return None
        kind, k = match[1], match[2]
        if kind == "hit" and k is None:
            raise UsageError("hit needs a number, e.g. hit@1")
        return cls(kind, None if k is None else int(k))

    def of_order(self, grades: Floats) -> float:
        """The figure of one list, from the grades of its candidates, the first choice first."""
        return FUNCTIONS[self.kind](np.asarray(grades, dtype=np.float64), self.k or ALL)

    def statistics(self, outputs: Sequence[Any], gold: Any) -> Floats:
        """The grade of each candidate, and 1."""
        return rows([[float(one), 1] for one in outputs], 2)

    def figures(self, totals: Floats) -> dict[str, Floats]:
        """The mean over lists."""
        return {self.name.upper(): ratio(totals[..., 0], totals[..., 1])}

    def quality(self, statistics: Floats) -> Floats:
        """The grade."""
        return statistics[..., 0]

    def signature(self) -> str:
        """`ndcg|k:10`."""
        return f"{self.kind}|k:{self.k or 'all'}"
