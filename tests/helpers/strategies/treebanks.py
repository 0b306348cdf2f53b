"""Hypothesis strategies for small treebanks that parsers learn from."""

from hypothesis import strategies as st

from runoff.data.tree import Tree

PHRASES = "S NP VP PP SBAR SQ ADJP CONJP".split()
TAGS = "NN VB IN CC DT MD".split()
FEW_PHRASES = ["S", "NP", "VP"]
FEW_TAGS = ["NN", "VB", "CC"]
WORDS = "vote votes council of and".split()
"""All that trees have; and what is left of it where every tree of a sentence is written down."""


def constituents(phrases, tags, size):
    """Constituents of at most about so many words."""
    leaves = st.builds(
        lambda tag, word: Tree(tag, [word]), st.sampled_from(tags), st.sampled_from(WORDS)
    )

    def made(children):
        return st.builds(Tree, st.sampled_from(phrases), st.lists(children, min_size=1, max_size=4))

    return made(st.recursive(leaves, made, max_leaves=size))


def treebanks(size=8):
    """Up to five trees with all kinds of heads, complements and conjunctions."""
    trees = constituents(PHRASES, TAGS, size).map(lambda tree: Tree("TOP", [tree]))
    return st.lists(trees, min_size=1, max_size=5)


def small_treebanks(size=4):
    """Up to three trees over few labels; one may be a tag alone."""
    alone = st.builds(lambda word: Tree("NN", [word]), st.sampled_from(WORDS))
    inner = st.one_of(*[constituents(FEW_PHRASES, FEW_TAGS, size)] * 5, alone)
    return st.lists(inner.map(lambda tree: Tree("TOP", [tree])), min_size=1, max_size=3)
