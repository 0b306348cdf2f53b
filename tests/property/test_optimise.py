"""The optimiser finds minima, with and without an l1 penalty, and goes on to the same bytes."""

import contextlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from runoff.fitting.optimise import minimise, pseudo_gradient
from runoff.fitting.run import ALONE, Checkpoint, Run


@st.composite
def bowls(draw):
    """A quadratic function of some weights, never flat, as (matrix, vector)."""
    n = draw(st.integers(1, 6))
    random = np.random.default_rng(draw(st.integers(0, 1000)))
    root = random.normal(size=(n, n))
    return root @ root.T + 0.1 * np.eye(n), random.normal(size=n) * 5


def quadratic(matrix, vector):
    return lambda x: (float(x @ matrix @ x / 2 - vector @ x), matrix @ x - vector)


@given(bowls())
def test_the_minimum_of_a_bowl_solves_its_equations(bowl):
    matrix, vector = bowl
    found = minimise(
        quadratic(*bowl), np.zeros(len(vector)), iterations=500, run=ALONE, stage="bowl"
    )
    assert found.x == pytest.approx(np.linalg.solve(matrix, vector), rel=1e-2, abs=1e-2)
    losses = [row["loss"] for row in found.rows]
    assert losses == sorted(losses, reverse=True)


@given(bowls(), st.floats(0.01, 5))
def test_l1_minima_meet_the_optimality_conditions(bowl, l1):
    matrix, vector = bowl
    found = minimise(
        quadratic(*bowl), np.zeros(len(vector)), l1=l1, iterations=2000, run=ALONE, stage="bowl"
    )
    gradient, x = matrix @ found.x - vector, found.x
    slack = 1e-4 * np.linalg.norm(vector)
    assert (np.abs(gradient[x == 0]) <= l1 + slack).all()
    assert gradient[x != 0] == pytest.approx(-l1 * np.sign(x[x != 0]), abs=slack)


@given(st.lists(st.floats(-4, 4), min_size=1, max_size=5), st.floats(0, 3))
def test_l1_on_separate_weights_is_soft_thresholding(centres, l1):
    centres = np.array(centres)
    found = minimise(
        quadratic(np.eye(len(centres)), centres),
        np.zeros(len(centres)),
        l1=l1,
        iterations=200,
        run=ALONE,
        stage="bowl",
    )
    expected = np.sign(centres) * np.maximum(np.abs(centres) - l1, 0)
    assert found.x == pytest.approx(expected, abs=1e-3)
    assert (found.x[np.abs(centres) <= l1] == 0).all()


def test_a_start_at_the_minimum_takes_no_step():
    found = minimise(
        quadratic(np.eye(2), np.zeros(2)), np.zeros(2), iterations=9, run=ALONE, stage="bowl"
    )
    assert found.rows == []
    assert found.x.tolist() == [0, 0]


def test_logistic_regression_agrees_with_newton():
    random = np.random.default_rng(3)
    table, signs = random.normal(size=(200, 5)), np.sign(random.normal(size=200))

    def objective(x):
        margins = signs * (table @ x)
        gradient = -table.T @ (signs / (1 + np.exp(margins))) + 2 * x
        return float(np.logaddexp(0, -margins).sum() + x @ x), gradient

    x = np.zeros(5)
    for _ in range(30):
        p = 1 / (1 + np.exp(-signs * (table @ x)))
        curvature = table.T @ (table * (p * (1 - p))[:, None]) + 2 * np.eye(5)
        x = x - np.linalg.solve(curvature, objective(x)[1])
    found = minimise(objective, np.zeros(5), iterations=100, run=ALONE, stage="logistic")
    assert found.x == pytest.approx(x, abs=1e-5)


class Broken(Exception):
    """Stands for a process that is killed."""


@given(bowls(), st.integers(0, 12), st.sampled_from([0.0, 1.0]))
def test_a_search_that_was_broken_off_goes_on_to_the_same_bytes(bowl, last, l1):
    start = np.zeros(len(bowl[1]))
    arguments = {"l1": l1, "iterations": 20, "stage": "bowl"}
    whole = minimise(quadratic(*bowl), start, run=ALONE, **arguments)
    kept = {}

    class InMemory(Checkpoint):
        def load(self):
            return kept

        def offer(self, state):
            kept.update(state())

    def broken_off(step):
        if step.done > last:
            raise Broken

    memory = InMemory("nowhere", "this search")
    with contextlib.suppress(Broken):
        minimise(
            quadratic(*bowl), start, run=Run(progress=broken_off, checkpoint=memory), **arguments
        )
    again = minimise(quadratic(*bowl), start, run=Run(checkpoint=memory), **arguments)
    assert again.x.tobytes() == whole.x.tobytes()
    assert again.rows == whole.rows


@given(bowls(), st.integers(1, 20))
def test_the_state_of_a_finished_search_says_that_it_is_over(bowl, iterations):
    start, arguments = np.zeros(len(bowl[1])), {"iterations": iterations, "stage": "bowl"}
    whole = minimise(quadratic(*bowl), start, run=ALONE, **arguments)

    class Finished(Checkpoint):
        def load(self):
            return whole.state

    run = Run(checkpoint=Finished("nowhere", "this search"))
    again = minimise(None, start, run=run, **arguments)  # there is nothing to evaluate
    assert again.x.tobytes() == whole.x.tobytes()
    assert again.rows == whole.rows
    assert not {"steps", "changes"} & whole.state.keys()  # the large ones


@given(st.floats(-2, 2), st.floats(-3, 3), st.floats(0, 2))
def test_pseudo_gradients_are_one_sided_slopes(x, gradient, l1):
    """The steepest of the slopes to the right and to the left, or zero where both go up."""
    right = gradient + (l1 if x >= 0 else -l1)
    left = -gradient + (l1 if x <= 0 else -l1)
    expected = right if right < 0 else -left if left < 0 else 0.0
    if x != 0:
        expected = gradient + l1 * np.sign(x)
    found = pseudo_gradient(np.array([x]), np.array([gradient]), l1)
    assert found[0] == pytest.approx(expected)
