"""Boosting on lists that are too large or too odd for its arrays."""

import pytest

import runoff as ro
from runoff.errors import UsageError


def lists_of(*candidates):
    made = [
        ro.Candidate(None, logprob, quality=quality, features=features)
        for logprob, quality, features in candidates
    ]
    return [ro.NBest(number, None, made) for number in range(2)]


@pytest.mark.parametrize("learner", ["exp-loss", "log-loss"])
def test_more_features_than_fit_into_a_list(learner):
    sides = [dict.fromkeys((f"{side}{n}" for n in range(33_000)), 1) for side in "ab"]
    lists = lists_of((-1.0, 1.0, sides[0]), (-2.0, 0.0, sides[1]))
    with pytest.raises(UsageError, match="a list has more than 65,535 features that differ"):
        ro.fit(lists, learner=learner, features="given")


def test_log_probabilities_that_lie_too_far_apart():
    lists = lists_of((-1e300, 1.0, {"a": 1}), (1e300, 0.0, {"b": 1}))
    with pytest.raises(UsageError, match="lie too far apart"):
        ro.fit(lists, learner="exp-loss", features="given")
