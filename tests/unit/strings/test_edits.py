"""Edit distances, worked by hand."""

from __future__ import annotations

import tracemalloc

import pytest

from runoff.strings.edits import count_edits


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


def test_memory_of_long_texts_is_that_of_some_columns():
    gold = [str(i % 997) for i in range(8000)]
    output = ["x", *gold[:4000], "y", *gold[4001:-1], "z", "z"]
    tracemalloc.start()
    assert count_edits(output, gold) == (2, 0, 2)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 8_000_000  # the whole table has 17 million bytes
