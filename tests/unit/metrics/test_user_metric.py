"""Metrics that are a number per candidate."""

from __future__ import annotations

import math

import pytest

from runoff.errors import UsageError
from runoff.metrics import metric
from runoff.metrics.base import MeasureError
from runoff.metrics.user_metric import FunctionMetric, GivenQuality


def overlap(output, gold):
    return len(set(output) & set(gold))


def test_mean_of_a_function():
    metric = FunctionMetric(overlap)
    statistics = metric.statistics(["abc", "xbc", "xyz"], "abc")
    assert metric.quality(statistics).tolist() == [3, 2, 0]
    assert metric.figures(statistics.sum(axis=0))["mean"] == pytest.approx(5 / 3)
    assert metric.signature() == "function|name:overlap"


@pytest.mark.parametrize("value", [None, "many", math.nan, math.inf])
def test_values_must_be_finite_numbers(value):
    with pytest.raises(MeasureError, match=r"outputs\[1\]: expected a finite number as quality"):
        FunctionMetric(lambda output, gold: value if output else 0).statistics(["", "a"], "a")
    with pytest.raises(MeasureError, match=r"outputs\[0\]: expected a finite number as quality"):
        GivenQuality().statistics([value], None)


def test_a_function_that_fails_is_named_with_the_output():
    with pytest.raises(MeasureError, match=r"outputs\[1\]: the metric 'overlap' failed: TypeError"):
        FunctionMetric(overlap).statistics(["ab", 3], "ab")


def test_functions_are_loaded_by_name():
    assert metric("operator:eq", allow_code=True).name == "operator:eq"


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("no_such_module:f", "cannot import the metric {}: No module named 'no_such_module'"),
        (
            "operator:no_such",
            "cannot import the metric {}: module 'operator' has no attribute 'no_such'",
        ),
        ("math:pi", "the metric {} is not a function"),
    ],
)
def test_what_cannot_be_loaded_is_named(name, problem):
    with pytest.raises(UsageError) as caught:
        metric(name, allow_code=True)
    assert str(caught.value) == problem.format(repr(name))
