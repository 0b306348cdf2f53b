"""Native ranking routines equal their plain Python twins."""

import numpy as np
import pytest
from helpers.strategies.problems import problems, take_lists
from hypothesis import given
from hypothesis import strategies as st
from twins import ranking as twin

from runoff import _native
from runoff.learners.perceptron.averaged import Perceptron


@given(problems(), st.lists(st.floats(-5, 5), min_size=6, max_size=6), st.floats(-5, 5))
def test_linear_scores(problem, weights, logprob_weight):
    scores = np.empty(problem.n_candidates)
    _native.linear_scores(problem.native, np.array(weights), logprob_weight, scores)
    assert scores.tolist() == pytest.approx(twin.linear_scores(problem, weights, logprob_weight))


@given(problems())
def test_argmax_lists(problem):
    expected = twin.argmax_lists(problem.list_offsets, problem.qualities, problem.logprobs)
    assert problem.best().tolist() == expected


@given(st.integers(0, 2**64 - 1), st.integers(0, 50))
def test_shuffled(seed, n):
    order = np.empty(n, dtype=np.int64)
    _native.shuffled(seed, order)
    assert order.tolist() == twin.shuffled(seed, n)


@given(problems())
def test_feature_scales(problem):
    scales = np.empty(problem.n_features + 1)
    _native.feature_scales(problem.native, problem.canonical_order(), scales)
    assert scales.tolist() == pytest.approx(twin.feature_scales(problem))


@given(problems(), st.integers(1, 3), st.integers(0, 3))
def test_perceptron(problem, epochs, seed):
    scales = np.empty(problem.n_features + 1)
    order = problem.canonical_order()
    _native.feature_scales(problem.native, order, scales)
    # powers of two divide exactly, so that ties are ties in both implementations
    exact = 2.0 ** np.round(np.log2(scales))
    weights, logprob_weight = twin.averaged_perceptron(problem, order, exact, epochs, seed)
    w, u, t = np.zeros_like(exact), np.zeros_like(exact), 1
    w[-1] = 1.0
    for epoch in range(epochs):
        shuffle = np.empty(problem.n_lists, dtype=np.int64)
        _native.shuffled((seed << 20) + epoch, shuffle)
        _, t = _native.perceptron_epoch(
            problem.native, problem.qualities, problem.best(), order[shuffle], exact, w, u, t
        )
    average = (w - u / t) / exact
    assert average[:-1].tolist() == pytest.approx(weights, abs=1e-9)
    assert average[-1] == pytest.approx(logprob_weight, abs=1e-9)


@given(problems(), st.randoms(use_true_random=False))
def test_order_of_lists_leaves_no_trace(problem, random):
    order = list(range(problem.n_lists))
    random.shuffle(order)
    shuffled = take_lists(problem, order)
    first, second = Perceptron(epochs=2).fit(problem), Perceptron(epochs=2).fit(shuffled)
    assert first.weights().tobytes() == second.weights().tobytes()
    assert first.logprob_weight_ == second.logprob_weight_
    assert problem.fingerprint() == shuffled.fingerprint()
