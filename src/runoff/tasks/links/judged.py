"""How good the picked links are: by learner, and by the epsilon of the search."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice

import numpy as np

from runoff.data.nbest import NBest
from runoff.engine import Engine
from runoff.metrics import metric
from runoff.metrics.base import Integers
from runoff.metrics.measure import measure
from runoff.metrics.oracle import one_best, oracle, totals
from runoff.report.tables import Cell, Table
from runoff.search.partial_candidates.calibration import above_eta
from runoff.search.partial_candidates.sequences import observe
from runoff.tasks.links.plan import Plan
from runoff.tasks.ranking.partial.model import PartialPlan, learn_partial
from runoff.tasks.ranking.partial.rerank import SEARCH, Budget, reader_of, rerank_partial
from runoff.tasks.ranking.reranker import Reranker


class Judge:
    """Measures what is picked of test lists."""

    def __init__(self, test: Sequence[NBest]) -> None:
        self.test, self.metric = test, metric("link-f1")
        self.counted = measure(test, self.metric)
        self.orders = [nbest.base_order() for nbest in test]
        self.starts = np.cumsum([0, *map(len, test)])[:-1]

    def chosen(self, ranked: Sequence[NBest]) -> Integers:
        """Rows of the candidates that come first in ranked lists."""
        firsts = [nbest.candidates[0].rank or 0 for nbest in ranked]
        places = [order[first] for order, first in zip(self.orders, firsts, strict=True)]
        found: Integers = self.starts + np.array(places, dtype=np.int64)
        return found

    def figures(self, chosen: Integers) -> dict[str, float]:
        """F1, recall and precision of a choice."""
        figures = self.metric.figures(totals(self.counted, chosen))
        return {key: float(figures[key]) for key in DECIMALS}

    def row(self, name: str, chosen: Integers) -> dict[str, Cell]:
        """The figures of a choice, under its name."""
        return {"choice": name, **self.figures(chosen)}


DECIMALS = {"F1": 2, "recall": 2, "precision": 2}
COSTS = {"F1 lost": 2, "same as without": 3, "completed": 3, "steps saved": 3}


def judged(
    reranker: Reranker,
    others: Mapping[str, Reranker],
    dev: Sequence[NBest],
    test: Sequence[NBest],
    plan: Plan,
    engine: Engine,
) -> list[Table]:
    """F1 of links by learner, and by the epsilon of the search with the first."""
    judge = Judge(test)
    rows = [judge.row("first", one_best(judge.counted))]
    for name, one in {plan.learner: reranker, **others}.items():
        rows.append(judge.row(name, judge.chosen(one.rerank(test))))
        engine.tell(f"test sentences, {name}")
    rows.append(judge.row("oracle", oracle(judge.counted)))
    found = [Table(f"F1 of links by learner, {len(test)} sentences", rows, DECIMALS)]
    for name, how in MODELS.items():
        parts = reranker.ranker, reranker.space, reranker.extractors
        reranker.partial = learn_partial(*parts, how, islice(dev, how.lists))
        found.append(_searched(name, reranker, judge, plan, engine))
    found.append(_calibrated(reranker, test, plan))
    return found


MODELS = {
    "errors of candidates are independent": PartialPlan(shared=False),
    "errors of candidates of a list go together": PartialPlan(),
}


def _searched(name: str, reranker: Reranker, judge: Judge, plan: Plan, engine: Engine) -> Table:
    full = judge.chosen(reranker.rerank(judge.test))
    without = judge.figures(full)["F1"]
    rows = []
    for epsilon in plan.epsilons:
        found = list(rerank_partial(reranker, judge.test, Budget(epsilon)))
        chosen = judge.chosen(found)
        costs = [nbest.extra[SEARCH] for nbest in found]
        row = judge.row(f"search, epsilon {epsilon:g}", chosen)
        row["F1 lost"] = without - judge.figures(chosen)["F1"]
        row["same as without"] = float(np.mean(chosen == full))
        row["completed"] = float(np.mean([one["completed"] / one["candidates"] for one in costs]))
        row["steps saved"] = 1 - float(np.mean([one["share of steps"] for one in costs]))
        rows.append(row)
        engine.tell(f"searches, epsilon {epsilon:g}")
    return Table(f"F1 of links by the search; {name}", rows, DECIMALS | COSTS)


def _calibrated(reranker: Reranker, test: Sequence[NBest], plan: Plan) -> Table:
    """How often final scores were above eta: development lists that were left out, test lists."""
    reader, partial = reader_of(reranker, None)
    seen = observe(reader.reading(nbest) for nbest in test if len(nbest) > 1)
    both = {
        "development": partial.calibration,
        "test": above_eta(partial.errors, seen, plan.epsilons),
    }
    rows: list[dict[str, Cell]] = [
        {"sentences": name, **{f"{one.epsilon:g}": one.above for one in own}}
        for name, own in both.items()
    ]
    decimals = dict.fromkeys(map("{:g}".format, plan.epsilons), 3)
    return Table("Share of final scores of the regressor above eta", rows, decimals)
