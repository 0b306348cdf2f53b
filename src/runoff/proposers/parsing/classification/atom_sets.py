"""The sets of atoms over the names of a treebank: as native code has them, and in words."""

from __future__ import annotations

from runoff import _native
from runoff.proposers.parsing.classification.atoms import GROUPS, SHAPED, AtomNames, group_rows
from runoff.proposers.parsing.classification.items import SHAPES, ItemNames


def atoms_of(names: ItemNames, kind: str) -> _native.InferenceAtoms:
    """The atoms of a set of `GROUPS` over the names of a treebank."""
    shapes = len(SHAPES) if kind in SHAPED else 0
    return _native.InferenceAtoms(names.native, group_rows(GROUPS[kind]), shapes)


def atom_names(names: ItemNames, kind: str) -> AtomNames:
    """The atoms of a set in words."""
    return AtomNames(GROUPS[kind], names.values if kind in SHAPED else names.values[:-1])
