"""How good the picked links are: by learner, and by the epsilon of the search."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice

import numpy as np

from runoff.data.nbest import NBest
from runoff.engine import Engine
from runoff.metrics import metric
from runoff.metrics.measure import measure
from runoff.metrics.oracle import one_best, oracle, totals
from runoff.report.tables import Cell, Table
from runoff.tasks.links.plan import Plan
from runoff.tasks.ranking.partial.model import PartialPlan, learn_partial
from runoff.tasks.ranking.partial.rerank import SEARCH, Budget, rerank_partial
from runoff.tasks.ranking.reranker import Reranker

LISTS = 200
"""Development lists that error models are learned from."""


def judged(
    reranker: Reranker,
    others: Mapping[str, Reranker],
    dev: Sequence[NBest],
    test: Sequence[NBest],
    plan: Plan,
    engine: Engine,
) -> list[Table]:
    """F1 of links by learner, and by the epsilon of the search with the first."""
    f1 = metric("link-f1")
    counted = measure(test, f1)

    def row(name: str, chosen: np.ndarray) -> dict[str, Cell]:
        figures = f1.figures(totals(counted, chosen))
        return {
            "choice": name,
            **{key: float(figures[key]) for key in ("F1", "recall", "precision")},
        }

    rows = [row("first", one_best(counted))]
    for name, one in {plan.learner: reranker, **others}.items():
        rows.append(row(name, _chosen(test, one.rerank(test))))
        engine.tell(f"test sentences, {name}")
    rows.append(row("oracle", oracle(counted)))
    decimals = {"F1": 2, "recall": 2, "precision": 2, "share of steps": 3, "completed": 3}
    learners = Table(f"F1 of links by learner, {len(test)} sentences", rows, decimals)
    found = [_searched(reranker, dev, test, row, plan, engine, shared) for shared in (False, True)]
    return [learners, *(part for tables in found for part in tables)]


def _chosen(test: Sequence[NBest], ranked: Sequence[NBest]) -> np.ndarray:
    """Rows of the candidates that come first in ranked lists."""
    starts = np.cumsum([0, *map(len, test)])[:-1]
    places = [nbest.candidates[0].rank for nbest in ranked]
    orders = [nbest.base_order() for nbest in test]
    return starts + np.array(
        [order[place or 0] for order, place in zip(orders, places, strict=True)]
    )


def _searched(reranker, dev, test, row, plan: Plan, engine: Engine, shared: bool) -> list[Table]:  # type: ignore[no-untyped-def]
    how = PartialPlan(lists=LISTS, shared=shared)
    parts = reranker.ranker, reranker.space, reranker.extractors
    reranker.partial = learn_partial(*parts, how, islice(dev, LISTS))
    full = _chosen(test, reranker.rerank(test))
    rows = []
    name = "errors of a list go together" if shared else "errors of candidates are independent"
    for epsilon in plan.epsilons:
        found = list(rerank_partial(reranker, test, Budget(epsilon)))
        chosen = _chosen(test, found)
        costs = [nbest.extra[SEARCH] for nbest in found]
        own = row(f"search, epsilon {epsilon:g}", chosen)
        own["same as without"] = float(np.mean(chosen == full))
        own["completed"] = float(np.mean([one["completed"] / one["candidates"] for one in costs]))
        own["share of steps"] = float(np.mean([one["share of steps"] for one in costs]))
        rows.append(own)
        engine.tell(f"searches, epsilon {epsilon:g}")
    decimals = {"F1": 2, "recall": 2, "precision": 2, "same as without": 3, "completed": 3}
    decimals["share of steps"] = 3
    above = {f"{one.epsilon:g}": one.above for one in reranker.partial.calibration}
    calibrated: list[dict[str, Cell]] = [{"error model": name, **above}]
    return [
        Table(f"F1 of links by the search; {name}", rows, decimals),
        Table(f"Share of final scores above eta; {name}", calibrated, dict.fromkeys(above, 3)),
    ]
