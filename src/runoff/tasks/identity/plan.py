"""Every option of training a model of identity."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

from runoff.errors import UsageError, unknown_choice
from runoff.pipeline.options import check_ranges, option
from runoff.proposers.identity.compared import MergeRule
from runoff.proposers.identity.learning import ANCHORS, METHODS, OBJECTS, Choice

GAINS = ("union", "difference")
SAMPLINGS = ("weak", "guided")
STOPS = (-3.0, -2.0, -1.0, 0.0, 1.0, 2.0, 3.0)


@dataclass(frozen=True, kw_only=True)
class Plan:
    """How a model of identity is trained."""

    cluster: str = option(
        "cluster", "Column that says which thing a record is; records without are left out."
    )
    block: str | None = option(
        None,
        "Column that records of one thing always share; only records of one block are compared.",
        metavar="COLUMN",
    )
    id: str | None = option(
        None, "Column that has the ids of the records; by default, id.", metavar="COLUMN"
    )
    ignore: Sequence[str] = option((), "Column that is not compared; may be repeated.")
    statements: str | None = option(
        None,
        "File of statements about sets; by default, they are made from the fields.",
        metavar="FILE",
    )
    decisions: str | None = option(
        None,
        "File of answers, as `runoff resolve --review` writes it: yes joins two records, no keeps "
        "them apart.",
        metavar="FILE",
    )
    method: str = option(
        OBJECTS,
        "What merges are judged by: objects, statements about whole sets; or pairs alone, by the "
        "sum (pairs), the mean (average) or the greatest (closure) of their log-odds.",
    )
    gain: Sequence[str] = option(
        GAINS,
        "Gain of a merge: union, the log-odds that the union is one thing, or difference, those "
        "of its parts subtracted; folds choose among several.",
    )
    link: Sequence[str] = option(
        tuple(ANCHORS),
        "What sampling begins with, and the prior of sets draws to: the mean or the greatest (max) "
        "log-odds of pairs between two sets; folds choose among several.",
    )
    stop: Sequence[float] = option(STOPS, "Gain at which merging ends; folds choose among several.")
    sampling: Sequence[str] = option(
        ("guided",),
        "How training sets are sampled: weak, by an agglomeration that makes wrong merges too, or "
        "guided, by one that leaves them; folds choose among several.",
    )
    pair_prior: Sequence[float] = option(
        (0.1, 1.0, 10.0),
        "Variance of the Gaussian prior on the weights of pairs; folds choose among several.",
        min=1e-9,
    )
    prior: Sequence[float] = option(
        (0.003, 0.03, 0.3),
        "Variance of the Gaussian prior on the weights of sets; folds choose among several.",
        min=1e-9,
    )
    folds: int = option(
        3,
        "Number of folds of the training clusters; of records in several blocks, of the blocks.",
        min=2,
    )
    loose: float | None = option(
        None,
        "Similarity to the centre of a canopy that brings a record into it; by default, such that "
        "nearly all pairs of the training clusters are compared; 0 compares all pairs.",
        min=0,
        max=1,
    )
    tight: float = option(
        0.8, "Similarity from which on a record is the centre of no further canopy.", min=0
    )
    frequent: int = option(
        1000, "Words in more records than this bring no records together.", min=1
    )
    concentration: float = option(
        0.0,
        "Concentration of the Chinese restaurant process that is the prior on the number and sizes "
        "of clusters; 0 is none.",
        min=0,
    )
    look_ahead: float = option(
        0.0,
        "Log-odds that the first of two merges may lose if the second wins them back; 0 looks at "
        "one merge at a time.",
        min=0,
    )
    moves: int = option(
        0, "Number of passes that move single records after merging, or split them off.", min=0
    )
    attribution: str | None = option(
        None, "Whose data this is; it goes into the header of the model.", metavar="TEXT"
    )

    def __post_init__(self) -> None:
        """Check the plan now, not after minutes."""
        check_ranges(self)
        for what, given, known in (
            ("gain", self.gain, GAINS),
            ("sampling", self.sampling, SAMPLINGS),
            ("link", self.link, ANCHORS),
            ("method", [self.method], METHODS),
        ):
            for one in given:
                if one not in known:
                    raise unknown_choice(what, one, known)
        several = (self.gain, self.sampling, self.link, self.stop, self.prior, self.pair_prior)
        if not all(several):
            raise UsageError("gain, sampling, link, stop and priors need one value each, at least")

    @property
    def choices(self) -> list[Choice]:
        """What folds choose among, with any of the stops."""
        if self.method != OBJECTS:
            return [Choice(self.method, prior) for prior in self.pair_prior]
        grid = product(self.pair_prior, self.prior, self.sampling, self.gain, self.link)
        return [Choice(OBJECTS, *one) for one in grid]

    @property
    def middle(self) -> Choice:
        """What is taken where there are no folds."""
        found = Choice(self.method, _middle(self.pair_prior), stop=_middle(self.stop))
        if self.method != OBJECTS:
            return found
        return found._replace(
            prior=_middle(self.prior),
            sampling=self.sampling[-1],
            gain=self.gain[0],
            link=self.link[0],
        )

    @property
    def rule(self) -> MergeRule:
        """The merge rule, but for the gain and the stop, which folds choose."""
        return MergeRule(self.gain[0], 0.0, self.concentration, self.look_ahead, self.moves)


def _middle(values: Sequence[float]) -> float:
    return values[len(values) // 2]
