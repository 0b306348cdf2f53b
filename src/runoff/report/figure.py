"""How learning curves look: colours, panels, axes and legend."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from runoff.data.treebank.svg import COLOURS
from runoff.errors import import_extra
from runoff.report.curves import QUALITIES, Curve

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure

PALETTE = (
    COLOURS["label"],
    *("#e69f00", "#009e73", "#cc79a7", "#d55e00", "#56b4e9", "#332288", "#882255"),
)
"""The blue of our trees, then colours of Okabe & Ito and of Tol: colour-blind people can tell all
pairs apart."""

DASHES = ("-", "--", ":")
INK, FAINT = "#333333", "#d9d9d9"
FEW = 40
"""The largest number of steps of which a curve shows each."""

MANY = 1000
"""The smallest number of steps that are drawn over a logarithmic axis: most happens in the first.
Work(n) is about a straight line over a plain one."""

POINT: dict[str, Any] = {"marker": "o", "markersize": 3}
BEST_POINT: dict[str, Any] = {
    "marker": "o",
    "markersize": 7,
    "markeredgecolor": "white",
    "linestyle": "none",
    "zorder": 4,
}
STYLE: dict[str, Any] = {
    "svg.fonttype": "none",  # letters stay letters
    "svg.hashsalt": "runoff",
    "text.parse_math": False,  # a label may have any character
    "font.size": 10,
    "text.color": INK,
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": FAINT,
    "grid.linewidth": 0.6,
    "axes.titlesize": 11,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "legend.edgecolor": "none",
    "legend.fontsize": 9,
    "legend.labelspacing": 0.35,
    "figure.constrained_layout.h_pad": 0.1,
    "figure.constrained_layout.w_pad": 0.1,
}
TITLES = {
    "relative": ("Quality on the development lists", "base order = 100"),
    "dev quality": ("Quality on the development lists", "figure of the metric"),
    "loss": ("Training loss", "loss"),
    "wrong": ("Mistakes in training", "lists"),
    "features": ("Features in the model", "features"),
    "work": ("Work(n)", "passes over the lists"),
    "savings": ("Savings(n)", "n / Work(n)"),
}
"""Title of a column's panel and what its numbers are; other columns have their own name."""


def draw_curves(curves: Sequence[Curve]) -> Figure:
    """One panel for each column: the first over the whole width, the others two in a row."""
    names = list(dict.fromkeys(name for curve in curves for name in curve.lines))
    names.sort(key=lambda name: name not in QUALITIES)
    rows = 1 + len(names) // 2
    figure: Figure = import_extra("matplotlib.figure", "plot").Figure(
        figsize=(9, 1 + 2.6 * rows), layout="constrained"
    )
    grid = figure.add_gridspec(rows, 2, height_ratios=[1.6] + [1.0] * (rows - 1))
    for place, name in enumerate(names):
        row, column = divmod(place + 1, 2)
        alone = place == 0 or (place == len(names) - 1 and column == 0)
        _draw(figure.add_subplot(grid[row, :] if alone else grid[row, column]), name, curves)
    _add_legend(figure.axes[0], curves)
    return figure


def _draw(axes: Axes, name: str, curves: Sequence[Curve]) -> None:
    title, unit = TITLES.get(name, (name, name))
    units = sorted({f"{curve.unit}s" for curve in curves})
    axes.set(title=title, xlabel=" or ".join(units), ylabel=unit)
    for place, curve in enumerate(curves):
        if name in curve.lines:
            steps, values = curve.lines[name]
            line = _line(place, curves)
            axes.plot(steps, values, **line, **(POINT if len(steps) <= FEW else {}))
            if curve.best is not None and curve.best.column == name:
                axes.plot(curve.best.step, curve.best.quality, color=line["color"], **BEST_POINT)
    if name == "relative":
        axes.axhline(100, color=INK, linewidth=0.8, zorder=1)
    axes.margins(x=0.02)
    drawn = [curve.lines[name].steps for curve in curves if name in curve.lines]
    if name != "work" and any(step >= MANY for steps in drawn for step in steps):
        axes.set_xscale("log")
    _number(axes.xaxis, integer=True)
    _number(axes.yaxis, integer=False)


def _number(axis: Axis, *, integer: bool) -> None:
    """A few round numbers along an axis, all with the same number of decimals."""
    ticker = import_extra("matplotlib.ticker", "plot")
    if axis.get_scale() == "log":
        axis.set_major_formatter(ticker.StrMethodFormatter("{x:,.0f}"))
        axis.set_minor_formatter(ticker.NullFormatter())
        return
    axis.set_major_locator(ticker.MaxNLocator(6, integer=integer, steps=[1, 2, 2.5, 5, 10]))
    texts = [f"{tick:.10g}" for tick in axis.get_majorticklocs()]
    decimals = max(len(text.partition(".")[2]) for text in texts)
    form = "{x:g}" if "e" in "".join(texts) else f"{{x:,.{decimals}f}}"
    axis.set_major_formatter(ticker.StrMethodFormatter(form))


def _add_legend(axes: Axes, curves: Sequence[Curve]) -> None:
    """In the corner that curves leave free: qualities rise, losses fall."""
    make = import_extra("matplotlib.lines", "plot").Line2D
    handles = [make([], [], **_line(place, curves)) for place in range(len(curves))]
    labels = [_legend_text(curve, alone=len(curves) == 1) for curve in curves]
    if any(labels):
        if any(curve.best for curve in curves):
            axes.legend(handles, labels, loc="lower right", bbox_to_anchor=(1, 0.06))
        else:
            axes.legend(handles, labels, loc="upper right")


def _legend_text(curve: Curve, *, alone: bool) -> str:
    parts = [] if alone else [curve.label]
    if curve.best is not None:
        quality, step = _written(curve.best.quality, 3), _written(curve.best.step, 0)
        parts.append(f"{quality} at {curve.unit} {step}")
    return ": ".join(parts)


def _written(number: float, decimals: int) -> str:
    return f"{number:,.{decimals}f}" if abs(number) < 1e12 else f"{number:g}"


def _line(place: int, curves: Sequence[Curve]) -> dict[str, Any]:
    """How a curve is drawn; the best one is heavier and lies on top."""
    best = curves[place].best
    rivals = [curve.best for curve in curves if curve.best is not None]
    first = best is not None and all(
        best.column == rival.column and best.quality >= rival.quality for rival in rivals
    )
    return {
        "color": PALETTE[place % len(PALETTE)],
        "linestyle": DASHES[place // len(PALETTE) % len(DASHES)],
        "linewidth": 2.2 if first else 1.4,
        "zorder": 3 if first else 2,
    }


def draw_losses(title: str) -> Figure:
    """What ExpLoss, LogLoss and Error sum, as functions of a margin."""
    figure: Figure = import_extra("matplotlib.figure", "plot").Figure(
        figsize=(6, 4), layout="constrained"
    )
    axes = figure.add_subplot()
    axes.set(title=title, xlabel="margin z", ylabel="f(z)")
    margins = [n / 100 for n in range(-150, 151)]
    for place, (label, function) in enumerate(LOSSES.items()):
        axes.plot(margins, list(map(function, margins)), color=PALETTE[place], label=label)
    axes.margins(x=0)
    axes.legend(loc="upper right")
    return figure


LOSSES: dict[str, Callable[[float], float]] = {
    "ExpLoss: exp(-z)": lambda z: math.exp(-z),
    "LogLoss: log(1 + exp(-z))": lambda z: math.log1p(math.exp(-z)),
    "Error: 1 if z <= 0": lambda z: float(z <= 0),
}
"""The potential functions of Collins & Koo (2005), section 3.2, Figure 2."""

Points = Sequence[tuple[float, float]]


class Panel(NamedTuple):
    """Curves over the size of the data, by label.

    Parameters
    ----------
    unit : what the numbers are.
    scale : of the vertical axis, `linear` or `log`.
    along : what the horizontal axis has.
    """

    title: str
    curves: Mapping[str, Points]
    unit: str = "%"
    scale: str = "linear"
    along: str = "words to learn from"


def draw_sizes(panels: Sequence[Panel]) -> Figure:
    """Learning curves over the size of the data, on a logarithmic axis; empty ones are left out."""
    ticker = import_extra("matplotlib.ticker", "plot")
    figure: Figure = import_extra("matplotlib.figure", "plot").Figure(
        figsize=(9, 4.2 * len(panels)), layout="constrained"
    )
    for place, (title, curves, unit, scale, along) in enumerate(panels, 1):
        axes = figure.add_subplot(len(panels), 1, place)
        axes.set(title=title, xlabel=along, ylabel=unit)
        axes.set(xscale="log", yscale=scale)
        for number, (label, points) in enumerate(curves.items()):
            colour, dashes = PALETTE[number % len(PALETTE)], DASHES[number // len(PALETTE) % 3]
            if points:
                axes.plot(*zip(*points, strict=True), dashes, color=colour, label=label, **POINT)
        _write_out(axes.xaxis)
        if scale == "log":
            axes.yaxis.set_major_locator(ticker.LogLocator(subs=(1, 2, 5)))
            _write_out(axes.yaxis)
        axes.legend(loc="best")
    return figure


def _write_out(axis: Axis) -> None:
    """Write the numbers of a logarithmic axis without powers of ten."""
    ticker = import_extra("matplotlib.ticker", "plot")
    axis.set_major_formatter(ticker.StrMethodFormatter("{x:,.0f}"))
    axis.set_minor_formatter(ticker.NullFormatter())


def draw_lines(
    title: str,
    unit: str,
    across: str,
    lines: Mapping[str, Points],
    *,
    diagonal: bool = False,
    log: bool = False,
) -> Figure:
    """Lines over one axis, by label; the diagonal is drawn where both axes are probabilities.

    Parameters
    ----------
    log : whether the axis is logarithmic, if all its values are positive.
    """
    figure: Figure = import_extra("matplotlib.figure", "plot").Figure(
        figsize=(6.4, 3.2), layout="constrained"
    )
    axes = figure.add_subplot()
    axes.set(title=title, xlabel=across, ylabel=unit)
    for place, (label, points) in enumerate(lines.items()):
        axes.plot(
            *zip(*points, strict=True), color=PALETTE[place % len(PALETTE)], label=label, **POINT
        )
    if log and all(x > 0 for points in lines.values() for x, _ in points):
        axes.set_xscale("log")
    if diagonal:
        axes.plot([0, 1], [0, 1], color=INK, linewidth=0.8, linestyle=":")
    if len(lines) > 1:
        axes.legend(loc="best")
    return figure
