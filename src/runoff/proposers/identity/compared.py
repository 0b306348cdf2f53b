"""Records with the values of statements about their sets: what is sampled, learned and merged."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from runoff._native import Agglomeration, RecordSets
from runoff.proposers.identity.canopies import PAIRS, Canopies, candidate_pairs
from runoff.proposers.identity.distinct import Distinct
from runoff.proposers.identity.fields import Places
from runoff.proposers.identity.program import Program, Table

Weights = NDArray[np.float64]
NOBODY: Places = np.empty(0, dtype=np.uint32)
LARGEST = 1000
"""Sets of more records are left alone by moves, which look at all pairs of a set."""


class MergeRule(NamedTuple):
    """When sets are merged.

    Parameters
    ----------
    gain : `union`, the log-odds that the union is one thing; or `difference`, those of its parts
        subtracted.
    stop : merges are made while the gain is greater.
    concentration : of the Chinese restaurant process that is the prior on the number and sizes of
        sets; 0 is none.
    look_ahead : how much the first of two merges may lose if the second wins it back; 0 is none.
    moves : passes over all records that move single ones, or split them off; 0 is none.
    """

    gain: str = "union"
    stop: float = 0.0
    concentration: float = 0.0
    look_ahead: float = 0.0
    moves: int = 0


class Merges(NamedTuple):
    """Merges in the order in which they were made.

    Parameters
    ----------
    kept, lost : the sets, named by their first records.
    gains, scores : the gain of each merge, and the log-odds of its union.
    """

    kept: Places
    lost: Places
    gains: Weights
    scores: Weights


class Samples(NamedTuple):
    """Sampled merges.

    Parameters
    ----------
    values, parts : the values of statements about the union, and the sum of those about its parts.
    right : whether both parts are of one thing.
    sizes : records in the union.
    """

    values: Weights
    parts: Weights
    right: NDArray[np.bool_]
    sizes: Places


class Constraints(NamedTuple):
    """What is known before: sets that records start in, and pairs that stay apart."""

    start: Places
    apart_left: Places = NOBODY
    apart_right: Places = NOBODY


@dataclass(frozen=True, eq=False)
class Compared:
    """Records, their candidate pairs, and the values of statements about their sets."""

    program: Program
    table: Table
    sets: RecordSets

    @classmethod
    def of(
        cls, given: Distinct, program: Program, how: Canopies, pair_weights: Weights | None = None
    ) -> Compared:
        """Compare distinct records.

        Parameters
        ----------
        pair_weights : of the model of pairs, if it is known. Of many pairs those whose log-odds
            are -5 or less are left out then; they count as if no canopy had them.
        """
        left, right = candidate_pairs(given.columns, given.blocks, how)
        certain = pair_weights if len(left) > PAIRS else None
        made = cls.made(program, program.table(given.columns, left, right, given.copies, certain))
        if pair_weights is not None and certain is None:
            made.set_match(pair_weights)
        return made

    @classmethod
    def made(cls, program: Program, table: Table) -> Compared:
        """The records of a table."""
        return cls(program, table, program.sets(table))

    def __len__(self) -> int:
        return len(self.table.copies)

    def take(self, chosen: NDArray[np.bool_]) -> Compared:
        """Some of the records."""
        return Compared.made(self.program, self.table.take(chosen))

    def pair_rows(self, places: Places) -> Weights:
        """The values of each statement about pairs."""
        return self.sets.pair_rows(places).reshape(len(places), len(self.program))

    def set_match(self, pair_weights: Weights) -> None:
        """Let the model of pairs say what `match(*)` is."""
        self.program.set_match(self.table.pairs, self.sets.pair_scores(pair_weights))

    @property
    def free(self) -> Constraints:
        """Every record alone, and none kept apart."""
        return Constraints(np.arange(len(self), dtype=np.uint32))

    def agglomeration(
        self, weights: Weights, rule: MergeRule, known: Constraints | None = None
    ) -> Agglomeration:
        """The agglomeration that is about to begin."""
        difference = rule.gain == "difference"
        return Agglomeration(
            self.sets, weights, difference, rule.stop, rule.concentration, *(known or self.free)
        )

    def samples(
        self,
        weights: Weights,
        gold: Places,
        rule: MergeRule,
        *,
        guided: bool,
        every: int,
        most: int,
    ) -> Samples:
        """Merges that are considered on the way, right and wrong ones.

        Parameters
        ----------
        gold : the number of each record's thing.
        guided : whether wrong merges are left, rather than made.
        every : of the merges that become possible by another one, each so many-th is taken too.
        most : after this many the search is over.
        """
        made = self.agglomeration(weights, rule)
        values, parts, right, sizes = made.sample(gold, guided, every, most)
        shape = (len(right), len(weights))
        return Samples(values.reshape(shape), parts.reshape(shape), right.astype(bool), sizes)

    def resolve(
        self, weights: Weights, rule: MergeRule, known: Constraints | None = None
    ) -> tuple[Agglomeration, Merges]:
        """The agglomeration when no merge gains any more, and its merges."""
        made = self.agglomeration(weights, rule, known)
        merges = Merges(*made.run())
        if rule.look_ahead > 0:
            merges = _after(merges, Merges(*made.look_ahead(rule.look_ahead)))
        if rule.moves > 0 and known is None:
            start, moved = self.sets.moved(weights, made.assignment(), rule.moves, LARGEST)
            if moved:
                made = self.agglomeration(weights, rule, Constraints(start))
                merges = _after(merges, Merges(*made.run()))
        return made, merges


def _after(first: Merges, second: Merges) -> Merges:
    return Merges(
        np.concatenate([first.kept, second.kept]),
        np.concatenate([first.lost, second.lost]),
        np.concatenate([first.gains, second.gains]),
        np.concatenate([first.scores, second.scores]),
    )
