"""What preparation does to a treebank, and the atoms that it has: for parsing by classification."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from runoff import _native
from runoff.data.tree import Tree
from runoff.data.treebank.prepare import STEPS, prepare_tree
from runoff.proposers.parsing.classification.atom_sets import atoms_of
from runoff.proposers.parsing.classification.atoms import GROUPS
from runoff.proposers.parsing.classification.trees import PreparedTreebank
from runoff.report.tables import Cell, Table
from runoff.tasks.parsing.tables import Figures, titled

R2L, MAX_CHILDREN = 0, 5


def treebank_tables(trees: Sequence[Tree], paper: Figures) -> list[Table]:
    """Counts of the steps of preparation, and of atoms by group, for training trees."""
    return [_steps(trees, paper), _atoms(trees, paper)]


def _steps(trees: Sequence[Tree], paper: Figures) -> Table:
    counts = Counter[str]()
    for tree in trees:
        prepare_tree(tree, counts)
    rows: list[dict[str, Cell]] = [
        {"step": text, "training trees": counts[name]} for name, text in STEPS.items()
    ]
    return Table(titled(paper, "steps", "what preparation does"), rows)


def _atoms(trees: Sequence[Tree], paper: Figures) -> Table:
    """Different atoms of all inferences on the paths of the trees, right to left."""
    treebank = PreparedTreebank.of(trees, False)
    names, every = treebank.names, np.arange(len(treebank.columns.offsets) - 1, dtype=np.int64)
    states = _native.TrainingStates(names.native, R2L, MAX_CHILDREN, *treebank.columns, every, 0)
    rows: list[dict[str, Cell]] = []
    for kind, groups in GROUPS.items():
        counts = states.seen_atoms(atoms_of(names, kind))
        by_kind = Counter[str]()
        for group, count in zip(groups, counts, strict=False):
            by_kind[("words below " if group.words else "") + group.kind] += count
        by_kind["lengths"] = counts[-1]
        rows += [{"set": kind, "groups": name, "atoms": n} for name, n in by_kind.items() if n]
        rows.append({"set": kind, "groups": "all", "atoms": sum(counts)})
    return Table(titled(paper, "atoms", "atoms by groups of items"), rows)
