"""Native similarities of texts against rapidfuzz, and of names and words against Python."""

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from runoff.proposers.identity.columns import Columns
from runoff.proposers.identity.fields import SIMILARITIES, Coded
from runoff.proposers.identity.language import WHOLE, Call
from runoff.strings.values import may_be_one, middle_names_conflict, name_of, text_of, tokens_of

FUZZ = {"ratio": "ratio", "token_sort": "token_sort_ratio", "token_set": "token_set_ratio"}
TEXTS = st.lists(st.text("abcß漢 ", max_size=90), min_size=2, max_size=6)
NAMES = st.lists(
    st.sampled_from(["Ada", "A.", "AM", "Anna", "Bo", "B.", "Li", "Lu", "", "Li,"]),
    min_size=0,
    max_size=4,
).map(" ".join)


def columns(values):
    return Columns({"a": Coded.of([value or None for value in values])}, len(values))


def pairs(n):
    left, right = np.triu_indices(n)
    return left.astype(np.uint32), right.astype(np.uint32)


@pytest.mark.parametrize("name", SIMILARITIES)
@given(texts=TEXTS)
def test_similarities_are_those_of_rapidfuzz(name, texts):
    fuzz = pytest.importorskip("rapidfuzz.fuzz")
    left, right = pairs(len(texts))
    found = columns(texts).pairs(Call(name, "a"), left, right)
    plain = [text_of(text) for text in texts]
    for value, i, j in zip(found.tolist(), left, right, strict=True):
        if plain[i] and plain[j]:
            expected = getattr(fuzz, FUZZ[name])(plain[i], plain[j]) / 100
            assert value == pytest.approx(expected, abs=1e-6)
        else:
            assert math.isnan(value)


@given(names=st.lists(NAMES, min_size=2, max_size=6))
def test_names_agree_as_in_python(names):
    left, right = pairs(len(names))
    made = columns(names)
    initials = made.pairs(Call("initials", "a"), left, right).tolist()
    middle = made.pairs(Call("middle", "a"), left, right).tolist()
    for i, j, one, other in zip(left, right, initials, middle, strict=True):
        a, b = name_of(names[i]), name_of(names[j])
        given = text_of(names[i]) and text_of(names[j])
        if given and a.first and b.first:
            assert one == may_be_one(a, b)
        else:
            assert math.isnan(one)
        if given and a.middle and b.middle:
            assert other == middle_names_conflict(a, b)
        else:
            assert math.isnan(other)


@given(rows=st.lists(st.tuples(st.text("ab ", max_size=6), st.text("bc ", max_size=6)), min_size=1))
def test_words_of_whole_records_and_their_rarity(rows):
    first, second = ([text or None for text in column] for column in zip(*rows, strict=True))
    made = Columns({"a": Coded.of(first), "b": Coded.of(second)}, len(rows))
    words = [tokens_of(f"{a or ''} {b or ''}") for a, b in zip(first, second, strict=True)]
    seen = Counter(word for own in words for word in own)
    rarity = {word: math.log1p(len(rows) / n) for word, n in seen.items()}
    left, right = pairs(len(rows))
    found = made.pairs(Call("cosine", WHOLE), left, right)
    for value, i, j in zip(found.tolist(), left, right, strict=True):
        if not words[i] or not words[j]:
            assert math.isnan(value)
            continue
        length = math.prod(
            math.sqrt(sum(rarity[word] ** 2 for word in words[place])) for place in (i, j)
        )
        product = sum(rarity[word] ** 2 for word in words[i] & words[j])
        assert value == pytest.approx(product / length, abs=1e-5)


@given(text=st.text())
def test_words_of_plain_text_have_one_space_between_them(text):
    assert text_of(text) == " ".join(text_of(text).split())


def test_broken_words_are_rejected():
    from runoff._native import Vocabulary, joined_words, word_rarity

    offsets, letters = np.array([0, 2]), np.array([97, 98], dtype=np.uint32)
    with pytest.raises(ValueError, match="letters of the words"):
        Vocabulary(np.array([0, 3]), letters)
    known, one = Vocabulary(offsets, letters), np.zeros(1, dtype=np.uint32)
    with pytest.raises(ValueError, match="words of the texts"):
        known.similarities(0, np.array([0, 1]), np.array([7], dtype=np.uint32), one, one)
    with pytest.raises(ValueError, match="text that is not there"):
        known.similarities(0, np.array([0, 1]), one, one + 5, one)
    with pytest.raises(ValueError, match="text that is not there"):
        joined_words([(one + 1, np.array([0, 1]), one)])
    with pytest.raises(ValueError, match="needs a count"):
        word_rarity(np.array([0, 1]), one, np.zeros(2, dtype=np.uint32), 1)
