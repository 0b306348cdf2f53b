"""IGTree: ties, long ranges, what is refused, and that a broken file never reads outside it."""

import numpy as np
import pytest

from runoff.errors import ModelError, NotFittedError, UsageError
from runoff.learners.igtree.tree import IGTree, Windows
from runoff.store.file import load, save

# X Y X Y Z Z Y over a, b, c: Y is the most frequent overall, so it wins the tie of X and Y below a.
ROWS = [[1, 2, 3], [1, 2, 4], [1, 5, 3], [1, 2, 3], [2, 2, 3], [2, 2, 4], [3, 2, 4]]
CLASSES = [6, 7, 6, 7, 8, 8, 7]


def fitted(**options):
    return IGTree(**options).fit(Windows.of_table(ROWS, CLASSES))


def test_a_tree_by_hand():
    tree = fitted(top=2)
    # root Y; first feature 1: Y, below it second feature 5: X; first feature 2: Z
    assert tree.nodes_["values"].tolist() == [0, 1, 2, 5]
    assert tree.nodes_["totals"].tolist() == [7, 4, 2, 1]
    first = tree.nodes_["entries"][:-1]
    assert tree.nodes_["classes"][first].tolist() == [7, 7, 8, 6]
    assert tree.predict(Windows.of_table(ROWS)).tolist() == [7, 7, 6, 7, 8, 8, 7]


def test_nodes_of_few_examples_are_left_out():
    tree = fitted(top=2, min_count=2)
    # the node of the second feature 5 had one example, so its window ends a node above
    assert tree.nodes_["values"].tolist() == [0, 1, 2]
    assert tree.nodes_["children"].tolist() == [1, 3, 3, 3]
    assert tree.nodes_["entries"].tolist() == [0, 2, 4, 5]
    assert tree.nodes_["classes"].tolist() == fitted(top=2).nodes_["classes"].tolist()[:5]
    assert tree.predict(Windows.of_table(ROWS)).tolist() == [7, 7, 7, 7, 8, 8, 7]
    assert len(fitted(min_count=100)) == 1


def test_probabilities_by_hand():
    _, classes, p = fitted(top=2).n_best(Windows.of_table([[1, 5, 9]]), 3, discount=0.5)
    # X: 0.5/1 + 0.5 * (1.5/4 + 0.5 * 2/4 * 2/7); Y: 0.5 * (1.5/4 + 0.25 * 3/7)
    assert classes.tolist() == [6, 7]
    assert p == pytest.approx([0.5 + 0.5 * (0.375 + 0.25 * 2 / 7), 0.5 * (0.375 + 0.25 * 3 / 7)])


def test_long_ranges_are_sorted_like_short_ones():
    random = np.random.default_rng(0)
    rows = random.integers(1, 5000, size=(20_000, 2))
    classes = rows.sum(axis=1) % 7
    tree = IGTree().fit(Windows.of_table(rows, classes))
    assert (tree.predict(Windows.of_table(rows)) == classes).mean() > 0.99
    level = tree.nodes_["values"][1 : tree.nodes_["children"][1]]
    assert (np.diff(level.astype(np.int64)) > 0).all()


def test_a_saved_tree_is_the_same_tree(tmp_path):
    tree = fitted(top=3)
    save(tmp_path / "tree", "igtree", {}, tree.arrays())
    again = IGTree(top=3).restore(load(tmp_path / "tree").arrays)
    assert again.predict(Windows.of_table(ROWS)).tolist() == [7, 7, 6, 7, 8, 8, 7]
    assert (again.gains_ == tree.gains_).all()


@pytest.mark.parametrize("name", ["values", "children", "totals", "kinds", "entries", "classes"])
@pytest.mark.parametrize("number", [0, 3, 10_000, 2**32 - 1])
def test_a_broken_tree_is_refused_or_answers(name, number):
    arrays = fitted(top=2).arrays()
    for place in range(len(arrays[name])):
        broken = arrays | {name: arrays[name].copy()}
        broken[name][place] = number
        try:
            IGTree().restore(broken).n_best(Windows.of_table(ROWS), 3)
        except (ModelError, ValueError) as error:
            assert "broken" in str(error)


def test_what_makes_no_sense_is_refused():
    table = Windows.of_table(ROWS, CLASSES)
    with pytest.raises(UsageError, match="top must be at least 1, not 0"):
        IGTree(top=0).fit(table)
    with pytest.raises(UsageError, match="no examples"):
        IGTree().fit(Windows.of_table(np.zeros((0, 3))))
    with pytest.raises(UsageError, match="7 examples, but 1 classes"):
        Windows.of_table(ROWS, [1])
    with pytest.raises(UsageError, match="dimensions"):
        Windows.of_table([1, 2])
    with pytest.raises(UsageError, match="discount"):
        fitted().n_best(table, 3, discount=2.0)
    with pytest.raises(NotFittedError):
        len(IGTree())
    with pytest.raises(ValueError, match="inside the cells"):
        fitted().predict(Windows(table.cells, np.array([26], dtype=np.uint32), table.shifts))
    with pytest.raises(ValueError, match="fewer features"):
        fitted().predict(Windows.of_table([[1, 2]]))
    with pytest.raises(ModelError, match="missing"):
        IGTree().restore({})
    with pytest.raises(ModelError, match="order"):
        IGTree().restore(fitted().arrays() | {"order": np.array([0, 0, 1], dtype=np.uint32)})
