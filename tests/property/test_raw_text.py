"""What is always true of sentences and tokens: nothing lost, nothing made up, places that fit."""

from itertools import pairwise
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runoff.data.text import sentences
from runoff.data.text.sentences import read_sentences, split_sentences, stream_sentences
from runoff.data.text.tokens import Piece, tokenize
from runoff.errors import FormatError

SCRAPS = (
    "vote Votes The A e.g. Dr. Fig. 1 1,000 3.5 n't 's 'll can cannot anti- - -- / ( ) [ ] . .. "
    "? ! , ; : ' \" ’ “ ” % ° °C + − – … http:// www. a@b.c 10.1000/ -fold x-ray é 票 。 😀 \0 "
    "\u200d \u202e n' no. U.S. 9/11 10:00 '50s"
).split(" ")
SPACES = [" ", " ", " ", "\n", "\n\n", "\r\n", "\t", "\xa0", "\u2028", "\x1c"]
any_character = st.characters(codec=None, exclude_categories=())  # surrogates and controls as well
scraps = st.lists(st.sampled_from([*SCRAPS, *SPACES]), max_size=40).map("".join)
texts = st.one_of(
    st.text(any_character, max_size=60),
    scraps,
    scraps.map(str.upper),
    st.text(st.characters(categories=["P", "S", "Zs"]), max_size=60),  # only punctuation
    st.text(st.characters(categories=["Cc", "Cf", "Cs", "Co", "Cn", "Zs"]), max_size=60),
    st.text(st.characters(categories=["Lo", "Lm", "Mn", "Mc", "Nd", "Po", "Zs"]), max_size=60),
)


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


@given(texts)
def test_the_same_text_gives_the_same_pieces(text):
    found = list(split_sentences(text))
    assert found == list(split_sentences("".join(list(text))))
    assert [tokenize(one) for one in found] == [tokenize(one) for one in found]


@given(texts, st.integers(0, 1000))
def test_tokens_do_not_depend_on_where_a_sentence_stands(text, start):
    moved = [Piece(token.text, token.start + start) for token in tokenize(text)]
    assert tokenize(Piece(text, start)) == moved


@given(texts, st.integers(5, 60), st.integers(1, 200))
def test_each_character_is_looked_at_a_few_times(text, longest, times):
    """However long a line is: what is cut into sentences twice is bounded by what moves on."""
    long, looked, cut = text * times, [], sentences._sentences

    def counted(paragraph, offset):
        looked.append(len(paragraph))
        return cut(paragraph, offset)

    with patch.multiple(sentences, LONGEST=longest, _sentences=counted):
        assert bare("".join(one.text for one in split_sentences(long))) == bare(long)
    assert sum(looked) <= 8 * (len(long) + longest)


@given(st.binary(max_size=60) | texts.map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_any_bytes_are_read_or_refused_in_one_sentence(tmp_path_factory, data):
    path = tmp_path_factory.getbasetemp() / "any.txt"
    path.write_bytes(data)
    try:
        expected = data.decode().removeprefix("\ufeff")
    except UnicodeDecodeError:
        with pytest.raises(FormatError) as raised:
            list(read_sentences(path))
        assert "\n" not in str(raised.value)
    else:
        assert list(read_sentences(path)) == list(split_sentences(expected))


@given(st.lists(texts, max_size=6), st.integers(5, 60))
def test_chunks_make_no_difference(chunks, longest):
    with patch.object(sentences, "LONGEST", longest):
        whole = list(split_sentences("".join(chunks)))
        assert list(stream_sentences(chunks)) == whole
        assert list(stream_sentences("".join(chunks))) == whole  # a character at a time
