"""Evaluating rankings: base order, picks, oracle, and whether the difference is chance."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, overload

import numpy as np

from runoff.data.formats.any_keys.mapping import Map
from runoff.data.lists import Lists, open_lists, path_of
from runoff.data.nbest import NBest
from runoff.errors import FormatError
from runoff.metrics import AnyMetric
from runoff.metrics import metric as find_metric
from runoff.metrics.base import Floats, Metric, signature
from runoff.metrics.measure import Measured, measure
from runoff.metrics.oracle import one_best, oracle, totals
from runoff.metrics.orders import OrderMetric
from runoff.metrics.significance import Comparison, paired_bootstrap, randomisation
from runoff.tasks.ranking.results.orders import Orders


@dataclass(frozen=True)
class Evaluation:
    """Figures of each way to choose, by name, and tests of the last two against each other.

    `figures` has the rows `base`, `oracle` and, for lists that a ranker has ordered, `picked`.
    """

    signature: str
    lists: int
    figures: dict[str, dict[str, float]]
    comparisons: list[Comparison]

    def __str__(self) -> str:
        rows = (f"{row:>8}  {next(iter(f.values())):.4f}" for row, f in self.figures.items())
        return "\n".join([self.signature, *rows])

    def _repr_html_(self) -> str:
        from runoff.report.pieces import notebook, table_html
        from runoff.report.tables import Cell, Table

        rows: list[dict[str, Cell]] = [{"choice": k, **v} for k, v in self.figures.items()]
        return notebook(table_html(Table(self.signature, rows)))


class Evaluations(dict[str, Evaluation]):
    """Evaluations of the same lists by several metrics, by the names of the metrics."""

    def __str__(self) -> str:
        return "\n\n".join(map(str, self.values()))

    def _repr_html_(self) -> str:
        return "".join(one._repr_html_() for one in self.values())


@overload
def evaluate(
    lists: Lists, metric: AnyMetric = "quality", *, against: Lists | None = None,
    format: str | None = None, map: Map | str | None = None, samples: int = 1000, seed: int = 0,
) -> Evaluation: ...  # fmt: skip
@overload
def evaluate(
    lists: Lists, metric: list[AnyMetric], *, against: Lists | None = None,
    format: str | None = None, map: Map | str | None = None, samples: int = 1000, seed: int = 0,
) -> Evaluations: ...  # fmt: skip
def evaluate(
    lists: Lists,
    metric: AnyMetric | list[AnyMetric] = "quality",
    *,
    against: Lists | None = None,
    format: str | None = None,
    map: Map | str | None = None,
    samples: int = 1000,
    seed: int = 0,
) -> Evaluation | Evaluations:
    """How good the choices of lists are; a file may be named in place of lists.

    With several metrics, as `["wer", "cer"]`, there is an evaluation for each.

    The pick of a list is its first candidate if it was reranked, which shows in every candidate's
    `rank`; else the candidate with the highest `score`, or the first where there are none. It is
    compared with the base system's first choice, or with the picks of `against`: the
    same lists, ordered by another ranker.

    Examples
    --------
    >>> from runoff.data.nbest import Candidate
    >>> scored = [Candidate("a b", -1.0, score=0.1), Candidate("a c", -2.0, score=0.7)]
    >>> print(evaluate([NBest("u1", None, scored, gold="a c")], "wer"))
    wer|unit:word|lists:1|n:2|v:0.1.0
        base  50.0000
      picked  0.0000
      oracle  0.0000
    """
    if isinstance(metric, list):
        read = [one and list(open_lists(one, format, map)) for one in (lists, against)]
        names = [find_metric(one, allow_code=True).name for one in metric]
        each = (
            evaluate(read[0], one, against=read[1], samples=samples, seed=seed) for one in metric
        )
        return Evaluations(zip(names, each, strict=True))
    chosen_metric = find_metric(metric, allow_code=True)
    if isinstance(chosen_metric, OrderMetric):
        own_orders = Orders.of(open_lists(lists, format, map), chosen_metric)
        rival_orders = against and Orders.of(open_lists(against, format, map), chosen_metric)
        return _of_orders(own_orders, rival_orders or None, chosen_metric, samples, seed)
    own = _Picks(open_lists(lists, format, map))
    measured = measure(own.watch(), chosen_metric)
    if not len(measured):
        raise FormatError("there are no lists to evaluate", path=path_of(lists))
    rows = {"base": one_best(measured)}
    if own.ordered or against is not None:
        rows["picked"] = own.rows(measured)
    rows["oracle"] = oracle(measured)
    figures = {
        name: _figures(chosen_metric, totals(measured, chosen)) for name, chosen in rows.items()
    }
    comparisons = []
    if against is not None:
        other = _Picks(open_lists(against, format, map))
        other_measured = measure(other.watch(), chosen_metric)
        other_rows = other.rows(other_measured)[_alignment(own, other)]
        rival = other_measured.statistics[other_rows]
        figures = {"other": _figures(chosen_metric, rival.sum(axis=0)), **figures}
        comparisons = _compare(
            rival, measured.statistics[rows["picked"]], chosen_metric, samples, seed
        )
    elif "picked" in rows:
        first, second = (measured.statistics[rows[name]] for name in ("base", "picked"))
        comparisons = _compare(first, second, chosen_metric, samples, seed)
    longest = int(measured.sizes.max(initial=0))
    made = signature(chosen_metric.signature(), lists=len(measured), n=longest)
    return Evaluation(made, len(measured), figures, comparisons)


class _Picks:
    """Remembers, as lists stream past, what each list picks and what it is called."""

    def __init__(self, lists: Iterable[NBest]) -> None:
        self.lists = lists
        self.places: list[int] = []
        self.names: list[Any] = []
        self.ordered = False

    def watch(self) -> Iterator[NBest]:
        for number, nbest in enumerate(self.lists):
            if not nbest.candidates:
                raise FormatError(f"{nbest.name(number + 1)} has no candidates")
            scores = [c.score for c in nbest.candidates if c.score is not None]
            complete = len(scores) == len(nbest)
            # a reranked list whose first is not its highest is one that the ranker abstained from
            reranked = all(c.rank is not None for c in nbest.candidates)
            self.places.append(int(np.argmax(scores)) if complete and not reranked else 0)
            self.names.append(number if nbest.id is None else nbest.id)
            self.ordered = self.ordered or complete
            yield nbest

    def rows(self, measured: Measured) -> Any:
        return measured.offsets[:-1] + np.array(self.places, dtype=np.int64)


def _of_orders(
    own: Orders, other: Orders | None, metric: OrderMetric, samples: int, seed: int
) -> Evaluation:
    statistics, second = dict(own.statistics), "picked"
    first = own.base
    if other is not None:
        best = "picked" if "picked" in other.statistics else other.base
        rival = other.statistics[best][_alignment(own, other)]
        statistics, first = {"other": rival, **statistics}, "other"
        second = "picked" if "picked" in statistics else own.base
    figures = {name: _figures(metric, rows.sum(axis=0)) for name, rows in statistics.items()}
    comparisons = []
    if first in statistics and second in statistics and first != second:
        comparisons = _compare(statistics[first], statistics[second], metric, samples, seed)
    made = signature(metric.signature(), lists=len(own.names), n=own.longest)
    return Evaluation(made, len(own.names), figures, comparisons)


def _alignment(own: _Picks | Orders, other: _Picks | Orders) -> list[int]:
    """Where each list of the one stands in the other."""
    places = {name: place for place, name in enumerate(other.names)}
    missing = [name for name in own.names if name not in places]
    if missing or len(own.names) != len(other.names) or len(places) != len(other.names):
        example = f", such as {missing[0]!r}" if missing else ""
        raise FormatError(
            f"the two files do not hold the same lists: {len(missing)} are missing from the "
            f"second{example}, which has {len(other.names)}; the first has {len(own.names)}"
        )
    return [places[name] for name in own.names]


def _compare(
    first: Floats, second: Floats, metric: Metric, samples: int, seed: int
) -> list[Comparison]:
    return [
        paired_bootstrap(first, second, metric, samples=samples, seed=seed),
        randomisation(first, second, metric, samples=10 * samples, seed=seed),
    ]


def _figures(metric: Metric, summed: Floats) -> dict[str, float]:
    return {name: float(value) for name, value in metric.figures(summed).items()}
