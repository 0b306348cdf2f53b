"""Metrics of clusters: cases worked by hand, and plain definitions."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from runoff.data.nbest import Candidate, NBest
from runoff.metrics import metric
from runoff.metrics.base import MeasureError
from runoff.metrics.clusters import b_cubed, pair_counts
from runoff.tasks.ranking.evaluate import evaluate

GOLD = [{"a", "b", "c"}, {"d", "e"}, {"f"}]


@pytest.mark.parametrize(
    ("found", "pairs", "precision", "recall"),
    [
        (GOLD, (4, 4, 4), 1, 1),
        ([{"a", "b", "c", "d", "e", "f"}], (4, 4, 15), (3 * 3 + 2 * 2 + 1) / 36, 1),
        ([{x} for x in "abcdef"], (0, 4, 0), 1, (3 / 3 + 2 / 2 + 1) / 6),
        # ab is one pair of three of gold; of c, d: nobody right but themselves
        ([{"a", "b"}, {"c", "d"}, {"e"}, {"f"}], (1, 4, 2), (2 + 2 / 2 + 2) / 6,
         (2 * 2 / 3 + 1 / 3 + 1 / 2 + 1 / 2 + 1) / 6),
    ],
)  # fmt: skip
def test_worked_by_hand(found, pairs, precision, recall):
    assert pair_counts(GOLD, found) == pairs
    f1 = 2 * precision * recall / (precision + recall)
    assert b_cubed(GOLD, found) == pytest.approx((precision, recall, f1))


def test_the_example_of_bagga_and_baldwin():
    """Gold is 1-5, 6-7, 8-12; the second response joins 1-5 with 8-12."""
    key = [range(1, 6), range(6, 8), range(8, 13)]
    first = [range(1, 6), range(6, 13)]
    second = [[*range(1, 6), *range(8, 13)], range(6, 8)]
    key, first, second = ([set(one) for one in sets] for sets in (key, first, second))
    assert b_cubed(key, first).precision == pytest.approx(16 / 21)
    assert b_cubed(key, second).precision == pytest.approx(7 / 12)
    assert b_cubed(key, first).recall == b_cubed(key, second).recall == 1


@st.composite
def clusterings(draw):
    size = draw(st.integers(1, 9))
    labels = st.lists(st.integers(0, 3), min_size=size, max_size=size)
    return [sets(draw(labels)) for _ in range(2)]


def sets(labels):
    return [{i for i, other in enumerate(labels) if other == label} for label in set(labels)]


@given(clusterings())
def test_counts_are_those_of_the_definitions(case):
    gold, found = case
    together = [
        {frozenset(pair) for one in clusters for pair in combinations(one, 2)} for clusters in case
    ]
    counts = pair_counts(gold, found)
    assert counts == (len(together[0] & together[1]), len(together[0]), len(together[1]))
    shares = []
    for record in range(sum(map(len, gold))):
        wanted, given_ = (next(one for one in c if record in one) for c in case)
        shares.append([len(wanted & given_) / len(given_), len(wanted & given_) / len(wanted)])
    assert b_cubed(gold, found)[:2] == pytest.approx(np.mean(shares, axis=0))


@given(clusterings(), clusterings())
def test_statistics_add_over_blocks(one, other):
    def moved(clusters):
        return [{f"other {record}" for record in cluster} for cluster in clusters]

    for name in ("pair-f1", "b-cubed"):
        measure = metric(name)
        parts = [measure.statistics([c[1]], c[0])[0] for c in (one, [moved(x) for x in other])]
        whole = measure.statistics([one[1] + moved(other[1])], one[0] + moved(other[0]))[0]
        assert whole == pytest.approx(np.sum(parts, axis=0))


def test_quality_is_f1_and_perfect_where_nothing_is_together():
    measure = metric("pair-f1")
    alone = [["a"], ["b"]]
    assert measure.quality(measure.statistics([alone, [["a", "b"]]], alone)).tolist() == [1, 0]
    assert measure.figures(measure.statistics([[["a", "b"]]], alone))["clusters"] == 1


@pytest.mark.parametrize("name", ["pair-f1", "b-cubed"])
@pytest.mark.parametrize(
    ("output", "problem"),
    [
        ([["a"]], "lacks 'b'"),
        ([["a"], ["b", "c"]], "has 'c', which gold has not"),
        ([["a"], ["b", "a"]], "has 'a' twice"),
        ([["a", "b"], "c"], "expected a list of lists of ids, not"),
        ([["a", ["b"]]], r"an id is text or a number, not \['b'\]"),
    ],
)
def test_what_cannot_be_compared_is_named(name, output, problem):
    with pytest.raises(MeasureError, match=rf"^outputs\[1\]: {problem}"):
        metric(name).statistics([[["a", "b"], []], output], [["a"], ["b"]])


def test_lists_of_clusterings_have_oracle_and_bootstrap():
    gold = [["a", "b"], ["c"]]
    wrong, right = [["a"], ["b", "c"]], [["c"], ["a", "b"]]
    candidates = [Candidate(wrong, -1.0, score=0.2), Candidate(right, -2.0, score=0.9)]
    lists = [NBest(i, None, candidates, gold) for i in range(3)]
    result = evaluate(lists, "pair-f1", samples=50)
    assert result.signature.startswith("pair-f1|unit:pair|lists:3|n:2|")
    assert [row["F1"] for row in result.figures.values()] == [0, 100, 100]
    assert len(result.comparisons) == 2
