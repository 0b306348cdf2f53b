"""Trees drawn at random, and their states as native code has them."""

import random
from functools import cache

import numpy as np

from runoff import _native
from runoff.data.tree import Tree

STRATEGIES = ("r2l", "l2r", "bottom-up")
TAGS = ("DT", "NN", "VB", "CC", "ODD")
PHRASES = ("NP", "VP", "S")
MAX_CHILDREN = 5


def drawn_tree(rng, words):
    """A tree without two nodes of the same words and label."""

    def chain(children, labels):
        rng.shuffle(labels)
        for label in labels[: rng.choice([0, 1, 1, 2])]:
            children = [Tree(label, children)]
        return children

    def phrase(size):
        if size == 1:
            leaf = Tree(rng.choice(TAGS), [rng.choice("abcDE")])
            return chain([leaf], list(PHRASES))[0]
        parts, left = [], size
        while left:
            taken = rng.randint(1, left if parts else left - 1)
            parts.append(phrase(taken))
            left -= taken
        first, *others = rng.sample(PHRASES, len(PHRASES))
        return chain([Tree(first, parts)], others)[0]

    return Tree("TOP", [phrase(words)])


@cache
def treebank(seed=0, trees=12, words=9):
    rng = random.Random(seed)
    return [drawn_tree(rng, rng.randint(1, words)) for _ in range(trees)]


def native_states(names, trees, strategy, seed=0, max_children=MAX_CHILDREN):
    chosen = np.arange(len(trees), dtype=np.int64)
    number = STRATEGIES.index(strategy)
    columns = names.encode(trees)
    return _native.TrainingStates(names.native, number, max_children, *columns, chosen, seed)
