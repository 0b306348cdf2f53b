"""The voted perceptron equals its twin with dense vectors."""

from unittest.mock import patch

import numpy as np
import pytest
from helpers.strategies.problems import problems
from hypothesis import given
from hypothesis import strategies as st
from twins import voting as twin

import runoff as ro
from runoff import _native
from runoff.errors import UsageError
from runoff.learners.perceptron.voted import VotedPerceptron
from runoff.learners.perceptron.voters import Voters
from runoff.tasks.ranking.demo import demo_lists


def rounded(real, problem, order, scales):
    """Powers of two divide exactly, so that ties are ties in both implementations."""
    real(problem, order, scales)
    scales[:] = 2.0 ** np.round(np.log2(scales))


def fit_exactly(problem, **options):
    real = _native.feature_scales
    with patch.object(_native, "feature_scales", lambda *given: rounded(real, *given)):
        return VotedPerceptron(**options).fit(problem)


@given(problems(), problems(max_lists=3), st.integers(1, 3), st.integers(0, 3))
def test_votes_are_those_of_dense_vectors(problem, other, epochs, seed):
    ranker = fit_exactly(problem, epochs=epochs, seed=seed)
    order, scales = problem.canonical_order(), np.empty(problem.n_features + 1)
    rounded(_native.feature_scales, problem.native, order, scales)
    voters = twin.train(problem, order, scales, epochs, seed)
    assert ranker.voters_.survivals.sum() == len(voters)
    mistakes = sum(row["wrong"] for row in ranker.record_["epochs"])
    assert len(ranker.voters_.survivals) == 1 + mistakes
    for lists in (problem, other):
        assert ranker.scores(lists).tolist() == pytest.approx(twin.shares(lists, voters, scales))


@given(problems(), problems(max_lists=3))
def test_dev_lists_see_the_votes_of_the_voters_so_far(problem, dev):
    ranker = VotedPerceptron(epochs=3).fit(problem, dev)
    record = ranker.record_["epochs"]
    best = max(row["dev quality"] for row in record)
    assert dev.picked_quality(ranker.scores(dev)) == best
    last = max(number for number, row in enumerate(record, 1) if row["dev quality"] == best)
    alone = VotedPerceptron(epochs=last).fit(problem)
    assert alone.scores(dev).tobytes() == ranker.scores(dev).tobytes()


def test_voting_beats_the_base_order():
    reranker = ro.fit(demo_lists("train"), metric="wer", learner="voted-perceptron")
    figures = ro.evaluate(reranker.rerank(demo_lists("test")), "wer").figures
    assert figures["picked"]["WER"] < 0.5 * figures["base"]["WER"]
    with pytest.raises(UsageError, match="cannot be explained by named terms"):
        ro.why(reranker, demo_lists("test")[0])


def test_errors():
    with pytest.raises(UsageError, match="epochs must be at least 1"):
        ro.fit(
            demo_lists("train")[:9], metric="wer", learner="voted-perceptron", options={"epochs": 0}
        )


@given(problems())
def test_native_code_refuses_arrays_that_do_not_fit(problem):
    sound = Voters.of_mistakes(
        problem, np.zeros(0, np.int64), np.zeros(0, np.int64), np.ones(1), np.ones(7)
    )
    n = problem.n_candidates
    for wrong in (
        {"survivals": np.ones(2)},
        {"offsets": np.array([1])},
        {"logprobs": np.ones(1)},
        {"values": np.ones(1)},
        {"ids": np.array([9], np.uint32), "values": np.ones(1), "offsets": np.array([0, 1])},
    ):
        with pytest.raises(ValueError):
            Voters(**{**vars(sound), **wrong}).add(problem, np.zeros(n), np.zeros(n))
    with pytest.raises(ValueError):
        sound.add(problem, np.zeros(n + 1), np.zeros(n))
