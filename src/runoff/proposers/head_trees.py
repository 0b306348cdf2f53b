"""Trees as the head-driven parsers see them: base noun phrases, heads, labels and words as numbers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from runoff.data.heads import head_child
from runoff.data.tree import Child, Tree

TOP = "TOP"
BASE_NP = "NPB"

VERBS = frozenset("VB VBD VBG VBN VBP VBZ MD".split())


def with_base_nps(tree: Tree) -> Tree:
    """The tree with base noun phrases marked, after Collins (1999), section 7.3.1."""
    return _marked(tree, None)


def _marked(tree: Tree, parent: str | None) -> Tree:
    label = tree.label
    if tree.is_preterminal:
        return tree
    children = list(tree.children)
    while len(children) == 1 and isinstance(children[0], Tree) and children[0].label == label:
        children = list(children[0].children)
    if label == "NP" and not any(isinstance(c, Tree) and c.label == "NP" for c in children):
        base = Tree(BASE_NP, [_marked(c, BASE_NP) for c in children])
        return base if parent == "NP" else Tree("NP", [base])
    return Tree(label, [_marked(c, label) for c in children])


def without_base_nps(tree: Tree) -> Tree:
    if tree.is_preterminal:
        return tree
    children = list(tree.children)
    if tree.label == "NP" and len(children) == 1 and children[0].label == BASE_NP:
        children = list(children[0].children)
    label = "NP" if tree.label == BASE_NP else tree.label
    return Tree(label, [without_base_nps(c) for c in children])


_SUFFIXES = re.compile(
    "(ization|ation|ions?|ities|ity|ments?|ness|isms?|ists?|ases?|ines?|ins|in|ing|ed|ly|ous|ive|"
    "able|ible|ical|ic|al|ers?|ors?|est|es|ss|us|is|s|y|e|a)$"
)


def shape_class(word: str) -> str:
    """The class of an unknown or rare word: how it is written and how it ends."""
    if re.fullmatch(r"[+-]?[\d.,]+", word):
        return "<number>"
    has_digit = any(c.isdigit() for c in word)
    letters = [c for c in word if c.isalpha()]
    if not letters:
        return "<digits>" if has_digit else "<symbol>"
    if has_digit:
        return "<Alnum>" if word[0].isupper() else "<alnum>"
    if len(word) == 1:
        return "<letter>"
    upper = sum(c.isupper() for c in letters)
    if upper == len(letters):
        return "<UPPER>"
    suffix = _SUFFIXES.search(word.lower()) if len(word) > 4 else None
    ending = suffix[0] if suffix else ""
    if word[0].isupper():
        return f"<Capital{'+' if upper > 1 else ''}{ending}>"
    return f"<{'mixed' if upper else 'lower'}{ending}>"


class Alphabet:
    """Labels and words as numbers."""

    def __init__(self, tags, phrases, words):
        self.tags, self.phrases, self.words = list(tags), list(phrases), list(words)
        self.labels = {l: i for i, l in enumerate([*self.tags, *self.phrases])}
        self.word_ids = {w: i for i, w in enumerate(self.words)}

    @classmethod
    def of(cls, trees, min_count=3):
        tags, phrases, words, classes = Counter(), Counter(), Counter(), Counter()
        for tree in trees:
            for node in tree.nodes():
                if node.is_preterminal:
                    tags[node.label] += 1
                    words[normal(node.words[0])] += 1
                else:
                    phrases[node.label] += 1
        known = sorted(w for w, n in words.items() if n >= min_count)
        classes = sorted({shape_class(w) for w, n in words.items() if n < min_count} | {"<symbol>"})
        return cls(sorted(tags), sorted(phrases - Counter(tags.keys())), ["<other>", *classes, *known])

    def word(self, word):
        found = self.word_ids.get(normal(word))
        if found is None:
            found = self.word_ids.get(shape_class(word), 0)
        return found


def normal(word):
    return word.lower() if word[:1].isupper() and word[1:].islower() else word


def encode(trees, alphabet):
    offsets, labels, ends, heads, words = [0], [], [], [], []
    for tree in trees:
        flat = tree.flat()
        kids = []
        children = [[] for _ in flat.labels]
        stack = []
        for node in range(len(flat.labels)):
            while stack and flat.ends[stack[-1]] <= node:
                stack.pop()
            if stack:
                children[stack[-1]].append(node)
            stack.append(node)
        for node, label in enumerate(flat.labels):
            ks = children[node]
            if ks:
                heads.append(ks[head_child(label, tuple(flat.labels[k] for k in ks))])
                words.append(-1)
            else:
                heads.append(-1)
                words.append(alphabet.word(flat.words[flat.starts[node]]))
        labels.extend(alphabet.labels[l] for l in flat.labels)
        ends.extend(flat.ends)
        offsets.append(len(labels))
    i = np.int32
    return np.array(offsets, np.int64), np.array(labels, i), np.array(ends, i), np.array(heads, i), np.array(words, i)


def complement_table(alphabet):
    n = len(alphabet.labels)
    table = np.full((2, n, n, n), -1, np.int8)
    ids = lambda names: [alphabet.labels[x] for x in names.split() if x in alphabet.labels]
    verbs = ids("VB VBD VBG VBN VBP VBZ MD TO AUX")
    slot = {"NP": 0, "S": 1, "SBAR": 2, "VP": 3}
    right, left = 1, 0
    def put(side, parents, heads, mods, fixed=None):
        for p in ids(parents):
            for h in heads:
                for m in mods.split():
                    if m in alphabet.labels:
                        table[side, p, h, alphabet.labels[m]] = slot.get(m, 4) if fixed is None else fixed
    put(left, "S SINV SQ", ids("VP"), "NP")
    put(right, "SINV SQ", ids("VBZ VBD VBP VB MD VP"), "NP VP")
    put(right, "VP", verbs, "NP S SBAR VP")
    put(right, "PP WHPP", ids("IN TO VBG VBN RP FW"), "NP S SBAR VP PP ADJP ADVP WHNP", None)
    put(right, "SBAR", ids("IN DT WHNP WHPP WHADVP WHADJP TO RB"), "S SQ SINV", 1)
    return table
