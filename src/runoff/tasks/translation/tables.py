"""Tables of experiments in translation: BLEU with intervals, and Tables 4 and 5 of Tillmann."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
import numpy as np

from runoff.metrics.base import Floats, figure
from runoff.metrics.bleu import Bleu
from runoff.metrics.significance import paired_bootstrap
from runoff.proposers.translation.decoder import Found, Search
from runoff.recipes.experiment import Setting
from runoff.report.figure import Panel, draw_sizes
from runoff.report.plot import save_plot
from runoff.report.tables import Cell, Table
from runoff.tasks.translation.model import TranslationModel

if TYPE_CHECKING:
    from runoff.tasks.translation.experiment import Plan

TABLE_4 = Search(coverage=1.0, cardinality=2.5, histogram=2500, completion=False)
TABLE_5 = Search(cardinality=10.0, histogram=2500, completion=False)
"""The pruning of both tables. In the caption of Table 4, the two thresholds are not told apart."""

OURS = "single-beam, complete states"
BEAMS: dict[str, dict[str, Any]] = {
    "single-beam": {"beam": "single-beam"},
    OURS: {"beam": "single-beam", "compare_open": False},
    "multi-beam": {"beam": "multi-beam"},
}
"""The searches of both tables; the second, which is ours, has the coverage threshold compare
complete states only, so that it prunes what the multi-beam does."""

Pairs = Sequence[tuple[str, str]]
Paper = dict[str, list[float]]
"""By skip or threshold: BLEU and CPU seconds of the single beam, and of the multi-beam."""


class Figures(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """What was found elsewhere: BLEU by language pair and test, and the tables of both papers."""

    bleu: dict[str, dict[str, float]] = {}
    table_4: Paper = {}
    table_5: Paper = {}
    table_1: dict[str, float] = {}


class Scored(NamedTuple):
    """How good translations are and what they cost: BLEU, half its interval, speed, work."""

    bleu: float
    interval: float
    length: float
    seconds: float
    sentences: int
    states: int
    edges: int


class Row(NamedTuple):
    """A row of the table of systems; without a score, `test` says why there is none."""

    pair: str
    system: str
    test: str
    found: Scored | None = None
    elsewhere: float | None = None


def scored(
    model: TranslationModel, pairs: Pairs, tokenize: str = "none", search: Search | None = None
) -> Scored:
    """The score of a system on a text, on one thread."""
    own = model if search is None else replace(model, search=search)
    sentences = own.prepared([own.source_words(source) for source, _ in pairs])
    begin = time.process_time()
    found = own.found(sentences)
    seconds = time.process_time() - begin
    metric = Bleu(tokenize=tokenize)
    rows = statistics(own, found, [target for _, target in pairs], metric)
    half = _half_interval(rows, metric)
    sums = rows.sum(axis=0)
    return Scored(
        float(figure(metric, sums)),
        half,
        float(sums[0] / max(sums[1], 1)),
        seconds,
        len(pairs),
        sum(one.states for one in found),
        sum(one.edges for one in found),
    )


def statistics(
    model: TranslationModel, found: Sequence[Found], targets: Sequence[str], metric: Bleu
) -> Floats:
    """The statistics of the first translation of every sentence, as words are compared."""
    rows = []
    for one, target in zip(found, targets, strict=True):
        reference = " ".join(model.wording.words(target))
        words = model.wording.known(one.derivations[0].words)
        rows.append(metric.statistics([" ".join(words)], reference)[0])
    return np.array(rows)


def _half_interval(rows: Floats, metric: Bleu) -> float:
    found = paired_bootstrap(rows, rows, metric, samples=1000)
    assert found.intervals is not None
    low, high = found.intervals[0]
    return (high - low) / 2


def systems_table(rows: Sequence[Row]) -> Table:
    """BLEU of all systems and tests, with what is known from elsewhere."""
    shown: list[dict[str, Cell]] = []
    for row in rows:
        found = row.found
        shown.append(
            {
                "pair": row.pair,
                "system": row.system,
                "test": row.test,
                "BLEU": None if found is None else found.bleu,
                "+-": None if found is None else found.interval,
                "Moses": row.elsewhere,
                "length": None if found is None else found.length,
                "sentences per CPU s": None if found is None else found.sentences / found.seconds,
            }
        )
    decimals = {"BLEU": 2, "+-": 2, "Moses": 2, "length": 3, "sentences per CPU s": 1}
    return Table("BLEU", shown, decimals)


class Made(NamedTuple):
    """Tables, and files of curves."""

    tables: list[Table]
    plots: list[Path]


def search_tables(
    model: TranslationModel, pairs: Pairs, plan: Plan, figures: Figures, setting: Setting
) -> Made:
    """Tables 4 and 5: both searches by the number of holes, and by the coverage threshold."""
    four = replace(TABLE_4, window=plan.window, limit=plan.limit)
    five = replace(TABLE_5, window=plan.window, limit=plan.limit, skip=plan.skip)
    fours = {str(skip): replace(four, skip=skip) for skip in plan.skips}
    fives = {f"{t:g}": replace(five, coverage=t) for t in plan.coverages}
    tables, curves = [], {}
    for title, key, searches, paper in (
        ("Table 4: number of holes", "skip", fours, figures.table_4),
        ("Table 5: coverage threshold", "threshold", fives, figures.table_5),
    ):
        found = {
            (name, beam): scored(model, pairs, plan.tokenize, replace(search, **how))
            for name, search in setting.engine.counted(title, searches.items(), len(searches), 1)
            for beam, how in BEAMS.items()
        }
        if found:
            tables.append(Table(title, _rows(key, list(searches), found, paper), _DECIMALS))
            curves[title] = found
    return Made(tables, _drawn(curves, setting.plot))


_DECIMALS = {"BLEU": 2, "+-": 2, "CPU s": 2, "paper BLEU": 1}


def _rows(
    key: str, names: Sequence[str], found: dict[tuple[str, str], Scored], paper: Paper
) -> list[dict[str, Cell]]:
    rows: list[dict[str, Cell]] = []
    for name in names:
        known = paper.get(name)
        for beam in BEAMS:
            theirs = None if beam == OURS or known is None else known[2 * (beam == "multi-beam") :]
            own = found[name, beam]
            rows.append(
                {
                    key: float(name),
                    "search": beam,
                    "paper BLEU": None if theirs is None else theirs[0],
                    "BLEU": own.bleu,
                    "+-": own.interval,
                    "paper CPU s": None if theirs is None else theirs[1],
                    "CPU s": own.seconds,
                    "states": own.states,
                    "edges": own.edges,
                }
            )
    return rows


def _drawn(curves: dict[str, dict[tuple[str, str], Scored]], folder: object) -> list[Path]:
    """BLEU over CPU time, one line for each search."""
    if folder is None or not curves:
        return []
    path = Path(str(folder))
    path.mkdir(parents=True, exist_ok=True)
    panels = [
        Panel(
            title,
            {
                beam: sorted((own.seconds, own.bleu) for (_, b), own in found.items() if b == beam)
                for beam in BEAMS
            },
            unit="BLEU",
            along="CPU seconds",
        )
        for title, found in curves.items()
    ]
    save_plot(path / "searches.svg", partial(draw_sizes, panels))
    return [path / "searches.svg"]
