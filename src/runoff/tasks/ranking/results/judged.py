"""What a fit won on development lists, in the units of the metric, and what is doubtful."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from runoff.data.nbest import NBest
from runoff.metrics.base import Floats, Metric, figure
from runoff.metrics.measure import Measured, measure
from runoff.metrics.oracle import one_best, oracle, random_totals
from runoff.metrics.orders import OrderMetric
from runoff.metrics.significance import randomisation
from runoff.tasks.ranking.overview import BLIND, output_size
from runoff.tasks.ranking.reranker import Reranker

SURE = 0.05
"""A difference whose p is above this may be chance."""


@dataclass(frozen=True)
class Judged:
    """Figures of ways to choose on development lists, and how picks compare with the base.

    Parameters
    ----------
    figures : the metric's of each way: base, picked, oracle, and those that see no content.
    closed : how much of the way from the base to the oracle the picks go.
    p_value : how often chance makes such a difference between base and picks.
    won, lost : lists in which the pick is better or worse than the base's first.
    warnings : sentences on what is doubtful.
    """

    lists: int
    metric: str
    figures: dict[str, float]
    closed: float | None
    p_value: float
    won: int
    lost: int
    warnings: list[str]


def judge(reranker: Reranker, lists: Iterable[NBest], metric: Metric) -> Judged:
    """What a reranker picks from lists with gold or qualities, beside what else could be picked."""
    given = list(lists)
    found = measure(given, metric)
    rows = {"base": one_best(found), "picked": _picked(reranker, given, found)}
    rows["oracle"] = oracle(found)
    if any(c.output is not None for nbest in given for c in nbest.candidates):
        rows |= {name: _blind(given, found, choose) for name, choose in BLIND.items()}
        rows["majority"] = _majority(given, found)
    chosen = {name: found.statistics[places] for name, places in rows.items()}
    figures = {name: _main(metric, one.sum(axis=0)) for name, one in chosen.items()}
    figures["random"] = _main(metric, random_totals(found))
    way = figures["oracle"] - figures["base"]
    gains = found.qualities[rows["picked"]] - found.qualities[rows["base"]]
    test = randomisation(chosen["base"], chosen["picked"], metric, samples=1000, seed=0)
    return Judged(
        len(given),
        next(iter(metric.figures(chosen["base"].sum(axis=0)))),
        figures,
        (figures["picked"] - figures["base"]) / way if way else None,
        test.p_value,
        int((gains > 0).sum()),
        int((gains < 0).sum()),
        list(_warnings(reranker, figures, test.p_value, metric, given)),
    )


def _main(metric: Metric, totals: Floats) -> float:
    return float(figure(metric, totals))


def _picked(reranker: Reranker, lists: Sequence[NBest], found: Measured) -> Any:
    ranked = reranker.ranked(lists)
    return found.offsets[:-1] + np.array([one.order[0] for one in ranked], dtype=np.int64)


def _blind(
    lists: Sequence[NBest], found: Measured, choose: Callable[[Sequence[int]], int]
) -> Any:  # fmt: skip
    places = [choose([output_size(c.output) for c in nbest.candidates]) for nbest in lists]
    return found.offsets[:-1] + np.array(places, dtype=np.int64)


def _majority(lists: Sequence[NBest], found: Measured) -> Any:
    """The candidate whose output is the most frequent of its list; the first of several."""
    places = []
    for nbest in lists:
        outputs = [repr(one.output) for one in nbest.candidates]
        times = [outputs.count(one) for one in outputs]
        places.append(max(nbest.base_order(), key=times.__getitem__))
    return found.offsets[:-1] + np.array(places, dtype=np.int64)


def _warnings(
    reranker: Reranker,
    figures: dict[str, float],
    p_value: float,
    metric: Metric,
    lists: Sequence[NBest],
) -> Iterable[str]:
    sign = 1 if metric.higher_is_better else -1
    training = reranker.training
    if training["data"] == training["dev data"]:
        yield "the development lists are the training lists, so these figures are too good"
    if sign * (figures["picked"] - figures["base"]) <= 0:
        yield "nothing was won over the base system on the development lists"
    elif p_value > SURE:
        yield f"the gain on {len(lists)} development lists may be chance (p {p_value:.3f})"
    for name in ("shortest", "longest", "majority"):
        if name in figures and sign * (figures[name] - figures["picked"]) > 0:
            yield f"always taking the {name} candidate would be better"
    calibration = training.get("calibration") or {}
    if calibration.get("Brier score", 0) > 1.05 * calibration.get("without margins", 0):
        yield "the confidence is worse than a constant, so do not abstain by it"
    unsorted = sum(one.base_order() != list(range(len(one))) for one in lists)
    if unsorted and not isinstance(metric, OrderMetric):
        yield (
            f"{unsorted} of {len(lists)} development lists are not in the order of their "
            "log-probabilities"
        )
