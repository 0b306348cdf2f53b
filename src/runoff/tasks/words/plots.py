"""The learning curves of experiments in word prediction, drawn."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from runoff.report.figure import Panel, Points, draw_sizes
from runoff.report.plot import save_plot
from runoff.tasks.words.tables import KINDS, Point, plotted


def draw(points: Sequence[Point], folder: Path) -> list[Path]:
    """Draw Figures 1 to 3 over the size of the text: accuracy, speed, and one set of words."""
    folder.mkdir(parents=True, exist_ok=True)
    tests = list(points[0].accuracy)
    panels = [
        Panel("Words predicted", {test: _curve(points, "accuracy", test) for test in tests}),
        Panel(
            "Speed",
            {test: _curve(points, "speed", test) for test in tests},
            unit="words predicted per CPU second",
            scale="log",
        ),
    ]
    if points[-1].sets:
        place = plotted(points)
        curves = {
            f"{label}: {test}": _curve(points, kind, test, place)
            for kind, label in KINDS.items()
            for test in tests
        }
        panels.append(Panel(", ".join(points[-1].sets[place].words), curves))
    file = folder / "sizes.svg"
    save_plot(file, partial(draw_sizes, panels))
    return [file]


def _curve(points: Sequence[Point], kind: str, test: str, place: int | None = None) -> Points:
    holders = [point if place is None else point.sets[place] for point in points]
    shares = [getattr(holder, kind)[test] for holder in holders]
    pairs = zip((point.windows for point in points), shares, strict=True)
    return [(windows, share) for windows, share in pairs if share is not None]
