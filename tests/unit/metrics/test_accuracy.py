"""Token accuracy and exact match."""

from __future__ import annotations

import pytest

from runoff.data.tree import Tree
from runoff.metrics.accuracy import Accuracy, ExactMatch
from runoff.metrics.base import MeasureError


def test_accuracy_of_two_sentences():
    metric = Accuracy()
    totals = metric.statistics(["A B C"], "A B D")[0] + metric.statistics(["A"], "A")[0]
    assert metric.figures(totals) == {"accuracy": 75, "tokens": 4}


def test_unequal_lengths_are_an_error():
    with pytest.raises(MeasureError, match=r"outputs\[0\]: has 2 tokens, gold has 1"):
        Accuracy().statistics(["A B"], "A")


@pytest.mark.parametrize(
    ("output", "gold", "same"),
    [
        (" a  b ", "a b", 1),
        (["a", "b"], "a b", 1),
        (("a", "b"), ["a", "b"], 1),
        ("a b", "b a", 0),
        ("a", ["a", "b"], 0),
        ({"x": 1}, {"x": 1}, 1),
        (Tree("NN", ["a"]), "(NN a)", 1),
        ("", [], 1),
    ],
)
def test_exact(output, gold, same):
    assert ExactMatch().statistics([output], gold).tolist() == [[same, 1]]
