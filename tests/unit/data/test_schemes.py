"""Tagging schemes, on the table of Tjong Kim Sang and Veenstra (1999)."""

from __future__ import annotations

import pytest

from runoff.data.flat_tree import Span
from runoff.data.schemes import Chunk, chunk_tree, convert, decode, encode, phrases, violation
from runoff.data.tree import Tree
from runoff.errors import UsageError

# In [early trading] in [Hong Kong] [Monday], [gold] was quoted
CHUNKS = [Chunk("NP", Span(*span)) for span in [(1, 3), (4, 6), (6, 7), (8, 9)]]
TABLE = {
    "io": "O I I O I I I O I O O",
    "iob1": "O I I O I I B O I O O",
    "iob2": "O B I O B I B O B O O",
    "ioe1": "O I I O I E I O I O O",
    "ioe2": "O I E O I E E O E O O",
    "iobes": "O B E O B E S O S O O",
    "bilou": "O B L O B L U O U O O",
    "bmes": "O B E O B E S O S O O",
}


def tags(row):
    return [tag if tag == "O" else f"{tag}-NP" for tag in row.split()]


@pytest.mark.parametrize("scheme", TABLE)
def test_every_scheme_writes_its_row(scheme):
    assert encode(CHUNKS, 11, scheme) == tags(TABLE[scheme])
    assert violation(tags(TABLE[scheme]), scheme) is None


@pytest.mark.parametrize("scheme", sorted(set(TABLE) - {"io"}))
def test_every_row_is_read_as_the_same_chunks(scheme):
    assert decode(tags(TABLE[scheme])) == CHUNKS
    assert convert(tags(TABLE["iob1"]), scheme) == tags(TABLE[scheme])


def test_io_joins_what_touches():
    assert [chunk.span for chunk in decode(tags(TABLE["io"]))] == [(1, 3), (4, 7), (8, 9)]


def test_inner_words_of_long_chunks():
    chunk = [Chunk("", Span(0, 4))]
    assert encode(chunk, 4, "bmes") == ["B", "M", "M", "E"]
    assert encode(chunk, 4, "bilou") == ["B", "I", "I", "L"]
    assert decode(["B", "M", "M", "E"]) == chunk


def test_chunks_of_other_types_do_not_touch():
    chunks = [Chunk("A", Span(0, 1)), Chunk("B", Span(1, 2))]
    assert encode(chunks, 2, "iob1") == ["I-A", "I-B"]
    assert encode(chunks, 2, "ioe1") == ["I-A", "I-B"]


@pytest.mark.parametrize(
    ("row", "scheme", "place"),
    [
        ("O I-NP", "iob2", 1),
        ("B-NP I-VP", "iob2", 1),
        ("B-NP I-NP", "iob1", 0),
        ("I-NP O", "ioe2", 0),
        ("B-NP I-NP O", "iobes", 1),
        ("B-NP I-NP", "bilou", 1),
        ("B-NP E-NP S-NP", "iobes", None),
        ("", "iob2", None),
    ],
)
def test_first_violation(row, scheme, place):
    assert violation(row.split(), scheme) == place


@pytest.mark.parametrize(
    ("chunks", "problem"),
    [
        ([("NP", (0, 4))], r"chunk NP \[0, 4\) does not fit a sentence of 3 words"),
        ([("NP", (1, 1))], "does not fit"),
        ([("NP", (-1, 1))], "does not fit"),
        ([("NP", (0, 2)), ("VP", (1, 3))], r"chunk VP \[1, 3\) overlaps the one before it"),
    ],
)
def test_chunks_that_cannot_be_written(chunks, problem):
    with pytest.raises(ValueError, match=problem):
        encode([Chunk(kind, Span(*span)) for kind, span in chunks], 3)


def test_unknown_scheme():
    with pytest.raises(UsageError, match="unknown tagging scheme 'iob'; choose from: bilou, bmes"):
        encode([], 0, "iob")


def test_every_word_is_in_a_phrase():
    found = phrases("O B-NP I-NP O O S-VP".split())
    assert [(kind, *span) for kind, span in found] == [
        ("O", 0, 1),
        ("NP", 1, 3),
        ("O", 3, 4),
        ("O", 4, 5),
        ("VP", 5, 6),
    ]
    assert phrases([]) == []


def test_a_chunk_tree_branches_to_the_right():
    pairs = [["the", "DT"], ["vote", "NN"], ["was", "VBD"], ["close", "JJ"], [".", "."]]
    tree = chunk_tree(pairs, "B-NP I-NP B-VP B-ADJP O".split())
    inner = "(VP (VBD was) (ADJP (JJ close) (O (. .) (<right>))))"
    assert str(tree) == f"(<left> (NP (DT the) (NN vote) {inner}))"
    assert tree.words == ("the", "vote", "was", "close", ".")
    assert Tree.parse(str(tree)) == tree
    assert str(chunk_tree(["the", "vote"], ["B-NP", "I-NP"])) == "(<left> (NP the vote (<right>)))"
    assert str(chunk_tree([], [])) == "(<left> (<right>))"
    assert len(list(chunk_tree(["a"] * 3000, ["O"] * 3000).nodes())) == 3002
    with pytest.raises(ValueError, match="there are 2 tags for 1 words"):
        chunk_tree(["a"], ["O", "O"])
