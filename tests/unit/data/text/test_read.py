"""The one reader of text: raw, tokenised, with tags, columns."""

import gzip

import pytest

from runoff.data.sentence import Sentence
from runoff.data.text.read import (
    READERS,
    read_files,
    read_raw,
    read_texts,
    read_tokenized,
    read_with_tags,
    sentences_of,
)
from runoff.errors import FormatError


def read(reader, tmp_path, text):
    (tmp_path / "text").write_text(text)
    return list(reader(tmp_path / "text"))


def words(sentences):
    return [list(sentence.words) for sentence in sentences]


def test_raw_text_is_split_and_tokenised(tmp_path):
    found = read(read_raw, tmp_path, "We don't vote.\nThey do (twice).")
    assert words(found) == [
        ["We", "do", "n't", "vote", "."],
        ["They", "do", "(", "twice", ")", "."],
    ]
    assert {sentence.tags for sentence in found} == {None}


def test_words_of_raw_text_know_their_place(tmp_path):
    text = "We don't  vote.\n\nThey do (twice) a run-off."
    for hyphens in (False, True):
        found = list(sentences_of(text, hyphens=hyphens))
        assert found == read(lambda path, h=hyphens: read_raw(path, hyphens=h), tmp_path, text)
        for sentence in found:
            ends = (s + len(w) for s, w in zip(sentence.starts, sentence.words, strict=True))
            places = zip(sentence.starts, ends, strict=True)
            assert [text[start:end] for start, end in places] == list(sentence.words)


def test_tokenised_lines_stay_lines(tmp_path):
    found = read(read_tokenized, tmp_path, "We vote .\n\nThey  do\n")
    assert words(found) == [["We", "vote", "."], [], ["They", "do"]]


@pytest.mark.parametrize("text", ["\nand/or_CC 1_2_CD\n\nso_RB\n", "and/or/CC 1_2/CD\n\nso/RB\n"])
def test_words_with_tags(tmp_path, text):
    found = read(read_with_tags, tmp_path, text)
    assert words(found) == [["and/or", "1_2"], [], ["so"]]
    assert found[0].tags == ("CC", "CD")


def test_columns_with_tags(tmp_path):
    text = "-DOCSTART-\td1\n\nand/or\tCC\na_b\tNN\n\nso\tRB\n"
    assert read(read_with_tags, tmp_path, text) == [
        Sentence(("and/or", "a_b"), ("CC", "NN"), document="d1"),
        Sentence(("so",), ("RB",), document="d1"),
    ]


def test_columns_with_tags_and_gold(tmp_path):
    found = read(read_with_tags, tmp_path, "and/or\tCC\tx\tO\na_b\tNN\tx\tB-NP\n")
    assert found == [Sentence(("and/or", "a_b"), ("CC", "NN"), ("O", "B-NP"))]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("We/PRP vote/VBP\nThey\n", ":2: expected word/TAG"),
        ("We/PRP\n/ /x\n", ":2: expected word/TAG"),
        ("We\nvote\n", ":1: expected word_TAG or word/TAG, or one word and its tag per line"),
        ("We PRP\nvote\n", "expected 2 columns, found 1"),
    ],
)
def test_missing_tags_are_named(tmp_path, text, message):
    with pytest.raises(FormatError, match=message):
        read(read_with_tags, tmp_path, text)


@pytest.mark.parametrize("how", READERS)
def test_nothing_is_nothing(tmp_path, how):
    assert read(READERS[how], tmp_path, "") == []


@pytest.mark.parametrize("how", READERS)
def test_a_file_that_is_not_there_is_named(tmp_path, how):
    with pytest.raises(FormatError, match="no such file"):
        list(read_files([tmp_path / "none.txt"], how))


def test_files_are_read_one_after_the_other(tmp_path):
    (tmp_path / "a").write_text("We vote in a run-off.")
    found = list(read_files([tmp_path / "a"] * 2, hyphens=True))
    assert words(found) == [["We", "vote", "in", "a", "run-off", "."]] * 2
    assert words(read_files([tmp_path / "a"], "tokenized")) == [
        ["We", "vote", "in", "a", "run-off."]
    ]


def test_texts_are_cut_into_sentences_and_tokens(tmp_path):
    path = tmp_path / "votes.txt.gz"
    path.write_bytes(gzip.compress(b"They voted twice.\nIt wasn't close.\n"))
    found = words(read_texts(path))
    assert found == [["They", "voted", "twice", "."], ["It", "was", "n't", "close", "."]]


def test_the_last_column_of_a_table_is_text(tmp_path):
    path = tmp_path / "votes.tsv"
    path.write_text("1\tTRAIN\tThey voted. It was close.\n\n2\tTEST\t\n3\tTEST\tNobody won\n")
    found = words(read_texts(path))
    assert found == [["They", "voted", "."], ["It", "was", "close", "."], ["Nobody", "won"]]


def test_hyphens_may_keep_words_together(tmp_path):
    path = tmp_path / "votes.txt"
    path.write_text("a run-off")
    assert words(read_texts(path, hyphens=True)) == [["a", "run-off"]]
    assert words(read_texts(path)) == [["a", "run", "-", "off"]]
