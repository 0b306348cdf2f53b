"""Measuring lists: arrays laid end to end, and errors that name the list."""

from __future__ import annotations

import pytest

from runoff.data.nbest import Candidate, NBest
from runoff.metrics import metric
from runoff.metrics.measure import ListError, measure

LISTS = [
    NBest("u1", None, [Candidate("a x", -2.0), Candidate("a b", -1.0)], "a b"),
    NBest("u2", None, [], "c"),
    NBest(None, None, [Candidate("d", quality=99.0)], "c"),
]


def test_lists_lie_end_to_end():
    measured = measure(iter(LISTS), metric("wer"))
    assert measured.offsets.tolist() == [0, 2, 2, 3]
    assert measured.statistics.shape == (3, 6)
    assert measured.qualities.tolist() == [-1, 0, -1]  # the list's own 99 is not looked at
    assert measured.base_ranks.tolist() == [1, 0, 0]
    assert (len(measured), measured.sizes.tolist(), measured.lists.tolist()) == (
        3,
        [2, 0, 1],
        [0, 0, 2],
    )


def test_no_lists_at_all():
    measured = measure([], metric("wer"))
    assert (len(measured), measured.statistics.shape) == (0, (0, 6))


def test_qualities_of_the_lists_need_no_gold():
    lists = [NBest(1, None, [Candidate("a", quality=0.5), Candidate("b", quality=2)])]
    assert measure(lists, metric("quality")).qualities.tolist() == [0.5, 2]


@pytest.mark.parametrize(
    ("nbest", "name", "message"),
    [
        (NBest("s7", None, [Candidate("a")]), "wer", "list 's7' has no gold to measure against"),
        (NBest(None, None, [Candidate("a")]), "wer", "list 1 has no gold to measure against"),
        (
            NBest("s7", None, [Candidate("A"), Candidate("A B")], "A"),
            "accuracy",
            "list 's7': candidates[1].output: has 2 tokens, gold has 1",
        ),
        (NBest(7, None, [Candidate("A")], {}), "wer", "list 7: gold: expected text or a list"),
        (
            NBest(None, None, [Candidate("A")]),
            "quality",
            "list 1 has a candidate without quality",
        ),
    ],
)
def test_errors_name_list_and_candidate(nbest, name, message):
    with pytest.raises(ListError) as caught:
        measure([nbest], metric(name))
    assert caught.value.message.startswith(message)


def test_missing_gold_has_a_hint():
    with pytest.raises(ListError, match="Hint: give every list a `gold`, or use the metric `qual"):
        measure([NBest("s7", None, [Candidate("a")])], metric("wer"))
