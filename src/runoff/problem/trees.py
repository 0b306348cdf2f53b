"""Trees of candidates as arrays; learners from trees see no words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from runoff import _native
from runoff.data.flat_tree import escape_brackets
from runoff.data.numbering import offsets_of

ReadTrees: TypeAlias = tuple[list[str], NDArray[np.int64], NDArray[np.uint32], NDArray[np.uint16]]
"""Symbols, and of all candidates of some lists the number of nodes, the labels and the depths."""


class Trees(NamedTuple):
    """Labelled ordered trees laid end to end, the nodes of each in preorder.

    Parameters
    ----------
    offsets : tree j has the nodes `[offsets[j], offsets[j + 1])`, and may have none.
    labels : of nodes, as numbers of a feature space; its length stands for labels it does not have.
    depths : of nodes; 0 in a root.

    Examples
    --------
    The tree `(NP (DT the) (NN vote))`, in a space without "vote":

    >>> nodes = [("NP", 0), ("DT", 1), ("the", 2), ("NN", 1), ("vote", 2)]
    >>> tree = Trees.of([nodes], names=["DT", "NN", "NP", "the"])
    >>> tree.labels.tolist(), tree.depths.tolist()
    ([2, 0, 3, 1, 4], [0, 1, 2, 1, 2])
    """

    offsets: NDArray[np.int64]
    labels: NDArray[np.uint32]
    depths: NDArray[np.uint16]

    @classmethod
    def of(cls, trees: Sequence[Sequence[tuple[str, int]]], names: Sequence[str]) -> Self:
        """Trees that are given as labels and depths of their nodes."""
        numbers = {name: number for number, name in enumerate(names)}
        nodes = [node for tree in trees for node in tree]
        return cls(
            offsets_of([len(tree) for tree in trees]),
            np.array([numbers.get(label, len(names)) for label, _ in nodes], dtype=np.uint32),
            np.array([depth for _, depth in nodes], dtype=np.uint16),
        )

    @property
    def n_trees(self) -> int:
        """How many trees there are."""
        return len(self.offsets) - 1

    def check(self, n_labels: int, n_trees: int) -> None:
        """Raise a `ValueError` for arrays that are not this many trees."""
        _native.check_trees(self.offsets, self.labels, self.depths, n_labels, n_trees)

    def keep(self, mask: NDArray[np.bool_]) -> Trees:
        """The trees at some indices."""
        return self.take(np.flatnonzero(mask))

    def take(self, numbers: NDArray[np.int64]) -> Trees:
        """Trees by their numbers, in that order; one may be taken more than once."""
        sizes = np.diff(self.offsets)[numbers]
        offsets = offsets_of(sizes)
        nodes = np.arange(offsets[-1]) + np.repeat(self.offsets[numbers] - offsets[:-1], sizes)
        return Trees(offsets, self.labels[nodes], self.depths[nodes])

    def written(self, names: Sequence[str]) -> list[str]:
        """The trees as S-expressions, in the manner of Kudo, Suzuki & Isozaki (2005).

        Examples
        --------
        >>> names = ["IN", "NP", "SBAR", "for"]
        >>> Trees.of([[("SBAR", 0), ("IN", 1), ("for", 2), ("NP", 1)]], names).written(names)
        ['(SBAR(IN(for))(NP))']
        """
        labels = [escape_brackets(names[label]) for label in self.labels.tolist()]
        texts, depths = [], self.depths.tolist()
        for first, last in zip(self.offsets[:-1].tolist(), self.offsets[1:].tolist(), strict=True):
            pieces, before = [], -1
            for label, depth in zip(labels[first:last], depths[first:last], strict=True):
                pieces.append(")" * (before - depth + 1) + f"({label}")
                before = depth
            texts.append("".join(pieces) + ")" * (before + 1))
        return texts
