"""The tables and curves of experiments in word prediction: the paper's figures and ours."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import msgspec

from runoff.report.figure import Points, draw_sizes
from runoff.report.plot import save_plot
from runoff.report.tables import Cell, Table

Shares = dict[str, float | None]
"""By test: what is right, in per cent."""


class SetPoint(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """A set of words at one size of text.

    Parameters
    ----------
    examples : occurrences that the expert learns from.
    predicted : by the tree that predicts all words.
    chosen : by the set's expert.
    """

    words: tuple[str, ...]
    examples: int | None = None
    predicted: Shares = {}
    chosen: Shares = {}


class Point(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """The figures for one size of text: nodes of the tree, and words predicted correctly."""

    windows: int
    nodes: int | None = None
    accuracy: Shares = {}
    sets: list[SetPoint] = []


class Figures(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """The figures of a paper.

    Parameters
    ----------
    name : what it was found on.
    points : by size of text.
    more_data : experts of much more text.
    """

    name: str = "paper"
    points: list[Point] = []
    more_data: list[SetPoint] = []


PLOTTED = ("there", "their", "they're")
"""The set whose curves are drawn, as in the paper's Figure 3; else the first one."""


def tables(points: Sequence[Point], paper: Figures, name: str) -> list[Table]:
    """All tables; `name` is what ours was found on."""
    last = points[-1]
    theirs = {one.words: one for point in paper.points for one in point.sets}
    more = {one.words: one for one in paper.more_data}
    return [
        _sizes(points, paper, name),
        _sets(
            "all words and experts, on the same text",
            last.sets,
            theirs,
            [next(iter(last.accuracy))],
        ),
        _sets(
            "experts on all texts; the paper's are of a billion words",
            last.sets,
            more,
            list(last.accuracy),
            ["chosen"],
        ),
    ]


def _sizes(points: Sequence[Point], paper: Figures, name: str) -> Table:
    rows: list[dict[str, Cell]] = []
    marked = [(point, f"ours ({name})") for point in points]
    marked += [(point, f"paper ({paper.name})") for point in paper.points]
    for point, whose in sorted(marked, key=lambda one: one[0].windows):
        per_window = None if point.nodes is None else point.nodes / point.windows
        row: dict[str, Cell] = {"figures": whose, "windows": point.windows, "nodes": point.nodes}
        row["nodes a window"] = per_window
        rows.append(row | {test: point.accuracy.get(test) for test in points[0].accuracy})
    decimals = {"nodes a window": 2, **dict.fromkeys(points[0].accuracy, 2)}
    return Table("words predicted, by size of the text, in per cent", rows, decimals)


KINDS = {"predicted": "all words", "chosen": "expert"}


def _sets(
    title: str,
    ours: Sequence[SetPoint],
    paper: dict[tuple[str, ...], SetPoint],
    tests: Sequence[str],
    kinds: Sequence[str] = tuple(KINDS),
) -> Table:
    rows: list[dict[str, Cell]] = []
    for own in ours:
        other = paper.get(own.words, SetPoint(words=own.words))
        row: dict[str, Cell] = {"words": ", ".join(own.words)}
        if len(kinds) > 1:
            row |= {"examples, paper": other.examples, "examples, ours": own.examples}
        for kind in kinds:
            for test in tests:
                what = KINDS[kind] if len(tests) == 1 else test
                row |= {f"{what}, paper": getattr(other, kind).get(test)}
                row |= {f"{what}, ours": getattr(own, kind).get(test)}
        rows.append(row)
    decimals = {key: 1 for row in rows for key in row if not key.startswith(("words", "examples"))}
    return Table(title, rows, decimals)


def draw(points: Sequence[Point], folder: Path) -> list[Path]:
    """Draw accuracies by size of the text: of all words, and of one set."""
    folder.mkdir(parents=True, exist_ok=True)
    tests = list(points[0].accuracy)
    sets = [one.words for one in points[0].sets]
    place = sets.index(PLOTTED) if PLOTTED in sets else 0
    panels = {"Words predicted": {test: _curve(points, "accuracy", test) for test in tests}}
    if sets:
        panels[", ".join(sets[place])] = {
            f"{KINDS[kind]}: {test}": _curve(points, kind, test, place)
            for kind in reversed(KINDS)
            for test in tests
        }
    file = folder / "sizes.svg"
    save_plot(file, partial(draw_sizes, panels))
    return [file]


def _curve(points: Sequence[Point], kind: str, test: str, place: int | None = None) -> Points:
    holders = [point if place is None else point.sets[place] for point in points]
    shares = [getattr(holder, kind)[test] for holder in holders]
    pairs = zip((point.windows for point in points), shares, strict=True)
    return [(windows, share) for windows, share in pairs if share is not None]
