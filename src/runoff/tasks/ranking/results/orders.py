"""Whole orders of lists, measured: as the base system has them, as picked, and the best."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from runoff.data.nbest import NBest
from runoff.errors import FormatError
from runoff.metrics.base import Floats
from runoff.metrics.orders import OrderMetric

FILE_ORDER = "file order"
"""What the order of lists is called that have features alone, where no base system made them."""


@dataclass
class Orders:
    """Statistics of each way to order the lists, a row per list, and the ids of the lists.

    Parameters
    ----------
    base : what the first order is called: `base`, or `file order` if there is no base system.
    """

    names: list[Any] = field(default_factory=list)
    statistics: dict[str, Floats] = field(default_factory=dict)
    base: str = "base"
    longest: int = 0

    @classmethod
    def of(cls, lists: Iterable[NBest], metric: OrderMetric) -> Orders:
        """The orders of lists with qualities."""
        made = cls()
        values: dict[str, list[float]] = {"base": [], "picked": [], "oracle": []}
        made_by_system = ordered = False
        for number, nbest in enumerate(lists):
            grades = np.array(_grades(nbest, number))
            orders = {
                "base": np.array(nbest.base_order()),
                "oracle": np.argsort(-grades, kind="stable"),
            }
            scores = [one.score for one in nbest.candidates if one.score is not None]
            reranked = all(one.rank is not None for one in nbest.candidates)
            ordered = ordered or len(scores) == len(nbest)
            by_score = np.argsort(-np.array(scores), kind="stable")
            usable = len(scores) == len(nbest) and not reranked
            orders["picked"] = by_score if usable else np.arange(len(nbest))
            for name, order in orders.items():
                values[name].append(metric.of_order(grades[order]))
            made.names.append(number if nbest.id is None else nbest.id)
            made.longest = max(made.longest, len(nbest))
            made_by_system = made_by_system or has_base(nbest)
        if not made.names:
            raise FormatError("there are no lists to evaluate")
        if not ordered:
            del values["picked"]
        made.base = "base" if made_by_system else FILE_ORDER
        made.statistics = {
            made.base if name == "base" else name: np.array([[value, 1.0] for value in column])
            for name, column in values.items()
        }
        return made


def has_base(nbest: NBest) -> bool:
    """Whether a base system made the list: it has log-probabilities, or outputs in its order."""
    return any(c.logprob is not None or c.output is not None for c in nbest.candidates)


def _grades(nbest: NBest, number: int) -> list[float]:
    grades = [one.quality for one in nbest.candidates if one.quality is not None]
    if len(grades) < len(nbest) or not grades:
        raise FormatError(
            f"{nbest.name(number + 1)} has a candidate without quality, which is its grade"
        )
    return grades
