"""What the classifiers of a parser by classification may ask of an inference.

An atom asks: is there an item in this group whose label, head word, head tag or class of head tag
is this one? The groups are those of Turian and Melamed (2006), "Advances in discriminative
parsing": section 4 has the base groups, Table 3 those of the *kitchen sink*, with the head, which
the paper's table leaves out, and lengths (4.2). Groups of words are not asked for labels, which are
their tags.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

KINDS = (
    "first children",
    "last children",
    "items before",
    "items after",
    "children before the head",
    "children after the head",
    "head",
    "item",
    "word",
    "grandchild",
    "all items",
    "all items before",
    "all items after",
    "all children but the leftmost",
    "all children but the head",
    "all children but the rightmost",
    "all children up to the head",
    "all children before the head",
    "all children from the head on",
    "all children after the head",
    "all children",
)
"""The kinds of groups, in the order in which native code knows them: `GroupKind` of
cpp/runoff/classification/inference_atoms.hpp."""

ANCHORS = ("leftmost", "head", "rightmost")
LENGTHS = 16


class Group(NamedTuple):
    """A group of items; see `KINDS`.

    Parameters
    ----------
    n : how many items; of a single one how far from the anchor, to the left if negative; of a
        grandchild the anchor below the first.
    words : the words below the items instead of the items.
    """

    kind: str
    anchor: str = "leftmost"
    n: int = 0
    words: bool = False

    def __str__(self) -> str:
        if self.kind in KINDS[:6]:
            if self.n == 1:
                text = {"first children": "the first child", "last children": "the last child"}
                return text.get(self.kind, f"the next of the {self.kind}")
            first = self.kind.startswith(("first", "last"))
            kind, _, noun = self.kind.partition(" ")
            return f"the {kind} {self.n} {noun}" if first else f"the next {self.n} {self.kind}"
        if self.kind in ("item", "word"):
            if self.n == 0:
                return f"the {self.anchor} {self.kind}"
            side = "before" if self.n < 0 else "after"
            whose = "child" if self.kind == "item" else "word"
            noun = f"{self.anchor} {whose}"
            return f"the {self.kind} {abs(self.n)} {side} the {noun}"
        if self.kind == "grandchild":
            return f"the {ANCHORS[self.n]} child of the {self.anchor} child"
        return f"words below {self.kind}" if self.words else self.kind

    @property
    def has_length(self) -> bool:
        """Whether atoms ask how many items, or words below all children, are in it."""
        return self.kind in KINDS[10:] and (not self.words or self.kind == "all children")


def _near(most: int) -> list[Group]:
    return [Group(kind, n=n) for kind in KINDS[:6] for n in range(1, most + 1)] + [Group("head")]


_AWAY = (-3, -2, -1, 1, 2, 3)
BASE = _near(3)
KITCHEN_SINK = [
    *_near(4),
    *(Group(kind, anchor, n) for kind in KINDS[7:9] for anchor in ANCHORS for n in _AWAY),
    *(Group("grandchild", anchor, n) for anchor in ANCHORS for n in range(3)),
    *(Group(kind) for kind in KINDS[10:20]),
    *(Group(kind, words=True) for kind in KINDS[10:20]),
]
RICH = [
    *BASE,
    *(Group("grandchild", anchor, n) for anchor in ANCHORS for n in range(3)),
    *(Group("word", anchor) for anchor in ("leftmost", "rightmost")),
    *(Group("all children", words=words) for words in (False, True)),
]
"""Ours: what is below the children, and how much, on top of the base."""

GROUPS = {"base": BASE, "kitchen-sink": KITCHEN_SINK, "rich": RICH}
"""The groups of each set of atoms, by the name that the option `atoms` gives it."""

SHAPED = frozenset(["rich"])
"""The sets that ask for shapes of head words, such as capitals; the papers have none."""


def group_rows(groups: Sequence[Group]) -> NDArray[np.int8]:
    """The groups as native code takes them."""
    rows = [(KINDS.index(g.kind), ANCHORS.index(g.anchor), g.n, g.words) for g in groups]
    return np.array(rows, dtype=np.int8).ravel()


PREDICATES = ("label", "head word", "head tag", "class of head tag", "shape of head word")


class AtomNames(Sequence[str]):
    """Atoms in words.

    Parameters
    ----------
    groups : the groups of items, in order.
    values : the labels, words, tags and classes of tags; shapes of words, if they are asked for.

    Examples
    --------
    >>> names = AtomNames(BASE, [["NN", "NP"], ["vote"], ["NN"], ["common noun"]])
    >>> names[1], names[7]
    ('label NP in the first child', 'head word vote in the first 2 children')
    """

    def __init__(self, groups: Sequence[Group], values: Sequence[Sequence[str]]) -> None:
        self.groups, self.values = groups, values
        self.stride = sum(map(len, values))
        self.with_length = [group for group in groups if group.has_length]

    def __len__(self) -> int:
        return len(self.groups) * self.stride + len(self.with_length) * 2 * LENGTHS

    def __getitem__(self, atom: Any) -> Any:
        if not 0 <= atom < len(self):
            raise IndexError(atom)
        number, value = divmod(atom, self.stride)
        if number >= len(self.groups):
            number, n = divmod(atom - len(self.groups) * self.stride, 2 * LENGTHS)
            how = f"= {n}" if n < LENGTHS else f"> {n - LENGTHS}"
            return f"number of {self.with_length[number]} {how}"
        for predicate, values in zip(PREDICATES, self.values, strict=False):
            if value < len(values):
                return f"{predicate} {values[value]} in {self.groups[number]}"
            value -= len(values)
        raise AssertionError("a group has no other values")
