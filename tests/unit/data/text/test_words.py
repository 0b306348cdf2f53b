"""Words of text, prose of files, and numbers of words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runoff.data.text.words import find_words, read_word_chunks, words_of
from runoff.errors import FormatError
from runoff.tasks.proofing.prose import HOLE, prose_of


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("They're here.", ["They're", "here", "."]),
        ("They’re “here”", ["They're", '"', "here", '"']),
        ("well-read, 1,500.25 votes", ["well-read", ",", "1,500.25", "votes"]),
        ("yes--or no… ___ _so_", ["yes", "--", "or", "no", "...", "___", "_", "so", "_"]),
        ("l'été — naïve", ["l'été", "--", "naïve"]),
        ("", []),
    ],
)
def test_words(text, words):
    assert words_of(text) == words


@given(st.text(alphabet="ab1'’-.,— _…“\n", max_size=40))
def test_words_have_their_places_and_are_the_same_either_way(text):
    found = list(find_words(text))
    ends = [0]
    for word in found:
        assert ends[-1] <= word.start < word.end
        ends.append(word.end)
        assert word.end - word.start == len(word.text) or word.text in ("--", "...")
    if "—" not in text and "…" not in text:
        assert [word.text for word in found] == words_of(text)


def test_files_are_read_a_few_lines_at_a_time(tmp_path):
    (tmp_path / "t").write_text("one two's\n" * 600)
    chunks = list(read_word_chunks(tmp_path / "t"))
    assert [len(chunk) for chunk in chunks] == [512, 512, 176]
    assert next(read_word_chunks(tmp_path / "t", tokenized=True))[:2] == ["one", "two's"]


def test_a_column_of_a_file_is_read(tmp_path):
    (tmp_path / "t.tsv").write_text("1\tTRAIN\tAnn won.\n2\tTEST\tBob lost.\n")
    assert list(read_word_chunks(tmp_path / "t.tsv", column=3)) == [
        ["Ann", "won", ".", "Bob", "lost", "."]
    ]
    with pytest.raises(FormatError, match=r"t\.tsv:1: expected text in column 4, found 3"):
        list(read_word_chunks(tmp_path / "t.tsv", column=4))


@pytest.mark.parametrize(
    ("name", "text", "kept"),
    [
        ("a.txt", "`x` then # y", "`x` then # y"),
        ("a.md", "More `then` x\n\n```py\nthen\n```\nafter", "More x after"),
        ("a.md", "[there](their.md) <b>then</b> https://then.org/then", "[there] then"),
        ("a.md", "One.\n\n    then = 1\n\nTwo.", "One. Two."),
        ("a.md", "- item\n    - there `x` now", "- item - there now"),
        ("a.py", 'x = "then"  # than\n"""Their doc."""\n', '. than """Their doc."""'),
        ("a.py", "x = '#'  # `then` there", ". there"),
        ("a.py", 'WORDS = """\nthen\n"""', ""),
        ("a.py", '    r"""Their.\n\n    >>> then(1)\n    ... + 2\n    """', 'r"""Their. """'),
        ("a.py", "# one\n# two\nx = 1  # three", "one two . three"),
        ("a.cpp", 'a("// then"); // than\n/* their\n * there */', ". than their there"),
        ("a.sh", "echo $# # then", ". then"),
        ("A.MD", "`then`", ""),
        ("a.md", "| one | two |", ". one . two ."),
    ],
)
def test_prose_is_what_people_read(name, text, kept):
    found = prose_of(text, name)
    assert len(found) == len(text)
    assert " ".join(found.replace(HOLE, " ").replace("*/", "").split()) == kept
    assert all(a in (b, " ", HOLE, ".") for a, b in zip(found, text, strict=True))


@pytest.mark.parametrize(
    ("scrap", "name"),
    [("```a\n", "a.md"), ("<!-- ", "a.md"), ("`a", "a.md"), ("/* ", "a.c"), ('"a\n', "a.py")],
)
def test_what_is_opened_again_and_again_comes_to_an_end(scrap, name):
    text = scrap * (500_000 // len(scrap))
    assert len(prose_of(text, name)) == len(text)
