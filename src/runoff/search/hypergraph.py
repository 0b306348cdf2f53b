"""Acyclic weighted hypergraphs, such as parse charts, and their k best derivations.

A node can be made in several ways, its incoming edges; an edge joins any number of nodes, its
tails, and has a log-weight. A derivation of a node is one of its edges with a derivation of each
tail, and its weight is the sum of those of its edges. Nodes are numbered so that tails come before
heads.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from runoff import _native
from runoff.errors import UsageError

Floats = NDArray[np.float64]
Classes = Callable[..., Hashable]
"""What a derivation amounts to, from its first edge and what its tails' derivations amount to."""


class Derivation(NamedTuple):
    """A log-weight, and the edges that make it up: heads before tails, left before right."""

    weight: float
    edges: tuple[int, ...]


class Hypergraph:
    """Nodes, and the edges by which each can be derived.

    Parameters
    ----------
    first : node v's incoming edges are those from `first[v]` to `first[v + 1]`.
    weights : the log-weight of each edge; with -inf, there is no such edge.
    tails : for each edge its tails; those of an array are filled up with -1.

    References
    ----------
    Huang and Chiang (2005), "Better k-best parsing", algorithm 3.

    Examples
    --------
    Node 0 is a word with two tags, node 1 another with one, and node 2 joins the two.

    >>> graph = Hypergraph([0, 2, 3, 4], [-1, -3, -1, 0], [(), (), (), (0, 1)])
    >>> graph.k_best(5)
    [Derivation(weight=-2.0, edges=(3, 0, 2)), Derivation(weight=-4.0, edges=(3, 1, 2))]
    >>> graph.inside(best=True)
    array([-1., -1., -2.])
    """

    def __init__(
        self,
        first: ArrayLike,
        weights: ArrayLike,
        tails: Sequence[Sequence[int]] | NDArray[np.int_],
    ) -> None:
        try:
            self._native = _native.Hypergraph(
                np.ascontiguousarray(first, dtype=np.int32),
                np.ascontiguousarray(weights, dtype=np.float64),
                _rows(tails),
            )
        except (TypeError, ValueError) as error:
            raise UsageError(f"not a hypergraph: {error}") from None
        self.nodes = len(np.asarray(first)) - 1

    def k_best(
        self, k: int, root: int | None = None, *, classes: Classes | None = None
    ) -> list[Derivation]:
        """At most k derivations of a node, the last if none is named, best first, each once.

        Equal weights are ordered by the number of the edge, then by the ranks of the tails'
        derivations, from the left.

        With `classes`, only the best derivation of each class comes, and ranks are among those.
        `classes(edge, *tails)` says what a derivation amounts to, such as the text that it writes,
        from its first edge and what was said of its tails: anything that can be hashed.

        Examples
        --------
        >>> graph = Hypergraph([0, 2, 4], [-1, -2, 0, -1], [(), (), (0,), (0,)])
        >>> text = lambda edge, *below: ("a", "b", "", "")[edge] + "".join(below)
        >>> [(derivation.weight, derivation.edges) for derivation in graph.k_best(9, classes=text)]
        [(-1.0, (2, 0)), (-2.0, (2, 1))]
        """
        numbered = None if classes is None else _numbered(classes)
        weights, offsets, edges = self._native.k_best(self._root(root), max(k, 0), numbered)
        spans = pairwise(offsets.tolist())
        numbers = edges.tolist()
        return [
            Derivation(weight, tuple(numbers[start:end]))
            for weight, (start, end) in zip(weights.tolist(), spans, strict=True)
        ]

    def inside(self, *, best: bool = False) -> Floats:
        """The inside weight of each node: the log of the sum over its derivations, or the best."""
        return self._native.inside(best)

    def outside(self, root: int | None = None, *, best: bool = False) -> Floats:
        """The outside weight of each node below the root: the log of the sum, or the best.

        `inside(best=True) + outside(best=True)` is the weight of the best derivation through a
        node, which is what pruning compares.
        """
        return self._native.outside(self._root(root), best)

    def _root(self, root: int | None) -> int:
        root = self.nodes - 1 if root is None else root
        if not 0 <= root < self.nodes:
            raise UsageError(f"the root {root} is not one of the {self.nodes} nodes")
        return root


def _rows(tails: Sequence[Sequence[int]] | NDArray[np.int_]) -> NDArray[np.int32]:
    """Tails of edges as an array, short rows filled up with -1."""
    if isinstance(tails, np.ndarray):
        return np.ascontiguousarray(tails, dtype=np.int32)
    rows = np.full((len(tails), max(map(len, tails), default=0)), -1, dtype=np.int32)
    for row, own in zip(rows, tails, strict=True):
        row[: len(own)] = own
    return rows


def _numbered(classes: Classes) -> Callable[[int, Sequence[int]], int]:
    """Classes of derivations as numbers, for native code."""
    numbers: dict[Hashable, int] = {}
    known: list[Hashable] = []

    def number(edge: int, tails: Sequence[int]) -> int:
        one = classes(edge, *(known[tail] for tail in tails))
        if one not in numbers:
            numbers[one] = len(known)
            known.append(one)
        return numbers[one]

    return number
