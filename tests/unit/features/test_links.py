"""The feature set `links`, word by word and as a whole."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runoff.data.nbest import Candidate
from runoff.features.links import link_pieces, links

WORDS = ["We", "won", "the", "vote", "."]
LINKS = [[0, 2, "WV"], [1, 2, "Sp"], [2, 4, "Os"], [3, 4, "Ds"], [0, 5, "Xp"]]


def test_features_come_with_the_right_word():
    pieces = list(link_pieces(WORDS, Candidate(LINKS)))
    assert len(pieces) == 5
    assert pieces[0] == ["links to the left: 0", "labels to the left: "]
    assert "words: the D vote" in pieces[3]
    assert "words: won O vote" in pieces[3]
    assert "nesting: O 1" in pieces[3]  # the link of the article is inside
    assert "nesting: X 4" in pieces[4]


def test_crossing_links_are_a_feature():
    assert links(["a", "b", "c", "d"], Candidate([[1, 3, "A"], [2, 4, "B"]]))["crossing: B"] == 1


pairs = st.tuples(st.integers(0, 5), st.integers(1, 5), st.sampled_from(["A", "Bb"]))


@given(st.lists(pairs.filter(lambda one: one[0] < one[1]), max_size=8))
def test_pieces_add_up_to_the_whole(drawn):
    candidate = Candidate([list(one) for one in drawn])
    pieces = list(link_pieces(WORDS, candidate))
    assert Counter(name for piece in pieces for name in piece) == links(WORDS, candidate)


@pytest.mark.parametrize("given_input", [None, 7, [1, 2]])
def test_an_input_without_words_is_refused(given_input):
    with pytest.raises(ValueError, match="expected words"):
        links(given_input, Candidate(LINKS))
