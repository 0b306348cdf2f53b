"""The path of lambda: trees are grown while the penalty decays, and one run chooses it.

Lambda is the weight of the l1 penalty. It begins with the largest value that lets a tree be split,
and is multiplied by a factor whenever no tree gains any more. The trees so far are the ensemble of
that lambda: a point at which the path can be cut (Turian & Melamed 2006, A Listing 1).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runoff import _native
from runoff.errors import UsageError, check_at_least, check_seed
from runoff.fitting.record import record_columns, record_rows
from runoff.fitting.run import Run
from runoff.learners.decision_trees.ensemble import Ensemble
from runoff.problem.problem import Floats

MOST_GAIN = 1000
"""Of lambda, that a split can be asked to gain; it never does."""

Row = dict[str, float]

Quality = Callable[[Ensemble], float]
"""Development quality after some more trees."""


@dataclass(kw_only=True)
class PathOptions:
    """The options of a path of lambda.

    Parameters
    ----------
    decay : lambda is multiplied by this when no tree gains any more.
    smallest : the path ends where lambda has come down to this share of its first value.
    patience : with development data, the path ends if this many values of lambda in a row have
        brought nothing better; the best one is kept.
    sample : maximum number of examples that a tree is grown on; the values of its leaves are found
        on all examples.
    split_gain : a split must gain more than this share of lambda. 0, as in the papers, splits off
        whatever speaks against a leaf, however rare; that overfits where most atoms are rare.
    per_sample : maximum number of trees that are grown on one sample before all examples are
        updated; 1 in the papers.
    cache : megabytes of memory for the atoms of all examples; where they need more, those of each
        sample are extracted anew. The trees are the same.
    seed : random seed of the samples.
    """

    decay: float = 0.9
    smallest: float = 0.001
    patience: int = 10
    sample: int = 100_000
    split_gain: float = 0.0
    per_sample: int = 1
    cache: int = 500
    seed: int = 0

    def check(self, *, with_dev: bool = True) -> None:
        """Raise an error for options that make no sense."""
        for name in ("decay", "smallest"):
            if not 0 < getattr(self, name) < 1:
                raise UsageError(f"{name} must be between 0 and 1, not {getattr(self, name)}")
        check_at_least(1, patience=self.patience, sample=self.sample, per_sample=self.per_sample)
        check_at_least(0, cache=self.cache)
        if not 0 <= self.split_gain <= MOST_GAIN:
            raise UsageError(f"split_gain must be between 0 and {MOST_GAIN}, not {self.split_gain}")
        check_seed(self.seed)

    def booster(
        self,
        source: _native.AtomSource,
        examples: tuple[NDArray[np.uint64], NDArray[np.int8], NDArray[np.float32]],
        start: Floats,
        n_atoms: int,
    ) -> _native.TreeBooster:
        """A native booster of these examples: pointers, y and bias; it starts from these scores."""
        return _native.TreeBooster(
            source,
            *examples,
            start,
            n_atoms,
            self.sample,
            self.seed,
            self.split_gain,
            self.per_sample,
            self.cache * 10**6,
        )


class Path:
    """Grows trees along a path of lambda, tree by tree, so that it can be interrupted and resumed.

    Parameters
    ----------
    quality : is given the trees of each lambda in turn, and says how good all so far are.
    """

    def __init__(
        self,
        booster: _native.TreeBooster,
        n_examples: int,
        n_atoms: int,
        options: PathOptions,
        quality: Quality | None,
    ) -> None:
        self.booster, self.options, self.quality = booster, options, quality
        self.n_examples, self.n_atoms = n_examples, n_atoms
        self.rows: list[Row] = []
        self.step = 1  # how often lambda has decayed

    def follow(self, stage: str, run: Run) -> Ensemble:
        """The trees up to the best lambda, or up to the last one without development data."""
        self._resume(run)
        first = self.rows[0]["lambda"]
        while first > 0 and not self._is_over():
            lam = first * self.options.decay**self.step
            if lam < first * self.options.smallest:
                break
            while self.booster.grow(lam, run.threads):
                run.keep(self._state)
                run.report(stage, self.booster.n_trees, None, **self._figures(lam))
            if self.booster.n_trees > self.rows[-1]["trees"]:
                self.rows.append(self._row(lam))
            self.step += 1
        best = self.best() if self.quality else -1
        return self.trees().part(0, int(self.rows[best]["trees"]))

    def trees(self) -> Ensemble:
        """All trees so far."""
        return Ensemble(*self.booster.trees(), self.n_atoms)

    def best(self) -> int:
        """The row of the highest development quality, the first of equals."""
        return int(np.argmax([row["dev quality"] for row in self.rows]))

    def _is_over(self) -> bool:
        """Whether development quality has come to a plateau."""
        return self.quality is not None and len(self.rows) - self.best() > self.options.patience

    def _resume(self, run: Run) -> None:
        kept = run.saved()
        if not kept:
            self.rows = [self._row(self.booster.first_lambda(run.threads))]
            return
        trees, h = Ensemble.restore(kept, self.n_atoms), np.array(kept["h"])
        self.booster.restore(trees.offsets, trees.atoms, trees.yes, trees.values, h, run.threads)
        self.rows, self.step = record_rows(kept), int(kept["step"][0])
        if self.quality is not None:  # sums of scores are made of the same parts again
            ends = [int(row["trees"]) for row in self.rows]
            for begin, end in zip([0, *ends], ends, strict=False):
                self.quality(trees.part(begin, end))

    def _state(self) -> dict[str, NDArray[Any]]:
        """What to resume from. It may be asked for at any time: a tree is added as a whole."""
        h = np.empty(self.n_examples)
        self.booster.h(h)
        step = np.array([self.step])
        return {**self.trees().arrays(), "h": h, "step": step, **record_columns(self.rows)}

    def _figures(self, lam: float) -> Row:
        return {"lambda": lam, "weight lost": self.booster.lost}

    def _row(self, lam: float) -> Row:
        """What there is to say of the ensemble of a lambda."""
        trees = self.trees()
        row = {
            "lambda": lam,
            "trees": float(trees.n_trees),
            "leaves": float(trees.n_leaves),
            "active": float(trees.n_active),
            "loss": self.booster.loss,
            "weight lost": self.booster.lost,
        }
        if self.quality is not None:
            done = int(self.rows[-1]["trees"]) if self.rows else 0
            row["dev quality"] = self.quality(trees.part(done, trees.n_trees))
        return row


def sum_quality(
    start: Floats, scores: Callable[[Ensemble], Floats], quality: Callable[[Floats], float]
) -> Quality:
    """Development quality of scores that trees add to."""
    total = start.copy()

    def after(trees: Ensemble) -> float:
        total[:] += scores(trees)
        return quality(total)

    return after
