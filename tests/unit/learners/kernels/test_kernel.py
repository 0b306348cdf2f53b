"""Kernels by themselves: worked by hand, as matrices, and what is refused."""

import numpy as np
import pytest

import runoff as ro
from runoff.errors import FormatError, UsageError
from runoff.features.tagging import tagging_tree

MAN = "(NP (D the) (N man))"


def test_the_example_of_the_paper():
    """Figure 2 lists the subtrees of `the man`: the six that contain a production."""
    assert ro.kernels.tree(MAN, MAN, lam=1.0) == 6
    seen = "(S (NP (N John)) (VP (V saw) (NP (D the) (N man))))"
    assert ro.kernels.tree(seen, MAN, lam=1.0) == 6
    # sizes 3, 2, 2, 1 at NP, 1 at D, 1 at N
    assert ro.kernels.tree(MAN, MAN, lam=0.5) == pytest.approx(0.125 + 2 * 0.25 + 3 * 0.5)


def test_a_word_is_not_a_constituent_of_the_same_label():
    assert ro.kernels.tree("(S NP)", "(S (NP x))") == 0
    assert ro.kernels.tree("(S NP)", "(S NP)") == 0.5


def test_the_plain_tagging_kernel():
    """Section 5: 1 + lam C where only the labels agree, 2 + 2 lam C where the words do."""
    a, b = [("Ann", "B"), ("x", "O")], [("Bob", "B"), ("y", "O")]
    assert ro.kernels.tagging(a, b, lam=0.5, shapes=False) == (1 + 0.5) + 1
    assert ro.kernels.tagging(a, a, lam=0.5, shapes=False) == (2 + 2 * 0.5 * 2) + 2
    assert ro.kernels.tagging(a, [("Bob", "B"), ("x", "O")], shapes=False) == (1 + 0.5 * 2) + 2
    assert ro.kernels.tagging(a, a, normalised=True, shapes=False) == pytest.approx(1)


def test_the_refined_tagging_kernel():
    """The same shape is worth as much as the same word: half a label."""
    a = [("Ann", "B"), ("x", "O")]
    assert ro.kernels.tagging(a, [("77", "B"), ("9", "O")], lam=0.5) == (1 + 0.5) + 1
    assert ro.kernels.tagging(a, [("Bob", "B"), ("y", "O")], lam=0.5) == 1.5 * (1 + 0.5 * 1.5) + 1.5
    assert ro.kernels.tagging(a, a, lam=0.5) == (2 + 2 * 0.5 * 2) + 2


def test_matrices():
    trees = [MAN, "(NP (D a) (N man))", ro.Tree.parse(MAN), "(S (NP (D the) (N man)) (VP ran))"]
    square = ro.kernels.trees(trees)
    assert square.shape == (4, 4)
    assert (square[0] == square[2]).all()
    assert ro.kernels.trees(trees[:2], trees[2:]).tolist() == square[:2, 2:].tolist()
    assert np.diag(ro.kernels.trees(trees, normalised=True)) == pytest.approx(1)
    cosine = square / np.sqrt(np.outer(np.diag(square), np.diag(square)))
    assert ro.kernels.trees(trees, normalised=True) == pytest.approx(cosine)
    assert ro.kernels.trees(trees, []).shape == (4, 0)
    assert ro.kernels.trees([], trees).shape == (0, 4)
    assert ro.kernels.taggings([[], [("a", "B")]]).tolist() == [[0, 0], [0, 2]]


def test_more_rows_than_a_block():
    rows = [f"(S (A a{number % 7}) (B b))" for number in range(150)]
    matrix = ro.kernels.trees(rows)
    for place in (0, 63, 64, 149):
        assert matrix[place].tolist() == ro.kernels.trees([rows[place]], rows)[0].tolist()


def test_a_matrix_suits_a_support_vector_machine():
    svm = pytest.importorskip("sklearn.svm", reason="scikit-learn is not installed")
    high = [f"(VP (V saw) (NP n{i}) (PP (P with) (NP m)))" for i in range(6)]
    low = [f"(VP (V saw) (NP (NP n{i}) (PP (P with) (NP m))))" for i in range(6)]
    trees, classes = high[:4] + low[:4], [0] * 4 + [1] * 4
    machine = svm.SVC(kernel="precomputed").fit(ro.kernels.trees(trees), classes)
    asked = ro.kernels.trees(high[4:] + low[4:], trees)
    assert machine.predict(asked).tolist() == [0, 0, 1, 1]


def test_what_is_refused():
    with pytest.raises(FormatError, match="tree 1: the output is not a bracketed tree"):
        ro.kernels.tree(MAN, "no tree")
    with pytest.raises(UsageError, match="lam must be above 0 and at most 1, not 0"):
        ro.kernels.tree(MAN, MAN, lam=0)
    long = [("w", "O")] * 2000
    with pytest.raises(UsageError, match="too large for a number"):
        ro.kernels.tagging(long, long, lam=1.0)
    assert ro.kernels.tagging(long, long, lam=0.5) > 0


def test_odd_words_stay_words():
    assert tagging_tree(["(", "a b", ""], ["O", "O", "O"]).count("(") == 4
    assert ro.kernels.tagging([("(", "O")], [("(", "O")]) == 2


def test_a_tree_that_is_too_deep_is_named():
    with pytest.raises(FormatError, match="tree 1: the tree is deeper than 65,535 nodes"):
        ro.kernels.tree(MAN, "(A " * 65_536 + "x" + ")" * 65_536)
