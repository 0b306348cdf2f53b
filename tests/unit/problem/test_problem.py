"""Statistics of the metric in a ranking problem, and the figure of what is picked by them."""

from dataclasses import replace

import numpy as np
import pytest

import runoff as ro
from runoff.errors import ModelError
from runoff.metrics import metric
from runoff.metrics.base import figure
from runoff.metrics.measure import measure
from runoff.metrics.user_metric import FunctionMetric
from runoff.problem.build.build import build_problem
from runoff.problem.file import load_problem, save_problem
from runoff.store.file import load, save

# one long sentence with a phrase less or more, and a short one that is right or wrong
LONG = "B-NP I-NP B-VP B-NP B-PP B-NP I-NP B-VP B-NP I-NP".split()
LISTS = [
    ro.NBest(1, LONG, [ro.Candidate(LONG, -1.0), ro.Candidate(["O"] * 10, -2.0)], gold=LONG),
    ro.NBest(2, ["a"], [ro.Candidate(["O"], -1.0), ro.Candidate(["B-NP"], -2.0)], gold=["B-NP"]),
]
FIRST_RIGHT = np.array([1.0, 0.0, 1.0, 0.0])
SECOND_RIGHT = np.array([0.0, 1.0, 0.0, 1.0])


@pytest.fixture
def problem():
    return build_problem(LISTS, [], metric=metric("chunk-f1"))[0]


def test_what_is_picked_is_measured_as_a_whole(problem):
    chosen = metric("chunk-f1")
    statistics = measure(LISTS, chosen).statistics
    assert problem.statistics.tolist() == statistics.tolist()
    for scores, rows in ((FIRST_RIGHT, [0, 2]), (SECOND_RIGHT, [1, 3])):
        expected = figure(chosen, statistics[rows].sum(axis=0))
        assert problem.picked_quality(scores) == expected
    assert problem.picked_quality(FIRST_RIGHT) > problem.picked_quality(SECOND_RIGHT) + 50


def test_less_is_better_for_error_rates():
    lists = [ro.NBest(1, None, [ro.Candidate("a b"), ro.Candidate("a c")], gold="a c")]
    problem, _ = build_problem(lists, [], metric=metric("wer"))
    assert problem.picked_quality(np.array([1.0, 0.0])) == -50
    assert problem.picked_quality(np.array([0.0, 1.0])) == 0


def test_a_metric_that_is_a_function_gives_the_mean():
    mean = FunctionMetric(lambda output, gold: len(output))
    problem, _ = build_problem(LISTS, [], metric=mean)
    assert problem.picked_quality(FIRST_RIGHT) == 5.5


def test_without_a_metric_qualities_are_summed(problem):
    bare = replace(problem, metric=None)
    assert bare.picked_quality(FIRST_RIGHT) == problem.qualities[[0, 2]].sum()


def test_parts_of_a_problem_keep_their_statistics(problem):
    mask = np.array([True, False, False, True])
    assert problem.keep(mask).statistics.tolist() == problem.statistics[mask].tolist()
    assert problem.only(1).statistics.tolist() == problem.statistics[2:].tolist()


def test_a_file_has_the_statistics_and_no_metric(problem, tmp_path):
    _, space = build_problem(LISTS, [])
    save_problem(tmp_path / "p", problem, space)
    loaded, _ = load_problem(tmp_path / "p")
    assert loaded.statistics.tolist() == problem.statistics.tolist()
    assert loaded.metric is None
    assert replace(loaded, metric=problem.metric).picked_quality(
        FIRST_RIGHT
    ) == problem.picked_quality(FIRST_RIGHT)


@pytest.mark.parametrize(
    "broken", [np.zeros((3, 2)), np.zeros(4), np.full((4, 2), np.nan), np.zeros((4, 2), np.int64)]
)
def test_broken_statistics_are_refused(problem, tmp_path, broken):
    save_problem(tmp_path / "p", problem, build_problem(LISTS, [])[1])
    _, header, arrays = load(tmp_path / "p")
    save(tmp_path / "p", "problem", header, {**arrays, "statistics": broken})
    with pytest.raises(ModelError, match="statistics"):
        load_problem(tmp_path / "p")
