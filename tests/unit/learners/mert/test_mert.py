import numpy as np
import pytest
from helpers.strategies.problems import problems
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import runoff as ro
from runoff.errors import UsageError
from runoff.learners.mert.mert import Lines, Mert


@given(problem=problems(), seed=st.integers(0, 1000))
@settings(max_examples=60)
def test_the_line_search_equals_a_fine_grid(problem, seed):
    assume(problem.n_candidates)
    random = np.random.default_rng(seed)
    lines = Lines.of(problem)
    weights, direction = random.normal(size=(2, len(lines.scales)))
    corners, qualities = lines.along(weights, direction)
    assert (np.diff(corners) > 0).all()
    assert len(qualities) == len(corners) + 1
    for place in np.linspace(-5, 5, 101):
        if len(corners) and np.abs(corners - place).min() < 1e-9:
            continue
        expected = lines.quality(weights + place * direction)
        assert qualities[np.searchsorted(corners, place)] == pytest.approx(expected)


def test_corpus_bleu_is_what_is_maximised():
    """The better list by mean sentence BLEU is the worse one by corpus BLEU: lengths count."""
    long = "one two three four five six seven eight"
    lists = [
        ro.NBest(i, None, [ro.Candidate(long, -1.0, features={"short": 0.0}),
                           ro.Candidate("one two", -2.0, features={"short": 1.0})], gold=gold)
        for i, gold in enumerate([long, "one two", long, long])
    ]  # fmt: skip
    found = ro.fit(lists, learner="mert", metric="bleu", min_lists=1)
    assert [one.candidates[0].output for one in found.rerank(lists)] == [long] * 4


def test_the_base_order_is_the_first_start(tmp_path):
    lists = [
        ro.NBest(i, None, [ro.Candidate("a", -1.0), ro.Candidate("b", -2.0)], gold="a")
        for i in range(3)
    ]
    found = ro.fit(lists, learner="mert", metric="exact", options={"starts": 1}, min_lists=1)
    assert found.rerank(lists)[0].candidates[0].output == "a"


def test_what_is_the_same_in_a_whole_list_has_no_weight():
    """Its spread is rounding alone, and its weight would be divided by that."""
    random = np.random.default_rng(1)
    names = ["one", "two", "three", "four"]
    lists = []
    for i in range(40):
        values = random.normal(size=(5, 4))
        gold = int(np.argmax(values @ [1, -1, 1, -1] + random.normal(size=5)))
        whole = {"input": -80.1 - i / 7}
        lists.append(ro.NBest(i, None, [
            ro.Candidate(str(k), float(-k), features=dict(zip(names, own, strict=True)) | whole)
            for k, own in enumerate(values.tolist())], gold=str(gold)))  # fmt: skip
    found = ro.fit(lists, learner="mert", metric="exact", features=("given",), min_lists=1)
    best = found.ranker.record_["starts"]
    assert best[0]["quality"] < max(row["quality"] for row in best)  # so a random start won
    assert dict(zip(found.space.names, found.ranker.weights(), strict=True))["input"] == 0


def test_too_many_features_are_rejected(tmp_path):
    lists = [
        ro.NBest(i, None, [
            ro.Candidate("a", -1.0, features={f"f{k}": float(k + i) for k in range(300)}),
            ro.Candidate("b", -2.0, features={"f0": 7.0})], gold="a")
        for i in range(5)
    ]  # fmt: skip
    with pytest.raises(UsageError, match="mert takes at most 256 features, not 300"):
        ro.fit(lists, learner="mert", metric="exact", features=("given",), min_lists=1)


def test_options():
    with pytest.raises(UsageError, match="starts"):
        Mert(starts=0).check()
