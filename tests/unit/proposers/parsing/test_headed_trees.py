"""Trees as the head-driven parsers see them."""

import numpy as np
import pytest

from runoff.data.tree import Tree
from runoff.errors import ModelError, UsageError
from runoff.proposers.parsing.headed_trees import (
    BASE_NP,
    NP,
    TOP,
    Alphabet,
    mark_base_nps,
    word_class,
)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("(NP (NN a))", "(NP (NPB (NN a)))"),
        (
            "(S (NP (NN a)) (VP (VB b) (NP (NN c))))",
            "(S (NP (NPB (NN a))) (VP (VB b) (NP (NPB (NN c)))))",
        ),
        ("(NP (NP (NN a)) (PP (IN b)))", "(NP (NPB (NN a)) (PP (IN b)))"),
        (
            "(NP (NP (NP (NN a)) (PP (IN b))) (PP (IN b)))",
            "(NP (NP (NPB (NN a)) (PP (IN b))) (PP (IN b)))",
        ),
        (
            "(NP (NP (NN a)) (PP (IN b) (NP (NN c))))",
            "(NP (NPB (NN a)) (PP (IN b) (NP (NPB (NN c)))))",
        ),
        ("(NP (NN a) (PP (IN b) (NP (NN c))))", "(NP (NPB (NN a) (PP (IN b) (NP (NPB (NN c))))))"),
        ("(NP (NP (NN a)))", "(NP (NPB (NN a)))"),
        ("(NP (NP (NP (NN a))))", "(NP (NPB (NN a)))"),
        ("(NP (NP (NP (NN a))) (CC b))", "(NP (NPB (NN a)) (CC b))"),
        ("(S (S (S (VP (VB a)))))", "(S (VP (VB a)))"),
        ("(S (VP (S (VB a))))", "(S (VP (S (VB a))))"),
        ("(NN a)", "(NN a)"),
        ("(NP a)", "(NP a)"),
        ("(S (NN (NN a)))", "(S (NN a))"),
    ],
)
def test_base_noun_phrases_are_marked(before, after):
    marked = mark_base_nps(Tree.parse(before))
    assert str(marked) == after
    assert marked.words == Tree.parse(before).words
    assert marked == Tree.parse(after)  # columns and all


def test_a_subtree_can_be_marked():
    tree = Tree.parse("(S (CC x) (NP (NN a)))")
    assert str(mark_base_nps(tree.children[1])) == "(NP (NPB (NN a)))"


@pytest.mark.parametrize("label", ["S", "NP"])
def test_deep_trees_are_marked(label):
    deep = 5000
    text = f"({label} (CC x) " * deep + "(NP (NN a))" + ")" * deep
    marked = mark_base_nps(Tree.parse(text))
    assert len(marked.words) == deep + 1
    labels = marked.flat().labels
    assert labels.count(BASE_NP) == 1
    assert len(labels) == 2 * deep + (3 if label == "S" else 2)
    same = mark_base_nps(Tree.parse(f"({label} " * deep + "(NN a)" + ")" * deep))
    assert str(same) == ("(S (NN a))" if label == "S" else "(NP (NPB (NN a)))")


@pytest.mark.parametrize("text", ["(NP)", "(NP a b)", "(NP the (NN vote))", "(S (NP (NN)) (VB a))"])
def test_trees_that_are_not_clean_are_refused(text):
    with pytest.raises(UsageError, match="neither a tag on one word"):
        mark_base_nps(Tree.parse(text))


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("12", "<number>"),
        ("-1,000.5", "<number>"),
        (".", "<symbol>"),
        ("...", "<symbol>"),
        ("1/2", "<digits>"),
        ("p53", "<alnum>"),
        ("P53", "<Alnum>"),
        ("x", "<letter>"),
        ("DNA", "<UPPER>"),
        ("U.S.", "<UPPER>"),
        ("walking", "<lower ing>"),
        ("Walking", "<Capital ing>"),
        ("RNAses", "<Mixed ases>"),
        ("iron", "<lower>"),
        ("its", "<lower>"),
        ("投票", "<lower>"),
        ("", "<symbol>"),
        ("\x00", "<symbol>"),
    ],
)
def test_classes_of_words(word, expected):
    assert word_class(word) == expected


TREES = [
    mark_base_nps(Tree.parse(text))
    for text in (
        "(TOP (S (NP (DT The) (NN vote)) (VP (VBZ counts))))",
        "(TOP (S (NP (DT the) (NN DNA)) (VP (VBZ counts))))",
    )
]


def test_words_below_the_count_are_their_classes():
    alphabet = Alphabet.of(TREES, min_count=2)
    assert alphabet.words == ["<unknown>", "<UPPER>", "<lower>", "counts", "the"]
    names = [alphabet.words[alphabet.word(w)] for w in ("The", "THE", "dna", "DNA", "x9")]
    assert names == ["the", "<UPPER>", "<lower>", "<UPPER>", "<unknown>"]
    assert alphabet.tags == ["DT", "NN", "VBZ"]
    assert alphabet.phrases == ["NP", "NPB", "S", "TOP", "VP"]


def test_trees_as_columns():
    columns = Alphabet.of(TREES, min_count=1).encode(TREES[:1])
    # TOP S NP NPB DT NN VP VBZ
    assert columns.offsets.tolist() == [0, 8]
    assert columns.labels.tolist() == [6, 5, 3, 4, 0, 1, 7, 2]
    assert columns.ends.tolist() == [8, 8, 6, 6, 5, 6, 8, 8]
    assert columns.heads.tolist() == [1, 6, 3, 5, -1, -1, 7, -1]
    assert [word >= 0 for word in columns.words.tolist()] == [label < 3 for label in columns.labels]


def test_complements_of_labels():
    meaning = Alphabet.of(TREES, min_count=1).meaning
    size = len(meaning.is_verb)
    slots = meaning.complements.reshape(2, size, size, size)
    noun_phrase, clause, verb_phrase, verb = 3, 5, 7, 2
    assert slots[0, clause, verb_phrase, noun_phrase] == 0  # the subject
    assert slots[1, clause, verb_phrase, noun_phrase] == -1
    assert slots[1, verb_phrase, verb, noun_phrase] == 0
    assert slots[1, verb_phrase, verb, clause] == 1
    assert slots[1, verb_phrase, verb, verb_phrase] == 3
    assert (slots >= 0).sum() == 4
    assert meaning.is_verb.tolist() == [0, 0, 1, 0, 0, 0, 0, 0]


def test_an_alphabet_that_was_saved():
    alphabet = Alphabet.of(TREES, min_count=1)
    other = Alphabet.from_arrays(alphabet.arrays())
    assert vars(other) == {k: v for k, v in vars(alphabet).items() if k != "meaning"}


def test_a_label_on_words_and_on_constituents_is_refused():
    with pytest.raises(UsageError, match="'NN' stands both"):
        Alphabet.of([Tree.parse("(TOP (NN (NN a) (NN b)))")], 1)


def test_too_many_labels_are_refused():
    tree = Tree(TOP, [Tree(f"T{n}", ["a"]) for n in range(600)])
    with pytest.raises(UsageError, match="at most 511 labels"):
        Alphabet.of([tree], 1)


@pytest.mark.parametrize(
    ("tags", "phrases", "words"),
    [
        (["NN"], [TOP, NP], ["a"]),
        (["NN"], [TOP, NP, BASE_NP, TOP], ["a"]),
        (["NN", TOP], [NP, BASE_NP], ["a"]),
        (["NN", ""], [TOP, NP, BASE_NP], ["a"]),
        (["N N"], [TOP, NP, BASE_NP], ["a"]),
        (["NN"], [TOP, NP, BASE_NP, "("], ["a"]),
        (["NN"], [TOP, NP, BASE_NP, "\ud800"], ["a"]),
        (["NN"], [TOP, NP, BASE_NP], []),
        ([f"T{n}" for n in range(5000)], [TOP, NP, BASE_NP], ["a"]),
    ],
)
def test_broken_alphabets_are_refused(tags, phrases, words):
    with pytest.raises(ModelError):
        Alphabet.from_arrays(Alphabet(tags, phrases, words).arrays())


def test_broken_sizes_are_refused():
    arrays = Alphabet.of(TREES, min_count=1).arrays()
    for sizes in ([0, 3], [-1, 3], [3], [2**62, 2**62], [1, 2, 3]):
        with pytest.raises(ModelError):
            Alphabet.from_arrays({**arrays, "alphabet_sizes": np.array(sizes, dtype=np.int64)})
