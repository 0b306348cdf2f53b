"""Conjugate gradients: the solution of a symmetric, positive definite system of equations."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from runoff.fitting.optimise import Minimum
from runoff.fitting.record import record_columns, record_rows
from runoff.fitting.run import Run

Floats = NDArray[np.float64]

TOLERANCE = 1e-8
"""The search is over when what is left of the right-hand side is this small, relative to it."""


def solve(
    product: Callable[[Floats], Floats],
    right: Floats,
    *,
    iterations: int,
    run: Run,
    stage: str,
    figures: Callable[[Floats], dict[str, float]] = lambda x: {},
) -> Minimum:
    """The x whose product with a matrix is the right-hand side (Hestenes & Stiefel 1952).

    Parameters
    ----------
    product : multiplies a vector by the matrix.
    iterations : maximum number of iterations.
    stage : what progress reports call this search.
    figures : what else to tell of every iteration.

    Examples
    --------
    >>> from runoff.fitting.run import ALONE
    >>> matrix = np.array([[2.0, 1.0], [1.0, 3.0]])
    >>> found = solve(lambda x: matrix @ x, np.array([3.0, 4.0]), iterations=9, run=ALONE, stage="")
    >>> found.x.round(9)
    array([1., 1.])
    """
    state = {name: np.array(array) for name, array in run.saved().items()}
    rows = record_rows(state)
    if not state:
        state = {"x": np.zeros_like(right), "rest": right.copy(), "direction": right.copy()}
    least = TOLERANCE * _norm(right)
    while len(rows) < iterations and _norm(state["rest"]) > least:
        x, rest, direction = state["x"], state["rest"], state["direction"]
        multiplied, before = product(direction), float(np.add.reduce(rest * rest))
        step = before / float(np.add.reduce(direction * multiplied))
        rest = rest - step * multiplied
        turned = rest + float(np.add.reduce(rest * rest)) / before * direction
        state = {"x": x + step * direction, "rest": rest, "direction": turned}
        row = {"iteration": len(rows) + 1.0, "residual": _norm(rest)}
        rows = [*rows, row | figures(state["x"])]
        state = state | record_columns(rows)
        run.keep(state.copy)
        run.report(stage, len(rows), iterations, **rows[-1])
    return Minimum(state["x"], rows, state)


def _norm(vector: Floats) -> float:
    return float(np.sqrt(np.add.reduce(vector * vector)))
