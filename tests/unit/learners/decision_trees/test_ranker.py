"""Boosted trees as a ranker: the examples that lists are, and why a candidate wins."""

import numpy as np
import pytest
from helpers.made.lists import made

from runoff.learners.decision_trees.ranker import TreeRanker, centred_logprobs, examples_of


def test_a_list_is_a_state():
    problem = made(
        [(2.0, -1.0, {0: 1.0}), (2.0, -2.0, {}), (1.5, -3.0, {}), (0.5, -4.0, {1: 1.0})],
        [(1.0, -1.0, {}), (1.0, -2.0, {})],
        [(0.0, -1.0, {}), (3.0, -2.0, {})],
        n_features=2,
    )
    examples = examples_of(problem)
    found = {
        int(pointer): (int(y), float(bias)) for pointer, y, bias in zip(*examples, strict=True)
    }
    best, worse, worst = (1, 0.25), (-1, 0.125), (-1, 0.375)
    assert found == {0: best, 1: best, 2: worse, 3: worst, 6: (-1, 0.5), 7: (1, 0.5)}
    assert centred_logprobs(problem).tolist() == [1.5, 0.5, -0.5, -1.5, 0.5, -0.5, 0.5, -0.5]


def lists_of_pairs():
    """The better candidate has feature 0 without feature 1, or 1 without 0."""
    lists = []
    for number in range(12):
        good = {number % 2: 1.0}
        bad = {0: 1.0, 1: 1.0} if number % 3 else {}
        lists.append([(1.0, -2.0, good), (0.0, -1.0 - number % 4, bad)])
    return made(*lists, n_features=3)


def test_conjunctions_rank_what_no_weights_of_features_could():
    problem = lists_of_pairs()
    ranker = TreeRanker().fit(problem)
    assert problem.picks(ranker.scores(problem)).tolist() == [0] * 12
    names = ["red", "round", "new"]
    words = dict(ranker.named_weights(names).features)
    assert any(" and not " in name for name in words)
    assert not any("new" in name for name in words)


def test_why_is_a_sum_of_conjunctions():
    problem = lists_of_pairs()
    ranker = TreeRanker().fit(problem)
    scores, terms = ranker.scores(problem), ranker.terms(problem, ["red", "round", "new"])
    reasons = terms.between(0, 1)
    known = [set(name.split(" and ")) for name in ranker.weight_names(["red", "round", "new"])]
    conjunctions = [reason for reason in reasons if reason.feature != "log-probability"]
    assert conjunctions
    assert all(set(reason.feature.split(" and ")) in known for reason in conjunctions)
    total = sum(reason.contribution for reason in reasons)
    assert total == pytest.approx(scores[0] - scores[1], rel=1e-12)
    assert np.isfinite(total)


def test_a_reason_begins_with_what_the_other_candidate_lacks():
    """Ten features each speak against a candidate; the rival has the last of them."""
    lists = [[(1.0, 0.0, {}), (0.0, 0.0, {number % 10: 1.0})] for number in range(40)]
    problem = made(*lists, n_features=10)
    ranker = TreeRanker(split_gain=0.0).fit(problem)
    names = [f"f{number}" for number in range(10)]
    for number in range(10):
        reasons = ranker.terms(problem.only(number), names).between(0, 1)
        assert any(reason.feature.split(" and ")[0] == f"not f{number}" for reason in reasons)
