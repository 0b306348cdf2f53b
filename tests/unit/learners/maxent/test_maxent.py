"""Maximum entropy: the optimum of equation 28, its targets, its choice of a prior."""

from functools import partial
from itertools import pairwise

import numpy as np
import pytest
from helpers.made.lists import made, random_lists
from helpers.strategies.problems import problems
from hypothesis import given, settings
from hypothesis import strategies as st
from twins import losses as twin
from twins.ranking import feature_scales, linear_scores

from runoff.errors import UsageError
from runoff.fitting.run import Run
from runoff.learners.maxent import loss
from runoff.learners.maxent.maxent import MaxEnt, softmax_margin, target_shares


def objective(problem, ranker, x):
    """LogLoss and penalty at scaled weights, as the paper has them."""
    scales = np.array(feature_scales(problem))
    weights = x / scales
    scores = np.array(linear_scores(problem, weights[:-1], weights[-1]))
    for first, last in pairwise(problem.list_offsets):
        qualities = problem.qualities[first:last]
        scores[first:last] += ranker.cost * (qualities.max(initial=-np.inf) - qualities)
    targets = target_shares(problem, spread=ranker.targets == "all")
    loss = sum(twin.log_loss(problem.list_offsets.tolist(), targets, scores))
    (s,) = ranker.prior
    return loss + (sum(x**2) / s**2 if ranker.penalty == "gaussian" else sum(abs(x)) / s)


@given(
    problems(),
    st.sampled_from(["gaussian", "l1"]),
    st.sampled_from(["one", "all"]),
    st.sampled_from([0.5, 2.0]),
    st.sampled_from([0.0, 1.5]),
)
@settings(max_examples=30)
def test_no_weight_can_be_moved_for_the_better(problem, penalty, targets, s, cost):
    ranker = MaxEnt(prior=(s,), penalty=penalty, targets=targets, cost=cost).fit(problem)
    x = np.append(ranker.weights(), ranker.logprob_weight_) * feature_scales(problem)
    reached = objective(problem, ranker, x)
    for k in range(len(x)):
        for by in (-1e-2, 1e-2):
            moved = x.copy()
            moved[k] += by
            assert objective(problem, ranker, moved) > reached - 1e-6
    if ranker.record_["iterations"]:
        assert ranker.record_["iterations"][-1]["loss"] == pytest.approx(reached)


def test_lists_of_equals_teach_nothing():
    equal = [(1.0, -1.0, {0: 1.0}), (1.0, -2.0, {1: 1.0})]
    teaching = [(1.0, -1.0, {0: 1.0}), (0.0, -1.0, {1: 1.0})]
    for targets in ("one", "all"):
        alone = MaxEnt(targets=targets).fit(made(equal, n_features=2))
        assert alone.weights().tolist() == [0, 0]
        assert alone.logprob_weight_ == 0
        with_equals = MaxEnt(targets=targets).fit(made(teaching, equal, equal, n_features=2))
        without = MaxEnt(targets=targets).fit(made(teaching, n_features=2))
        assert with_equals.weights() == pytest.approx(without.weights())
        assert without.weights()[0] > 0.2


def test_equal_targets_share():
    """Two best candidates: one of them pulls at its own features, or both at theirs."""
    own = [(1.0, 0.0, {0: 1.0}), (1.0, -1.0, {1: 1.0}), (0.0, -1.0, {2: 1.0})]
    one = MaxEnt().fit(made(own, n_features=3)).weights()
    both = MaxEnt(targets="all").fit(made(own, n_features=3)).weights()
    assert one[1] == 0
    assert one[0] > 0
    assert both[0] > 0
    assert both[1] > 0


def test_l1_leaves_out_what_says_nothing():
    problem = random_lists(60, 6, 20, seed=1)
    dense = MaxEnt(prior=(0.3,)).fit(problem)
    sparse = MaxEnt(prior=(0.3,), penalty="l1").fit(problem)
    assert len(dense.features_used()) == 20
    assert 0 < len(sparse.features_used()) < 20


def test_a_prior_is_chosen_on_development_lists():
    train, dev = random_lists(40, 6, 20, seed=1), random_lists(40, 6, 20, seed=2)
    ranker = MaxEnt(prior=(0.01, 1.0, 100.0)).fit(train, dev)
    table = ranker.record_["prior"]
    assert [row["prior"] for row in table] == [0.01, 1.0, 100.0]
    best = max(row["dev quality"] for row in table)
    assert dev.picked_quality(ranker.scores(dev)) == pytest.approx(best)
    first = next(row["prior"] for row in table if row["dev quality"] == best)
    alone = MaxEnt(prior=(first,)).fit(train, dev)
    assert alone.weights().tobytes() == ranker.weights().tobytes()
    assert {row["prior"] for row in ranker.record_["iterations"]} == {0.01, 1.0, 100.0}


def test_it_beats_the_base_order_on_other_lists():
    train, other = random_lists(200, 8, 20, seed=1), random_lists(100, 8, 20, seed=2)
    for ranker in (MaxEnt(), MaxEnt(penalty="l1"), MaxEnt(targets="all")):
        gained = other.picked_quality(ranker.fit(train).scores(other))
        assert gained > other.picked_quality(other.logprobs) + 50


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"prior": (0.0,)}, "prior must be positive, not 0.0"),
        ({"prior": ()}, "prior must be positive, not empty"),
        ({"prior": (1.0, float("inf"))}, "prior must be positive, not 1.0, inf"),
        ({"prior": (1.0, 2.0)}, "to choose between several priors, development lists are needed"),
        ({"penalty": "l2"}, "unknown penalty 'l2'; choose from: gaussian, l1"),
        ({"targets": "two"}, "unknown kind of targets 'two'; choose from: all, one"),
        ({"cost": -1.0}, "cost must be at least 0, not -1.0"),
        ({"truncate": -0.1}, "truncate must be at least 0, not -0.1"),
        ({"truncate": np.inf}, "truncate must be at least 0, not inf"),
        ({"iterations": 0}, "iterations must be at least 1, not 0"),
    ],
)
def test_bad_parameters(parameters, sentence):
    with pytest.raises(UsageError) as caught:
        MaxEnt(**parameters).fit(random_lists(2, 3, 4, seed=0))
    assert caught.value.message == sentence


# Of a feature that sets the best of two candidates apart in n lists, the weight w is at the minimum
# of n log(1 + e^-w) + w^2 / s^2, where n s^2 = 2 w (1 + e^w): with this prior, w is 1 for n = 1.
PRIOR = (2 * (1 + np.e)) ** 0.5


def one_by_one(*features):
    """Lists of two, the better of which has one of the features, with such a value."""
    return made(*([(1.0, -1.0, one), (0.0, -1.0, {})] for one in features), n_features=2)


def test_weights_smaller_than_the_bound_become_zero():
    lists = one_by_one({0: 1.0}, {0: 1.0}, {1: 1.0})
    larger, smaller = MaxEnt(prior=(PRIOR,)).fit(lists).weights()
    assert smaller == pytest.approx(1, abs=1e-4)
    assert larger * (1 + np.exp(larger)) == pytest.approx(PRIOR**2, abs=1e-3)
    for bound, left in [(0.9, [larger, smaller]), (1.1, [larger, 0]), (1.9, [0, 0])]:
        assert MaxEnt(prior=(PRIOR,), truncate=bound).fit(lists).weights().tolist() == left


def test_the_bound_does_not_depend_on_units():
    (small, _), (same, _) = (
        MaxEnt(prior=(3.0,), truncate=bound).fit(one_by_one({0: 1000.0}, {0: 3000.0})).weights()
        for bound in (0.0, 0.1)
    )
    assert 0 < small < 0.01
    assert same == small


def test_the_weight_of_the_log_probability_stays():
    lists = made([(1.0, -1.0, {0: 1.0}), (0.0, -2.0, {})], n_features=1)
    ranker = MaxEnt(truncate=100.0).fit(lists)
    assert ranker.weights().tolist() == [0]
    assert ranker.logprob_weight_ > 0


def test_figures_on_development_lists_are_those_of_what_is_left():
    lists = one_by_one({0: 1.0}, {0: 1.0}, {1: 1.0})
    dev = made([(1.0, -2.0, {1: 1.0}), (0.0, -1.0, {})], n_features=2)
    for bound, quality in [(0.9, 1.0), (1.1, 0.0)]:
        ranker = MaxEnt(prior=(PRIOR, PRIOR * 1.001), truncate=bound).fit(lists, dev)
        assert ranker.record_["iterations"][-1]["dev quality"] == quality
        assert [row["dev quality"] for row in ranker.record_["prior"]] == [quality] * 2
        assert dev.picked_quality(ranker.scores(dev)) == quality


@given(problems())
@settings(max_examples=30)
def test_weights_take_four_bytes_each_in_a_file(problem):
    ranker = MaxEnt().fit(problem)
    assert ranker.arrays()["weights"].dtype == np.float32
    assert (ranker.arrays()["weights"] == ranker.weights()).all()


def test_weights_beyond_single_precision_are_kept():
    lists = one_by_one({0: 1e60}, {0: 3e60}, {1: 1.0})
    ranker = MaxEnt().fit(lists)
    weights = ranker.arrays()["weights"]
    assert weights.dtype == np.float64
    assert 0 < weights[0] < 1e-50
    assert MaxEnt().restore(ranker.arrays(), 2).scores(lists).tolist() == (
        ranker.scores(lists).tolist()
    )


@pytest.mark.parametrize("penalty", ["gaussian", "l1"])
def test_blocks_have_the_answer_of_one_for_any_number_of_threads(monkeypatch, penalty):
    problem = random_lists(60, 4, n_features=12, seed=3)
    learner = partial(MaxEnt, prior=(2.0,), penalty=penalty)
    whole = learner().fit(problem)
    monkeypatch.setattr(loss, "BLOCK", 7)
    one, three = (learner().fit(problem, run=Run(threads=threads)) for threads in (1, 3))
    assert one.weights().tobytes() == three.weights().tobytes()
    assert one.weights() == pytest.approx(whole.weights(), abs=1e-3)


def test_a_gradient_is_the_sum_of_those_of_blocks(monkeypatch):
    problem = random_lists(40, 4, n_features=9, seed=5)
    monkeypatch.setattr(loss, "BLOCK", 9)
    x = np.random.default_rng(1).normal(size=problem.n_features + 1)
    listed = partial(
        softmax_margin,
        problem.list_offsets,
        target_shares(problem, spread=False),
        np.zeros(problem.n_candidates),
    )
    order = problem.canonical_order()

    def at(lists):
        made = loss.LinearLoss(problem, lists, listed, np.ones(len(x)))
        value, gradient = made(x)
        return len(made.blocks), value, gradient

    (number, value, gradient), parts = at(order), [at(order[a : a + 9]) for a in range(0, 40, 9)]
    assert (number, [one[0] for one in parts]) == (5, [1] * 5)
    total, summed = parts[0][1:]
    for _, one, part in parts[1:]:
        total, summed = total + one, summed + part
    assert value == total
    assert gradient.tobytes() == summed.tobytes()
