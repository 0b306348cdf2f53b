"""Ranking problems built from arrays equal those built from dictionaries."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from twins.problem import encode

from runoff.data.nbest import Candidate, NBest
from runoff.features import build
from runoff.features.build import build_problem
from runoff.features.extract import find_extractors
from runoff.features.problem import RankingProblem

VALUES = st.one_of(st.integers(0, 5), st.sampled_from([-1.0, 0.5, 2.5]))
FEATURES = st.dictionaries(st.sampled_from("abcdef"), VALUES)
LISTS = st.lists(st.lists(FEATURES, max_size=4), max_size=7)
THRESHOLDS = st.sampled_from([(), (1,), (1, 2), (1, 2, 4)])


def nbests(lists):
    return [
        NBest(
            None, None, [Candidate(None, -float(j), features=own) for j, own in enumerate(features)]
        )
        for features in lists
    ]


def decoded(problem, space):
    values = problem.feature_values
    if values is None:
        values = np.ones(len(problem.feature_ids))
    return [
        {space.names[problem.feature_ids[at]]: values[at] for at in range(first, last)}
        for first, last in zip(problem.feature_offsets, problem.feature_offsets[1:], strict=False)
    ]


@given(LISTS, st.integers(1, 3), THRESHOLDS)
def test_equals_the_twin(lists, min_lists, thresholds):
    problem, space = build_problem(
        nbests(lists), find_extractors(["given"]), min_lists=min_lists, thresholds=thresholds
    )
    names, encoded = encode(lists, min_lists, thresholds)
    assert space.names == names
    assert decoded(problem, space) == encoded
    assert np.diff(problem.list_offsets).tolist() == [len(features) for features in lists]
    starts = problem.feature_offsets[1:-1]
    falls = np.flatnonzero(np.diff(problem.feature_ids.astype(np.int64)) <= 0) + 1
    assert set(falls) <= set(starts)  # ids rise within a candidate


@given(LISTS, LISTS, THRESHOLDS)
def test_a_known_space_gives_the_same_ids(train, other, thresholds):
    extractors = find_extractors(["given"])
    _, space = build_problem(nbests(train), extractors, thresholds=thresholds)
    problem, same = build_problem(nbests(other), extractors, space=space)
    assert same is space
    known = set(space.names)
    for own in decoded(problem, space):
        assert own.keys() <= known


@given(LISTS, THRESHOLDS)
def test_blocks_and_chunks_do_not_matter(lists, thresholds):
    extractors = find_extractors(["given"])
    whole, space = build_problem(nbests(lists), extractors, thresholds=thresholds)
    sizes = build.LISTS_PER_CHUNK, build.ENTRIES_PER_BLOCK
    try:
        build.LISTS_PER_CHUNK, build.ENTRIES_PER_BLOCK = 1, 2
        small, _ = build_problem(nbests(lists), extractors, thresholds=thresholds)
    finally:
        build.LISTS_PER_CHUNK, build.ENTRIES_PER_BLOCK = sizes
    assert decoded(small, space) == decoded(whole, space)


@given(LISTS)
def test_saved_and_loaded(tmp_path_factory, lists):
    path = tmp_path_factory.mktemp("problem") / "p.problem"
    problem, space = build_problem(nbests(lists), find_extractors(["given"]))
    problem.save(path, space)
    again, again_space = RankingProblem.load(path)
    assert again_space.names == space.names
    assert decoded(again, again_space) == decoded(problem, space)
    assert again.logprobs.tolist() == problem.logprobs.tolist()
    assert again.fingerprint() == problem.fingerprint()
