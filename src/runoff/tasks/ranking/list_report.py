"""The report on lists: one file that says what was compared, what was gained, and why.

It is made of the same pieces as the page and notebooks. The same lists and models give the same
bytes: there is no date and no path in it.
"""

from __future__ import annotations

import heapq
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from html import escape
from pathlib import Path
from typing import Any

import numpy as np

import runoff
from runoff.data.formats import read_nbest
from runoff.data.nbest import ListsHash, NBest
from runoff.engine import chunked
from runoff.errors import FormatError, UsageError
from runoff.features.templates import sentences_for, template_of
from runoff.metrics import metric as find_metric
from runoff.metrics.base import Metric, signature
from runoff.metrics.measure import Measured, measure
from runoff.metrics.oracle import table as by_size
from runoff.metrics.significance import paired_bootstrap, randomisation
from runoff.problem.extractor import kept_together
from runoff.report.curves import find_curves, has_curves
from runoff.report.figure import draw_curves, draw_lines
from runoff.report.pieces import pair, paragraph, section, table_html, waterfall
from runoff.report.plot import inline_svg
from runoff.report.tables import Cell, Table
from runoff.tasks.ranking.overview import Overview, Row, metric_for, shown_value
from runoff.tasks.ranking.reranker import RankedList, Reranker
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


def list_report(
    files: Sequence[str],
    models: Mapping[str, Reranker],
    metric: str | None = None,
    format: str | None = None,
) -> list[str]:
    """The parts of a report on the lists of some files, and on what some rankers make of them.

    Parameters
    ----------
    models : by the names that the report gives them; without any, the lists' own scores pick.
    """
    hashed = ListsHash()
    lists = hashed.watch(nbest for file in files for nbest in read_nbest(file, format))
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
        raise FormatError("there are no lists to report on", path=files[0] if files else None)
    return _parts(files, hashed.hexdigest(), compared, chosen, measured)


def _parts(
    files: Sequence[str],
    data: str,
    compared: list[Compared],
    metric: Metric | None,
    measured: list[Measured],
) -> list[str]:
    parts = [section("What was compared", table_html(_about(files, data, compared, metric)))]
    if metric is not None:
        parts += [
            section("Base, picked and oracle", *_figures(compared, metric)),
            section("The best of the first n", *_by_size(_joined(measured), metric)),
        ]
    for place, one in enumerate(compared):
        named = f": {one.name}" if len(compared) > 1 else ""
        parts += [
            section(f"How it learned{named}", *_learning(one, f"m{place}")),
            section(f"How sure it is{named}", *_calibration(one, f"c{place}")),
            section(f"Feature groups{named}", *_groups(one)),
        ]
    first = compared[0]
    parts += [
        section("Most corrected", *(_case(first, *case) for case in first.corrected)),
        section("Most harmed", *(_case(first, *case) for case in first.harmed)),
        section("Furthest from the best candidate", *(_case(first, *case) for case in first.worst)),
    ]
    return parts


def _about(
    files: Sequence[str], data: str, compared: list[Compared], metric: Metric | None
) -> Table:
    overview = compared[0].overview
    rows: list[dict[str, Cell]] = [
        {"what": "lists", "value": f"{overview.lists:,} of {', '.join(Path(f).name for f in files)}"},
        {"what": "candidates", "value": f"{overview.candidates:,}, at most {overview.longest}"},
        {"what": "hash of the lists", "value": data},
    ]
    if metric is not None:
        made = signature(metric.signature(), lists=overview.lists, n=overview.longest)
        rows.append({"what": "signature", "value": made})
    for one in compared:
        if one.reranker is not None:
            training = one.reranker.training
            names = ", ".join(extractor.name for extractor in one.reranker.extractors)
            said = f"{one.reranker.ranker.name}, features {names}, fitted on "
            said += f"{training.get('lists', 0):,} lists by {training.get('metric')}"
            rows.append({"what": one.name, "value": said})
    rows.append({"what": "Runoff", "value": runoff.__version__})
    return Table("", rows)


def _figures(compared: list[Compared], metric: Metric) -> list[str]:
    first = compared[0].overview.figures()
    rows = {"base": first["base"]}
    for one in compared:
        if (found := one.overview.figures().get("picked")) is not None:
            rows["picked" if len(compared) == 1 else f"picked by {one.name}"] = found
    rows |= {name: first[name] for name in ("oracle", "random", "shortest", "longest")}
    large = max(abs(v) for row in rows.values() for v in row.values()) >= 2
    decimals = dict.fromkeys(first["base"], 2 if large else 4)
    table = Table("", [{"choice": name, **row} for name, row in rows.items()], decimals)
    blind = "Random, shortest and longest know nothing of a candidate but its length."
    tests = [row for one in compared for row in _tests(one, metric)]
    return [
        table_html(table),
        paragraph(blind),
        table_html(Table("Against the base system", tests, {"difference": 4, "p": 4})),
    ]


def _tests(one: Compared, metric: Metric) -> list[dict[str, Cell]]:
    """The difference to the base with its interval and p, and how many lists won and lost."""
    kept = one.overview.statistics
    if "picked" not in kept:
        return []
    base, picked = np.concatenate(kept["base"]), np.concatenate(kept["picked"])
    drawn = paired_bootstrap(base, picked, metric, samples=1000, seed=0)
    tested = randomisation(base, picked, metric, samples=10_000, seed=0)
    interval = "" if drawn.intervals is None else "{:+.4f} to {:+.4f}".format(*drawn.intervals[2])
    gains = [row.gain for row in one.rows]
    return [
        {
            "picked by": one.name,
            "difference": drawn.difference,
            "95% interval": interval,
            "p": tested.p_value,
            "lists changed": sum(row.before > 0 for row in one.rows),
            "wins": sum(gain > 0 for gain in gains),
            "losses": sum(gain < 0 for gain in gains),
        }
    ]


def _joined(parts: list[Measured]) -> Measured:
    sizes = np.concatenate([[0], *(one.sizes for one in parts)])
    return Measured(
        np.cumsum(sizes, dtype=np.int64),
        *(
            np.concatenate([getattr(one, name) for one in parts])
            for name in ("statistics", "qualities", "base_ranks")
        ),
    )


def _by_size(measured: Measured, metric: Metric) -> list[str]:
    rows = by_size(measured, metric)
    name = next(iter(rows[0].oracle))
    ways = {"1-best": "one_best", "oracle": "oracle", "random": "random", "worst": "worst"}
    table: list[dict[str, Cell]] = [
        {"n": row.n, **{way: getattr(row, field)[name] for way, field in ways.items()}}
        for row in rows
    ]
    lines = {
        way: [(float(row.n), getattr(row, field)[name]) for row in rows]
        for way, field in ways.items()
        if way != "1-best"
    }
    draw = partial(draw_lines, "The best of the first n", name, "n", lines)
    about = f"{name} of the oracle, a random and the worst candidate by n; the table has the numbers"
    return [
        inline_svg(draw, about, "n"),
        table_html(Table(name, table, dict.fromkeys(ways, 2))),
    ]


def _learning(one: Compared, prefix: str) -> list[str]:
    record = {} if one.reranker is None else one.reranker.ranker.record_
    parts = []
    if record and has_curves(record):
        draw = partial(draw_curves, find_curves({"": record}))
        about = "Learning curves; the tables below have the numbers"
        parts.append(inline_svg(draw, about, prefix))
    for title, rows in record.items():
        if rows:
            step = -(-len(rows) // 24) or 1
            thin = list(reversed(rows[::-1][::step]))
            table = table_html(Table(title, [dict(row) for row in thin]))
            parts.append(f"<details><summary>numbers</summary>{table}</details>")
    return parts


def _calibration(one: Compared, prefix: str) -> list[str]:
    """How often picks are best, by the confidence that was claimed."""
    known = [row for row in one.rows if row.confidence is not None and row.oracle is not None]
    if not known:
        return []
    edges = [0.0, 0.2, 0.4, 0.6, 0.8, 0.9, 1.0]
    table: list[dict[str, Cell]] = []
    for low, high in zip(edges, edges[1:], strict=False):
        own = [r for r in known if low <= (r.confidence or 0) < high or (r.confidence == high == 1)]
        if own:
            claimed = sum(r.confidence or 0 for r in own) / len(own)
            best = sum(r.picked == r.oracle for r in own) / len(own)
            said = f"{low:.0%} to {high:.0%}"
            table.append({"confidence": said, "lists": len(own), "claimed": claimed, "best": best})
    points = [(float(row["claimed"] or 0), float(row["best"] or 0)) for row in table]
    draw = partial(draw_lines, "Confidence and outcome", "share of picks that are best",
                   "confidence", {"picks": points}, diagonal=True)  # fmt: skip
    about = "Share of picks that are best by confidence; the table has the numbers"
    return [inline_svg(draw, about, prefix), table_html(Table("", table, {"claimed": 3, "best": 3}))]


def _groups(one: Compared) -> list[str]:
    if not one.groups or one.reranker is None:
        return []
    about = sentences_for(one.groups, [e.name for e in one.reranker.extractors])
    order = sorted(one.groups, key=lambda name: (-sum(map(abs, one.groups[name])), name))
    rows: list[dict[str, Cell]] = [
        {
            "template": name,
            "mean": sum(one.groups[name]) / one.decided,
            "mean size": sum(map(abs, one.groups[name])) / one.decided,
            "lists": len(one.groups[name]),
            "what it is": about.get(name, ""),
        }
        for name in order[:30]
    ]
    said = f"What templates add to the lead of the pick over the base's choice, in {one.decided:,} "
    table = Table(said + "lists where they differ", rows, {"mean": 3, "mean size": 3})
    return [table_html(table)]


def _case(one: Compared, nbest: NBest, row: Row) -> str:
    """A list: what won, what the base had chosen, and why."""
    winner = nbest.candidates[0]
    place = _rival(nbest)
    rival = nbest.candidates[place]
    name = str(row.number + 1 if row.id is None else row.id)
    title = name if nbest.input is None else f"{name}: {shown_value(nbest.input)}"
    numbers = f"quality {row.base:g} before, {row.picked:g} picked, {row.oracle:g} at best"
    body = pair(winner.output, rival.output, nbest.input)
    return "\n".join(
        ['<div class="case">', f"<h3>{_short(title)}</h3>", paragraph(numbers), body,
         _why(one.reranker, nbest, place), "</div>"]
    )  # fmt: skip


def _rival(nbest: NBest) -> int:
    """The base's first choice; where that has won, the best candidate, or the runner-up."""
    base = [c.rank for c in nbest.candidates].index(0)
    qualities = [c.quality or 0.0 for c in nbest.candidates]
    best = qualities.index(max(qualities))
    return base or best or min(1, len(nbest) - 1)


def _short(text: str) -> str:
    return escape(text if len(text) <= 160 else f"{text[:160]}…")


def _why(reranker: Reranker | None, nbest: NBest, over: int) -> str:
    if reranker is None or not over:
        return ""
    try:
        ranked: RankedList = reranker.ranked([nbest])[0]
        found = reasons(reranker, ranked, over=over)
    except UsageError:
        return ""
    names = [term.feature for term in found.terms]
    about = sentences_for(names, [one.name for one in reranker.extractors])
    by_name = {name: about.get(template_of(name), "") for name in names}
    return waterfall(found.terms, found.difference, by_name, top=10)
