import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import runoff as ro
from runoff.errors import UsageError
from runoff.features.extract import find_extractors
from runoff.problem.build import build, runs
from runoff.problem.build.build import build_problem


def made_lists(seed, size=40):
    """Lists of texts and numbers; most words are rare, some are only in the first or last lists."""
    dice = np.random.default_rng(seed)
    words = [f"w{n}" for n in range(400)]
    lists = []
    for n in range(size):
        candidates = []
        for place in range(3):
            text = dice.choice(words[: 60 + 5 * n], 5)
            features = {"length": float(dice.integers(1, 5)), "real": float(dice.normal())}
            features |= {f"only {n // 9}": 1.0 + place}
            candidates.append(ro.Candidate(" ".join(text), -1.0 - place, features=features))
        lists.append(ro.NBest(f"s{n}", None, candidates))
    return lists


def built(lists, at_once, **how):
    """The problem and its space, where a run ends after so many features."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(runs, "FEATURES_AT_ONCE", at_once)
        patch.setattr(runs, "SLICE", 64)
        patch.setattr(runs, "ENTRIES_PER_BLOCK", 100)
        patch.setattr(build, "LISTS_PER_CHUNK", 4)
        return build_problem(lists, find_extractors(["given", "text"]), **how)


HOW = [
    {},
    {"min_lists": 2},
    {"min_lists": 7},
    {"min_lists": 2, "thresholds": (1, 2)},
    {"min_lists": 2, "bins": 4},
    {"min_lists": 3, "thresholds": (1, 2), "bins": 3},
]


@settings(max_examples=20)
@given(st.integers(0, 99), st.sampled_from([4, 100, 900]), st.sampled_from(HOW))
def test_what_is_counted_on_disk_is_what_is_counted_in_memory(seed, at_once, how):
    """Names, ids and entries do not depend on where runs end."""
    lists = made_lists(seed)
    whole, space = built(lists, 1 << 24, **how)
    parts, other = built(lists, at_once, **how)
    assert other.names == space.names
    assert (other.real, other.cuts) == (space.real, space.cuts)
    assert whole.arrays().keys() == parts.arrays().keys()
    for name, array in whole.arrays().items():
        np.testing.assert_array_equal(array, parts.arrays()[name], err_msg=name)


def test_runs_have_ended(monkeypatch):
    """Else the property above says nothing."""
    seen = []
    monkeypatch.setattr(
        runs, "frequent", lambda own, least: seen.append(len(own)) or found(own, least)
    )
    built(made_lists(1), 100)
    assert seen[0] > 5


found = runs.frequent


def test_the_name_of_a_rare_feature_is_not_given_to_another():
    """`y>=2` is only in the first list, and would be made of the `y` of others."""
    lists = [ro.NBest("s0", None, [ro.Candidate("a", features={"y>=2": 1.0}), ro.Candidate("b")])]
    lists += [
        ro.NBest(f"s{n}", None, [ro.Candidate("a", features={"y": 3.0}), ro.Candidate("b")])
        for n in range(1, 40)
    ]
    for at_once in (1 << 24, 2):
        with pytest.raises(UsageError, match="there already is a feature"):
            built(lists, at_once, min_lists=2, thresholds=(1, 2))
