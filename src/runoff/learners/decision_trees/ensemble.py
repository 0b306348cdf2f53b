"""Ensembles of decision trees: their arrays, scores, and the conjunctions of their leaves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from runoff import _native
from runoff.errors import ModelError
from runoff.problem.problem import Floats, Integers
from runoff.store.arrays import take
from runoff.store.file import Arrays

Atoms = NDArray[np.uint32]

SHOWN = 6
"""Atoms of a conjunction that its name has, in the order in which they were chosen."""

Literals = tuple[tuple[int, bool], ...]
"""The atoms of a conjunction, each with whether it has to be present."""


class Conjunction(NamedTuple):
    """A path from the root to a leaf: the example has these atoms, and has not those."""

    literals: Literals
    weight: float

    def named(self, names: Sequence[str]) -> str:
        """The conjunction in words; the atoms that gained least are only counted.

        Examples
        --------
        >>> Conjunction(((2, True), (0, False)), 0.5).named(["long", "new", "rare"])
        'rare and not long'
        """
        shown = [f"{'' if present else 'not '}{names[a]}" for a, present in self.literals[:SHOWN]]
        more = len(self.literals) - SHOWN
        return " and ".join([*shown, f"{more} more"] if more > 0 else shown)

    def unlike(self, atoms: Set[int]) -> Conjunction:
        """The conjunction with those parts first that do not hold of an example with these atoms.

        Examples
        --------
        >>> Conjunction(((2, True), (0, False)), 0.5).unlike({0, 2}).literals
        ((0, False), (2, True))
        """
        first = sorted(self.literals, key=lambda one: (one[0] in atoms) == one[1])
        return self._replace(literals=tuple(first))


@dataclass(frozen=True, eq=False)
class Ensemble:
    """Decision trees, laid end to end; a score is the sum of the values of the leaves reached.

    Parameters
    ----------
    offsets : tree i has the nodes `[offsets[i], offsets[i + 1])`, in preorder: the child for
        examples without the atom follows its parent.
    atoms : what each node tests; 0 for leaves.
    yes : the child for examples with the atom, counted from the root; 0 for leaves.
    values : of leaves; 0 for other nodes.
    n_atoms : how many atoms there are.
    """

    offsets: Integers
    atoms: Atoms
    yes: Atoms
    values: Floats
    n_atoms: int

    @property
    def n_trees(self) -> int:
        """How many trees there are."""
        return len(self.offsets) - 1

    @property
    def n_leaves(self) -> int:
        """How many leaves all trees have."""
        return int((self.yes == 0).sum())

    @property
    def n_active(self) -> int:
        """How many leaves have a value other than 0: the papers' active features."""
        return int(np.count_nonzero(self.values))

    def part(self, first: int, last: int) -> Ensemble:
        """The trees from one to below another."""
        begin, end = self.offsets[[first, last]].tolist()
        return replace(
            self,
            offsets=self.offsets[first : last + 1] - begin,
            atoms=self.atoms[begin:end],
            yes=self.yes[begin:end],
            values=self.values[begin:end],
        )

    @cached_property
    def native(self) -> _native.TreeEnsemble:
        """The trees as native code takes them, checked."""
        return _native.TreeEnsemble(self.offsets, self.atoms, self.yes, self.values, self.n_atoms)

    def __getstate__(self) -> dict[str, Any]:
        made = ("native", "_merged")
        return {key: value for key, value in self.__dict__.items() if key not in made}

    def scores(
        self, source: _native.AtomSource, pointers: NDArray[np.uint64], threads: int = 1
    ) -> Floats:
        """The score of each example; time is that of the nodes that test its present atoms."""
        scores = np.zeros(len(pointers))
        self.native.scores(source, pointers, scores, threads)
        return scores

    def reached(
        self, source: _native.AtomSource, pointers: NDArray[np.uint64]
    ) -> tuple[Integers, Atoms]:
        """The numbers of the conjunctions that hold for each example: offsets, and they, rising."""
        offsets, nodes = self.native.leaves(source, pointers)
        owners = np.repeat(np.arange(len(pointers)), np.diff(offsets))
        pairs = np.unique(np.stack([owners, self._merged[1][nodes]], axis=1), axis=0)
        ends = np.searchsorted(pairs[:, 0], np.arange(len(pointers) + 1))
        return ends, pairs[:, 1].astype(np.uint32)

    @property
    def conjunctions(self) -> list[Conjunction]:
        """The different conjunctions of leaves with a value, whose values are added up."""
        return self._merged[0]

    @cached_property
    def _merged(self) -> tuple[list[Conjunction], Integers]:
        """The conjunctions, and the number of that of each leaf."""
        found: dict[frozenset[tuple[int, bool]], int] = {}
        merged: list[Conjunction] = []
        numbers = np.zeros(len(self.atoms), dtype=np.int64)
        for node, literals in self.active_paths():
            number = found.setdefault(frozenset(literals), len(merged))
            if number == len(merged):
                merged.append(Conjunction(literals, 0.0))
            value = float(self.values[node])
            merged[number] = merged[number]._replace(weight=merged[number].weight + value)
            numbers[node] = number
        return merged, numbers

    def active_paths(self) -> Iterator[tuple[int, Literals]]:
        """The leaves with a value, and how they are reached."""
        atoms, yes = self.atoms.tolist(), self.yes.tolist()
        valued = np.flatnonzero(self.values)
        roots = self.offsets[np.searchsorted(self.offsets, valued, side="right") - 1]
        for leaf, root in zip(valued.tolist(), roots.tolist(), strict=True):
            path, node = [], root
            while node != leaf:
                present = root + yes[node] <= leaf
                path.append((atoms[node], present))
                node = root + yes[node] if present else node + 1
            yield leaf, tuple(path)

    def atoms_used(self) -> Integers:
        """The atoms that trees test, rising."""
        return np.unique(self.atoms[self.yes != 0]).astype(np.int64)

    def restrict(self, kept: Integers) -> Ensemble:
        """The trees over a space of only the atoms `kept`, which include all that are tested."""
        atoms = np.where(self.yes == 0, 0, np.searchsorted(kept, self.atoms))
        return replace(self, atoms=atoms.astype(np.uint32), n_atoms=len(kept))

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The trees as arrays for a model file."""
        columns = (self.offsets, self.atoms, self.yes, self.values)
        return dict(zip(TREE_ARRAYS, columns, strict=True))

    @classmethod
    def restore(cls, arrays: Arrays, n_atoms: int) -> Ensemble:
        """The trees of a model file, checked: no node leads outside its tree or back."""
        offsets, atoms, yes, values = (
            np.array(take(arrays, name, dtype)) for name, dtype in TREE_ARRAYS.items()
        )
        ensemble = cls(offsets, atoms, yes, values, n_atoms)
        try:
            _ = ensemble.native
        except ValueError as error:
            raise ModelError(f"the decision trees are broken: {error}") from None
        return ensemble


TREE_ARRAYS: dict[str, type[np.generic]] = {
    "tree_offsets": np.int64,
    "tree_atoms": np.uint32,
    "tree_yes": np.uint32,
    "tree_values": np.float64,
}
"""Names and types of the arrays of trees in files."""
