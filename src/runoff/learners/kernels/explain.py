"""The largest fragment that candidates and trees of an update share: what a kernel saw there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from runoff.learners.kernels.kernel import Kernel
from runoff.problem.trees import Trees

WIDEST = 60
"""Characters of the words by which an update is called."""

DEEPEST = 200
"""Trees that are deeper are not looked into."""

Node = tuple[Any, ...]  # a label with children, or the rest of a tagging; equal if all below is


class Pairing(NamedTuple):
    """A winner and its rival, and the trees of an update, as nodes of their trees."""

    winner: list[Node]
    rival: list[Node]
    better: list[Node]
    worse: list[Node]

    def largest(
        self, c: Callable[[Node, Node], float], sign: float, scales: Sequence[float]
    ) -> tuple[Node, Node] | None:
        """The nodes that add most to the winner's lead, or to the rival's if sign < 0.

        What winner and rival have equally often, or the trees of the update, favours neither,
        unless their scales differ.
        """
        sides = (
            _apart(self.winner, self.rival, scales[:2]),
            _apart(self.better, self.worse, scales[2:]),
        )
        same, crossed = ((0, 0), (1, 1)), ((0, 1), (1, 0))
        best, most = None, 0.0
        for side, place in same if sign > 0 else crossed:
            for (one, more), (other, less) in product(sides[0][side], sides[1][place]):
                value = more * less * c(one, other)
                if value > most:
                    best, most = (one, other), value
        return best


def _apart(
    one: list[Node], other: list[Node], scales: Sequence[float]
) -> tuple[list[tuple[Node, float]], list[tuple[Node, float]]]:
    """The nodes that each tree has more of than the other, with how much more, in their order."""
    counts = Counter(one), Counter(other)
    found = []
    for own, less in ((0, 1), (1, 0)):
        lead = {
            node: scales[own] * n - scales[less] * counts[less][node]
            for node, n in counts[own].items()
        }
        found.append([(node, more) for node, more in lead.items() if more > 0])
    return found[0], found[1]


def shared_fragment(
    kernel: Kernel, trees: Sequence[Trees], sign: float, names: Sequence[str]
) -> str | None:
    """The largest fragment behind a term, in words; None where there is none.

    Parameters
    ----------
    trees : winner, rival, the better and the worse tree of an update, each alone.
    sign : of the term.
    names : of labels; others are unknown, and match nothing.
    """
    if any(len(one.depths) and int(one.depths.max()) > DEEPEST for one in trees):
        return None
    view = _Fragments if kernel.kind == "tree" else _Taggings
    reader = view(kernel, names)
    scales = [float(kernel.scales(one, len(names))[0]) for one in trees]
    pairing = Pairing(*(reader.nodes(one) for one in trees))
    found = pairing.largest(cache(reader.c), sign, scales)
    return None if found is None else reader.written(*found)


def words_of(kernel: Kernel, trees: Trees, number: int, names: Sequence[str]) -> str:
    """The words of one of several trees, cut where they are too long for a name."""
    first, last = trees.offsets[number : number + 2].tolist()
    depths = np.append(trees.depths[first:last], 0)
    leaves = first + np.flatnonzero(depths[1:] <= depths[:-1])
    if kernel.kind != "tree":  # a word is followed by its shape
        leaves = first + np.flatnonzero(np.diff(depths[:-1].astype(int), prepend=0) == 1)
        leaves = leaves[trees.depths[leaves] == 2]
    words = [names[label] if label < len(names) else "?" for label in trees.labels[leaves]]
    text = " ".join(words)
    return text if len(text) <= WIDEST else text[: WIDEST - 1] + "\u2026"


class _Fragments:
    """Fragments of trees; a node is its label and its children."""

    def __init__(self, kernel: Kernel, names: Sequence[str]) -> None:
        self.lam, self.names, self.known = kernel.lam, names, cache(self.c)

    def nodes(self, tree: Trees) -> list[Node]:
        """All nodes of a tree, a parent before its children."""
        open_nodes: list[tuple[int, list[Any]]] = []
        found: list[Node] = []
        rows = list(zip(tree.depths.tolist(), tree.labels.tolist(), strict=True))
        for depth, label in reversed(rows):  # children come before their parents
            below = []
            while open_nodes and open_nodes[-1][0] == depth + 1:
                below.append(open_nodes.pop()[1])
            node = (label, *below)
            open_nodes.append((depth, node))  # type: ignore[arg-type]
            found.append(node)
        return found[::-1]

    def same(self, a: Node, b: Node) -> bool:
        """Whether two nodes have the same production, of labels that are known."""
        heads = [(child[0], len(child) == 1) for child in a[1:]]
        if len(a) == 1 or a[0] != b[0] or heads != [(one[0], len(one) == 1) for one in b[1:]]:
            return False
        return all(label < len(self.names) for label in (a[0], *(label for label, _ in heads)))

    def c(self, a: Node, b: Node) -> float:
        """C of the paper, section 4."""
        if not self.same(a, b):
            return 0.0
        value = self.lam
        for one, other in zip(a[1:], b[1:], strict=True):
            value *= 1.0 + self.known(one, other)
        return value

    def written(self, a: Node, b: Node) -> str:
        """The largest common fragment, in brackets."""
        if not self.same(a, b):
            return self.names[a[0]]
        below = (self.written(one, other) for one, other in zip(a[1:], b[1:], strict=True))
        return f"({self.names[a[0]]} {' '.join(below)})"


class _Taggings:
    """Fragments of taggings; a node is a position with all to the right: tags, words, shapes."""

    def __init__(self, kernel: Kernel, names: Sequence[str]) -> None:
        self.lam, self.names = kernel.lam, names
        self.n_marks, self.same_mark = (2, 0.5) if kernel.kind == "tagging" else (1, 1.0)

    def nodes(self, tree: Trees) -> list[Node]:
        """All positions of a tagging from left to right."""
        positions: list[tuple[int, ...]] = []
        for depth, label in zip(tree.depths.tolist(), tree.labels.tolist(), strict=True):
            if depth == 1:
                positions.append((label,))
            elif depth > 1:
                positions[-1] = (*positions[-1], label)[: 1 + self.n_marks]
        return [tuple(positions[start:]) for start in range(len(positions))]

    def c(self, a: Node, b: Node) -> float:
        """C of the paper, section 5."""
        value = 0.0
        for one, other in reversed(list(zip(a, b, strict=False))):
            value = self.base(one, other) * (1.0 + self.lam * value)
        return value

    def base(self, one: tuple[int, ...], other: tuple[int, ...]) -> float:
        """1 for the same tag, and more for each mark that is the same."""
        if one[0] != other[0] or one[0] >= len(self.names):
            return 0.0
        return 1.0 + self.same_mark * len(self.marks(one, other))

    def marks(self, one: tuple[int, ...], other: tuple[int, ...]) -> list[str]:
        """The word, if it is the same, or the shape."""
        pairs = zip(one[1:], other[1:], strict=False)
        return [self.names[x] for x, y in pairs if x == y and x < len(self.names)]

    def written(self, a: Node, b: Node) -> str:
        """The run of tags, each with the word or shape that is the same."""
        parts = []
        for one, other in zip(a, b, strict=False):
            if not self.base(one, other):
                break
            parts.append("/".join([*self.marks(one, other)[:1], self.names[one[0]]]))
        return " ".join(parts)
