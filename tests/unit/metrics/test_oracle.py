"""One-best, oracle, random and worst, on lists small enough to see."""

from __future__ import annotations

import pytest

from runoff.data.nbest import Candidate, NBest
from runoff.metrics import metric
from runoff.metrics.measure import measure
from runoff.metrics.oracle import default_sizes, one_best, oracle, table, worst


def nbest(*candidates):
    """A list of (quality, base score) pairs."""
    return NBest(None, None, [Candidate("x", score, quality) for quality, score in candidates])


def measured(*lists):
    return measure(lists, metric("quality"))


def test_choices_follow_the_base_order():
    lists = measured(nbest((5, -3.0), (1, -1.0), (3, -2.0)), nbest((2, -1.0), (4, -1.0)))
    assert one_best(lists).tolist() == [1, 3]
    assert oracle(lists, 2).tolist() == [2, 4]
    assert oracle(lists).tolist() == [0, 4]
    assert worst(lists, 2).tolist() == [1, 3]


def test_ties_go_to_the_higher_base_score_then_the_lower_position():
    lists = measured(nbest((1, -2.0), (1, -1.0), (1, -1.0)))
    assert oracle(lists).tolist() == worst(lists).tolist() == [1]


def test_lists_without_log_probabilities_keep_their_order():
    lists = measure(
        [NBest(None, None, [Candidate("x", quality=1), Candidate("y", quality=2)])],
        metric("quality"),
    )
    assert one_best(lists).tolist() == [0]


def test_table_worked_by_hand():
    lists = measured(
        nbest((5, -3.0), (1, -1.0), (3, -2.0)),
        nbest((2, -1.0), (4, -2.0)),
        nbest(),
        nbest((0, -1.0)),
    )
    rows = table(lists, metric("quality"))
    assert [row.n for row in rows] == [1, 2, 3]
    assert [row.one_best["quality"] for row in rows] == [1, 1, 1]
    assert [row.oracle["quality"] for row in rows] == pytest.approx([1, 7 / 3, 3])
    assert [row.worst["quality"] for row in rows] == pytest.approx([1, 1, 1])
    # means of the prefixes: 1, 2, 0; 2, 3, 0; 3, 3, 0
    assert [row.random["quality"] for row in rows] == pytest.approx([1, 5 / 3, 2])


def test_random_is_the_figure_of_mean_statistics():
    lists = [NBest(None, None, [Candidate("a b c"), Candidate("x")], "a b c")]
    metric_ = metric("wer")
    row = table(measure(lists, metric_), metric_, [2])[0]
    assert row.random["WER"] == pytest.approx(50)
    assert row.oracle["WER"] == 0
    assert row.worst["WER"] == 100


def test_nothing_to_choose_from():
    lists = measured(nbest(), nbest())
    assert oracle(lists).tolist() == []
    assert table(lists, metric("quality")) == []


@pytest.mark.parametrize(
    ("longest", "sizes"),
    [
        (0, []),
        (1, [1]),
        (2, [1, 2]),
        (50, [1, 2, 5, 10, 20, 50]),
        (101, [1, 2, 5, 10, 20, 50, 100, 101]),
    ],
)
def test_sizes(longest, sizes):
    assert default_sizes(longest) == sizes
