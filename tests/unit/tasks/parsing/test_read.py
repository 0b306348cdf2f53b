"""What parsers read."""

import pytest

from runoff.errors import FormatError
from runoff.tasks.parsing.read import read_raw, read_tagged_words, read_tokenized


def read(reader, tmp_path, text):
    (tmp_path / "text").write_text(text)
    return [(list(one.words), one.choices) for one in reader(tmp_path / "text")]


def tags(row):
    return [choices[0][0] for choices in row[1]]


def test_raw_text_is_split_and_tokenised(tmp_path):
    found = read(read_raw, tmp_path, "We don't vote.\nThey do (twice).")
    assert [words for words, _ in found] == [
        ["We", "do", "n't", "vote", "."],
        ["They", "do", "(", "twice", ")", "."],
    ]
    assert {choices for _, choices in found} == {None}


def test_tokenised_lines_stay_lines(tmp_path):
    found = read(read_tokenized, tmp_path, "We vote .\n\nThey  do\n")
    assert [words for words, _ in found] == [["We", "vote", "."], [], ["They", "do"]]


@pytest.mark.parametrize("text", ["\nand/or_CC 1_2_CD\n\nso_RB\n", "and/or/CC 1_2/CD\n\nso/RB\n"])
def test_words_with_tags(tmp_path, text):
    found = read(read_tagged_words, tmp_path, text)
    assert [words for words, _ in found] == [["and/or", "1_2"], [], ["so"]]
    assert tags(found[0]) == ["CC", "CD"]


def test_columns_with_tags(tmp_path):
    text = "-DOCSTART-\td1\n\nand/or\tx\tCC\na_b\tx\tNN\n\nso\tx\tRB\n"
    found = read(read_tagged_words, tmp_path, text)
    assert [words for words, _ in found] == [["and/or", "a_b"], ["so"]]
    assert [tags(row) for row in found] == [["CC", "NN"], ["RB"]]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("We/PRP vote/VBP\nThey\n", ":2: expected word/TAG"),
        ("We/PRP\n/ /x\n", ":2: expected word/TAG"),
        ("We\nvote\n", ":1: expected word_TAG or word/TAG, or a word and a tag"),
        ("We PRP\nvote\n", "expected 2 columns, found 1"),
    ],
)
def test_missing_tags_are_named(tmp_path, text, message):
    with pytest.raises(FormatError, match=message):
        read(read_tagged_words, tmp_path, text)


def test_nothing_is_nothing(tmp_path):
    assert [read(one, tmp_path, "") for one in (read_raw, read_tokenized, read_tagged_words)] == [
        [],
        [],
        [],
    ]
