"""The one reader of text: raw, tokenised, with tags, columns."""

import gzip

import pytest

from runoff.data.limits import Limit
from runoff.data.sentence import Sentence
from runoff.data.text.read import (
    READERS,
    _LineCounter,
    read_files,
    read_raw,
    read_texts,
    read_tokenized,
    read_with_tags,
    sentences_of,
)
from runoff.errors import FormatError, TooLongError


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
        list(read_files([tmp_path / "none.txt"], how, Limit(9)))


def test_files_are_read_one_after_the_other(tmp_path):
    (tmp_path / "a").write_text("We vote in a run-off.")
    found = list(read_files([tmp_path / "a"] * 2, "raw", Limit(9), hyphens=True))
    assert words(found) == [["We", "vote", "in", "a", "run-off", "."]] * 2
    assert words(read_files([tmp_path / "a"], "tokenized", Limit(9))) == [
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


LONG = "He won them all here ."  # six words, and five are taken
TEXTS = {
    "raw": ("We vote.\n\nHe won them\nall here. She won.\n", 3),
    "lines": (f"We vote.\n{LONG}\nShe won.\n", 2),
    "tokenized": (f"We vote .\n{LONG}\nShe won .\n", 2),
    "tagged": ("We/P vote/V ./.\n" + LONG.replace(" ", "/X ") + "/X\nShe/P won/V ./.\n", 2),
    "columns": ("We\tO\n\n" + LONG.replace(" ", "\tO\n") + "\tO\n\nShe\tO\nwon\tO\n", 3),
}


@pytest.mark.parametrize("how", READERS)
def test_a_sentence_that_is_too_long_is_read_as_an_empty_one(tmp_path, how):
    path, (text, line) = tmp_path / "votes.txt", TEXTS[how]
    path.write_text(text)
    errors = []
    first, skipped, last = read_files([path], how, Limit(5, errors.append))
    assert [first.words[0], skipped.words, last.words[:2]] == ["We", (), ("She", "won")]
    assert [str(error) for error in errors] == [f"{path}:{line}: a sentence of more than 5 words"]
    with pytest.raises(TooLongError, match=f"votes.txt:{line}: a sentence of more than 5 words"):
        list(read_files([path], how, Limit(5)))
    assert [len(one) for one in read_files([path], how, Limit(6))][1] == 6


@pytest.mark.parametrize(
    ("how", "unit"),
    [("raw", "65,536 characters"), ("lines", "65,536 characters"), ("tokenized", "262,144 bytes")],
)
def test_of_a_sentence_without_end_little_is_kept(tmp_path, how, unit):
    path = tmp_path / "votes.txt.gz"
    path.write_bytes(gzip.compress(b"We won .\n\n" + bytes(3 << 20) + b"\n\nShe won ."))
    errors = []
    found = list(read_files([path], how, Limit(9, errors.append)))
    assert [s.words[:2] for s in found if len(s)] == [("We", "won"), ("She", "won")]
    assert len(errors) == 1
    assert str(errors[0]).startswith(f"{path}:3: a ")
    assert str(errors[0]).endswith(f"of more than {unit}")


def test_characters_are_limited_too(tmp_path):
    path = tmp_path / "votes.txt"
    path.write_text("We " + "w" * 70_000 + "\nShe won\n")
    errors = []
    found = list(read_files([path], "tokenized", Limit(9, errors.append)))
    assert [s.words for s in found] == [(), ("She", "won")]
    assert str(errors[0]) == f"{path}:1: a sentence of more than 65,536 characters"


def test_lines_of_sentences_are_counted_across_chunks():
    lines = _LineCounter(["a\nb", "\n", "", "c\n\nd", "e"])
    assert "".join(lines) == "a\nb\nc\n\nde"
    assert [lines.at(place) for place in (0, 1, 2, 3, 4, 4, 6, 8)] == [1, 1, 2, 2, 3, 3, 4, 5]


def test_without_a_limit_a_sentence_without_end_is_cut(tmp_path):
    path = tmp_path / "votes.txt"
    path.write_text("vote " * 20_000)
    assert sum(map(len, read_raw(path))) == 20_000


def test_places_of_lines_count_what_was_left_out(tmp_path):
    path = tmp_path / "chat.txt"
    text = "hi :)\r\n\n" + "w" * 700_000 + "\n  bye @anna\n"
    path.write_text(text)
    first, skipped, last = read_files([path], "lines", Limit(9, lambda error: None))
    assert skipped.words == ()
    assert (first.words, first.starts) == (("hi", ":)"), (0, 3))
    assert [text.index("bye"), text.index("@anna")] == list(last.starts)
