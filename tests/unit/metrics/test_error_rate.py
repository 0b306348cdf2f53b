"""Error rates: edits worked by hand."""

from __future__ import annotations

import pytest

from runoff.errors import UsageError
from runoff.metrics.base import MeasureError
from runoff.metrics.error_rate import ErrorRate


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
