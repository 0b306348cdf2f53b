"""What rankers did with lists, collected while the lists stream past, for the report."""

from __future__ import annotations

import heapq
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from runoff.data.lists import NBestFiles
from runoff.data.nbest import ListsHash, NBest
from runoff.engine import chunked
from runoff.errors import FormatError, UsageError
from runoff.features.templates import template_of
from runoff.metrics import metric as find_metric
from runoff.metrics.base import Metric
from runoff.metrics.measure import Measured, measure
from runoff.problem.extractor import kept_together
from runoff.tasks.ranking.overview import Overview, Row, metric_for
from runoff.tasks.ranking.reranker import Reranker
from runoff.tasks.ranking.why import reasons

CASES = 20
"""Lists that are shown of each kind."""

CHUNK = 64
GROUPED = 500
"""Lists from which the contributions of feature groups are taken."""

Case = tuple[NBest, Row]


@dataclass
class Compared:
    """What one model did with the lists.

    Parameters
    ----------
    corrected, harmed, worst : the lists that gained most, lost most, and ended up worst.
    groups : summed contributions of templates to the picks that differ from the base's.
    """

    name: str
    reranker: Reranker | None
    overview: Overview
    rows: list[Row] = field(default_factory=list)
    corrected: list[Case] = field(default_factory=list)
    harmed: list[Case] = field(default_factory=list)
    worst: list[Case] = field(default_factory=list)
    groups: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    decided: int = 0

    def add(self, lists: Sequence[NBest]) -> None:
        """Rank some lists, and keep what the report shows of them."""
        found = self.overview.add(lists)
        self.rows += [row for _, row in found]
        if self.overview.metric is not None:
            self.corrected = _most(self.corrected, found, lambda row: row.gain)
            self.harmed = _most(self.harmed, found, lambda row: -row.gain)
            self.worst = _most(self.worst, found, lambda row: (row.oracle or 0) - (row.picked or 0))
        self._group(lists)

    def _group(self, lists: Sequence[NBest]) -> None:
        if self.reranker is None or self.decided >= GROUPED:
            return
        for ranked in self.reranker.ranked(lists):
            if not ranked.nbest.candidates[0].rank:
                continue
            try:
                terms = reasons(self.reranker, ranked).terms
            except UsageError:  # choices that named terms do not explain
                return
            self.decided += 1
            sums: Counter[str] = Counter()
            for term in terms:
                sums[template_of(term.feature)] += term.contribution  # type: ignore[assignment]
            for name, total in sums.items():
                self.groups[name].append(total)


def _most(kept: list[Case], found: Iterable[Case], by: Any) -> list[Case]:
    """The lists with the largest values, of those kept and those found; only positive ones."""
    cases = [case for case in (*kept, *found) if by(case[1]) > 0]
    return heapq.nsmallest(CASES, cases, key=lambda case: (-by(case[1]), case[1].number))


class Comparison(NamedTuple):
    """What was compared: the hash of the lists, each model, the metric, and all qualities."""

    data: str
    models: list[Compared]
    metric: Metric | None
    measured: list[Measured]


def compare(
    files: NBestFiles, models: Mapping[str, Reranker], metric: str | None = None
) -> Comparison:
    """What some rankers make of the lists of some files.

    Parameters
    ----------
    models : by the names that the report gives them; without any, the lists' own scores pick.
    """
    hashed = ListsHash()
    lists = hashed.watch(files)
    named = find_metric(metric, allow_code=True) if metric else None
    compared = [Compared(name, one, Overview(one)) for name, one in models.items()]
    compared = compared or [Compared("scores of the lists", None, Overview())]
    together = [key for one in models.values() if (key := kept_together(one.extractors))]
    measured, chosen = list[Measured](), None
    for number, chunk in enumerate(chunked(lists, CHUNK, together[0] if together else None)):
        if number == 0:
            chosen = metric_for(chunk[0], named, find_metric("quality"))
            for one in compared:
                one.overview.metric = chosen
        if chosen is not None:
            measured.append(measure(chunk, chosen, compared[0].overview.lists + 1))
        for one in compared:
            one.add(chunk)
    if not compared[0].rows:
        raise FormatError("there are no lists to report on", path=str(files))
    return Comparison(hashed.hexdigest(), compared, chosen, measured)
