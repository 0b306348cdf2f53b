"""The native IGTree equals its twin, and is what it says it is."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from twins import igtree as twin

from runoff.learners.igtree.shards import cut, joined
from runoff.learners.igtree.tree import IGTree, Windows


def row_of(size, symbols):
    return st.lists(st.integers(1, symbols), min_size=size, max_size=size)


@st.composite
def tables(draw):
    features, symbols = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    rows = draw(st.lists(row_of(features, symbols), min_size=1, max_size=40))
    classes = draw(row_of(len(rows), symbols))
    others = draw(st.lists(row_of(features, symbols + 1), min_size=1, max_size=10))
    return rows, classes, others


@given(table=tables(), prune=st.booleans())
def test_tree_and_classes_are_those_of_the_twin(table, prune):
    rows, classes, others = table
    tree = IGTree(prune=prune).fit(Windows.of_table(rows, classes))
    gains = [twin.information_gain(rows, classes, i) for i in range(len(rows[0]))]
    assert tree.gains_ == pytest.approx(gains, abs=1e-9)
    order = tree.order_.tolist()
    slow = twin.grow(rows, classes, order, prune)
    assert len(tree) == twin.size(slow)
    wanted = [twin.predict(slow, row, order) for row in others]
    for threads in (1, 3):
        assert tree.predict(Windows.of_table(others), threads=threads).tolist() == wanted


@given(table=tables(), top=st.integers(1, 4), discount=st.sampled_from([0.0, 0.3, 0.75, 1.0]))
def test_probabilities_are_those_of_the_twin(table, top, discount):
    rows, classes, others = table
    tree = IGTree(top=top).fit(Windows.of_table(rows, classes))
    slow = twin.grow(rows, classes, tree.order_.tolist(), prune=True)
    offsets, found, p = tree.n_best(Windows.of_table(others), 10, discount=discount)
    for i, row in enumerate(others):
        wanted = twin.distribution(slow, row, tree.order_.tolist(), discount, top)
        own = slice(offsets[i], offsets[i + 1])
        got = dict(zip(found[own].tolist(), p[own].tolist(), strict=True))
        assert got == pytest.approx(wanted)
        assert p[own].tolist() == sorted(p[own].tolist(), reverse=True)
        assert sum(got.values()) <= 1 + 1e-9


@given(table=tables())
def test_all_classes_kept_are_a_distribution(table):
    rows, classes, others = table
    tree = IGTree(top=10).fit(Windows.of_table(rows, classes))
    offsets, _, p = tree.n_best(Windows.of_table(others), 10)
    assert np.add.reduceat(p, offsets[:-1]) == pytest.approx(np.ones(len(others)))


@given(table=tables())
def test_nothing_is_lost_but_by_ambiguous_examples(table):
    rows, classes, _ = table
    windows = Windows.of_table(rows, classes)
    for prune in (False, True):
        found = IGTree(prune=prune).fit(windows).predict(windows).tolist()
        for row, cls, guess in zip(rows, classes, found, strict=True):
            same = {c for r, c in zip(rows, classes, strict=True) if r == row}
            assert guess == cls or len(same) > 1


@given(
    texts=st.lists(st.lists(st.integers(1, 5), max_size=12), min_size=1, max_size=3),
    left=st.integers(0, 3),
    right=st.integers(0, 3),
)
def test_windows_of_text_are_rows_of_a_table(texts, left, right):
    rows, classes = [], []
    for text in texts:
        padded = [0] * left + text + [0] * right
        for i, cls in enumerate(text):
            rows.append(padded[i : i + left] + padded[i + left + 1 : i + left + 1 + right])
            classes.append(cls)
    if not classes or left + right == 0:
        return
    sequences = [np.array(text, dtype=np.uint32) for text in texts]
    streamed = IGTree(top=3).fit(Windows.of_text(sequences, left, right)).arrays()
    table = IGTree(top=3).fit(Windows.of_table(rows, classes)).arrays()
    assert all(np.array_equal(streamed[name], table[name]) for name in table)


@given(
    table=tables(),
    prune=st.booleans(),
    top=st.integers(1, 3),
    min_count=st.integers(1, 3),
    size=st.integers(1, 20),
)
def test_shards_joined_are_the_tree(table, prune, top, min_count, size):
    rows, classes, _ = table
    windows = Windows.of_table(rows, classes)
    tree = IGTree(top=top, prune=prune, min_count=min_count).fit(windows)
    assert (tree.nodes_["totals"][1:] >= min_count).all()
    shards = cut(windows, int(tree.order_[0]), size)
    assert [begin for begin, _ in shards[1:]] == [end for _, end in shards[:-1]]
    found = joined([tree.grow(windows, shard) for shard in shards])
    assert found.keys() == tree.nodes_.keys()
    for name, array in found.items():
        assert array.dtype == np.uint32
        assert array.tolist() == tree.nodes_[name].tolist()
