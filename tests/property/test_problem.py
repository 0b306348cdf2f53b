"""Ranking problems built from arrays equal those built from dictionaries."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from twins.problem import decoded, encode

from runoff.data.nbest import Candidate, NBest
from runoff.features.extract import find_extractors
from runoff.problem.build import bins as bins_module
from runoff.problem.build import build, passes, spool
from runoff.problem.build.bins import cut_points
from runoff.problem.build.build import build_problem
from runoff.problem.file import load_problem, save_problem
from runoff.problem.space import cut_name

VALUES = st.one_of(st.integers(0, 5), st.sampled_from([-1.0, 0.5, 2.5]))
FEATURES = st.dictionaries(st.sampled_from("abcdef"), VALUES)
LISTS = st.lists(st.lists(FEATURES, max_size=4), max_size=7)
REALS = st.dictionaries(st.sampled_from("abc"), st.integers(-9, 9).map(lambda n: n / 7))
REAL_LISTS = st.lists(st.lists(REALS, max_size=4), max_size=7)
NONZERO = st.floats(allow_nan=False, allow_infinity=False).filter(bool)
BINS = st.integers(0, 4)
THRESHOLDS = st.sampled_from([(), (1,), (1, 2), (1, 2, 4)])


def nbests(lists):
    return [
        NBest(
            None, None, [Candidate(None, -float(j), features=own) for j, own in enumerate(features)]
        )
        for features in lists
    ]


@given(LISTS | REAL_LISTS, st.integers(1, 3), THRESHOLDS, BINS)
def test_equals_the_twin(lists, min_lists, thresholds, bins):
    problem, space = build_problem(
        nbests(lists),
        find_extractors(["given"]),
        min_lists=min_lists,
        thresholds=thresholds,
        bins=bins,
    )
    names, encoded = encode(lists, min_lists, thresholds, bins)
    assert space.names == names
    assert decoded(problem, space) == encoded
    assert np.diff(problem.list_offsets).tolist() == [len(features) for features in lists]
    starts = problem.feature_offsets[1:-1]
    falls = np.flatnonzero(np.diff(problem.feature_ids.astype(np.int64)) <= 0) + 1
    assert set(falls) <= set(starts)  # ids rise within a candidate


@given(LISTS, LISTS, THRESHOLDS, BINS)
def test_a_known_space_gives_the_same_ids(train, other, thresholds, bins):
    extractors = find_extractors(["given"])
    _, space = build_problem(nbests(train), extractors, thresholds=thresholds, bins=bins)
    problem, same = build_problem(nbests(other), extractors, space=space)
    assert same is space
    known = set(space.names)
    for own in decoded(problem, space):
        assert own.keys() <= known


@given(LISTS | REAL_LISTS, THRESHOLDS, BINS)
def test_blocks_and_chunks_do_not_matter(lists, thresholds, bins):
    extractors, how = find_extractors(["given"]), {"thresholds": thresholds, "bins": bins}
    whole, space = build_problem(nbests(lists), extractors, **how)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(build, "LISTS_PER_CHUNK", 1)
        patch.setattr(passes, "ENTRIES_PER_BLOCK", 2)
        patch.setattr(spool, "IN_MEMORY", 20)
        patch.setattr(bins_module, "ENTRIES_PER_BLOCK", 2)
        patch.setattr(bins_module, "ENTRIES_SORTED", 3)
        small, small_space = build_problem(nbests(lists), extractors, **how)
    assert small_space.names == space.names
    assert decoded(small, space) == decoded(whole, space)


@given(REAL_LISTS, st.randoms(), BINS)
def test_bins_do_not_depend_on_the_order_of_the_lists(lists, random, bins):
    shuffled = random.sample(lists, len(lists))
    spaces = [
        build_problem(nbests(some), find_extractors(["given"]), bins=bins)[1]
        for some in (lists, shuffled)
    ]
    assert spaces[0].names == spaces[1].names
    assert spaces[0].cuts == spaces[1].cuts


@given(st.lists(NONZERO, min_size=1), st.integers(1, 5))
def test_a_cut_point_is_what_its_name_says(values, bins):
    cuts = cut_points(np.array(sorted(values)), bins)
    assert 1 <= len(cuts) <= bins
    assert cuts == sorted(set(cuts))
    for cut in cuts:
        name = cut_name("x", cut)
        assert float(name[3:]) == cut
        assert name[1:3] == (">=" if cut > 0 else "<=")
        assert any(value >= cut > 0 or value <= cut < 0 for value in values)


@given(LISTS | REAL_LISTS, BINS)
def test_saved_and_loaded(tmp_path_factory, lists, bins):
    path = tmp_path_factory.mktemp("problem") / "p.problem"
    problem, space = build_problem(nbests(lists), find_extractors(["given"]), bins=bins)
    save_problem(path, problem, space)
    again, again_space = load_problem(path)
    assert again_space.names == space.names
    assert again_space.cuts == space.cuts
    assert decoded(again, again_space) == decoded(problem, space)
    assert again.logprobs.tolist() == problem.logprobs.tolist()
    assert again.fingerprint() == problem.fingerprint()
