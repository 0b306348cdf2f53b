"""Records with the values of statements about their sets: what is sampled, learned and merged."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from runoff._native import Agglomeration, RecordSets
from runoff.proposers.identity.canopies import Canopies, candidate_pairs
from runoff.proposers.identity.columns import Columns, Floats, Places
from runoff.proposers.identity.distinct import Distinct
from runoff.proposers.identity.program import MOST, Program

Weights = NDArray[np.float64]
NOBODY: Places = np.empty(0, dtype=np.uint32)


class MergeRule(NamedTuple):
    """When sets are merged; see `--gain` and the options below it.

    Parameters
    ----------
    gain : `union` or `difference`.
    stop : merges are made while the gain is greater.
    concentration : of the prior on the number and sizes of sets; 0 is none.
    look_ahead : how much the first of two merges may lose if the second wins it back; 0 is none.
    moves : passes over all records that move single ones; 0 is none.
    """

    gain: str = "union"
    stop: float = 0.0
    concentration: float = 0.0
    look_ahead: float = 0.0
    moves: int = 0


class Merges(NamedTuple):
    """Merges in the order in which they were made: the first records of both sets, gain, score."""

    kept: Places
    lost: Places
    gains: Weights
    scores: Weights


@dataclass(frozen=True, eq=False)
class Compared:
    """Distinct records, their candidate pairs, and the values of statements about their sets."""

    distinct: Distinct
    left: Places
    right: Places
    sets: RecordSets
    values: Floats
    match: int | None

    @classmethod
    def of(cls, given: Distinct, program: Program, how: Canopies) -> Compared:
        """Compare records."""
        columns = Columns(given.records)
        left, right = candidate_pairs(columns, given.blocks, how)
        sets, values = program.sets(columns, left, right, given.copies)
        return cls(given, left, right, sets, values, program.match)

    def pair_rows(self, places: Places | None = None) -> Weights:
        """The values of each statement about pairs."""
        chosen = np.arange(len(self.left), dtype=np.uint32) if places is None else places
        return self.sets.pair_rows(chosen).reshape(len(chosen), -1)

    def set_match(self, pair_weights: Weights) -> None:
        """Let the model of pairs say what `match(*)` is."""
        if self.match is not None:
            self.values[:, self.match] = np.clip(self.sets.pair_scores(pair_weights), -MOST, MOST)

    def __len__(self) -> int:
        return len(self.distinct.copies)

    def agglomeration(
        self,
        weights: Weights,
        rule: MergeRule,
        start: Places | None = None,
        apart: tuple[Places, Places] = (NOBODY, NOBODY),
    ) -> Agglomeration:
        """The agglomeration that is about to begin."""
        first = np.arange(len(self), dtype=np.uint32) if start is None else start
        difference = rule.gain == "difference"
        return Agglomeration(
            self.sets, weights, difference, rule.stop, rule.concentration, first, *apart
        )

    def samples(
        self,
        weights: Weights,
        gold: Places,
        *,
        guided: bool,
        every: int,
        most: int,
        stop: float,
        difference: bool = False,
        start: Places | None = None,
    ) -> Samples:
        """Merges that are considered on the way, right and wrong ones."""
        rule = MergeRule("difference" if difference else "union", stop)
        made = self.agglomeration(weights, rule, start)
        values, parts, right, sizes = made.sample(gold, guided, every, most)
        shape = (len(right), len(weights))
        return Samples(values.reshape(shape), parts.reshape(shape), right.astype(bool), sizes)


class Samples(NamedTuple):
    """Sampled sets: values of statements, those of their parts, whether each is of one thing."""

    values: Weights
    parts: Weights
    right: NDArray[np.bool_]
    sizes: Places
