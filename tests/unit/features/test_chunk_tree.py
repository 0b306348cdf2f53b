"""Chunk trees: what is read fast is the tree that is defined, and learners learn from it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import runoff as ro
from runoff.data.nbest import Candidate, NBest
from runoff.errors import RunoffError
from runoff.features.chunk_tree import MOST_WORDS, chunk_tree, read_chunk_trees
from runoff.features.extract import find_extractors
from runoff.problem.build.build import build_problem

TAGS = "O B-NP I-NP E-NP S-NP I-VP B-VP L-VP B I B-(".split()
TOKENS = st.sampled_from(["we", ["vote", "VB"], ["(", "("], ("O", "O")])


@st.composite
def tagged_lists(draw):
    words = draw(st.lists(TOKENS, max_size=7))
    tagging = st.lists(st.sampled_from(TAGS), min_size=len(words), max_size=len(words))
    return NBest(None, words, list(map(Candidate, draw(st.lists(tagging, min_size=1, max_size=4)))))


def nodes(tree, depth=0):
    yield tree.label, depth
    for child in tree.children:
        yield from [(child, depth + 1)] if isinstance(child, str) else nodes(child, depth + 1)


@given(st.lists(tagged_lists(), max_size=4))
def test_what_is_read_at_once_is_each_tree(lists):
    symbols, counts, labels, depths = read_chunk_trees(lists)
    read = [(symbols[label], depth) for label, depth in zip(labels, depths, strict=True)]
    expected = [list(nodes(chunk_tree(nb.input, c))) for nb in lists for c in nb.candidates]
    assert counts.tolist() == list(map(len, expected))
    assert read == [node for tree in expected for node in tree]


def test_a_phrase_is_the_parent_of_the_next():
    words = [["for", "IN"], ["us", "PRP"], ["to", "TO"], ["vote", "VB"]]
    tree = chunk_tree(words, Candidate("B-SBAR B-NP B-VP I-VP"))
    assert str(tree) == ("(<left> (SBAR (IN for) (NP (PRP us) (VP (TO to) (VB vote) (<right>)))))")


@pytest.mark.parametrize(
    ("words", "output", "problem"),
    [
        ("a b", ["O", "O"], "list of words"),
        ([["a", "X", "Y"]], ["O"], "neither text nor a pair"),
        ([[1, "X"]], ["O"], "neither text nor a pair"),
        ([["a", 1]], ["O"], "neither text nor a pair"),
        (["a"], ["O", "O"], "candidate 1: an output has 2 tags for 1 words"),
        (["a"], ["NP"], "candidate 1: unknown tag 'NP'"),
        (["a"], [3], "candidate 1"),
        (["a"] * (MOST_WORDS + 1), ["O"], "more than 65,000 words"),
    ],
)
def test_what_has_no_tree_is_named(words, output, problem):
    fine = ["O"] * len(words)
    lists = [NBest("s7", words, [Candidate(fine), Candidate(output)])]
    with pytest.raises(RunoffError, match=f"'chunk-tree' failed on list 's7'.*{problem}"):
        build_problem(lists, find_extractors("chunk-tree"))


def test_a_long_dependency_is_learned():
    """`for` begins a clause if a verb with `to` follows its noun phrase, else it is a preposition;
    two labels in a row do not tell."""
    lists = []
    for number, noun in enumerate("votes schools towns roads".split()):
        for gold, rest in (("B-SBAR", [["to", "TO", "B-VP"]]), ("B-PP", [[".", ".", "O"]])):
            tokens = [["for", "IN", ""], [noun, "NNS", "B-NP"], *rest]
            taggings = [[kind, *(tag for *_, tag in tokens[1:])] for kind in ("B-SBAR", "B-PP")]
            candidates = [Candidate(tagging, -1.0) for tagging in taggings]
            words = [token[:2] for token in tokens]
            tags = [gold, *(tag for *_, tag in tokens[1:])]
            lists.append(NBest(f"{number}{gold}", words, candidates, gold=tags))
    model = ro.fit(
        lists,
        learner="subtree-boost",
        features="chunk-tree",
        metric="chunk-f1",
        options={"rounds": 4, "frequency": 2},
    )
    ranked = model.rerank(lists)
    assert all(nbest.candidates[0].output == nbest.gold for nbest in ranked)
    assert model.ranker.weight_names(model.space.names) == ["(PP(NP(O)))", "(PP(NP(VP)))"]
    assert (np.sign(model.ranker.weights()) == [1, -1]).all()
