"""Minimising a convex function of many weights: L-BFGS, and OWL-QN where there is an l1 penalty.

Both follow the gradient through an approximation of the curvature that the last few steps give
(Nocedal 1980); with an l1 penalty, steps stay within an orthant (Andrew & Gao 2007). All that is
known after an iteration is a few arrays, so an interrupted run resumes to the same bytes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from runoff.fitting.record import record_columns, record_rows
from runoff.fitting.run import Run
from runoff.problem.problem import Floats
from runoff.store.file import Arrays

HISTORY = 10
"""How many steps the curvature is known from."""
TOLERANCE = 1e-5
"""The search is over when the gradient is this small, relative to the first one."""
SUFFICIENT = 1e-4
HALVINGS = 40

Objective = Callable[[Floats], tuple[float, Floats]]
"""A smooth function: its value and its gradient."""


class Minimum(NamedTuple):
    """The end point of a search, the table of its iterations, and its final state."""

    x: Floats
    rows: list[dict[str, float]]
    state: Arrays


def minimise(
    objective: Objective,
    start: Floats,
    *,
    l1: float = 0.0,
    iterations: int,
    run: Run,
    stage: str,
    figures: Callable[[Floats], dict[str, float]] = lambda x: {},
) -> Minimum:
    """Search for the minimum of `objective(x) + l1 * sum of |x|`.

    Parameters
    ----------
    start : where to begin.
    iterations : maximum number of iterations.
    stage : what progress reports call this search.
    figures : what else to tell of every iteration.

    Examples
    --------
    >>> import numpy as np
    >>> from runoff.fitting.run import ALONE
    >>> def bowl(x):
    ...     return float(((x - 3) ** 2).sum()), 2 * (x - 3)
    >>> minimise(bowl, np.zeros(1), iterations=9, run=ALONE, stage="bowl").x
    array([3.])
    >>> minimise(bowl, np.zeros(1), l1=2.0, iterations=9, run=ALONE, stage="bowl").x
    array([2.])
    """
    state = {name: np.array(array) for name, array in run.saved().items()}
    rows = record_rows(state)
    if not state:
        state = _start(objective, start, l1)
    while len(rows) < iterations and not state["done"][0]:
        state = _iterate(objective, state, l1)
        row = {"iteration": len(rows) + 1.0, "loss": float(state["value"][0])}
        rows = [*rows, row | figures(state["x"])]
        state = state | record_columns(rows)
        run.keep(state.copy)
        run.report(stage, len(rows), iterations, **rows[-1])
    # what is known of the curvature is most of a state, and a finished search needs none of it
    finished = {name: state[name] for name in state if name not in ("steps", "changes")}
    return Minimum(state["x"], rows, finished)


def _start(objective: Objective, x: Floats, l1: float) -> dict[str, NDArray[Any]]:
    smooth, gradient = objective(x)
    norm = _norm(pseudo_gradient(x, gradient, l1))
    return {
        "x": x,
        "gradient": gradient,
        "value": np.array([smooth + l1 * _sum(np.abs(x))]),
        "first norm": np.array([norm]),
        "steps": np.zeros((0, len(x))),
        "changes": np.zeros((0, len(x))),
        "done": np.array([norm == 0.0]).astype(np.uint8),
    }


def _iterate(
    objective: Objective, state: dict[str, NDArray[Any]], l1: float
) -> dict[str, NDArray[Any]]:
    """One step, and what it tells about the curvature."""
    x, gradient, steps, changes = (state[key] for key in ("x", "gradient", "steps", "changes"))
    slope = pseudo_gradient(x, gradient, l1)
    direction = -_times_inverse_curvature(slope, steps, changes)
    if l1:
        direction[direction * slope >= 0] = 0.0
    found = _line_search(objective, state, direction, slope, l1)
    if found is None:  # no better point can be told from this one
        return state | {"done": np.ones(1, dtype=np.uint8)}
    new, value, new_gradient = found
    step, change = new - x, new_gradient - gradient
    if _dot(step, change) > 1e-12 * _dot(change, change):
        steps = np.concatenate([steps, step[None]])[-HISTORY:]
        changes = np.concatenate([changes, change[None]])[-HISTORY:]
    norm = _norm(pseudo_gradient(new, new_gradient, l1))
    return state | {
        "x": new,
        "gradient": new_gradient,
        "value": np.array([value]),
        "steps": steps,
        "changes": changes,
        "done": np.array([norm <= TOLERANCE * state["first norm"][0]]).astype(np.uint8),
    }


def _line_search(
    objective: Objective,
    state: dict[str, NDArray[Any]],
    direction: Floats,
    slope: Floats,
    l1: float,
) -> tuple[Floats, float, Floats] | None:
    """The first of ever smaller steps that gains enough: point, value and gradient."""
    x, value = state["x"], state["value"][0]
    orthant = np.where(x == 0, -np.sign(slope), np.sign(x))
    size = 1.0 if len(state["steps"]) else 1.0 / max(_norm(slope), 1e-300)
    for _ in range(HALVINGS):
        new = x + size * direction
        if l1:
            new[np.sign(new) != orthant] = 0.0
        smooth, gradient = objective(new)
        reached = smooth + l1 * _sum(np.abs(new))
        if reached < value and reached <= value + SUFFICIENT * _dot(slope, new - x):
            return new, reached, gradient
        size /= 2
    return None


def _times_inverse_curvature(vector: Floats, steps: Floats, changes: Floats) -> Floats:
    """The two loops of L-BFGS."""
    result = vector.copy()
    shares = [1.0 / _dot(s, y) for s, y in zip(steps, changes, strict=True)]
    amounts = []
    for s, y, share in zip(steps[::-1], changes[::-1], shares[::-1], strict=True):
        amounts.append(share * _dot(s, result))
        result -= amounts[-1] * y
    if shares:
        result /= shares[-1] * _dot(changes[-1], changes[-1])
    for s, y, share, amount in zip(steps, changes, shares, amounts[::-1], strict=True):
        result += (amount - share * _dot(y, result)) * s
    return result


def pseudo_gradient(x: Floats, gradient: Floats, l1: float) -> Floats:
    """The steepest slope that the l1 penalty leaves; zero exactly at the minimum.

    Examples
    --------
    >>> import numpy as np
    >>> pseudo_gradient(np.array([2.0, 0.0, 0.0]), np.array([-1.0, 0.5, -3.0]), 1.0)
    array([ 0.,  0., -2.])
    """
    at_zero = np.sign(gradient) * np.maximum(np.abs(gradient) - l1, 0.0)
    slope: Floats = np.where(x == 0, at_zero, gradient + l1 * np.sign(x))
    return slope


def _dot(a: Floats, b: Floats) -> float:
    # not a @ b: what BLAS adds up first may depend on its threads
    return _sum(a * b)


def _norm(a: Floats) -> float:
    return float(np.sqrt(_dot(a, a)))


def _sum(a: Floats) -> float:
    return float(np.add.reduce(a))
