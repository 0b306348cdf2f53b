"""SVMRank: its machines, its sigmoids, its votes."""

import numpy as np
import pytest
from helpers.made.lists import made, random_lists
from helpers.strategies.problems import problems
from hypothesis import given, settings
from hypothesis import strategies as st
from twins import losses as twin
from twins.ranking import feature_scales, linear_scores

from runoff.errors import NotFittedError, UsageError
from runoff.learners.pairs.platt import fit_slope
from runoff.learners.pairs.svm_rank import SVMRank


def pairs_of(problem, subset=(1, 0, 0)):
    return twin.crucial_pairs(problem, np.ones(problem.n_candidates), subset=subset)


@given(problems(), st.sampled_from([0.2, 3.0]))
@settings(max_examples=30)
def test_no_weight_can_be_moved_for_the_better(problem, cost):
    ranker = SVMRank(cost=cost, subsets=2, monsters=0.0).fit(problem)
    scales = np.array(feature_scales(problem))
    for k in range(2):
        pairs = pairs_of(problem, (2, k, 0))

        def objective(x, pairs=pairs):
            weights = x / scales
            scores = linear_scores(problem, weights[:-1], weights[-1])
            loss = sum(twin.mean_over_pairs(pairs, twin.squared_hinge, scores))
            return sum(x**2) / 2 + cost * loss

        x = np.append(ranker.weights_[k], ranker.logprob_weights_[k]) * scales
        reached = objective(x)
        for place in range(len(x)):
            for by in (-1e-2, 1e-2):
                moved = x.copy()
                moved[place] += by
                assert objective(moved) > reached - 1e-6


@given(problems())
def test_subsets_divide_the_pairs(problem):
    whole = pairs_of(problem)
    parts = [pairs_of(problem, (3, k, 7)) for k in range(3)]
    for number, own in enumerate(whole):
        assert sorted(pair for part in parts for pair in part[number]) == sorted(own)


def test_slopes_are_probabilities():
    """Scores of which one margin in four is wrong: the sigmoid says three quarters."""
    right = [(1.0, 0.0, {0: 1.0}), (0.0, 0.0, {})]
    wrong = [(0.0, 0.0, {0: 1.0}), (1.0, 0.0, {})]
    problem = made(*[right] * 300, *[wrong] * 100, n_features=1)
    scores = np.tile([2.0, 0.0], 400)
    slope = fit_slope(SVMRank().crucial_pairs(problem), scores, problem.canonical_order())
    target = 0.75 * (401 / 402) + 0.25 * (1 / 402)
    assert 1 / (1 + np.exp(-2 * slope)) == pytest.approx(target, abs=1e-6)


def test_a_machine_that_knows_nothing_has_no_vote():
    problem = made([(0.0, 0.0, {0: 1.0}), (1.0, 0.0, {})], n_features=1)
    pairs, order = SVMRank().crucial_pairs(problem), problem.canonical_order()
    assert fit_slope(pairs, np.array([2.0, 0.0]), order) == 0.0
    assert fit_slope(pairs, np.array([0.0, 0.0]), order) == 0.0


@given(problems())
@settings(max_examples=30)
def test_scores_are_votes(problem):
    ranker = SVMRank(subsets=2).fit(problem)
    machines = [
        (linear_scores(problem, weights, logprob_weight), slope)
        for weights, logprob_weight, slope in zip(
            ranker.weights_, ranker.logprob_weights_, ranker.slopes_, strict=True
        )
    ]
    expected = twin.votes(problem.list_offsets, machines)
    assert ranker.scores(problem).tolist() == pytest.approx(expected, abs=1e-6)


def test_one_machine_votes_as_it_scores():
    train = random_lists(60, 6, 10, seed=1)
    ranker = SVMRank(subsets=1).fit(train)
    linear = linear_scores(train, ranker.weights_[0], ranker.logprob_weights_[0])
    assert train.picks(ranker.scores(train)).tolist() == train.picks(np.array(linear)).tolist()
    assert ranker.slopes_.tolist() == [1.0]


@pytest.mark.parametrize("subsets", [1, 3])
def test_it_beats_the_base_order_on_other_lists(subsets):
    train, other = random_lists(200, 8, 20, seed=1), random_lists(100, 8, 20, seed=2)
    ranker = SVMRank(subsets=subsets).fit(train)
    gained = other.picked_quality(ranker.scores(other))
    assert gained > other.picked_quality(other.logprobs) + 50
    assert (ranker.slopes_ > 0).all()


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"cost": 0.0}, "cost must be positive, not 0.0"),
        ({"subsets": 0}, "subsets must be at least 1, not 0"),
        ({"iterations": 0}, "iterations must be at least 1, not 0"),
        ({"closest_logprob": -1.0}, "closest_logprob must be at least 0, not -1.0"),
        ({"seed": -1}, "a seed must lie between 0 and 4,294,967,295, not -1"),
    ],
)
def test_bad_parameters(parameters, sentence):
    with pytest.raises(UsageError) as caught:
        SVMRank(**parameters).fit(random_lists(2, 3, 4, seed=0))
    assert caught.value.message == sentence


def test_nothing_works_before_fitting():
    for ask in (SVMRank().features_used, SVMRank().arrays):
        with pytest.raises(NotFittedError):
            ask()
