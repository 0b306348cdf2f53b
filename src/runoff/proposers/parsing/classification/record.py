"""What model files say of the classifiers of labels, and of searches with them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runoff.data.tree import Tree
from runoff.proposers.parsing.classification.atom_sets import atom_names
from runoff.proposers.parsing.classification.search import ClassifiedSearch

SHOWN = 2
"""Conjunctions of each label that are shown: those of the largest values."""


def labels_record(search: ClassifiedSearch) -> list[dict[str, Any]]:
    """For each label, its trees, leaves, leaves that have a value, and best conjunctions."""
    atoms = atom_names(search.names, search.options.atoms)
    rows = []
    for label, trees in zip(search.names.phrases, search.ensembles, strict=True):
        found = sorted(trees.conjunctions, key=lambda one: (-abs(one.weight), one.literals))
        best = [[one.named(atoms), one.weight] for one in found[:SHOWN]]
        rows.append(
            {
                "label": label,
                "trees": trees.n_trees,
                "leaves": trees.n_leaves,
                "active": trees.n_active,
                "best": best,
            }
        )
    return rows


def searches_record(
    search: ClassifiedSearch, trees: Sequence[Tree], threads: int
) -> dict[str, Any]:
    """Shares of searches for the words of trees, in per cent, and inferences per sentence."""
    found = search.figures(trees, threads)
    return {
        "greedy parse is best": 100 * float(np.mean([one.greedy for one in found])),
        "cut short": 100 * float(np.mean([not one.proven for one in found])),
        "inferences per sentence": float(np.mean([one.explored for one in found])),
    }
