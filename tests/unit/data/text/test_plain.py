import gzip

import pytest

from runoff.data.text.plain import keep_hyphens, read_token_sentences
from runoff.errors import FormatError


def test_plain_text_is_cut_into_sentences_and_tokens(tmp_path):
    path = tmp_path / "votes.txt.gz"
    path.write_bytes(gzip.compress(b"They voted twice.\nIt wasn't close.\n"))
    sentences = list(read_token_sentences(path))
    assert sentences == [["They", "voted", "twice", "."], ["It", "was", "n't", "close", "."]]


def test_the_last_column_of_columns_is_text(tmp_path):
    path = tmp_path / "votes.tsv"
    path.write_text("1\tTRAIN\tThey voted. It was close.\n\n2\tTEST\t\n3\tTEST\tNobody won\n")
    sentences = list(read_token_sentences(path))
    assert sentences == [["They", "voted", "."], ["It", "was", "close", "."], ["Nobody", "won"]]


def test_hyphens_may_keep_words_together(tmp_path):
    path = tmp_path / "votes.txt"
    path.write_text("a run-off")
    assert list(read_token_sentences(path, hyphens=True)) == [["a", "run-off"]]
    assert list(read_token_sentences(path)) == [["a", "run", "-", "off"]]


def test_sentences_say_whether_hyphens_keep_words_together():
    assert keep_hyphens([["a", "run-off", "-"], ["long-term"]])
    assert not keep_hyphens([["a", "run", "-", "off"], ["long-term"]])
    assert not keep_hyphens([["-LRB-", "--"]])


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(FormatError, match="no such file"):
        list(read_token_sentences(tmp_path / "none.txt"))
