"""The p-norm push against the obvious algorithm."""

from math import log

import numpy as np
import pytest
from helpers.made.lists import made, random_lists
from helpers.strategies.problems import problems
from hypothesis import given, settings
from hypothesis import strategies as st
from twins import losses as twin
from twins.ranking import linear_scores

from runoff.errors import UsageError
from runoff.learners.pairs.p_norm_push import PNormPush
from runoff.learners.pairs.push import LONGEST, Push


def make_push(problem, p):
    return Push(problem, PNormPush(monsters=0.0).crucial_pairs(problem), p)


def log_push(problem, p, x):
    """The logarithm of the push of all lists, each divided by what it is at the start."""
    pairs = twin.crucial_pairs(problem, np.ones(problem.n_candidates))
    weights = np.array(x) / twin.feature_ranges(problem)
    scores = linear_scores(problem, weights[:-1], weights[-1])
    start = twin.push(pairs, p, [0.0] * problem.n_candidates)
    now = twin.push(pairs, p, scores)
    return log(sum(a / b for a, b in zip(now, start, strict=True) if b > 0))


@given(problems(max_lists=4), st.sampled_from([1.0, 4.0]))
@settings(max_examples=40)
def test_a_round_takes_the_steepest_feature_to_its_minimum(problem, p):
    push = make_push(problem, p)
    x = np.zeros(problem.n_features + 1)
    for _ in range(3):
        found = push.round(x)
        if found is None:
            break
        new, figures = found
        (chosen,) = np.flatnonzero(new - x)
        slopes = [
            (log_push(problem, p, x + e) - log_push(problem, p, x - e)) / 2e-5
            for e in 1e-5 * np.eye(len(x))
        ]
        assert abs(slopes[chosen]) == pytest.approx(max(map(abs, slopes)), abs=1e-5)
        reached, away = log_push(problem, p, new), np.zeros_like(x)
        for by in (-1e-3, 1e-3):
            away[chosen] = by
            at_the_end = abs(abs(new[chosen] - x[chosen]) - LONGEST) < 1e-9
            assert log_push(problem, p, new + away) >= reached - 1e-12 or at_the_end
        taught = len(push.taught)
        assert figures["loss"] == pytest.approx(np.exp(reached) / taught)
        x = new


def test_nothing_left_to_gain_ends_the_rounds():
    even = [(1.0, 0.0, {0: 1.0}), (0.0, 0.0, {})]
    odd = [(0.0, 0.0, {0: 1.0}), (1.0, 0.0, {})]
    ranker = PNormPush().fit(made(even, odd, n_features=1))
    assert ranker.record_["rounds"] == []
    assert ranker.weights().tolist() == [0.0]


def test_ties_go_to_the_lowest_id():
    own = [(1.0, 0.0, {1: 1.0, 2: 1.0}), (0.0, 0.0, {})]
    ranker = PNormPush(rounds=1).fit(made(own, n_features=3))
    assert ranker.features_used().tolist() == [1]
    assert ranker.weights()[1] == LONGEST  # never wrong: as far as a round goes


def test_a_complement_is_a_negative_weight():
    own = [(1.0, 0.0, {}), (0.0, 0.0, {0: 1.0})]
    assert PNormPush(rounds=1).fit(made(own, n_features=1)).weights()[0] == -LONGEST


def test_a_larger_p_cares_more_for_the_top():
    """Feature 0 rights one pair at the bottom in two lists, feature 1 the top of one list."""
    bottom = [(4.0, 0.0, {}), (3.0, 0.0, {}), (2.0, 0.0, {0: 1.0}), (1.0, 0.0, {})]
    top = [(4.0, 0.0, {1: 1.0}), (3.0, 0.0, {1: 1.0}), (2.0, 0.0, {1: 1.0}), (1.0, 0.0, {})]
    problem = made(bottom, bottom, bottom, top, n_features=2)
    share = {}
    for p in (1.0, 16.0):
        slopes = [(log_push(problem, p, e) - log_push(problem, p, -e)) for e in 1e-5 * np.eye(3)]
        share[p] = slopes[1] / slopes[0]
    assert share[16.0] > 2 * share[1.0]


def test_the_loss_never_rises_and_dev_chooses_the_round():
    train, dev = random_lists(60, 6, 20, seed=1), random_lists(60, 6, 20, seed=2)
    ranker = PNormPush(rounds=40).fit(train, dev)
    rows = ranker.record_["rounds"]
    losses = [row["loss"] for row in rows]
    assert losses == sorted(losses, reverse=True)
    best = max(row["dev quality"] for row in rows)
    assert dev.picked_quality(ranker.scores(dev)) == pytest.approx(best)
    round_chosen = next(int(row["round"]) for row in rows if row["dev quality"] == best)
    alone = PNormPush(rounds=round_chosen).fit(train)
    assert alone.weights().tobytes() == ranker.weights().tobytes()


@pytest.mark.parametrize("p", [1.0, 4.0, 16.0])
def test_it_beats_the_base_order_on_other_lists(p):
    train, other = random_lists(200, 8, 20, seed=1), random_lists(100, 8, 20, seed=2)
    gained = other.picked_quality(PNormPush(p=p).fit(train).scores(other))
    assert gained > other.picked_quality(other.logprobs) + 30


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"p": 0.5}, "p must be at least 1, not 0.5"),
        ({"p": float("inf")}, "p must be at least 1, not inf"),
        ({"rounds": 0}, "rounds must be at least 1, not 0"),
        ({"lowest": 1.0}, "lowest must be at least 0 and below 1, not 1.0"),
    ],
)
def test_bad_parameters(parameters, sentence):
    with pytest.raises(UsageError) as caught:
        PNormPush(**parameters).fit(random_lists(2, 3, 4, seed=0))
    assert caught.value.message == sentence
