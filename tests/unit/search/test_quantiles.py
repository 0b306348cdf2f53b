"""How many deviations errors exceed: normal ones, and those that were seen."""

from statistics import NormalDist

import numpy as np
import pytest

from runoff.search.partial_candidates.calibration import EPSILONS, above_eta
from runoff.search.partial_candidates.error_model import ErrorModel
from runoff.search.partial_candidates.observations import Observations
from runoff.search.partial_candidates.quantiles import LEVELS, NORMAL, Quantiles, seen_quantiles


@pytest.mark.parametrize("epsilon", [1e-9, 0.003, 0.01, 0.13, 0.2, 0.5, 0.7, 0.99])
def test_normal_errors_have_normal_quantiles(epsilon):
    curve, exact = Quantiles(NORMAL), -NormalDist().inv_cdf(epsilon)
    assert curve.at(epsilon) == pytest.approx(exact)
    assert curve.above(np.array([exact])) == pytest.approx(epsilon)
    assert curve.at(0) == np.inf


def test_what_is_exceeded_with_a_chance_has_that_chance():
    curve = Quantiles(NORMAL**1.5 - 0.2)
    for epsilon in (0.0001, 0.004, 0.05, 0.3, 0.8):
        assert curve.above(np.array([curve.at(epsilon)])) == pytest.approx(epsilon)


def test_quantiles_are_those_that_were_seen():
    errors = np.random.default_rng(0).laplace(size=200_000)
    found = dict(zip(LEVELS[::-1], seen_quantiles(errors, np.arange(len(errors))), strict=True))
    for level in (0.001, 0.05, 0.2, 0.5):
        assert found[level] == pytest.approx(-np.log(2 * level), abs=0.15)  # Laplace's own


def test_every_list_counts_as_much_as_any_other():
    one = np.concatenate([np.arange(100.0), np.full(9_900, 500.0)])
    groups = np.concatenate([np.arange(100), np.full(9_900, 100)])
    found = dict(zip(LEVELS[::-1], seen_quantiles(one, groups), strict=True))
    assert found[0.5] == pytest.approx(50, abs=1)
    assert found[0.1] == pytest.approx(90, abs=1)


def test_chances_too_small_for_the_lists_go_on_as_normal_ones_do():
    errors = np.linspace(-1, 2, 10)
    found = seen_quantiles(errors, np.arange(10))
    last = LEVELS[::-1].index(0.1)
    assert found[last:] == pytest.approx(found[last] * NORMAL[last:] / NORMAL[last])
    assert (np.diff(found) >= 0).all()


def peaked(seed, lists=1000):
    """Observations whose errors are often small and sometimes large."""
    rng = np.random.default_rng(seed)
    scores = rng.normal(size=(lists * 3, 1))
    errors = rng.laplace(size=(lists * 3, 1))
    u, groups = np.tile([0.25, 0.5, 0.75], lists), np.repeat(np.arange(lists), 3)
    return Observations.of(u, scores, scores + errors, groups)


def test_learned_quantiles_are_calibrated_where_normal_ones_are_not():
    found = {}
    for normal in (False, True):
        model = ErrorModel.fit(["f"], peaked(1), width=0.5, normal=normal, shared=False)
        above = above_eta(model, peaked(2))
        found[normal] = max(abs(one.above - one.epsilon) for one in above)
    assert len(EPSILONS) == 4
    assert found[False] < 0.02 < found[True]


def test_one_list_has_normal_quantiles():
    seen = Observations.of([0.5, 0.5], [[1.0], [2.0]], [[2.0], [2.5]], [0, 0])
    assert (ErrorModel.fit(["f"], seen).quantiles == NORMAL).all()
