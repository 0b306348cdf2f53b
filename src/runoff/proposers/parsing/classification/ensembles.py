"""The classifiers of a parser by classification, an ensemble of decision trees for each label."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runoff.learners.decision_trees.ensemble import Ensemble
from runoff.store.arrays import take, take_offsets
from runoff.store.file import Arrays

NEVER = -20.0
"""The score of a label that no tree has."""


def never(n_atoms: int) -> Ensemble:
    """The classifier of a label that no tree has."""
    none = np.zeros(1, dtype=np.uint32)
    return Ensemble(np.array([0, 1], dtype=np.int64), none, none, np.array([NEVER]), n_atoms)


def no_trees(n_atoms: int) -> Ensemble:
    """A classifier that has learned nothing yet."""
    none = np.zeros(0, dtype=np.uint32)
    return Ensemble(np.zeros(1, dtype=np.int64), none, none, np.zeros(0), n_atoms)


def joined(before: Ensemble, after: Ensemble) -> Ensemble:
    """The trees of both."""
    return Ensemble(
        offsets=np.concatenate([before.offsets, before.offsets[-1] + after.offsets[1:]]),
        atoms=np.concatenate([before.atoms, after.atoms]),
        yes=np.concatenate([before.yes, after.yes]),
        values=np.concatenate([before.values, after.values]),
        n_atoms=before.n_atoms,
    )


def arrays_of(ensembles: Sequence[Ensemble]) -> dict[str, NDArray[Any]]:
    """The ensembles of all labels as arrays for a model file."""
    trees = [one.n_trees for one in ensembles]
    sizes = np.concatenate([np.diff(one.offsets) for one in ensembles])
    return {
        "label_trees": np.cumsum([0, *trees]).astype(np.int64),
        "tree_offsets": np.cumsum([0, *sizes]).astype(np.int64),
        "tree_atoms": np.concatenate([one.atoms for one in ensembles]),
        "tree_yes": np.concatenate([one.yes for one in ensembles]),
        "tree_values": np.concatenate([one.values for one in ensembles]),
    }


def ensembles_from(arrays: Arrays, labels: int, n_atoms: int) -> list[Ensemble]:
    """The ensembles of labels that a model file keeps; native code checks their trees."""
    atoms = np.array(take(arrays, "tree_atoms", np.uint32))
    size = (len(atoms),)
    yes = np.array(take(arrays, "tree_yes", np.uint32, size))
    values = np.array(take(arrays, "tree_values", np.float64, size))
    offsets = take_offsets(arrays, "tree_offsets", len(atoms))
    bounds = take_offsets(arrays, "label_trees", len(offsets) - 1, labels + 1).tolist()
    every = Ensemble(np.array(offsets), atoms, yes, values, n_atoms)
    return [every.part(first, last) for first, last in pairwise(bounds)]
