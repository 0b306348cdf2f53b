"""Random trees, taggings and lists that tests share; all of it from seeds, nothing from corpora."""

from __future__ import annotations

import random

from runoff.data.tree import Tree

WORDS = "the a vote list tree best of on in we they saw ran quickly up off not old new".split()
TAGS = "DT NN NNS IN PRP VBD RB JJ RP".split()
MARKS = [(",", ","), (".", "."), (":", ";"), ("``", "``"), ("''", "''"), ("-LRB-", "(")]
LABELS = "S NP VP PP ADVP PRT ADJP SBAR NP-SBJ NP=2 WHNP-1 QP".split()


def random_words(rng: random.Random, length: int) -> list[tuple[str, str]]:
    """Tagged words, one in six of them punctuation."""
    return [
        rng.choice(MARKS) if rng.random() < 1 / 6 else (rng.choice(TAGS), rng.choice(WORDS))
        for _ in range(length)
    ]


def random_tree(rng: random.Random, words: list[tuple[str, str]], root: str = "TOP") -> Tree:
    """A random tree over tagged words, with unary chains and repeated labels."""
    return Tree(root, [_phrase(rng, words, "S")])


def _phrase(rng: random.Random, words: list[tuple[str, str]], label: str) -> Tree:
    if len(words) == 1:
        leaf = Tree(words[0][0], [words[0][1]])
        return Tree(label, [leaf]) if rng.random() < 0.4 else leaf
    if rng.random() < 0.1:  # a unary step, now and then to the same label
        again = label if rng.random() < 0.5 else rng.choice(LABELS)
        return Tree(label, [_phrase(rng, words, again)])
    cuts = sorted(rng.sample(range(1, len(words)), min(len(words) - 1, rng.randint(1, 3))))
    pieces = [words[a:b] for a, b in zip([0, *cuts], [*cuts, len(words)], strict=True)]
    return Tree(label, [_phrase(rng, piece, rng.choice(LABELS)) for piece in pieces])


def perturbed(rng: random.Random, tree: Tree, changes: int, retag: float = 0.05) -> Tree:
    """The same words under a tree that differs in about that many brackets and a few tags."""
    root = _nested(tree)
    for _ in range(changes):
        _change(rng, rng.choice(_phrases(root)))
    for leaf in _leaves(root):
        if rng.random() < retag and leaf[0] in TAGS:
            leaf[0] = rng.choice(TAGS)
    return _tree(root)


def _nested(tree: Tree) -> list:
    return [tree.label, [c if isinstance(c, str) else _nested(c) for c in tree.children]]


def _tree(node: list) -> Tree:
    return Tree(node[0], [c if isinstance(c, str) else _tree(c) for c in node[1]])


def _is_leaf(node: list) -> bool:
    return any(isinstance(child, str) for child in node[1])


def _phrases(node: list) -> list:
    below = [p for child in node[1] if not _is_leaf(child) for p in _phrases(child)]
    return [node, *below]


def _leaves(node: list) -> list:
    if _is_leaf(node):
        return [node]
    return [leaf for child in node[1] for leaf in _leaves(child)]


def _change(rng: random.Random, node: list) -> None:
    """Rename a child, wrap some children in a new bracket, or take a child's bracket away."""
    children, kind = node[1], rng.randrange(3)
    place = rng.randrange(len(children))
    if kind == 0 and not _is_leaf(children[place]):
        children[place][0] = rng.choice(LABELS)
    elif kind == 1:
        end = rng.randint(place + 1, len(children))
        children[place:end] = [[rng.choice(LABELS), children[place:end]]]
    elif kind == 2 and not _is_leaf(children[place]):
        children[place : place + 1] = children[place][1]


KINDS = ["NP", "VP", "A-B"]


def random_tags(rng: random.Random, length: int, prefixes: str = "BIO") -> list[str]:
    """Tags in no scheme at all: any prefix may follow any other."""
    return [
        "O" if (prefix := rng.choice(prefixes)) == "O" else f"{prefix}-{rng.choice(KINDS)}"
        for _ in range(length)
    ]


def noisy_tags(rng: random.Random, tags: list[str], prefixes: str = "BIO") -> list[str]:
    """The tags with about every fourth replaced."""
    noise = random_tags(rng, len(tags), prefixes)
    return [new if rng.random() < 0.25 else old for old, new in zip(tags, noise, strict=True)]


def random_sentence(rng: random.Random, length: int) -> list[str]:
    """Words, drawn from few, so that they repeat."""
    return [rng.choice(WORDS) for _ in range(length)]


def noisy_sentence(rng: random.Random, words: list[str], rate: float = 0.25) -> list[str]:
    """The words with some lost, some changed and some doubled."""
    out: list[str] = []
    for word in words:
        kind = rng.randrange(3) if rng.random() < rate else None
        out += {0: [], 1: [rng.choice(WORDS)], 2: [word, rng.choice(WORDS)], None: [word]}[kind]
    return out
