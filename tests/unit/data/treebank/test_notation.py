"""Trees in the notation of the Penn Treebank."""

import pytest

from runoff.data.tree import Tree
from runoff.data.treebank.notation import penn_tree


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(TOP (S (NP (PRP we)) (VP (VBD won))))", "(TOP (S (NP (PRP we)) (VP (VBD won))))"),
        ("(TOP (TITLE (NP (NN vote))))", "(TOP (NP (NN vote)))"),
        ("(TOP (CAPTION (NP (NN a)) (. .)))", "(TOP (FRAG (NP (NN a)) (. .)))"),
        ("(TOP (HEADING (CAPTION (NP (NN a)) (. .))))", "(TOP (FRAG (NP (NN a)) (. .)))"),
        ("(TOP (TITLE vote))", "(TOP (TITLE vote))"),
        ("(TOP (NP (NML (NN a) (NN b)) (NN c)))", "(TOP (NP (NN a) (NN b) (NN c)))"),
        ("(TOP (NP (NN a) (CIT (NNP B) (CD 1))))", "(TOP (NP (NN a) (PRN (NNP B) (CD 1))))"),
        ("(TOP (S (INTJ (UH well)) (SU /)))", "(TOP (S (INTJ (UH well))))"),
        ("(TOP (PP (IN To) (NP (PRP us))))", "(TOP (PP (TO To) (NP (PRP us))))"),
        ("(TOP (PP (IN into) (NP (PRP us))))", "(TOP (PP (IN into) (NP (PRP us))))"),
    ],
)
def test_labels_of_other_treebanks_become_those_of_penn(text, expected):
    tree = penn_tree(Tree.parse(text))
    assert str(tree) == expected
    assert str(penn_tree(tree)) == expected


def test_nothing_is_left_of_marks_alone():
    assert penn_tree(Tree.parse("(TOP (SU /))")) is None
