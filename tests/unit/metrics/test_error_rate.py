"""Error rates: edits worked by hand."""

from __future__ import annotations

import tracemalloc

import pytest

from runoff.errors import UsageError
from runoff.metrics.base import MeasureError
from runoff.metrics.error_rate import ErrorRate, count_edits


@pytest.mark.parametrize(
    ("output", "gold", "edits"),
    [
        ("", "", (0, 0, 0)),
        ("abc", "", (0, 0, 3)),
        ("", "abc", (0, 3, 0)),
        ("abc", "abc", (0, 0, 0)),
        ("axc", "abc", (1, 0, 0)),
        ("ac", "abc", (0, 1, 0)),
        ("abxc", "abc", (0, 0, 1)),
        ("aba", "a", (0, 0, 2)),  # beginning and end may not share the one a
        ("bcd", "abc", (0, 1, 1)),
        ("sitting", "kitten", (2, 0, 1)),
    ],
)
def test_edits(output, gold, edits):
    assert count_edits(output, gold) == edits


def test_word_error_rate_of_two_sentences():
    metric = ErrorRate()
    totals = metric.statistics(["a x c"], "a b c d")[0] + metric.statistics(["e"], "e")[0]
    figures = metric.figures(totals)
    assert next(iter(figures)) == "WER"
    assert figures["WER"] == 40
    assert (figures["substitutions"], figures["deletions"], figures["insertions"]) == (20, 20, 0)
    assert figures["wrong"] == 50


def test_error_rate_may_pass_one_hundred():
    metric = ErrorRate()
    assert metric.figures(metric.statistics(["a b c"], "x")[0])["WER"] == 300


def test_characters_count_single_spaces():
    metric = ErrorRate(unit="character")
    row = metric.statistics([" a  vote "], "a note")[0]
    assert row.tolist() == [1, 0, 0, 6, 1, 1]


def test_quality_is_minus_errors():
    metric = ErrorRate()
    assert metric.quality(metric.statistics(["a b", "a", "x y z"], "a b")).tolist() == [0, -1, -3]


def test_errors():
    with pytest.raises(UsageError, match="unknown unit 'letter'"):
        ErrorRate(unit="letter")
    with pytest.raises(MeasureError, match=r"outputs\[0\]: expected text, not \['a'\]"):
        ErrorRate(unit="character").statistics([["a"]], "a")


def test_memory_of_long_texts_is_that_of_some_columns():
    gold = [str(i % 997) for i in range(8000)]
    output = ["x", *gold[:4000], "y", *gold[4001:-1], "z", "z"]
    tracemalloc.start()
    assert count_edits(output, gold) == (2, 0, 2)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 8_000_000  # the whole table has 17 million bytes
