import gzip

import pytest

from runoff.data.text import sentences
from runoff.data.text.sentences import (
    CutPiece,
    read_sentences,
    split_sentences,
    stream_sentences,
)
from runoff.data.text.tokens import Piece
from runoff.errors import FormatError


def texts(text):
    found = list(split_sentences(text))
    assert all(text[piece.start : piece.end] == piece.text for piece in found)
    return [piece.text for piece in found]


@pytest.mark.parametrize(
    "text",
    [
        "We voted. | They won! | Did they? | Yes.",
        "Dr. Hill and Prof. J. B. Smith met in St. Louis. | They won.",
        "See Fig. 2 and Figs. 3A and 4B. | No. 5 and p. 12, cat. AB123. | He said no. | We go.",
        "Hill et al. (2005) say so, as do Smith et al. The result holds.".replace(" The", " | The"),
        "Votes, e.g. Ohio's, i.e. ours, vs. theirs, etc. count. | Others, etc. | The end.",
        "They met in the U.S. Senate. | They left the U.S. | The end.",
        "It grew in E. coli. | The vitamin was D. | We saw it after 5 d. | Mice were fed.",
        "The value was 3.5. | 12 mice had 0.5 more.",
        "We had 2 doses (cf. ref. 5). | (A) First part. | (b) Second part. | (c–e) Third.",
        "“Why?” he said. | “Go!” | She went. | (They voted.) | We did not.",
        "p53 was high. | mRNA was low. | This is. one.",
        "Well... we went. | And then... | The end… | No more.",
        "1. First point. | 2. Second point. | a. Third. | The b. one.",
        "Acme Inc. sells votes. | It is owned by Acme Inc. | They said so.",
        "He asked: who? and left. | She said no!! | What?! | Yes.",
        "Visit www.votes.org. | Mail a.b@votes.org now.",
        "投票しました。| 勝ちました！| 次。",
        "They won.\n | Then we\nleft the room. | It\nwas late.",
    ],
)
def test_sentences(text):
    assert texts(text.replace("| ", "")) == [part.strip() for part in text.split("|")]


def test_paragraphs_and_headings():
    article = (
        "A title without a stop\n\nAbstract\n  \t\nWe voted\nin the U.S. and won.\r\n\r\n"
        "Results\nThere were two votes in this rather long line of text, and\n"
        "Ohio was one of them. It\nwas late.\n"
    )
    assert texts(article) == [
        "A title without a stop",
        "Abstract",
        "We voted\nin the U.S. and won.",
        "Results",
        "There were two votes in this rather long line of text, and\nOhio was one of them.",
        "It\nwas late.",
    ]


@pytest.mark.parametrize("text", ["", " ", "\n", "\n\n \r\n\t", "\u3000\x1c"])
def test_nothing_but_space(text):
    assert texts(text) == []


def test_files(tmp_path):
    path = tmp_path / "votes.txt.gz"
    path.write_bytes(gzip.compress("\ufeffWe voted é. They won.\r\n".encode()))
    assert list(read_sentences(path)) == [Piece("We voted é.", 0), Piece("They won.", 12)]
    path.write_bytes(b"We voted. \xff")
    with pytest.raises(FormatError, match=r"votes.txt.gz: not UTF-8: byte 0xff"):
        list(read_sentences(path))
    path.write_bytes(b"We voted. \xc3")
    with pytest.raises(FormatError, match="not UTF-8: byte 0xc3"):
        list(read_sentences(path))
    with pytest.raises(FormatError, match="no such file"):
        list(read_sentences(tmp_path / "none.txt"))


def test_a_stream_is_read_as_it_comes(monkeypatch):
    monkeypatch.setattr(sentences, "LONGEST", 100)
    taken = []

    def chunks():
        for number in range(1000):
            taken.append(number)
            yield f"This is vote {number} of many.\n\n"

    stream = stream_sentences(chunks())
    assert next(stream).text == "This is vote 0 of many."
    assert len(taken) < 10
    assert sum(1 for _ in stream) == 999


def test_endless_paragraphs_are_cut(monkeypatch):
    monkeypatch.setattr(sentences, "LONGEST", 50)
    assert texts("We voted in Ohio today. " * 10) == ["We voted in Ohio today."] * 10
    words = texts("vote " * 100)
    assert " ".join(words).split() == ["vote"] * 100
    assert max(map(len, words)) <= 50
    assert texts("a" * 120) == ["a" * 50, "a" * 50, "a" * 20]


@pytest.mark.parametrize("scrap", [*'a.? \n\r\0("。😀', "A. ", "Dr. ", " \n", ". A ", ". (", "a\n"])
def test_the_same_again_and_again(scrap):
    text = scrap * (100_000 // len(scrap))
    assert "".join("".join(texts(text)).split()) == "".join(text.split())


def test_a_sentence_that_goes_on_in_the_next_piece_says_so(monkeypatch):
    monkeypatch.setattr(sentences, "LONGEST", 50)
    found = list(split_sentences("It is. " + "Vote " * 30 + "now. We won.\n\nYes" + " " * 99 + "."))
    cut = [isinstance(piece, CutPiece) for piece in found]
    assert found[0].text == "It is."
    assert found[-3].text == "We won."
    assert cut == [False, True, True, True, False, False, False, False]
    assert "now." in found[4].text


def test_what_follows_a_sentence_of_the_very_longest_is_no_part_of_it(monkeypatch):
    monkeypatch.setattr(sentences, "LONGEST", 50)
    first, second = split_sentences("a" * 50 + "\n\n" + "We won.")
    assert not isinstance(first, CutPiece)
    assert second.text == "We won."
