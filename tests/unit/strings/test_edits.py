"""Edit distances, worked by hand."""

from __future__ import annotations

import subprocess
import sys
import textwrap

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
    """In a process of its own: the whole table would have 400 million bytes."""
    program = """
        import resource
        from runoff.strings.edits import count_edits

        gold = [i % 997 for i in range(40_000)]
        output = ["x", *gold[:20_000], "y", *gold[20_001:-1], "z", "z"]
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        assert count_edits(output, gold) == (2, 0, 2)
        assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100_000  # kB
    """
    subprocess.run([sys.executable, "-c", textwrap.dedent(program)], check=True)
