"""The tables of experiments in word prediction: the paper's figures and ours."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import msgspec
import numpy as np

from runoff.report.tables import Cell, Table

Shares = dict[str, float | None]
"""By test: what is right, in per cent."""

SETTLED = 50_000
"""The size of text from which on accuracies rise steadily (section 3.1)."""

PLOTTED = ("there", "their", "they're")
"""The set of Figure 3; of other sets, the first one is shown."""

KINDS = {"chosen": "expert", "predicted": "all words"}
SHOWN_FEATURES = 4


class Coverage(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """The share of a test's n-grams that the training text has, in per cent.

    Parameters
    ----------
    words : the size of the test.
    counted : what the share is of: tokens or types.
    grams : by name: unigrams, bigrams.
    """

    words: int
    counted: str | None = None
    grams: dict[str, float] = {}


class SetPoint(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """A set of words at one size of text.

    Parameters
    ----------
    examples : occurrences that the expert learns from.
    tested : occurrences in each test.
    commonest : the form that most of them have; the expert gives it where nothing matches.
    predicted : by the tree that predicts all words.
    chosen : by the set's expert.
    """

    words: tuple[str, ...]
    examples: int | None = None
    tested: dict[str, int] = {}
    commonest: str | None = None
    predicted: Shares = {}
    chosen: Shares = {}


class Point(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """The figures for one size of text.

    Parameters
    ----------
    branching : average branching factor: the f-th root of the number of nodes, for f features.
    order : features by information gain, as distances from the word.
    accuracy : words predicted correctly.
    speed : words predicted per CPU second, by test.
    """

    windows: int
    nodes: int | None = None
    branching: float | None = None
    order: list[int] = []
    accuracy: Shares = {}
    speed: Shares = {}
    sets: list[SetPoint] = []


class Figures(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """The figures of a paper.

    Parameters
    ----------
    name : what it was found on.
    coverage : of n-grams, by test.
    tenfold : points of accuracy that ten times more text adds, by test.
    points : by size of text.
    more_data : experts of much more text.
    more_windows : how much that is.
    """

    name: str = "paper"
    coverage: dict[str, Coverage] = {}
    tenfold: Shares = {}
    points: list[Point] = []
    more_data: list[SetPoint] = []
    more_windows: int | None = None


def tables(
    coverage: Mapping[str, Sequence[Coverage]], points: Sequence[Point], paper: Figures, name: str
) -> list[Table]:
    """All tables, in the order of the paper; `name` is what ours were found on."""
    last = points[-1]
    tests = list(last.accuracy)
    whose = (f"ours ({name})", f"paper ({paper.name})")
    theirs = {one.words: one for point in paper.points for one in point.sets}
    more = {one.words: one for one in paper.more_data}
    same = "Table 2: all words and experts, on the same text"
    experts = "Table 3: experts on all texts; the paper's are of a billion words"
    found = [
        _coverage(coverage, paper, whose),
        _sizes(points, paper, whose, tests),
        _tenfold(points, paper, whose, tests),
        _speeds(points, paper, whose, tests),
    ]
    if last.sets:
        found += [
            _one_set("chosen", points, paper, whose, tests),
            _one_set("predicted", points, paper, whose, tests),
            _sets(same, last.sets, theirs, tests[:1], ["predicted", "chosen"]),
            _sets(experts, last.sets, more, tests, ["chosen"]),
        ]
    return found


def plotted(points: Sequence[Point]) -> int:
    """The index of the set of Figure 3."""
    sets = [one.words for one in points[-1].sets]
    return sets.index(PLOTTED) if PLOTTED in sets else 0


Whose = tuple[str, str]
"""What our figures and those of the paper are called."""


def _coverage(ours: Mapping[str, Sequence[Coverage]], paper: Figures, whose: Whose) -> Table:
    names = list(dict.fromkeys(name for some in ours.values() for name in some[0].grams))
    rows: list[dict[str, Cell]] = []
    for test, some in ours.items():
        theirs = [paper.coverage[test]] if test in paper.coverage else []
        marked = [(one, whose[1]) for one in theirs] + [(one, whose[0]) for one in some]
        for one, name in marked:
            label = name if one.counted is None else f"{name}, of {one.counted}"
            row: dict[str, Cell] = {"text": test, "figures": label, "words": one.words}
            rows.append(row | {gram: one.grams.get(gram) for gram in names})
    title = "Table 1: n-grams of the tests that the training text has, in per cent"
    return Table(title, rows, dict.fromkeys(names, 1))


def _by_size(
    title: str,
    points: Sequence[Point],
    paper: Sequence[Point],
    whose: Whose,
    row: Callable[[Point], dict[str, Cell]],
    decimals: dict[str, int],
) -> Table:
    """Our figures and those of the paper, by size of the text."""
    marked = [
        (point, name) for name, some in zip(whose, (points, paper), strict=True) for point in some
    ]
    rows: list[dict[str, Cell]] = []
    for point, name in sorted(marked, key=lambda one: one[0].windows):
        rows.append({"figures": name, "windows": point.windows, **row(point)})
    return Table(title, rows, decimals)


def _sizes(points: Sequence[Point], paper: Figures, whose: Whose, tests: Sequence[str]) -> Table:
    def row(point: Point) -> dict[str, Cell]:
        return {
            "nodes": point.nodes,
            "per window": None if point.nodes is None else point.nodes / point.windows,
            "branching": point.branching,
            "features": " ".join(f"{shift:+}" for shift in point.order[:SHOWN_FEATURES]) or None,
            **{test: point.accuracy.get(test) for test in tests},
        }

    decimals = dict.fromkeys(("per window", "branching", *tests), 2)
    title = "Figure 1: words predicted, by size of the text, in per cent"
    return _by_size(title, points, paper.points, whose, row, decimals)


def _tenfold(points: Sequence[Point], paper: Figures, whose: Whose, tests: Sequence[str]) -> Table:
    """The slopes of straight lines through the accuracies, over the logarithm of the size."""
    settled = [point for point in points if point.windows >= SETTLED]
    rows: list[dict[str, Cell]] = []
    for name, slopes in zip(whose, (_slopes(settled, tests), paper.tenfold), strict=True):
        rows.append({"figures": name} | {test: slopes.get(test) for test in tests})
    title = f"Section 3.1: points that ten times more text adds, from {SETTLED:,} windows on"
    return Table(title, rows, dict.fromkeys(tests, 1))


def _slopes(points: Sequence[Point], tests: Sequence[str]) -> Shares:
    slopes: Shares = {}
    for test in tests:
        shares = [share for point in points if (share := point.accuracy[test]) is not None]
        if len(shares) == len(points) > 1:
            sizes = np.log10([point.windows for point in points])
            slopes[test] = float(np.polyfit(sizes, shares, 1)[0])
    return slopes


def _speeds(points: Sequence[Point], paper: Figures, whose: Whose, tests: Sequence[str]) -> Table:
    known = [point for point in paper.points if point.speed]
    title = "Figure 2: words predicted per CPU second, by size of the text"
    return _by_size(
        title,
        points,
        known,
        whose,
        lambda point: {test: point.speed.get(test) for test in tests},
        dict.fromkeys(tests, 0),
    )


def _one_set(
    kind: str, points: Sequence[Point], paper: Figures, whose: Whose, tests: Sequence[str]
) -> Table:
    words = points[-1].sets[plotted(points)].words

    def row(point: Point) -> dict[str, Cell]:
        one = next(one for one in point.sets if one.words == words)
        shares: dict[str, Cell] = {test: getattr(one, kind).get(test) for test in tests}
        return ({"commonest": one.commonest} if kind == "chosen" else {}) | shares

    theirs = list(paper.points)
    if paper.more_windows is not None:
        theirs.append(Point(windows=paper.more_windows, sets=paper.more_data))
    known = [
        point
        for point in theirs
        if any(one.words == words and getattr(one, kind) for one in point.sets)
    ]
    title = f"Figure 3, {KINDS[kind]}: {', '.join(words)}, by size of the text, in per cent"
    return _by_size(title, points, known, whose, row, dict.fromkeys(tests, 1))


def _sets(
    title: str,
    ours: Sequence[SetPoint],
    paper: Mapping[tuple[str, ...], SetPoint],
    tests: Sequence[str],
    kinds: Sequence[str],
) -> Table:
    rows: list[dict[str, Cell]] = []
    for own in ours:
        other = paper.get(own.words, SetPoint(words=own.words))
        row: dict[str, Cell] = {"words": ", ".join(own.words)}
        if len(kinds) > 1:
            row |= {"examples, paper": other.examples, "examples, ours": own.examples}
            row["tested, ours"] = own.tested.get(tests[0])
        for kind in kinds:
            for test in tests:
                what = KINDS[kind] if len(tests) == 1 else test
                row |= {f"{what}, paper": getattr(other, kind).get(test)}
                row |= {f"{what}, ours": getattr(own, kind).get(test)}
        rows.append(row)
    decimals = {
        key: 1 for row in rows for key in row if not key.startswith(("words", "examples", "tested"))
    }
    return Table(title, rows, decimals)
