"""Boosted decision trees as a classifier of examples with yes/no atoms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from runoff.errors import NotFittedError, UsageError
from runoff.fitting.record import Record
from runoff.fitting.run import ALONE, Run
from runoff.learners.decision_trees.atoms import AnyAtoms, Rows, named_atoms, plain, rows_of
from runoff.learners.decision_trees.ensemble import Ensemble
from runoff.learners.decision_trees.path import Path, PathOptions, sum_quality
from runoff.problem.problem import Floats
from runoff.store.file import Arrays

MOST_SHOWN = 10
"""Conjunctions that are printed."""


class Labelled:
    """Examples with what they are and how much they count, checked."""

    def __init__(self, rows: Rows, y: ArrayLike, bias: ArrayLike | None) -> None:
        n = len(rows.offsets) - 1
        signs = np.asarray(y)
        weights = np.ones(n) if bias is None else np.asarray(bias, dtype=np.float64)
        if signs.shape != (n,) or weights.shape != (n,):
            raise UsageError(f"there are {n} examples, but {signs.size} y and {weights.size} bias")
        if not np.isin(signs, (-1, 0, 1)).all():
            raise UsageError("y must be 1 or -1, or true or false, for each example")
        if not (np.isfinite(weights) & (weights >= 0)).all():
            raise UsageError("bias must be finite and not negative")
        self.rows = rows
        self.y = np.where(signs > 0, 1, -1).astype(np.int8)
        self.bias = weights.astype(np.float32)

    def log_loss(self, scores: Floats) -> float:
        """The mean loss of scores, in nats."""
        losses = self.bias * np.logaddexp(0.0, -self.y * scores)
        return float(losses.sum() / max(1e-300, self.bias.sum(dtype=np.float64)))


@dataclass(kw_only=True)
class BoostedTrees(PathOptions):
    """Decision trees that choose conjunctions of yes/no atoms while they learn.

    Minimises the sum of bias * log(1 + exp(-y h)) plus lambda times the sum of the sizes of all
    values of leaves, where h is the sum of the values of the leaves that an example reaches. One
    run goes through all values of lambda, and development examples choose one.

    Parameters
    ----------
    decay : lambda is multiplied by this when no tree gains any more.
    smallest : the path ends where lambda has come down to this share of its first value.
    patience : with development data, the path ends if this many values of lambda in a row have
        brought nothing better; the best one is kept.
    sample : maximum number of examples that a tree is grown on; the values of its leaves are found
        on all examples.
    split_gain : a split must gain more than this share of lambda. 0, as in the papers, splits off
        whatever speaks against a leaf, however rare; try 0.05 to 0.5 where most atoms are rare.
    per_sample : maximum number of trees that are grown on one sample before all examples are
        updated; 1 in the papers. More are faster where there are many more examples than `sample`.
    cache : megabytes of memory for the atoms of all examples; where they need more, those of each
        sample are extracted anew. The trees are the same.
    seed : random seed of the samples.

    References
    ----------
    Turian and Melamed (2006), "Advances in discriminative parsing", section 3; "Computational
    challenges in parsing by classification", section 3.

    Examples
    --------
    >>> atoms = [["round", "red"], ["round"], ["red"], [], ["round", "red", "big"]]
    >>> trees = BoostedTrees(smallest=0.1).fit(atoms, [1, -1, -1, -1, 1])
    >>> trees.decision([["round", "red"], ["red", "unknown"]]).round(2).tolist()
    [2.42, -2.39]
    """

    ensemble_: Ensemble = field(init=False, repr=False, compare=False)
    names_: list[str] | None = field(init=False, repr=False, compare=False, default=None)
    record_: Record = field(init=False, repr=False, compare=False, default_factory=dict)

    def fit(
        self,
        atoms: AnyAtoms,
        y: ArrayLike,
        bias: ArrayLike | None = None,
        *,
        dev: Sequence[Any] | None = None,
        run: Run = ALONE,
    ) -> Self:
        """Learn from examples.

        Parameters
        ----------
        atoms : a sparse matrix of scipy, an array or a data frame of 0 and 1, or a list with the
            atoms of each example: names, or a dict from names to whether they are present.
        y : 1 or -1 for each example; truth values will do.
        bias : how much each example counts; 1 where it is not given.
        dev : atoms, y and, if need be, bias of development examples, whose log-loss chooses lambda.
        """
        self.check()
        atoms = plain(atoms)
        self.names_ = named_atoms(atoms)
        train = Labelled(rows_of(atoms, self.names_), y, bias)
        n_atoms = atoms.shape[1] if self.names_ is None else len(self.names_)
        quality = None
        if dev is not None:
            if len(dev) not in (2, 3):
                raise UsageError(
                    f"dev must be (atoms, y) or (atoms, y, bias), not {len(dev)} things"
                )
            rows = rows_of(plain(dev[0]), self.names_, n_atoms)
            others = Labelled(rows, dev[1], *(dev[2:] or [None]))
            source, pointers = others.rows.native(n_atoms), others.rows.pointers
            quality = sum_quality(
                np.zeros(len(pointers)),
                lambda trees: trees.scores(source, pointers, run.threads),
                lambda scores: -others.log_loss(scores),
            )
        booster = self.booster(
            train.rows.native(n_atoms),
            (train.rows.pointers, train.y, train.bias),
            np.zeros(0),
            n_atoms,
        )
        path = Path(booster, len(train.y), n_atoms, self, quality)
        self.ensemble_ = path.follow("boosted-trees", run)
        self.record_ = {"path": path.rows}
        return self

    def ensemble(self) -> Ensemble:
        """The trees that were learned."""
        if not hasattr(self, "ensemble_"):
            raise NotFittedError(f"this {type(self).__name__} has not been fitted")
        return self.ensemble_

    def decision(self, atoms: AnyAtoms) -> Floats:
        """The score h of each example: its sign says yes or no; unknown names count as absent."""
        trees = self.ensemble()
        rows = rows_of(plain(atoms), self.names_, trees.n_atoms)
        return trees.scores(rows.native(trees.n_atoms), rows.pointers)

    def conjunctions(self) -> list[tuple[str, float]]:
        """The conjunctions that have a value, in words, the largest first."""
        trees = self.ensemble()
        names = self.names_ or [f"atom {number}" for number in range(trees.n_atoms)]
        named = [(one.named(names), one.weight) for one in trees.conjunctions]
        return sorted(named, key=lambda one: (-abs(one[1]), one[0]))

    def __str__(self) -> str:
        if not hasattr(self, "ensemble_"):
            return repr(self)
        trees, found = self.ensemble_, self.conjunctions()
        head = (
            f"{trees.n_trees:,} trees, {trees.n_active:,} of {trees.n_leaves:,} leaves have a "
            f"value, {len(found):,} conjunctions"
        )
        lines = [f"{weight:+9.4f}  {name}" for name, weight in found[:MOST_SHOWN]]
        return "\n".join([head, *lines])

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The trees as arrays for a model file; names are not among them."""
        return self.ensemble().arrays()

    def restore(self, arrays: Arrays, n_atoms: int, names: list[str] | None = None) -> Self:
        """Take over the trees of a model file, checked, and the names of atoms that have any."""
        self.ensemble_, self.names_ = Ensemble.restore(arrays, n_atoms), names
        return self
