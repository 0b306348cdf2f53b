"""Bins worked by hand, and what becomes of candidates that do not have a feature."""

from itertools import pairwise

import numpy as np
import pytest

import runoff as ro
from runoff.errors import ModelError, UsageError
from runoff.features.extract import find_extractors
from runoff.problem.build.build import build_problem
from runoff.problem.space import FeatureSpace
from runoff.tasks.ranking.demo import demo_lists

GIVEN = find_extractors(["given"])


def nbest(*rows):
    return ro.NBest(None, None, [ro.Candidate("x", -1.0, features=row) for row in rows])


def rows(problem, space):
    """The names of every candidate's features."""
    assert problem.feature_values is None  # all are binary
    ids, offsets = problem.feature_ids, problem.feature_offsets
    return [[space.names[n] for n in ids[first:last]] for first, last in pairwise(offsets)]


def test_quantiles_become_binary_features():
    lists = [nbest({"ratio": 0.25}, {"ratio": 0.5}, {"ratio": 0.75}, {"ratio": 1.5})]
    problem, space = build_problem(lists, GIVEN, bins=3)
    assert space.names == ["ratio>=0.5", "ratio>=0.75", "ratio>=1.5"]
    assert rows(problem, space) == [[], space.names[:1], space.names[:2], space.names]


def test_an_absent_feature_is_zero_on_both_sides_of_it():
    """Below 0 the question is turned round, so that absent candidates never answer yes."""
    lists = [nbest({"gain": -2.5}, {"gain": -0.5}, {}, {"gain": 0.5}, {"gain": 2.5})]
    problem, space = build_problem(lists, GIVEN, bins=3)
    assert space.names == ["gain<=-0.5", "gain>=0.5", "gain>=2.5"]
    assert rows(problem, space) == [["gain<=-0.5"]] * 2 + [[], ["gain>=0.5"], space.names[1:]]


def test_what_tells_no_candidates_apart_is_left_out():
    same = nbest({"ratio": 9.5}, {"ratio": 9.5})
    high = nbest({"ratio": 0.5}, {"ratio": 0.75})
    problem, space = build_problem([same, high, high], GIVEN, bins=2, min_lists=2)
    assert space.names == ["ratio>=0.75"]  # 9.5 is no quantile, and >=0.5 holds in whole lists
    assert rows(problem, space) == [[], [], [], ["ratio>=0.75"], [], ["ratio>=0.75"]]


def test_counts_stay_with_their_thresholds():
    lists = [nbest({"words": 3, "ratio": 0.5}, {"words": 1})]
    problem, space = build_problem(lists, GIVEN, bins=2)
    assert space.names == ["ratio>=0.5", "words"]
    assert problem.feature_values.tolist() == [1, 3, 1]
    problem, space = build_problem(lists, GIVEN, bins=2, thresholds=(1, 2))
    assert rows(problem, space) == [["ratio>=0.5", "words>=2"], []]
    assert space.names == ["ratio>=0.5", "words", "words>=2"]


def test_other_lists_meet_the_same_cut_points():
    _, space = build_problem([nbest({"ratio": 0.5}, {"ratio": -0.25})], GIVEN, bins=2)
    odd = nbest({"ratio": 7}, {"ratio": 0.49}, {"ratio": -0.25}, {"ratio>=0.5": 1})
    problem, _ = build_problem([odd], GIVEN, space=space)
    assert rows(problem, space) == [["ratio>=0.5"], [], ["ratio<=-0.25"], []]


def test_cut_points_round_towards_zero():
    """The value itself must still answer yes, and the name must be the whole truth."""
    problem, space = build_problem([nbest({"x": 2 / 3, "y": -2e7 / 3}, {})], GIVEN, bins=1)
    assert space.names == ["x>=0.666666", "y<=-6.66666e+06"]
    assert rows(problem, space) == [space.names, []]


@pytest.mark.parametrize("bins", [-1, 1001])
def test_bins_that_make_no_sense(bins):
    with pytest.raises(UsageError, match="bins must lie between 0 and 1,000, not "):
        build_problem([], GIVEN, bins=bins)


@pytest.mark.parametrize("how", [{"bins": 1}, {"thresholds": (1, 2)}])
def test_two_features_of_one_name_are_refused(how):
    value = 2.5 if "bins" in how else 2
    lists = [nbest({"n": value, f"n>={value}": 1}, {"n": 1})] * 2
    with pytest.raises(
        UsageError, match=f"'n' becomes 'n>={value}', but there already is a feature"
    ):
        build_problem(lists, GIVEN, **how)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"cuts": np.array([np.nan, 0.5])}, "the array 'cuts' must be finite, but holds nan"),
        ({"cuts": np.array([0.0, 0.5])}, "a cut point is 0"),
        ({"cuts": np.array([1, 2])}, "'cuts' must be float64 of shape .2., not int64"),
        ({"cuts": np.array([0.25, 0.5])}, "'x<=-1.5' is not called after its cut point"),
        (
            {"cuts": np.array([0.5])},
            "'cuts' must be float64 of shape .2., not float64 of shape .1.",
        ),
        (
            {"cut_features": np.array([1, 0])},
            "the features with cut points are not in rising order",
        ),
        (
            {"cut_features": np.array([0, 2])},
            "'cut_features' must hold numbers in .0, 2., but holds 2",
        ),
    ],
)
def test_broken_cut_points_are_refused(changed, message):
    arrays = FeatureSpace(["x<=-1.5", "x>=0.5"], cuts={0: -1.5, 1: 0.5}).arrays()
    assert FeatureSpace.from_arrays(arrays).cuts == {0: -1.5, 1: 0.5}
    with pytest.raises(ModelError, match=message):
        FeatureSpace.from_arrays(arrays | changed)
    with pytest.raises(ModelError, match="the array 'cuts' is missing"):
        FeatureSpace.from_arrays({key: arrays[key] for key in arrays.keys() - {"cuts"}})


def test_a_model_keeps_its_cut_points(tmp_path):
    """Jobs, a cache and a file in between change nothing."""
    train, test = demo_lists("train"), demo_lists("test")
    ro.write_nbest(train, tmp_path / "train.jsonl")
    options = {"metric": "wer", "dev": test, "cache": tmp_path / "cache"}
    plain = ro.fit(tmp_path / "train.jsonl", **options)
    binned = ro.fit(tmp_path / "train.jsonl", **options, bins=4)
    assert not plain.space.cuts  # the cache tells the two apart
    assert {"logprob per word", "agreement of words"} <= set(plain.space.names)
    assert not {"logprob per word", "agreement of words"} & set(binned.space.names)
    assert sum(name.startswith("logprob per word<=-") for name in binned.space.names) == 4
    for number, jobs in enumerate((1, 2)):
        again = ro.fit(train[::-1], metric="wer", dev=test, bins=4, engine=jobs)
        again.save(tmp_path / f"{number}.runoff")
        binned.save(tmp_path / "binned.runoff")
        written = (tmp_path / f"{number}.runoff").read_bytes()
        assert written == (tmp_path / "binned.runoff").read_bytes()
    loaded = ro.load(tmp_path / "binned.runoff")
    assert loaded.space.cuts
    assert loaded.rerank(test) == binned.rerank(test)
