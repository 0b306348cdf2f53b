"""Each step of Turian and Melamed (2006), Table 1, on small trees."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runoff.data.tree import Tree
from runoff.data.treebank.prepare import STEPS, kept_words, prepare_tree, put_back
from runoff.data.treebank.tag_classes import CLASS_OF, TAG_CLASSES


def prepared(text):
    counts = Counter()
    tree = prepare_tree(Tree.parse(text), counts)
    assert set(counts) <= set(STEPS)
    return None if tree is None else str(tree), {step: n for step, n in counts.items() if n}


@pytest.mark.parametrize(
    ("before", "after", "counts"),
    [
        (
            "(S (NP-SBJ-1 (PRP we)) (VP (VBP vote) (NP (-NONE- *T*-1))))",
            "(TOP (S (NP (PRP we)) (VP (VBP vote))))",
            {"traces": 1, "labels": 1},
        ),
        (
            "(S (NP (PRP we)) (VP (VBP give) (PRT (RP up))))",
            "(TOP (S (NP (PRP we)) (VP (VBP give) (ADVP (RP up)))))",
            {"particles": 1},
        ),
        (
            "(S (NP (PRP we)) (VP (VBP say) (NP (`` ``) (NN no) ('' ''))))",
            "(TOP (S (NP (PRP we)) (VP (VBP say) (NP (NN no)))))",
            {"quotes": 2},
        ),
        (
            "(S (NP (NP (NNS votes) (, ,)) (PRN (: --))) (VP (VBD fell)))",
            "(TOP (S (NP (NNS votes)) (, ,) (: --) (VP (VBD fell))))",
            {"raised": 2, "unaries": 1},
        ),
        (
            "(S (: -) (NP (PRP we)) (VP (VBP vote) (. !)) (. .))",
            "(TOP (S (NP (PRP we)) (VP (VBP vote))))",
            {"raised": 3, "outer": 3},
        ),
        (
            "(S (VP (S (VP (VP (VBG voting))))))",
            "(TOP (S (VP (VBG voting))))",
            {"unaries": 3},
        ),
        ("(NP (: --) (. .))", None, {"raised": 2, "outer": 2}),
        ("(NP (-NONE- *))", None, {}),
        (
            "(NP (NN a) (-LRB- -LRB-) (NN b) (-RRB- -RRB-))",
            "(TOP (NP (NN a) (-LRB- -LRB-) (NN b) (-RRB- -RRB-)))",
            {},
        ),
    ],
)
def test_each_step_does_its_work(before, after, counts):
    assert prepared(before) == (after, counts)


def test_punctuation_stays_inside_between_words_of_its_constituent():
    text = "(TOP (S (NP (NN a) (, ,) (NN b)) (VP (VBD c))))"
    assert prepared(text) == (text, {})


def test_preparing_twice_is_preparing_once():
    text = "(S (`` ``) (S (NP (NP (NNP A))) (, ,) (VP (VBD b) (, ,))) ('' '') (NP (NN c)) (. .))"
    once = prepared(text)[0]
    assert prepared(once) == (once, {})


def test_words_of_a_sentence_are_those_of_its_tree():
    tree = Tree.parse("(S (`` ``) (: -) (NP (NN a) (, ,)) ('' '') (VP (VBD b)) (. .) ('' ''))")
    tags = [node.label for node in tree.preterminals()]
    kept = tuple(tree.words[place] for place in kept_words(tags))
    assert kept == prepare_tree(tree).words == ("a", ",", "b")


def test_removed_words_come_back_where_they_were():
    tree = Tree.parse("(TOP (S (NP (NN a) (NN b)) (VP (VBD c) (NP (NN d)))))")
    words = ["-", '"', "a", '"', "b", '"', "c", '"', "d", ".", '"']
    tags = [":", "``", "NN", "''", "NN", "``", "VBD", "''", "NN", ".", "''"]
    assert str(put_back(tree, words, tags, [2, 4, 6, 8])) == (
        '(TOP (S (: -) (`` ") (NP (NN a) (\'\' ") (NN b)) (`` ") '
        "(VP (VBD c) ('' \") (NP (NN d))) (. .) ('' \")))"
    )


@pytest.mark.parametrize("text", ["(TOP (NN a))", "(TOP (NP (NN a)))", "(TOP (NN a) (NN b))"])
def test_outer_words_of_small_trees_come_back(text):
    tree = Tree.parse(text)
    words = ["-", *tree.words, "."]
    back = put_back(tree, words, [":", *["NN"] * len(tree.words), "."], range(1, len(words) - 1))
    assert back.words == tuple(words)


LABELS = st.sampled_from(["NP", "VP", "S"])
LEAVES = st.builds(
    lambda tag, word: Tree(tag, [word]),
    st.sampled_from(["NN", "VB", ",", ".", "``", "''", ":"]),
    st.sampled_from("abc"),
)
TREES = st.recursive(
    LEAVES, lambda rows: st.builds(Tree, LABELS, st.lists(rows, min_size=1, max_size=3))
)


@given(TREES)
def test_every_tree_gets_all_its_words_back_in_order(tree):
    found = prepare_tree(tree)
    tags = [node.label for node in tree.preterminals()]
    kept = kept_words(tags)
    if found is None:
        assert kept == list(range(len(tags)))
    else:
        assert found.words == tuple(tree.words[place] for place in kept)
        back = put_back(found, tree.words, tags, kept)
        assert back.words == tree.words
        assert [node.label for node in back.preterminals()] == tags


def test_a_tag_is_in_one_class():
    assert sum(len(tags.split()) for tags in TAG_CLASSES.values()) == len(CLASS_OF)
