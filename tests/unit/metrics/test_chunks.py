"""Chunk F1: figures, quality and errors; the counts are in the golden tests."""

from __future__ import annotations

import pytest

from runoff.metrics.base import MeasureError
from runoff.metrics.chunks import ChunkF1, figures_by_type


def test_text_and_lists_are_one():
    metric = ChunkF1()
    assert metric.statistics([["B-NP", "O"], "B-NP  O"], ["B-NP", "O"]).tolist() == [
        [1, 1, 1, 2, 2],
        [1, 1, 1, 2, 2],
    ]


def test_quality_is_f1_and_perfect_without_chunks():
    metric = ChunkF1()
    assert metric.quality(metric.statistics(["O O", "B-NP O"], "O O")).tolist() == [1, 0]
    quality = metric.quality(metric.statistics(["B-NP B-VP", "O B-VP"], "B-NP B-VP"))
    assert quality == pytest.approx([1, 2 / 3])


@pytest.mark.parametrize(
    ("output", "problem"),
    [
        ("B-NP", "has 1 tokens, gold has 2"),
        ("B-NP NP", "unknown tag 'NP'; expected O or a prefix of B, E, I, L, M, S, U and a type"),
        ("B-NP O-NP", "unknown tag 'O-NP'"),
        (["B-NP", 1], "expected text or a list of text, not ['B-NP', 1]"),
    ],
)
def test_what_cannot_be_compared_is_named(output, problem):
    with pytest.raises(MeasureError) as caught:
        ChunkF1().statistics(["O O", output], "B-NP O")
    assert str(caught.value).startswith(f"outputs[1]: {problem}")


def test_types_in_gold_only():
    figures = figures_by_type(["O O"], ["B-B B-A"])
    assert list(figures) == ["A", "B"]
    assert figures["A"] == (0, 0, 0, 0, 1)
