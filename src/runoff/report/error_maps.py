"""Maps of error models: mean and variance by completion and score, as in Figure 3 of the paper."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from runoff.errors import import_extra
from runoff.report.figure import INK, PALETTE
from runoff.search.partial_candidates.calibration import Calibration
from runoff.search.partial_candidates.error_model import ErrorModel

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def draw_error_maps(
    model: ErrorModel,
    calibration: Mapping[str, Sequence[Calibration]],
    names: Sequence[str] | None = None,
) -> Figure:
    """Two maps for each target function, and a curve of the calibration if there is one.

    Parameters
    ----------
    calibration : by what the error model is called.
    names : the target functions to draw; all that have errors, if None.
    """
    shown = [
        k
        for k, name in enumerate(model.names)
        if (names is None or name in names) and model.deviations[k].any()
    ]
    rows = len(shown) + bool(calibration)
    figure: Figure = import_extra("matplotlib.figure", "plot").Figure(
        figsize=(9, 3.2 * max(rows, 1)), layout="constrained"
    )
    grid = figure.add_gridspec(max(rows, 1), 2)
    for row, k in enumerate(shown):
        maps = {"mean": model.means[k], "variance": model.deviations[k] ** 2}
        for column, (what, values) in enumerate(maps.items()):
            axes = figure.add_subplot(grid[row, column])
            _draw_map(figure, axes, values, what == "mean", (model.lows[k], model.highs[k]))
            axes.set(title=f"{model.names[k]}: {what}", xlabel="completion u", ylabel="score f")
    if calibration:
        _draw_calibration(figure.add_subplot(grid[rows - 1, :]), calibration)
    return figure


def _draw_map(
    figure: Figure, axes: Any, grid: np.ndarray, signed: bool, scores: tuple[float, float]
) -> None:
    limit = float(np.abs(grid).max()) or 1.0
    image = axes.imshow(
        grid.T,
        origin="lower",
        aspect="auto",
        extent=(0, 1, *scores),
        cmap="RdBu_r" if signed else "Blues",
        vmin=-limit if signed else 0,
        vmax=limit,
    )
    axes.grid(visible=False)
    figure.colorbar(image, ax=axes)


def _draw_calibration(axes: Any, calibration: Mapping[str, Sequence[Calibration]]) -> None:
    most = max(one.epsilon for rows in calibration.values() for one in rows)
    axes.plot([0, most], [0, most], color=INK, linewidth=0.8, label="as it should be")
    for place, (name, rows) in enumerate(calibration.items()):
        pairs = zip(*((one.epsilon, one.above) for one in rows), strict=True)
        axes.plot(*pairs, marker="o", markersize=3, color=PALETTE[place], label=name)
    axes.set(title="Calibration", xlabel="epsilon", ylabel="share of final scores above eta")
    axes.legend(loc="upper left")


def draw_densities(candidates: Sequence[tuple[str, float, float]], epsilon: float) -> Figure:
    """The densities of final scores of candidates, each with its eta: Figures 1 and 2.

    Parameters
    ----------
    candidates : name, mean and deviation of each.
    """
    from statistics import NormalDist

    figure: Figure = import_extra("matplotlib.figure", "plot").Figure(
        figsize=(7, 3.4), layout="constrained"
    )
    axes = figure.add_subplot()
    for place, (name, mean, deviation) in enumerate(candidates):
        normal, colour = NormalDist(mean, deviation), PALETTE[place]
        eta = normal.inv_cdf(1 - epsilon)
        values = np.linspace(mean - 4 * deviation, mean + 4 * deviation, 400)
        heights = np.array([normal.pdf(value) for value in values])
        axes.plot(values, heights, color=colour, label=f"{name}: eta {eta:.2f}")
        axes.fill_between(values, heights, where=(values >= eta).tolist(), color=colour, alpha=0.3)
        axes.axvline(eta, color=colour, linestyle="--", linewidth=1)
        axes.plot([mean], [0], marker="^", color=colour, clip_on=False)
    axes.set(
        title=f"The score that is exceeded with the chance of epsilon = {epsilon:g}",
        xlabel="final score",
        ylabel="density",
    )
    axes.legend(loc="upper right")
    return figure
