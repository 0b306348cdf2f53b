"""Sentences and documents."""

import msgspec
import pytest

from runoff.data.flat_tree import Span
from runoff.data.sentence import Document, Sentence
from runoff.errors import UsageError


def test_words_and_pairs_are_sentences():
    assert Sentence.of(["we", "vote"]) == Sentence(("we", "vote"))
    assert Sentence.of((("we", "PRP"), ["vote", "VBP"])) == Sentence(("we", "vote"), ("PRP", "VBP"))
    assert Sentence.of([]) == Sentence(())
    sentence = Sentence(("New York",))
    assert Sentence.of(sentence) is sentence


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("we vote", "a list of words, not a text"),
        (["we", ""], "none of which is empty"),
        (["The vote is over.", "We won."], "'The vote is over.' is given as one word"),
        (["a\tb"], "has blanks in it"),
        (["we", ("vote", "VBP")], "all words of a sentence have a tag, or none"),
    ],
)
def test_what_is_not_a_sentence_is_refused(given, message):
    with pytest.raises(UsageError, match=message):
        Sentence.of(given)


def test_blanks_are_refused_with_a_way_out():
    with pytest.raises(UsageError) as caught:
        Sentence.of(["We won."])
    assert "`pipe`" in caught.value.hint


@pytest.mark.parametrize("what", ["tags", "gold", "starts"])
def test_every_word_has_one(what):
    with pytest.raises(UsageError, match=f"a sentence of 2 words has 1 {what}"):
        Sentence(("we", "vote"), **{what: (1,)})


def test_what_must_be_there_is_asked_for():
    with pytest.raises(UsageError, match="no tags"):
        _ = Sentence(("we",)).pairs
    with pytest.raises(UsageError, match="no gold"):
        _ = Sentence(("we",)).labels


def test_places_are_those_in_the_text():
    text = "So they  voted."
    sentence = Sentence(("So", "they", "voted", "."), starts=(0, 3, 9, 14))
    place = sentence.place(Span(1, 3))
    assert text[place.start : place.end] == "they  voted"
    assert sentence.place(Span(1, 1)) is None
    assert Sentence(("So",)).place(Span(0, 1)) is None


def test_sentences_survive_json():
    sentence = Sentence(("we", "vote"), gold=("O", "O"), starts=(0, 3), document="d1")
    assert msgspec.json.decode(msgspec.json.encode(sentence), type=Sentence) == sentence


def test_a_document_is_a_sequence_of_sentences():
    sentences = (Sentence(("we", "vote")), Sentence(("so",), ("RB",)))
    document = Document("d1", sentences)
    assert len(document) == 2
    assert tuple(document) == sentences
    assert [str(sentence) for sentence in document] == ["we vote", "so/RB"]
