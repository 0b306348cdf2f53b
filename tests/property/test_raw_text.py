"""What is always true of sentences and tokens: nothing lost, nothing made up, places that fit."""

from itertools import pairwise
from unittest.mock import patch

from hypothesis import given
from hypothesis import strategies as st

from runoff.data import sentences
from runoff.data.sentences import split_sentences, stream_sentences
from runoff.data.tokens import tokenize

SCRAPS = (
    "vote Votes The A e.g. Dr. Fig. 1 1,000 3.5 n't 's 'll can cannot anti- - -- / ( ) [ ] . .. "
    "? ! , ; : ' \" ’ “ ” % ° °C + − – … http:// www. a@b.c 10.1000/ -fold x-ray é 票 。 😀 \0 "
    "\u200d \u202e n' no. U.S. 9/11 10:00 '50s"
).split(" ")
texts = st.text(max_size=60) | st.lists(
    st.sampled_from([*SCRAPS, " ", " ", " ", "\n", "\n\n", "\r\n", "\t", "\xa0"]), max_size=40
).map("".join)


def bare(text):
    return "".join(text.split())


@given(texts)
def test_tokens_are_the_text_without_spaces(text):
    tokens = tokenize(text)
    assert "".join(token.text for token in tokens) == bare(text)
    assert all(text[token.start : token.end] == token.text for token in tokens)
    assert all(one.end <= other.start for one, other in pairwise(tokens))


@given(texts)
def test_sentences_are_the_text_without_spaces(text):
    found = list(split_sentences(text))
    assert bare("".join(sentence.text for sentence in found)) == bare(text)
    assert all(text[sentence.start : sentence.end] == sentence.text for sentence in found)
    assert all(sentence.text == sentence.text.strip() != "" for sentence in found)
    tokens = [token for sentence in found for token in tokenize(sentence)]
    assert all(text[token.start : token.end] == token.text for token in tokens)


@given(st.lists(texts, max_size=6), st.integers(5, 60))
def test_chunks_make_no_difference(chunks, longest):
    with patch.object(sentences, "LONGEST", longest):
        whole = list(split_sentences("".join(chunks)))
        assert list(stream_sentences(chunks)) == whole
        assert list(stream_sentences("".join(chunks))) == whole  # a character at a time
