"""Trees as the head-driven parsers see them: base noun phrases marked, all names as numbers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from runoff.data.flat_tree import Flat, child_nodes, is_preterminal
from runoff.data.tree import Tree
from runoff.data.treebank.heads import head_children
from runoff.errors import ModelError, UsageError
from runoff.store.arrays import take
from runoff.store.file import Arrays, checking
from runoff.store.strings import StringTable, pack_names, take_names

TOP, NP, BASE_NP = "TOP", "NP", "NPB"

TOO_MANY_LABELS = 512  # for a table over all threes of them

VERBS = frozenset("VB VBD VBG VBN VBP VBZ MD".split())
CONJUNCTIONS = frozenset(["CC", "CONJP"])

_SLOTS = {"NP": 0, "S": 1, "SQ": 1, "SINV": 1, "SBAR": 2, "VP": 3}
_OTHER_SLOT = 4
_RULES = (  # parents, heads, side, modifiers that are complements there
    ("S SINV SQ", "VP", "left", "NP"),
    ("SINV SQ", "VBZ VBD VBP VB MD VP", "right", "NP VP"),
    ("VP", "VB VBD VBG VBN VBP VBZ MD TO", "right", "NP S SBAR VP"),
    ("PP WHPP", "IN TO VBG VBN RP FW", "right", "NP S SBAR VP PP ADJP ADVP WHNP"),
    ("SBAR", "IN DT WHNP WHPP WHADVP WHADJP TO RB", "right", "S SQ SINV"),
)
"""Which modifiers are complements. Model 2 of Collins (1999) asks the function tags as well; here
labels alone decide, so that a tree has one derivation and cleaned treebanks will do."""


def under_top(tree: Tree) -> Tree:
    """The tree below one TOP; several children of a TOP become a FRAG."""
    if own := {TOP, BASE_NP} & set(tree.flat().labels[1:]):
        raise UsageError(f"a tree has the label {min(own)!r} inside, which is the parser's own")
    if tree.label not in (TOP, "", "ROOT", "S1"):
        return Tree(TOP, [tree])
    if len(tree.children) == 1 and not tree.is_preterminal:
        return tree if tree.label == TOP else Tree(TOP, tree.children)
    return Tree(TOP, [Tree("FRAG", tree.children)])


def mark_base_nps(tree: Tree) -> Tree:
    """The tree with base noun phrases marked, and constituents of one like constituent undone.

    A noun phrase that holds no other becomes an NPB, inside an NP unless it is in one already
    (Collins 1999, on non-recursive noun phrases).

    Examples
    --------
    >>> print(mark_base_nps(Tree.parse("(S (NP (PRP we)) (VP (VBP vote)))")))
    (S (NP (NPB (PRP we))) (VP (VBP vote)))
    """
    flat = tree.flat()
    children = [_inner(flat, node, row) for node, row in enumerate(child_nodes(flat))]
    above = [""] * len(flat.labels)
    made: list[tuple[str, ...]] = []  # old node -> labels of the new nodes in its place
    for node, (label, row) in enumerate(zip(flat.labels, children, strict=True)):
        undone = len(row) == 1 and flat.labels[row[0]] == label
        for child in row:
            above[child] = above[node] if undone else label
        if undone:
            made.append(())
        elif row and label == NP and all(flat.labels[child] != NP for child in row):
            made.append((BASE_NP,) if above[node] == NP else (NP, BASE_NP))
        else:
            made.append((label,))
    before = list(accumulate(map(len, made), initial=0))
    nodes = [node for node, labels in enumerate(made) for _ in labels]
    marked = Flat(
        tuple(label for labels in made for label in labels),
        tuple(before[flat.ends[node]] for node in nodes),
        tuple(flat.starts[node] for node in nodes),
        tuple(flat.stops[node] for node in nodes),
        flat.words,
    )
    return Tree._view(marked)


def _inner(flat: Flat, node: int, children: Sequence[int | str]) -> list[int]:
    """The constituents and tags directly below a node, which are all that it has but its word."""
    inner = [child for child in children if isinstance(child, int)]
    if not (is_preterminal(flat, node) or 0 < len(inner) == len(children)):
        raise UsageError(
            f"{flat.labels[node]!r} is neither a tag on one word nor made of tags and constituents",
            hint="read treebanks with runoff.data.treebank.clean, which cleans them",
        )
    return inner


_NUMBER = re.compile(r"[+-]?[\d.,]*\d[\d.,]*")
_ENDING = re.compile(
    "(ization|ation|ions?|ities|ity|ments?|ness|isms?|ists?|ases?|ines?|ins?|ing|ed|ly|ous|ive|"
    "able|ible|ical|ic|al|ers?|ors?|est|es|ss|us|is|s|y|e|a)$"
)


def word_class(word: str) -> str:
    """The class of an unknown or rare word: how it is written and how it ends.

    Examples
    --------
    >>> [word_class(word) for word in ("runoffs", "Car2n", "0.05", "XML")]
    ['<lower s>', '<Alnum>', '<number>', '<UPPER>']
    """
    if _NUMBER.fullmatch(word):
        return "<number>"
    letters = [c for c in word if c.isalpha()]
    has_digit = any(c.isdigit() for c in word)
    if not letters:
        return "<digits>" if has_digit else "<symbol>"
    if has_digit:
        return "<Alnum>" if word[0].isupper() else "<alnum>"
    if len(word) == 1:
        return "<letter>"
    capitals = sum(c.isupper() for c in letters)
    if capitals == len(letters):
        return "<UPPER>"
    ending = _ENDING.search(word.lower()) if len(word) > 4 else None
    case = "Mixed" if capitals > 1 else "Capital" if word[0].isupper() else "lower"
    return f"<{case} {ending[0]}>" if ending else f"<{case}>"


def _normal(word: str) -> str:
    """A capital at the beginning alone says more of the place in the sentence than of the word."""
    return word.lower() if word[:1].isupper() and word[1:].islower() else word


class HeadedTrees(NamedTuple):
    """Trees as columns; see `HeadedTrees` in cpp/runoff/parsing/head_model.hpp."""

    offsets: NDArray[np.int64]
    labels: NDArray[np.int32]
    ends: NDArray[np.int32]
    heads: NDArray[np.int32]
    words: NDArray[np.int32]


class Meaning(NamedTuple):
    """What native code knows of labels, in the order in which it asks."""

    tags: int
    top: int
    np: int
    base_np: int
    is_verb: NDArray[np.uint8]
    is_conjunction: NDArray[np.uint8]
    complements: NDArray[np.int8]


class Alphabet:
    """The labels and words of a treebank as numbers; tags come before phrases.

    Parameters
    ----------
    tags, phrases : labels of words and of constituents; phrases have TOP, NP and NPB.
    words : words that are known, and classes of words that are not.
    """

    def __init__(self, tags: Sequence[str], phrases: Sequence[str], words: Sequence[str]) -> None:
        self.tags, self.phrases, self.words = list(tags), list(phrases), list(words)
        self.labels = {label: n for n, label in enumerate([*tags, *phrases])}
        self._words = {word: n for n, word in enumerate(words)}

    @classmethod
    def of(cls, trees: Iterable[Tree], min_count: int) -> Alphabet:
        """The alphabet of marked trees; rarer words have their class alone."""
        tags: set[str] = set()
        phrases = {TOP, NP, BASE_NP}
        words: Counter[str] = Counter()
        for tree in trees:
            flat = tree.flat()
            for node, (label, end) in enumerate(zip(flat.labels, flat.ends, strict=True)):
                (tags if end == node + 1 else phrases).add(label)
            words.update(flat.words)
        if both := sorted(tags & phrases):
            raise UsageError(f"{both[0]!r} stands both on words and on constituents")
        if TOO_MANY_LABELS <= len(tags) + len(phrases):
            raise UsageError(f"a treebank has at most {TOO_MANY_LABELS - 1} labels")
        counts: Counter[str] = Counter()
        for word, count in words.items():
            counts[_normal(word)] += count
        known = sorted(word for word, count in counts.items() if count >= min_count)
        rare = {word_class(word) for word in words if counts[_normal(word)] < min_count}
        return cls(sorted(tags), sorted(phrases), ["<unknown>", *sorted(rare), *known])

    def word(self, word: str) -> int:
        """The number of a word, of its class, or of words of no known class."""
        known = self._words.get(_normal(word))
        return self._words.get(word_class(word), 0) if known is None else known

    def encode(self, trees: Iterable[Tree]) -> HeadedTrees:
        """Marked trees over these labels as columns."""
        offsets = [0]
        labels, ends, heads, words = list[int](), list[int](), list[int](), list[int]()
        for tree in trees:
            flat = tree.flat()
            heads.extend(head_children(flat))
            words.extend(
                self.word(flat.words[start]) if end == node + 1 else -1
                for node, (start, end) in enumerate(zip(flat.starts, flat.ends, strict=True))
            )
            labels.extend(map(self.labels.__getitem__, flat.labels))
            ends.extend(flat.ends)
            offsets.append(len(labels))
        small = (np.array(column, dtype=np.int32) for column in (labels, ends, heads, words))
        return HeadedTrees(np.array(offsets, dtype=np.int64), *small)

    @property
    def meaning(self) -> Meaning:
        """The meaning of the labels, as native code takes it."""
        verbs, conjunctions = (
            np.array([label in kind for label in self.labels], dtype=np.uint8)
            for kind in (VERBS, CONJUNCTIONS)
        )
        top, phrase, base = (self.labels[label] for label in (TOP, NP, BASE_NP))
        complements = self._complements().ravel()
        return Meaning(len(self.tags), top, phrase, base, verbs, conjunctions, complements)

    def _complements(self) -> NDArray[np.int8]:
        size = len(self.labels)
        slots = np.full((2, size, size, size), -1, dtype=np.int8)  # side, parent, head, modifier
        for parents, heads, side, modifiers in _RULES:
            for modifier in self._known(modifiers):
                slot = _SLOTS.get(modifier, _OTHER_SLOT)
                for parent in self._known(parents):
                    for head in self._known(heads):
                        place = (self.labels[label] for label in (parent, head, modifier))
                        slots[(int(side == "right"), *place)] = slot
        return slots

    def _known(self, labels: str) -> list[str]:
        return [label for label in labels.split() if label in self.labels]

    def arrays(self) -> dict[str, NDArray[np.generic]]:
        """The labels as arrays for a model file."""
        return {
            "alphabet_names": pack_names(StringTable.of([*self.tags, *self.phrases, *self.words])),
            "alphabet_sizes": np.array([len(self.tags), len(self.phrases)], dtype=np.int64),
        }

    @classmethod
    def from_arrays(cls, arrays: Arrays) -> Alphabet:
        """The alphabet that a model file keeps, checked."""
        names = take_names(arrays, "alphabet_names").strings()
        sizes = take(arrays, "alphabet_sizes", np.int64, (2,), below=TOO_MANY_LABELS)
        tags, phrases = sizes.tolist()
        if not 0 < tags <= tags + phrases < TOO_MANY_LABELS:
            raise ModelError("the alphabet has no tags, or too many labels")
        made = cls(names[:tags], names[tags : tags + phrases], names[tags + phrases :])
        if len(made.labels) != tags + phrases or not {TOP, NP, BASE_NP} <= set(made.phrases):
            raise ModelError("a label of the alphabet is missing or there twice")
        if not made.words:
            raise ModelError("the alphabet has no words")
        with checking():  # whether trees can have such labels
            Tree(TOP, [*(Tree(tag, ["word"]) for tag in made.tags), *map(Tree, made.phrases)])
        return made
