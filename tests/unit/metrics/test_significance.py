"""Significance tests: on systems whose answer is known."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from runoff.errors import UsageError
from runoff.metrics import metric, significance
from runoff.metrics.significance import paired_bootstrap, randomisation

ACCURACY = metric("accuracy")
TESTS = [paired_bootstrap, randomisation]


def systems(lists=200, gain=0.0, seed=1):
    """Correct and all tokens of two systems, the second better by about `gain`."""
    rng = np.random.default_rng(seed)
    size = rng.integers(5, 20, lists)
    return [
        np.stack([rng.binomial(size, p), size], axis=-1).astype(float) for p in (0.6, 0.6 + gain)
    ]


@pytest.mark.parametrize("test", TESTS)
def test_a_big_difference_is_significant(test):
    first, second = systems(gain=0.2)
    result = test(first, second, ACCURACY)
    assert result.p_value < 0.01
    assert result.difference == pytest.approx(result.second - result.first)
    assert result.first == pytest.approx(100 * first[:, 0].sum() / first[:, 1].sum())
    back = test(second, first, ACCURACY)
    assert back.difference == pytest.approx(-result.difference)
    assert back.p_value < 0.01


@pytest.mark.parametrize("test", TESTS)
def test_the_same_system_is_not_better(test):
    first, _ = systems()
    assert test(first, first, ACCURACY).p_value == 1


@pytest.mark.parametrize("test", TESTS)
def test_chance_is_rarely_significant(test):
    values = [test(*systems(60, seed=s), ACCURACY, samples=300).p_value for s in range(60)]
    assert 0.2 < np.mean(np.array(values) < 0.5) < 0.8
    assert np.mean(np.array(values) < 0.05) < 0.2


@pytest.mark.parametrize("test", TESTS)
def test_order_of_lists_and_size_of_batches_do_not_matter(test, monkeypatch):
    first, second = systems(gain=0.02)
    order = np.random.default_rng(3).permutation(len(first))
    result = test(first, second, ACCURACY, seed=5, samples=500)
    assert test(first[order], second[order], ACCURACY, seed=5, samples=500) == result
    assert test(first, second, ACCURACY, seed=6, samples=500) != result
    monkeypatch.setattr(significance, "BATCH_CELLS", 4096)
    assert test(first, second, ACCURACY, seed=5, samples=500) == result


def test_randomisation_approaches_the_exact_test():
    first = np.array([[1.0, 4.0], [2.0, 4.0], [0.0, 4.0], [3.0, 4.0], [1.0, 4.0], [2.0, 4.0]])
    second = np.array([[2.0, 4.0], [4.0, 4.0], [1.0, 4.0], [2.0, 4.0], [3.0, 4.0], [2.0, 4.0]])
    gain = (second - first)[:, 0]
    shuffles = [abs(np.dot(signs, gain)) for signs in product([-1, 1], repeat=6)]
    exact = np.mean(np.array(shuffles) >= abs(gain.sum()))
    result = randomisation(first, second, ACCURACY, samples=20_000)
    assert result.p_value == pytest.approx(exact, abs=0.015)
    assert result.intervals is None


def test_bootstrap_intervals_are_those_of_the_binomial():
    rng = np.random.default_rng(0)
    right = np.stack([rng.random(1000) < 0.7, np.ones(1000)], axis=-1).astype(float)
    result = paired_bootstrap(right, right, ACCURACY, samples=2000)
    low, high = result.intervals[0]
    half = 196 * np.sqrt(0.7 * 0.3 / 1000)
    assert (high - low) / 2 == pytest.approx(half, rel=0.15)
    assert low < result.first < high
    assert result.intervals[2] == (0, 0)


@pytest.mark.parametrize("test", TESTS)
def test_bad_input_is_named(test):
    first, second = systems(3)
    with pytest.raises(
        UsageError, match=r"same lists, shape \(lists, k\), not \(3, 2\) and \(2, 2\)"
    ):
        test(first, second[:2], ACCURACY)
    with pytest.raises(UsageError, match="expected statistics"):
        test(first[:0], second[:0], ACCURACY)
    with pytest.raises(UsageError, match="samples must be at least 1, not 0"):
        test(first, second, ACCURACY, samples=0)


def test_confidence_is_checked():
    with pytest.raises(UsageError, match=r"confidence must be between 0 and 1, not 95"):
        paired_bootstrap(*systems(3), ACCURACY, confidence=95)
