"""The component of spaCy."""

import pytest

from runoff.data.tree import Tree

spacy = pytest.importorskip("spacy")

TEXT = "We  saw the old house.  They won."


@pytest.fixture(scope="module")
def nlp():
    made = spacy.blank("en")
    made.add_pipe("runoff", config={"tags": True})
    return made


def test_sentences_have_trees(nlp):
    doc = nlp(TEXT)
    first, second = doc.sents
    assert first._.parse_string.startswith("(S (NP (PRP We)) (VP ")
    assert first._.labels == ("S",)
    assert [one.text for one in first._.children][-1] == "."
    phrase = next(one for one in first._.constituents if one.text == "the old house")
    assert phrase._.labels == ("NP",)
    assert phrase._.parse_string == "(NP (DT the) (JJ old) (NN house))"
    assert phrase._.parent.text == "saw the old house"
    assert first._.parent is None
    leaves = Tree.parse(second._.parse_string).preterminals()
    assert [token.tag_ for token in second] == [leaf.label for leaf in leaves]


def test_trees_are_saved_with_the_document(nlp):
    doc = nlp(TEXT)
    again = spacy.tokens.Doc(nlp.vocab).from_bytes(doc.to_bytes())
    assert [one._.parse_string for one in again.sents] == [one._.parse_string for one in doc.sents]


def test_many_documents_and_none(nlp):
    assert [len(list(doc.sents)) for doc in nlp.pipe([TEXT, "", "  "])][:2] == [2, 0]


def test_what_is_no_constituent(nlp):
    doc = nlp(TEXT)
    with pytest.raises(ValueError, match="is not a constituent"):
        _ = doc[3:5]._.parse_string
    with pytest.raises(ValueError, match="the document has no trees"):
        _ = spacy.blank("en")("No trees.")[:2]._.parse_string


def test_sentences_of_the_pipeline_are_kept():
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    nlp.add_pipe("runoff")
    doc = nlp("We won . Yes ; they did .")
    assert [one.text for one in doc.sents] == ["We won .", "Yes ; they did ."]
    assert not doc.has_annotation("TAG")
