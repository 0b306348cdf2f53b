"""The report on lists: one file that says what was compared, what was gained, and why.

It is made of the same pieces as the page and notebooks. The same lists and models give the same
bytes: there is no date and no path in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from html import escape
from itertools import pairwise

import numpy as np

import runoff
from runoff.data.nbest import Candidate, NBest
from runoff.errors import UsageError
from runoff.features.templates import sentences_for, template_of
from runoff.metrics.base import Metric, signature
from runoff.metrics.measure import Measured
from runoff.metrics.oracle import table as by_size
from runoff.metrics.significance import paired_bootstrap, randomisation
from runoff.report.drawings import pair
from runoff.report.figure import draw_lines
from runoff.report.learning import learning_parts, smoothing_parts
from runoff.report.pieces import paragraph, section, table_html, waterfall
from runoff.report.plot import inline_svg
from runoff.report.tables import Cell, Table, shown_value
from runoff.tasks.ranking.compared import Case, Compared, compare
from runoff.tasks.ranking.overview import Row
from runoff.tasks.ranking.reranker import Reranker
from runoff.tasks.ranking.results.ranked import RankedList
from runoff.tasks.ranking.why import reasons

SECTION = 150_000
"""Characters of a section with lists, so that the file stays below a megabyte."""


def list_report(
    lists: Iterable[NBest],
    source: str,
    models: Mapping[str, Reranker],
    metric: str | None = None,
    *,
    learned: bool = True,
) -> list[str]:
    """The parts of a report on lists, and on what some rankers make of them.

    Parameters
    ----------
    source : where the lists are from, for people.
    models : by the names that the report gives them; without any, the lists' own scores pick.
    learned : whether it says how they learned.
    """
    data, compared, chosen, measured = compare(lists, source, models, metric)
    parts = [section("What was compared", table_html(_about(source, data, compared, chosen)))]
    if chosen is not None:
        parts += [
            section("Base, picked and oracle", *_figures(compared, chosen)),
            section("The best of the first n", *_by_size(_joined(measured), chosen)),
        ]
    for place, one in enumerate(compared):
        named = f": {one.name}" if len(compared) > 1 else ""
        if learned:
            parts += [
                section(f"How it learned{named}", *learning_parts(one.record, f"m{place}")),
                section(f"Effect of smoothing{named}", *smoothing_parts(one.record, f"s{place}")),
            ]
        parts += [
            section(f"How sure it is{named}", *_calibration(one, f"c{place}")),
            section(f"Feature groups{named}", *_groups(one)),
        ]
    first = compared[0]
    parts += [
        section("Most corrected", *_cases(first, first.corrected)),
        section("Most harmed", *_cases(first, first.harmed)),
        section("Furthest from the best candidate", *_cases(first, first.worst)),
        section("Furthest from gold", *_limited([_against_gold(*case) for case in first.lowest])),
    ]
    for one in compared[1:]:
        shown = [_against(first.name, one.name, *cases) for cases in one.different]
        parts.append(section(f"{one.name} against {first.name}", *_limited(shown)))
    return parts


def _about(source: str, data: str, compared: list[Compared], metric: Metric | None) -> Table:
    overview = compared[0].overview
    rows: list[dict[str, Cell]] = [
        {"what": "lists", "value": f"{overview.lists:,} of {source}"},
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
    decided = [one for one in compared if "picked" in one.overview.statistics]
    tests = [_test(one, None, metric) for one in decided]
    tests += [_test(one, decided[0], metric) for one in decided[1:]]
    return [table_html(table), paragraph(blind),
            table_html(Table("Differences", tests, {"difference": 4, "p": 4}))]  # fmt: skip


def _test(one: Compared, other: Compared | None, metric: Metric) -> dict[str, Cell]:
    """The difference to another model, or to the base, with its interval and p; wins and losses."""
    kept = one.overview.statistics
    before = kept["base"] if other is None else other.overview.statistics["picked"]
    sides = np.concatenate(before), np.concatenate(kept["picked"])
    drawn = paired_bootstrap(*sides, metric, samples=1000, seed=0)
    tested = randomisation(*sides, metric, samples=10_000, seed=0)
    interval = "" if drawn.intervals is None else "{:+.4f} to {:+.4f}".format(*drawn.intervals[2])
    if other is None:
        gains, changed = [row.gain for row in one.rows], [row.before > 0 for row in one.rows]
    else:
        pairs = list(zip(one.rows, other.rows, strict=True))
        gains = [(a.picked or 0) - (b.picked or 0) for a, b in pairs]
        changed = [a.before != b.before for a, b in pairs]
    return {
        "picked by": one.name,
        "against": "base" if other is None else other.name,
        "difference": drawn.difference,
        "95% interval": interval,
        "p": tested.p_value,
        "lists changed": sum(changed),
        "wins": sum(gain > 0 for gain in gains),
        "losses": sum(gain < 0 for gain in gains),
    }


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
    draw = partial(draw_lines, "", name, "n", lines)
    about = (
        f"{name} of the oracle, a random and the worst candidate by n; the table has the numbers"
    )
    return [
        inline_svg(draw, about, "n"),
        table_html(Table(name, table, dict.fromkeys(ways, 2))),
    ]


def _calibration(one: Compared, prefix: str) -> list[str]:
    """How often picks are best, by the confidence that was claimed."""
    known = [row for row in one.rows if row.confidence is not None and row.oracle is not None]
    if not known:
        return []
    edges = [0.0, 0.2, 0.4, 0.6, 0.8, 0.9, 1.0]
    table: list[dict[str, Cell]] = []
    for low, high in pairwise(edges):
        own = [r for r in known if low <= (r.confidence or 0) < high or (r.confidence == high == 1)]
        if own:
            claimed = sum(r.confidence or 0 for r in own) / len(own)
            best = sum(r.picked == r.oracle for r in own) / len(own)
            said = f"{low:.0%} to {high:.0%}"
            table.append({"confidence": said, "lists": len(own), "claimed": claimed, "best": best})
    points = [(float(row["claimed"] or 0), float(row["best"] or 0)) for row in table]
    draw = partial(draw_lines, "", "share of picks that are best",
                   "confidence", {"picks": points}, diagonal=True)  # fmt: skip
    about = "Share of picks that are best by confidence; the table has the numbers"
    return [
        inline_svg(draw, about, prefix),
        table_html(Table("", table, {"claimed": 3, "best": 3})),
    ]


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


def _cases(one: Compared, cases: Sequence[Case]) -> list[str]:
    return _limited([_case(one, *case) for case in cases])


def _limited(cases: Sequence[str]) -> list[str]:
    """The lists of a section; those that would make the file too large are left out."""
    parts, size = list[str](), 0
    for shown in cases:
        size += len(shown)
        if size > SECTION:
            parts.append(paragraph(f"{len(cases) - len(parts)} more are left out: they are long."))
            break
        parts.append(shown)
    return parts


def _case(one: Compared, nbest: NBest, row: Row) -> str:
    """A list: what won, what the base had chosen, and why."""
    place = _rival(nbest)
    body = pair(nbest.candidates[0], nbest.candidates[place], nbest.input)
    numbers = f"quality {row.base:g} before, {row.picked:g} picked, {row.oracle:g} at best"
    return _shown(nbest, row, numbers, body, _why(one.reranker, nbest, place))


def _against_gold(nbest: NBest, row: Row) -> str:
    """A list: what won, and what it should have been."""
    body = pair(nbest.candidates[0], Candidate(nbest.gold), nbest.input, ("found", "gold"))
    return _shown(nbest, row, f"quality {row.picked:g}, {row.oracle:g} at best", body)


def _against(first: str, second: str, a: Case, b: Case) -> str:
    """A list from which two models pick candidates of different quality."""
    (nbest, row), (other, own) = a, b
    body = pair(nbest.candidates[0], other.candidates[0], nbest.input, (first, second))
    return _shown(nbest, row, f"quality {row.picked:g} and {own.picked:g}", body)


def _shown(nbest: NBest, row: Row, numbers: str, *body: str) -> str:
    name = str(row.number + 1 if row.id is None else row.id)
    title = name if nbest.input is None else f"{name}: {shown_value(nbest.input)}"
    head = ['<div class="case">', f"<h3>{_short(title)}</h3>", paragraph(numbers)]
    return "\n".join([*head, *body, "</div>"])


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
