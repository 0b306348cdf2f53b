"""Views of a problem relative to the list."""

from dataclasses import replace

import numpy as np
import pytest
from helpers.strategies.problems import problems
from hypothesis import given
from twins.views import column, views

from runoff.data.nbest import Candidate, NBest
from runoff.errors import ModelError
from runoff.features.extract import find_extractors
from runoff.problem.build.build import build_problem
from runoff.problem.views import Views, restored_views


def with_values(problem):
    size = len(problem.feature_ids)
    own = problem.feature_values
    return replace(problem, feature_values=np.ones(size) if own is None else own)


@given(problems())
def test_native_views_equal_those_of_the_twin(problem):
    problem = with_values(problem)
    ids = np.array([1, 4], dtype=np.uint32)
    found = Views(ids).columns(problem)
    for place, values in enumerate([column(problem, 1), column(problem, 4), problem.logprobs]):
        assert found.raw[:, place].tolist() == values.tolist()
        for first, last in zip(problem.list_offsets, problem.list_offsets[1:], strict=False):
            if first < last:
                ranks, scores = views(values[first:last])
                assert found.rank[first:last, place].tolist() == ranks
                assert found.score[first:last, place] == pytest.approx(scores)


@given(problems())
def test_added_views_stand_after_the_features(problem):
    own = Views(np.array([2], dtype=np.uint32))
    seen, columns = own.added(problem), own.columns(problem)
    assert seen.n_features == problem.n_features + 4
    dense = np.zeros((problem.n_candidates, seen.n_features))
    rows = np.repeat(np.arange(problem.n_candidates), np.diff(seen.feature_offsets))
    dense[rows, seen.feature_ids] = seen.feature_values
    assert (dense[:, problem.n_features :] == np.hstack([columns.rank, columns.score])).all()
    before = np.zeros((problem.n_candidates, problem.n_features))
    rows = np.repeat(np.arange(problem.n_candidates), np.diff(problem.feature_offsets))
    values = problem.feature_values
    before[rows, problem.feature_ids] = 1.0 if values is None else values
    assert (dense[:, : problem.n_features] == before).all()
    _ = seen.native  # checks that ids rise within a candidate


def test_real_numbers_have_views_and_words_have_none():
    lists = [
        NBest(i, None, [Candidate("a a b", -1.0, features={"lm": 0.5 + i, "flag": 1}),
                        Candidate("b", -2.0, features={"lm": -1.5})])
        for i in range(4)
    ]  # fmt: skip
    problem, space = build_problem(lists, find_extractors(["given", "text"]))
    chosen = [space.names[number] for number in Views.of(problem).ids]
    assert "lm" in chosen
    assert "number of words" in chosen
    assert "flag" not in chosen
    assert "word: b" not in chosen


def test_features_of_a_file_that_do_not_rise_are_refused():
    with pytest.raises(ModelError, match="rising order"):
        restored_views({"views": np.array([3, 3], dtype=np.uint32)}, 5)
