"""The rounds of boosting over subtrees: done in slices, kept between cycles, gone on with."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runoff import _native
from runoff.data.numbering import offsets_of
from runoff.fitting.run import Run
from runoff.learners.boosting.dev_curve import DevCurve
from runoff.learners.boosting.history import Rounds, Row
from runoff.problem.trees import Trees
from runoff.store.file import Arrays

SECONDS_PER_SLICE = 0.5
"""Rounds are done in slices; progress lies between them, and checkpoints between cycles."""

TREE_ARRAYS: dict[str, type[np.generic]] = {
    "subtree_offsets": np.int64,
    "subtree_labels": np.uint32,
    "subtree_depths": np.uint16,
}
"""Names and types of the arrays of subtrees in files."""


class DistinctSubtrees:
    """Different subtrees, in the order in which they came."""

    def __init__(self) -> None:
        self.known: dict[tuple[bytes, bytes], None] = {}

    def add(self, subtrees: Trees) -> None:
        """Take over those that are new."""
        for begin, end in pairwise(subtrees.offsets.tolist()):
            nodes = slice(begin, end)
            self.known[subtrees.depths[nodes].tobytes(), subtrees.labels[nodes].tobytes()] = None

    def trees(self) -> Trees:
        """The distinct subtrees as arrays."""
        depths = np.frombuffer(b"".join(depths for depths, _ in self.known), dtype=np.uint16)
        labels = np.frombuffer(b"".join(labels for _, labels in self.known), dtype=np.uint32)
        ends = offsets_of([len(depths) // 2 for depths, _ in self.known])
        return Trees(ends, labels, depths)


class SubtreeCurve:
    """Development quality round by round."""

    def __init__(self, curve: DevCurve, trees: _native.SharedTrees) -> None:
        self.curve, self.native = curve, _native.SubtreeCurve(curve.native, trees)


class SubtreeTrainer:
    """Does rounds in slices."""

    def __init__(
        self, booster: _native.SubtreeBooster, curve: SubtreeCurve | None, planned: int, wide: int
    ) -> None:
        self.booster, self.planned, self.wide = booster, planned, wide
        self.found = DistinctSubtrees()
        self.dev = curve
        self.rounds = Rounds.planned(planned, 0.0 if curve is None else curve.curve.quality)
        self.pruned, self.cached = (np.zeros(planned, dtype=np.int64) for _ in range(2))

    def train(self, stage: str, run: Run) -> None:
        """Do all rounds, those of an earlier run first."""
        kept = run.saved()
        if kept:
            self.resume(kept, run.threads)
        rounds = self.rounds
        while done := self.do_some(run.threads):
            rounds.done += done
            if self.wide and self.booster.has_searched:
                self.found.add(Trees(*self.booster.telling(self.wide)))
            if self.booster.begins_cycle:
                run.keep(self.state())
            figures = {
                "loss": float(rounds.losses[rounds.done - 1]),
                "cached": float(self.cached[rounds.done - 1]),
            }
            if self.dev is not None:
                figures["dev quality"] = rounds.quality(rounds.done)
            run.report(stage, rounds.done, self.planned, **figures)

    def do_some(self, threads: int) -> int:
        """Do some rounds; how many."""
        rounds, now = self.rounds, slice(self.rounds.done, None)
        totals = np.zeros(0)
        if self.dev is not None:
            totals = self.dev.curve.room(len(rounds.features[now]))
        done = self.booster.run(
            None if self.dev is None else self.dev.native,
            rounds.features[now],
            rounds.deltas[now],
            rounds.losses[now],
            totals,
            rounds.updates[now],
            self.pruned[now],
            self.cached[now],
            SECONDS_PER_SLICE,
            threads,
        )
        if self.dev is not None:
            rounds.qualities[now][:done] = self.dev.curve.qualities(totals, done)
        return done

    def state(self) -> Callable[[], dict[str, NDArray[Any]]]:
        """What to resume from; later rounds do not change it."""
        done, booster = self.rounds.done, self.booster
        extended, chosen, leaders = booster.extended(), booster.chosen(), booster.leaders()
        scale, found = np.array([booster.scale]), self.found.trees()
        return lambda: {
            **self.rounds.columns(0, done),
            "pruned": self.pruned[:done],
            "cached": self.cached[:done],
            "extended": extended,
            "chosen": chosen,
            "leaders": leaders,
            "scale": scale,
            **dict(zip(TREE_ARRAYS, found, strict=True)),
        }

    def resume(self, kept: Arrays, threads: int) -> None:
        """Go to the state after the rounds of an earlier run."""
        self.booster.replay(
            None if self.dev is None else self.dev.native,
            np.array(kept["extended"]),
            np.array(kept["chosen"]),
            np.array(kept["leaders"]),
            np.array(kept["features"]),
            np.array(kept["deltas"]),
            float(kept["scale"][0]),
            threads,
        )
        self.rounds.take(kept)
        self.found.add(Trees(*(np.array(kept[name]) for name in TREE_ARRAYS)))
        self.pruned[: self.rounds.done] = kept["pruned"]
        self.cached[: self.rounds.done] = kept["cached"]

    def searches(self) -> list[Row]:
        """What the rounds that searched all subtrees did."""
        searched = np.flatnonzero(self.rounds.updates[: self.rounds.done])
        return [
            {
                "round": float(n + 1),
                "visited": float(self.rounds.updates[n]),
                "pruned": float(self.pruned[n]),
                "cached": float(self.cached[n]),
            }
            for n in searched.tolist()
        ]
