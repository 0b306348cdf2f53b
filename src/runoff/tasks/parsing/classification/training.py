"""The classifier of one label, trained as Turian and Melamed (2006) do it.

A sample for each tree, and the values of leaves found on all examples; so it can be measured what
that costs. Parsers are trained in other ways, see `proposers.parsing`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from runoff import _native
from runoff.data.tree import Tree
from runoff.data.treebank.prepare import prepare_tree
from runoff.engine import Engine
from runoff.learners.decision_trees.ensemble import Ensemble
from runoff.proposers.parsing.classification.atoms import GROUPS, group_rows
from runoff.proposers.parsing.classification.items import ItemNames
from runoff.proposers.parsing.headed_trees import under_top
from runoff.report.tables import Cell

R2L, MAX_CHILDREN = 0, 5
STEPS = ("sample", "extraction", "build tree", "percolation", "leaf updates")
LOOKED_AT = 2_000
"""Examples whose atoms are counted."""


class TrainingFigures(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """The training of a classifier: what is done, and the paper's figures of it.

    Parameters
    ----------
    classifier : the label whose classifier is trained.
    atoms : the set of atoms.
    sample : maximum number of examples that a tree is grown on; never more than a fifth of all.
    split_gain, decay, smallest : as for `BoostedTrees`, but `smallest` is the last lambda itself.
    seconds : the paper's time of each step of an iteration (Table 2).
    figures : the paper's figures by name.
    """

    classifier: str = "NP"
    atoms: str = "kitchen-sink"
    sample: int = 100_000
    split_gain: float = 0.05
    decay: float = 0.9
    smallest: float = 1.0
    seconds: Mapping[str, float] = {}
    figures: Mapping[str, float] = {}


class Examples(NamedTuple):
    """The examples of a label: where their atoms come from, pointers, y, bias."""

    source: _native.CandidateAtoms
    pointers: NDArray[np.uint64]
    y: NDArray[np.int8]
    bias: NDArray[np.float32]
    n_atoms: int
    n_trees: int

    def every(self, step: int) -> Examples:
        """Only some of the examples, from all over them."""
        return self._replace(
            pointers=self.pointers[::step].copy(),
            y=self.y[::step].copy(),
            bias=self.bias[::step].copy(),
        )

    def some(self) -> NDArray[np.uint64]:
        """Some of the pointers."""
        return self.every(1 + len(self.y) // LOOKED_AT).pointers


def examples_of(trees: Sequence[Tree], label: str, atoms: str) -> Examples:
    """The examples of a label, right to left."""
    prepared = [under_top(one) for one in map(prepare_tree, trees) if one is not None]
    names = ItemNames.of(prepared)
    every = np.arange(len(prepared), dtype=np.int64)
    states = _native.TrainingStates(
        names.native, R2L, MAX_CHILDREN, *names.encode(prepared), every, 0
    )
    asked = _native.InferenceAtoms(names.native, group_rows(GROUPS[atoms]))
    number = names.labels.index(label)
    source = _native.CandidateAtoms(states, asked, number)
    return Examples(source, *states.examples(number), len(asked), len(prepared))


class Trained(NamedTuple):
    """A classifier that was trained: trees, scores, a row per lambda, seconds of each tree."""

    trees: Ensemble
    h: NDArray[np.float64]
    path: list[dict[str, Cell]]
    seconds: NDArray[np.float64]


def train(examples: Examples, paper: TrainingFigures, engine: Engine) -> Trained:
    """Train a classifier on one path of lambda, a sample for each tree."""
    booster = booster_of(examples, sample_size(examples, paper), paper.split_gain)
    lam, path, seconds = booster.first_lambda(1), list[dict[str, Cell]](), [booster.seconds]
    while lam * paper.decay >= paper.smallest:
        lam *= paper.decay
        done = booster.n_trees
        while booster.grow(lam, 1):
            seconds.append(booster.seconds)
        if booster.n_trees > done:
            trees = Ensemble(*booster.trees(), examples.n_atoms)
            engine.tell(f"{paper.classifier}, lambda {lam:.3g}: {trees.n_trees:,} trees")
            row: dict[str, Cell] = {"lambda": lam, "trees": trees.n_trees, "leaves": trees.n_leaves}
            path.append({**row, "active": trees.n_active, "weight lost %": 100 * booster.lost})
    h = np.empty(len(examples.y))
    booster.h(h)
    each = np.diff(np.array(seconds), axis=0)
    return Trained(Ensemble(*booster.trees(), examples.n_atoms), h, path, each)


def booster_of(examples: Examples, sample: int, split_gain: float) -> _native.TreeBooster:
    """A booster that extracts atoms for each sample."""
    return _native.TreeBooster(*examples[:4], np.zeros(0), examples.n_atoms, sample, 0, split_gain)


def sample_size(examples: Examples, paper: TrainingFigures) -> int:
    """How many examples a tree is grown on."""
    return max(1, min(paper.sample, len(examples.y) // 5))
