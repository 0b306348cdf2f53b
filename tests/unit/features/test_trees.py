"""Trees as arrays, from lists to problems."""

from dataclasses import replace

import numpy as np
import pytest
from helpers.made.trees import made_trees
from helpers.strategies.trees import trees as any_trees
from hypothesis import given

from runoff.data.nbest import Candidate, NBest
from runoff.data.tree import Tree
from runoff.data.treebank.heads import head_children
from runoff.errors import FormatError, ModelError, RunoffError
from runoff.features.extract import find_extractors
from runoff.problem.build.build import build_problem
from runoff.problem.file import load_problem, save_problem
from runoff.problem.space import FeatureSpace
from runoff.problem.trees import Trees


def built(outputs, features="tree", **options):
    lists = [NBest(n, None, [Candidate(output, -1.0)]) for n, output in enumerate(outputs)]
    return build_problem(lists, find_extractors(features), **options)


def plain(tree, depth=0):
    """Labels and depths, words as leaves."""
    yield tree.label, depth
    for child in tree.children:
        yield from [(child, depth + 1)] if isinstance(child, str) else plain(child, depth + 1)


def lexical(tree, depth=0):
    """The same with head words in front, by the rules in Python."""
    yield tree.label, depth
    yield head_word(tree), depth + 1
    if not tree.is_preterminal:
        for child in tree.children:
            yield from lexical(child, depth + 1)


def head_word(tree):
    flat, node = tree.flat(), 0
    heads = head_children(flat)
    while heads[node] >= 0:
        node = heads[node]
    return flat.words[flat.starts[node]]


@given(any_trees())
def test_any_tree_is_read_as_it_is(tree):
    problem, space = built([str(tree)])
    expected = Trees.of([list(plain(tree))], space.names)
    assert [a.tolist() for a in problem.trees] == [a.tolist() for a in expected]


def test_parse_trees_get_the_words_of_their_heads():
    trees = made_trees(50)
    problem, space = built(map(str, trees), "lexical-tree")
    expected = Trees.of([list(lexical(tree)) for tree in trees], space.names)
    assert [a.tolist() for a in problem.trees] == [a.tolist() for a in expected]


def test_a_tree_object_is_as_good_as_brackets():
    tree = Tree.parse("(S (NP we) (VP voted))")
    one, _ = built([tree])
    other, _ = built([str(tree)])
    assert one.fingerprint() == other.fingerprint()


def test_labels_of_too_few_lists_are_unknown():
    problem, space = built(["(a b)", "(a c)"], min_lists=2)
    assert space.names == ["a"]
    assert problem.trees.labels.tolist() == [0, 1, 0, 1]
    assert problem.n_features == 1


def test_a_known_space_is_used():
    space = FeatureSpace(["a", "c"])
    problem, same = built(["(a b)", "(a c)"], space=space)
    assert same is space
    assert problem.trees.labels.tolist() == [0, 2, 0, 1]


def test_lists_with_and_without_logprobs_are_not_mixed():
    lists = [NBest(1, None, [Candidate("(a)", -1.0)]), NBest(2, None, [Candidate("(a)")])]
    with pytest.raises(FormatError, match="some lists give every candidate a logprob"):
        build_problem(lists, find_extractors("tree"))


def test_brackets_in_words_are_escaped_when_written():
    problem, space = built(["(a -LRB-)"])
    assert space.names == ["(", "a"]
    assert problem.trees.written(space.names) == ["(a(-LRB-))"]


def test_some_of_the_candidates():
    problem, space = built(["(a b)", "(c (d e) f)", "(g)"])
    kept = problem.keep(np.array([False, True, True]))
    assert kept.trees.written(space.names) == ["(c(d(e))(f))", "(g)"]


def test_problems_are_saved_with_their_trees(tmp_path):
    problem, space = built(["(a b)", "(c (d e) f)"])
    save_problem(tmp_path / "p", problem, space)
    again, names = load_problem(tmp_path / "p")
    assert again.trees.written(names.names) == ["(a(b))", "(c(d(e))(f))"]
    assert again.fingerprint() == problem.fingerprint()
    other = problem.trees._replace(depths=np.zeros(6, dtype=np.uint16))
    assert replace(problem, trees=other).fingerprint() != problem.fingerprint()


@pytest.mark.parametrize(
    ("trees", "complaint"),
    [
        ({"depths": np.zeros(6, dtype=np.uint16)}, "the depths of nodes are not those of a tree"),
        ({"labels": np.full(6, 99, dtype=np.uint32)}, "the label of a node is out of range"),
        ({"offsets": np.array([0, 2, 6, 6])}, "there must be one tree per candidate"),
        ({"depths": np.zeros(6)}, "'node_depths' must be uint16"),
    ],
)
def test_a_broken_problem_is_refused(trees, complaint, tmp_path):
    problem, space = built(["(a b)", "(c (d e) f)"])
    save_problem(tmp_path / "p", replace(problem, trees=problem.trees._replace(**trees)), space)
    with pytest.raises(ModelError, match=complaint):
        load_problem(tmp_path / "p")


@pytest.mark.parametrize("features", ["tree", "lexical-tree"])
def test_a_tree_that_is_too_deep_is_named(features):
    deep = "(A " * 65_536 + "x" + ")" * 65_536
    with pytest.raises(RunoffError, match="failed on list 1, candidate 0: the tree is deeper than"):
        built(["(A x)", deep], features)
