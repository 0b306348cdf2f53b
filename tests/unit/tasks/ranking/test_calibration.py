"""Confidence: calibrated on development lists, written by rerank, used to abstain."""

import random

import numpy as np
import pytest
from helpers.strategies.problems import problems
from hypothesis import given
from hypothesis import strategies as st
from twins.calibration import isotonic

import runoff as ro
from runoff.errors import ModelError, UsageError
from runoff.learners import LEARNERS, make_ranker
from runoff.tasks.ranking.calibration import Calibration
from runoff.tasks.ranking.demo import demo_lists

OUTCOMES = st.lists(
    st.tuples(st.integers(0, 20).map(lambda n: n / 4), st.booleans()), min_size=1, max_size=12
)


@pytest.fixture(scope="module")
def train():
    return demo_lists("train")


@pytest.fixture(scope="module")
def reranker(train):
    return ro.fit(train[:120], dev=train[120:], metric="wer", learner="perceptron")


@given(OUTCOMES)
def test_it_is_the_isotonic_regression(outcomes):
    margins, correct = map(np.array, zip(*outcomes, strict=True))
    expected = isotonic(margins.tolist(), correct.tolist())
    said = Calibration.fit(margins, correct).probability(np.array(list(expected)))
    assert said.tolist() == pytest.approx(list(expected.values()))


@given(OUTCOMES, st.lists(st.floats(0, 10), min_size=2, max_size=9))
def test_probabilities_rise_and_are_never_certain(outcomes, asked):
    margins, correct = map(np.array, zip(*outcomes, strict=True))
    said = Calibration.fit(margins, correct).probability(np.array(sorted(asked)))
    assert (np.diff(said) >= 0).all()
    assert (0 < said).all()
    assert (said < 1).all()


def test_laplace_and_no_choice():
    always = Calibration.fit(np.array([1.0, 2.0, 3.0]), np.ones(3, dtype=bool))
    assert always.probability(np.array([0.0, 9.0, np.inf])).tolist() == [0.8, 0.8, 1.0]
    assert Calibration.fit(np.zeros(0), np.zeros(0, bool)).probability(np.ones(1)).tolist() == [0.5]


@given(OUTCOMES)
def test_arrays_come_back_checked(outcomes):
    margins, correct = map(np.array, zip(*outcomes, strict=True))
    arrays = Calibration.fit(margins, correct).arrays()
    again = Calibration.restore(arrays)
    assert {k: a.tobytes() for k, a in again.arrays().items()} == {
        k: a.tobytes() for k, a in arrays.items()
    }
    assert Calibration.restore({}) is None
    for key, array in arrays.items():
        for broken in (
            np.append(array, array[-1]),
            np.append(array[:-1], -1.0),
            array.astype(np.float32),
            np.full_like(array, np.nan),
            array - 7,
            np.stack([array, array]),
            array[:0],
        ):
            with pytest.raises(ModelError, match="calibration"):
                Calibration.restore({**arrays, key: broken})
        with pytest.raises(ModelError, match="missing"):
            Calibration.restore({k: v for k, v in arrays.items() if k != key})


@given(problems())
def test_margins_and_best_picks(problem):
    scores = problem.logprobs
    expected_margins, expected_best = [], []
    for first, last in zip(problem.list_offsets, problem.list_offsets[1:], strict=False):
        own = sorted(scores[first:last], reverse=True)
        expected_margins.append(own[0] - own[1] if len(own) > 1 else np.inf)
        qualities = problem.qualities[first:last].tolist()
        pick = int(np.argmax(scores[first:last])) if own else -1
        expected_best.append(not own or qualities[pick] == max(qualities))
    assert problem.margins(scores).tolist() == expected_margins
    assert problem.picks_are_best(scores).tolist() == expected_best


def test_confidence_is_honest_on_other_lists(reranker):
    """Brier score on test lists below that of knowing nothing, and the header's figures."""
    figures = reranker.training["calibration"]
    assert figures["lists"] == 100
    assert 0 < figures["Brier score"] < 0.25
    ranked = reranker.rerank(demo_lists("test"))
    confidences = np.array([nbest.extra["confidence"] for nbest in ranked])
    right = np.array([nbest.candidates[0].output == nbest.gold for nbest in ranked])
    assert np.mean((confidences - right) ** 2) < 0.15
    assert abs(confidences.mean() - right.mean()) < 0.1


def test_no_list_with_a_choice_no_calibration(train):
    single = [ro.NBest(n.id, None, n.candidates[:1], n.gold) for n in train[:5]]
    assert ro.fit(train[:50], dev=single, metric="wer", learner="perceptron").calibration is None


def test_without_dev_lists_there_is_none(train):
    reranker = ro.fit(train[:50], metric="wer", learner="perceptron")
    assert reranker.calibration is None
    assert "confidence" not in reranker.rerank(train[:1])[0].extra
    with pytest.raises(UsageError, match="cannot abstain") as error:
        ro.rerank(reranker, train, abstain=0.5)
    assert "--dev" in error.value.hint


@pytest.mark.parametrize("abstain", [-0.1, 1.1, float("nan")])
def test_abstaining_needs_a_probability(reranker, abstain):
    with pytest.raises(UsageError, match="between 0 and 1"):
        ro.rerank(reranker, [], abstain=abstain)


def test_abstained_lists_keep_the_base_order(reranker):
    lists = demo_lists("test")
    free, careful = reranker.rerank(lists), reranker.rerank(lists, abstain=0.8)
    unsure = [n.extra["confidence"] < 0.8 for n in free]
    assert 0 < sum(unsure) < len(lists)
    for one, other, kept in zip(free, careful, unsure, strict=True):
        assert sorted(one.candidates, key=lambda c: c.rank) == sorted(
            other.candidates, key=lambda c: c.rank
        )
        assert one.extra == other.extra
        if kept:
            assert [c.rank for c in other.candidates] == list(range(len(other)))
        else:
            assert other == one
    assert list(ro.rerank(reranker, lists, abstain=0.8, engine=2)) == careful
    assert reranker.rerank(careful, abstain=0.8) == careful
    assert reranker.rerank(lists, abstain=0.0) == free


def test_evaluate_takes_abstained_lists_as_they_stand(reranker):
    never = reranker.rerank(demo_lists("test"), abstain=1.0)
    figures = ro.evaluate(never, "wer").figures
    assert figures["picked"] == figures["base"]


def test_one_candidate_is_certain(reranker):
    lists = [ro.NBest(1, None, [ro.Candidate("a", -1.0)])]
    assert reranker.rerank(lists, abstain=1.0)[0].extra == {"confidence": 1.0}


def test_models_keep_their_calibration(train, reranker, tmp_path):
    reranker.save(tmp_path / "m")
    loaded = ro.load(tmp_path / "m")
    lists = demo_lists("test")
    assert loaded.rerank(lists) == reranker.rerank(lists)
    assert loaded.training == reranker.training
    turned = random.Random(1).sample(train[120:], 100)
    ro.fit(train[:120], dev=turned, metric="wer", learner="perceptron").save(tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == (tmp_path / "m").read_bytes()


OF_FEATURES = sorted(
    name for name in LEARNERS if not make_ranker(name).takes_trees and name != "mert"
)  # which takes few features


@pytest.mark.parametrize("learner", OF_FEATURES)
def test_every_learner_of_features_can_be_calibrated(train, learner):
    binary = {"thresholds": (1, 2, 4), "bins": 4}  # which every learner takes
    reranker = ro.fit(train[:60], dev=train[60:90], metric="wer", learner=learner, **binary)
    assert 0 < reranker.rerank(train[90:91])[0].extra["confidence"] < 1
