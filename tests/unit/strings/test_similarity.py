"""Similarities: worked by hand, and the same for many pairs as for one."""

from __future__ import annotations

import math
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from runoff.errors import MissingExtraError, UsageError
from runoff.strings import tokens
from runoff.strings.similarity import SIMILARITIES, pairs
from runoff.strings.values import Name, name_of, number_of, plain, text_of, tokens_of, year_of

pytest.importorskip("rapidfuzz", reason="the extra `identity` is not installed")

HAND = [
    ("equal", "J. of AI", "j of ai", 1),
    ("equal", "AI", "AI journal", 0),
    ("equal", "Müller", "Muller", 1),
    ("equal", "...", "...", 0),  # nothing is left to compare
    ("missing", "", "a", 1),
    ("missing", "a", ["b"], 0),
    ("ratio", "abcd", "abxd", 0.75),  # 3 of 4 characters of each are shared, in order
    ("token_sort_ratio", "of networks theory", "theory of networks", 1),
    ("token_set_ratio", "theory of networks", "networks theory of, a survey", 1),
    ("partial_ratio", "networks", "theory of networks", 1),
    ("token_overlap", "a b b c", "c d", 1 / 2),
    ("token_overlap", ["A. Wu", "B. Li"], ["A. Wu"], 1),
    ("token_overlap", ["A. Wu"], "a wu", 0),  # an item is one token, a word another
    ("number_equal", "12(3)", "vol. 12", 1),
    ("number_equal", "-1.50", "-1.5", 1),
    ("number_close", "200", "150", 0.75),
    ("number_close", "-1", "1", 0),
    ("number_close", "0", "0", 1),
    ("year_equal", "(1994).", "June 1994", 1),
    ("year_equal", "94", "1994", 0),
    ("year_close", "1994", "1990", 1 / 5),
    ("initials", "D. Miller", "Miller, David R.", 1),
    ("initials", "Dan Miller", "Miller, David R.", 0),
    ("initials", "D. Miller", "D. Muller", 0),
    ("initials", "D. S. Miller", "David R. Miller", 0),
    ("initials", "DR Miller", "David Robert Miller", 1),
    ("initials", "J.-P. Roth", "Jean-Paul Roth", 1),
    ("middle_conflict", "David R. Miller", "David S. Miller", 1),
    ("middle_conflict", "David Robert Miller", "David R. Miller", 0),
    ("middle_conflict", "David Robert Miller", "David Roger Miller", 1),
    ("middle_conflict", "David Miller", "David R. Miller", 0),
    ("middle_conflict", "D. R. S. Miller", "D. R. T. Miller", 1),
]


@pytest.mark.parametrize(("name", "a", "b", "wanted"), HAND)
def test_worked_by_hand(name, a, b, wanted):
    import runoff.strings.similarity as similarity

    function = getattr(similarity, name)
    assert function(a, b) == function(b, a) == pytest.approx(wanted)


@pytest.mark.parametrize("name", sorted(set(SIMILARITIES) - {"missing", "initials"}))
@pytest.mark.parametrize("nothing", [None, "", [], "--"])
def test_nothing_is_similar_to_what_is_missing(name, nothing):
    values = [nothing, "Li, Wei 1994"]
    assert pairs(name, values, [0, 1, 0], [1, 0, 0]).tolist() == [0, 0, 0]


VALUES = st.one_of(
    st.none(),
    st.text("ab 1,.é", max_size=9),
    st.lists(st.text("ab ", max_size=4), max_size=3),
)


@given(st.lists(VALUES, min_size=1, max_size=6), st.data())
def test_many_pairs_are_each_pair_alone_within_zero_and_one(values, data):
    places = st.lists(st.integers(0, len(values) - 1), min_size=1, max_size=8)
    left = data.draw(places)
    right = [data.draw(st.integers(0, len(values) - 1)) for _ in left]
    for name in SIMILARITIES:
        found = pairs(name, values, left, right)
        assert ((found >= 0) & (found <= 1)).all()
        assert found.tolist() == pairs(name, values, right, left).tolist()
        if name != "cosine":  # whose weights are those of all values
            alone = [
                pairs(name, [values[i], values[j]], [0], [1])[0]
                for i, j in zip(left, right, strict=True)
            ]
            assert found.tolist() == alone


def plain_cosine(values, i, j):
    own = [tokens_of(value) for value in values]
    there = sum(map(bool, own))

    def weight(token):
        return math.log(1 + there / sum(token in tokens for tokens in own))

    def norm(tokens):
        return math.sqrt(sum(weight(token) ** 2 for token in tokens))

    if not own[i] or not own[j]:
        return 0.0
    shared = sum(weight(token) ** 2 for token in own[i] & own[j])
    return shared / norm(own[i]) / norm(own[j])


@given(st.lists(VALUES, min_size=2, max_size=6))
def test_cosine_is_the_plain_one_in_any_order(values):
    found = pairs("cosine", values, [0] * len(values), range(len(values)))
    wanted = [plain_cosine(values, 0, j) for j in range(len(values))]
    assert found.tolist() == pytest.approx(wanted)
    last = len(values) - 1
    turned = pairs("cosine", values[::-1], [last] * len(values), range(last, -1, -1))
    assert turned.tolist() == found.tolist()


def test_chunks_change_nothing(monkeypatch):
    rng = np.random.default_rng(0)
    values = [" ".join(rng.choice(list("abcdefg"), 4)) for _ in range(20)]
    left, right = rng.integers(0, 20, (2, 50))
    whole = {name: pairs(name, values, left, right).tolist() for name in SIMILARITIES}
    monkeypatch.setattr(tokens, "CHUNK", 7)
    assert whole == {name: pairs(name, values, left, right).tolist() for name in SIMILARITIES}


def test_no_values_and_no_pairs():
    for name in SIMILARITIES:
        assert pairs(name, [], [], []).tolist() == []


def test_an_unknown_similarity_has_a_hint():
    with pytest.raises(UsageError, match="unknown similarity 'token_ratio'"):
        pairs("token_ratio", ["a"], [0], [0])


def test_without_rapidfuzz_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "rapidfuzz.process", None)
    monkeypatch.setitem(sys.modules, "rapidfuzz", None)
    with pytest.raises(MissingExtraError, match=r"needs the package 'rapidfuzz'") as caught:
        pairs("ratio", ["a", "b"], [0], [1])
    assert caught.value.hint == "pip install 'runoff[identity]'"
    assert pairs("token_overlap", ["a", "a"], [0], [1]).tolist() == [1]


def test_parts_of_values():
    assert plain("O’Brien & Søns_Ltd.") == "obrien søns ltd"
    assert text_of(["A. Wu", "...", "B"]) == "a wu b"
    assert [number_of(v) for v in ("no. 7", "-2.5%", ["x", "3"])] == [7, -2.5, 3]
    assert [year_of(v) for v in ("1899-1901", "(2010)", ["x 1994"])] == [1899, 2010, 1994]
    assert math.isnan(year_of("1094"))
    assert math.isnan(number_of("none"))


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("", Name("", (), "")),
        (None, Name("", (), "")),
        (["W. Li", "A. Wu"], Name("w", (), "li")),
        ("Li", Name("", (), "li")),
        ("Li, ", Name("", (), "li")),
        ("van der Berg, Jan P.", Name("jan", ("p",), "van der berg")),
        ("J.P. van Berg", Name("j", ("p", "van"), "berg")),
    ],
)
def test_parts_of_names(text, name):
    assert name_of(text) == name
