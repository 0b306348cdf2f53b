"""Examples with yes/no atoms, however they are given, as rows of a sparse matrix."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from runoff import _native
from runoff.data.numbering import offsets_of
from runoff.errors import UsageError
from runoff.problem.problem import Integers


class Rows(NamedTuple):
    """Atoms of examples, laid end to end, rising in each."""

    offsets: Integers
    atoms: NDArray[np.uint32]

    @property
    def pointers(self) -> NDArray[np.uint64]:
        """The numbers of all rows."""
        return np.arange(len(self.offsets) - 1, dtype=np.uint64)

    def native(self, n_atoms: int) -> _native.SparseRows:
        """The rows as native code takes them, checked."""
        return _native.SparseRows(self.offsets, self.atoms, n_atoms)


AnyAtoms = Any
"""A sparse matrix of scipy, an array or a data frame of 0 and 1, or a list with the atoms of each
example: names, or a dict from names to whether they are present."""


def plain(examples: AnyAtoms) -> AnyAtoms:
    """The examples as a matrix, or as a list that can be gone through twice.

    Examples
    --------
    >>> plain(iter([("a", "b"), {"a": True}]))
    [['a', 'b'], {'a': True}]
    """
    if _is_matrix(examples):
        return examples
    if hasattr(examples, "to_numpy") and hasattr(examples, "columns"):
        names = list(examples.columns)
        return [dict(zip(names, row, strict=True)) for row in examples.to_numpy().tolist()]
    return [one if isinstance(one, str | Mapping) else list(one) for one in examples]


def named_atoms(examples: AnyAtoms) -> list[str] | None:
    """The names of all atoms, in order; None for a matrix, whose columns are numbers."""
    if _is_matrix(examples):
        return None
    return sorted({name for example in examples for name in _present(example)})


def rows_of(examples: AnyAtoms, names: Sequence[str] | None, n_atoms: int | None = None) -> Rows:
    """The examples as rows; atoms without a name are left out.

    Parameters
    ----------
    names : of all atoms; None for a matrix.
    n_atoms : the number of columns that a matrix must have, where it is known.

    Examples
    --------
    >>> rows_of([["b", "a"], {"a": True, "b": False}], ["a", "b"])
    Rows(offsets=array([0, 2, 3]), atoms=array([0, 1, 0], dtype=uint32))
    """
    if _is_matrix(examples) != (names is None):
        raise UsageError("atoms must be a matrix, or names, as those that were learned from")
    if names is None:
        return _matrix_rows(examples, n_atoms)
    numbers = {name: number for number, name in enumerate(names)}
    found = [
        sorted({numbers[name] for name in _present(example) if name in numbers})
        for example in examples
    ]
    atoms = np.array([atom for row in found for atom in row], dtype=np.uint32)
    return Rows(offsets_of([len(row) for row in found]), atoms)


def _is_matrix(examples: AnyAtoms) -> bool:
    return hasattr(examples, "tocsr") or isinstance(examples, np.ndarray)


def _present(example: Collection[Any] | Mapping[str, Any]) -> Iterable[str]:
    """The names of the atoms that an example has."""
    if isinstance(example, str):
        raise UsageError(f"an example must be a list of atoms, not the text {example!r}")
    if isinstance(example, Mapping):
        _check_binary(np.array(list(example.values())))
        return [str(name) for name, present in example.items() if present]
    numbers = [name for name in example if isinstance(name, int | float)]
    if len(set(numbers)) < len(numbers):
        hint = "pass a table as numpy.array(rows), and atoms as the names that an example has"
        raise UsageError(f"an example has the atom {numbers[0]} twice or more", hint=hint)
    return [str(name) for name in example]


def _matrix_rows(matrix: Any, n_atoms: int | None) -> Rows:
    if len(matrix.shape) != 2 or n_atoms not in (None, matrix.shape[1]):
        columns = "any number of" if n_atoms is None else str(n_atoms)
        raise UsageError(f"expected a matrix with {columns} columns, not of shape {matrix.shape}")
    if isinstance(matrix, np.ndarray):
        _check_binary(matrix)
        rows, atoms = np.nonzero(matrix)
    else:
        entries = matrix.tocoo()
        entries.sum_duplicates()
        _check_binary(entries.data)
        rows, atoms = entries.row[entries.data != 0], entries.col[entries.data != 0]
    order = np.lexsort((atoms, rows))
    counts = np.bincount(rows, minlength=matrix.shape[0])
    return Rows(offsets_of(counts), atoms[order].astype(np.uint32))


def _check_binary(values: NDArray[Any]) -> None:
    others = values[(values != 0) & (values != 1)]
    if others.size:
        raise UsageError(f"atoms are present or absent, 1 or 0, but one is {others.flat[0]}")
