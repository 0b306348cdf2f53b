"""Native losses of lists equal their plain Python twins, and derivatives are derivatives."""

from itertools import pairwise
from math import exp

import numpy as np
import pytest
from helpers.strategies.problems import QUARTERS, problems
from hypothesis import given
from hypothesis import strategies as st
from twins import losses as twin
from twins.ranking import linear_scores

from runoff import _native
from runoff.learners.pairs.selection import PairSelection

SIGNS = st.sampled_from([-1.0, 0.0, 1.0])


def per_candidate(data, problem, values):
    n = problem.n_candidates
    return np.array(data.draw(st.lists(values, min_size=n, max_size=n)), dtype=float)


def evaluated(loss, *arguments, scores, n_lists, threads=1):
    """Losses and coefficients of a native loss."""
    losses, coefficients = np.empty(n_lists), np.empty(len(scores))
    loss(*arguments, scores, losses, coefficients, threads)
    return losses, coefficients


def check_derivatives(loss, scores, coefficients):
    """Coefficients equal the differences of the summed loss, score by score."""
    for j in range(len(scores)):
        up, down = scores.copy(), scores.copy()
        up[j] += 1e-5
        down[j] -= 1e-5
        assert coefficients[j] == pytest.approx((sum(loss(up)) - sum(loss(down))) / 2e-5, abs=1e-4)


@given(problems(), st.data())
def test_log_loss(problem, data):
    scores = per_candidate(data, problem, QUARTERS)
    targets = per_candidate(data, problem, st.sampled_from([-1.0, 0.0, 0.5, 1.0]))
    offsets = problem.list_offsets
    for first, last in pairwise(offsets):  # targets of a list sum to 1
        own = targets[first:last]
        own[own > 0] /= own[own > 0].sum() if (own > 0).any() else 1.0
        if not (own > 0).any():
            own[:] = -1.0
    losses, coefficients = evaluated(
        _native.log_loss, offsets, targets, scores=scores, n_lists=problem.n_lists
    )
    assert losses.tolist() == pytest.approx(twin.log_loss(offsets, targets, scores), abs=1e-12)
    check_derivatives(lambda s: twin.log_loss(offsets, targets, s), scores, coefficients)


@given(problems(), st.data())
def test_sample_loss(problem, data):
    scores, signs = per_candidate(data, problem, QUARTERS), per_candidate(data, problem, SIGNS)
    losses, coefficients = evaluated(
        _native.sample_loss, problem.list_offsets, signs, scores=scores, n_lists=problem.n_lists
    )
    expected = twin.sample_loss(problem.list_offsets, signs, scores)
    assert losses.tolist() == pytest.approx(expected, abs=1e-12)
    check_derivatives(
        lambda s: twin.sample_loss(problem.list_offsets, signs, s), scores, coefficients
    )


@st.composite
def guarded_pairs(draw):
    """A problem, its crucial pairs under some guards, and the twin's."""
    problem = draw(problems())
    kept = np.array(
        draw(st.lists(st.booleans(), min_size=problem.n_candidates, max_size=problem.n_candidates)),
        dtype=np.uint8,
    )
    numbers = np.argsort(problem.canonical_order()).astype(np.int64)
    limits = {
        "closest": draw(st.sampled_from([0.0, 0.5])),
        "largest": draw(st.sampled_from([float("inf"), 2.0, 0.25])),
        "closest_logprob": draw(st.sampled_from([0.0, 0.75])),
    }
    subsets = draw(st.integers(1, 3))
    subset = draw(st.integers(0, subsets - 1))
    seed = draw(st.integers(0, 9))
    native = _native.CrucialPairs(
        problem.list_offsets,
        problem.qualities,
        problem.logprobs,
        kept,
        numbers,
        _native.PairLimits(**limits),
        _native.PairSubset(subsets, subset, seed << 32),
    )
    return (
        problem,
        native,
        twin.crucial_pairs(problem, kept, **limits, subset=(subsets, subset, seed)),
    )


@given(guarded_pairs(), st.data(), st.sampled_from([1.0, 100.0]))
def test_pair_losses(guarded, data, scale):
    problem, native, pairs = guarded
    scores = scale * per_candidate(data, problem, QUARTERS)
    for loss, slow in (
        (_native.pair_logistic_loss, twin.logistic),
        (_native.pair_hinge_loss, twin.squared_hinge),
    ):
        losses, coefficients = evaluated(loss, native, scores=scores, n_lists=problem.n_lists)
        again = evaluated(loss, native, scores=scores, n_lists=problem.n_lists, threads=3)
        assert again[0].tobytes() == losses.tobytes()
        assert again[1].tobytes() == coefficients.tobytes()
        assert losses.tolist() == pytest.approx(twin.mean_over_pairs(pairs, slow, scores), abs=1e-9)
        if scale == 1.0:
            check_derivatives(
                lambda s, slow=slow: twin.mean_over_pairs(pairs, slow, s), scores, coefficients
            )


@given(guarded_pairs(), st.data(), st.floats(-2, 2), st.floats(0.1, 0.9))
def test_slope_loss(guarded, data, slope, target):
    problem, native, pairs = guarded
    scores = per_candidate(data, problem, QUARTERS)

    def at(slope):
        return twin.mean_over_pairs(pairs, twin.slope_loss(slope, target), scores)

    losses, first, second = np.empty((3, problem.n_lists))
    _native.slope_loss(native, scores, slope, target, losses, first, second)
    assert losses.tolist() == pytest.approx(at(slope), abs=1e-9)
    low, high = (np.array(at(slope + d)) for d in (-1e-4, 1e-4))
    assert first.tolist() == pytest.approx(((high - low) / 2e-4).tolist(), abs=1e-5)
    curvature = twin.mean_over_pairs(pairs, twin.slope_curvature(slope), scores)
    assert second.tolist() == pytest.approx(curvature, abs=1e-9)


@given(guarded_pairs(), st.data(), st.sampled_from([1.0, 2.5, 4.0]))
def test_push(guarded, data, p):
    problem, native, pairs = guarded
    scores = per_candidate(data, problem, QUARTERS)
    losses, coefficients = evaluated(
        _native.push_loss, native, p, scores=scores, n_lists=problem.n_lists
    )
    expected = twin.push(pairs, p, scores)
    assert [exp(loss) for loss in losses] == pytest.approx(expected, rel=1e-9)

    def logarithms(s):
        return [np.log(value) for value in twin.push(pairs, p, s) if value > 0]

    check_derivatives(logarithms, scores, coefficients)
    direction = per_candidate(data, problem, QUARTERS)
    taught = np.flatnonzero(np.array(expected) > 0)
    values, first, second = np.empty((3, len(taught)))
    _native.push_line(native, p, taught, scores, direction, values, first, second)
    assert values.tolist() == pytest.approx(losses[taught].tolist())
    low, middle, high = (np.array(logarithms(scores + d * direction)) for d in (-1e-4, 0, 1e-4))
    assert first.tolist() == pytest.approx(((high - low) / 2e-4).tolist(), abs=1e-3)
    assert second.tolist() == pytest.approx(((high - 2 * middle + low) / 1e-8).tolist(), abs=1e-2)


@given(guarded_pairs(), st.data())
def test_push_of_far_apart_scores_is_finite(guarded, data):
    """Scores so far apart that their exponentials are not numbers; p log G is linear then."""
    problem, native, pairs = guarded
    scores = 4000 * per_candidate(data, problem, QUARTERS)
    losses, coefficients = evaluated(
        _native.push_loss, native, 4.0, scores=scores, n_lists=problem.n_lists
    )
    largest = [max((scores[w] - scores[b] for b, w in own), default=-np.inf) for own in pairs]
    assert losses.tolist() == pytest.approx([4 * value for value in largest], abs=50)
    assert np.isfinite(coefficients).all()


@given(problems())
def test_list_maxima_and_ranges(problem):
    offsets, ids = _native.list_maxima(problem.native)
    found = [ids[a:b].tolist() for a, b in pairwise(offsets)]
    assert found == twin.list_maxima(problem)
    ranges = np.empty(problem.n_features + 1)
    _native.feature_ranges(problem.native, ranges)
    assert ranges.tolist() == twin.feature_ranges(problem)


@given(problems(), st.data())
def test_scores_by_features_are_those_by_candidates(problem, data):
    """But for a number per list: log-probabilities are relative to the list's first."""
    size = problem.n_features + 1
    weights = np.array(data.draw(st.lists(QUARTERS, min_size=size, max_size=size)))
    scores = np.empty(problem.n_candidates)
    problem.index(problem.canonical_order()).scores(weights, scores, 2)
    expected = np.array(linear_scores(problem, weights[:-1], weights[-1]))
    for first, last in pairwise(problem.list_offsets):
        expected[first:last] -= weights[-1] * problem.logprobs[first] if last > first else 0.0
    assert scores.tolist() == pytest.approx(expected.tolist(), abs=1e-9)


@given(problems(), st.data())
def test_gradients_are_sums_over_candidates(problem, data):
    coefficients = per_candidate(data, problem, QUARTERS)
    for first, last in pairwise(problem.list_offsets):
        coefficients[first:last] -= coefficients[first:last].mean() if last > first else 0
    gradient = np.empty(problem.n_features + 1)
    index = problem.index(problem.canonical_order(), 2)
    index.gradient(coefficients, gradient, 2)
    expected = np.zeros_like(gradient)
    owners = np.repeat(np.arange(problem.n_candidates), np.diff(problem.feature_offsets))
    values = 1.0 if problem.feature_values is None else problem.feature_values
    np.add.at(expected, problem.feature_ids, values * coefficients[owners])
    expected[-1] = (coefficients * problem.logprobs).sum()
    assert gradient.tolist() == pytest.approx(expected.tolist(), abs=1e-9)


@given(
    st.lists(QUARTERS, max_size=8),
    st.sampled_from([(0.5, 0.5), (0.7, 0.3), (0.9, 0.5), (0.7, 0.7), (0.3, 0.3), (0.99, 0.01)]),
    st.integers(0, 3),
)
def test_prune_and_select(scores, thresholds, beta):
    d1, d2 = thresholds
    kept = np.empty(len(scores), dtype=np.uint8)
    better, worse = (float(np.log(d / (1 - d))) for d in thresholds)
    offsets = np.array([0, len(scores)])
    _native.prune_and_select(offsets, np.array(scores), better, worse, beta, kept)
    assert np.flatnonzero(kept).tolist() == twin.prune_and_select(scores, d1, d2, beta)


@given(problems(), st.data(), st.lists(st.floats(0, 2), min_size=1, max_size=3))
def test_votes(problem, data, slopes):
    machines = [(per_candidate(data, problem, QUARTERS), slope) for slope in slopes]
    votes = np.zeros(problem.n_candidates)
    for scores, slope in machines:
        _native.add_pair_votes(problem.list_offsets, scores, slope, votes)
    expected = twin.votes(problem.list_offsets, machines)
    assert votes.tolist() == pytest.approx(expected, abs=1e-9)


@given(problems(), st.floats(0, 0.9), st.floats(0, 0.9), st.floats(0.1, 4))
def test_guards_keep_what_they_say(problem, beam, lowest, monsters):
    selection = PairSelection(beam=beam, lowest=lowest, monsters=monsters)
    distances = []
    expected = []
    for first, last in pairwise(problem.list_offsets):
        logprobs, qualities = problem.logprobs[first:last], problem.qualities[first:last]
        expected += [
            not beam or logprob >= max(logprobs) + np.log(beam) - 1e-12 for logprob in logprobs
        ]
        distances += [max(qualities) - quality for quality in qualities]
    if distances and lowest:
        limit = np.quantile(distances, 1 - lowest)
        expected = [kept and d <= limit for kept, d in zip(expected, distances, strict=True)]
    assert selection.kept(problem).tolist() == expected
    positive = [d for d in distances if d > 0]
    limit = np.mean(positive) + monsters * np.std(positive) if positive else np.inf
    assert selection.largest_gap(problem) == pytest.approx(limit)
    assert PairSelection(monsters=0.0).largest_gap(problem) == np.inf
