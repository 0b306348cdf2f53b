"""Learning weights of statements from records whose clusters are known.

Culotta & McCallum (2006), section 3.5: piecewise training, a logistic classifier of sampled sets.
Two of them: first one of pairs, whose log-odds statements may speak of (`match(*)`), and whose
average between two sets is the weak score that agglomerates the training records; the sets that
are considered on the way are what the second one learns from.

A cluster of n records has about n² pairs, so that one large cluster would be most of what the model
of pairs learns from. Each pair counts by 1 / sqrt(n m), where n and m are the sizes of the clusters
of its records, so that a cluster counts as often as it has records.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from runoff.fitting.optimise import Minimum, minimise
from runoff.fitting.run import ALONE, Run
from runoff.proposers.identity.compared import Compared, MergeRule, Samples, Weights
from runoff.proposers.identity.fields import Places
from runoff.proposers.identity.statements import Statement, statement_of

BUILT_IN = (
    statement_of({"mean": "match(*)", "over": "between"}),
    statement_of({"mean": "apart", "over": "between"}),
    statement_of({"max": "match(*)", "over": "between"}),
)
"""What every model looks at: how well pairs between two sets match, and how many are apart."""

ANCHORS: Mapping[str, tuple[float, ...]] = {"mean": (1.0, -8.0), "max": (0.0, 0.0, 1.0)}
"""The weights of what is built in from which training starts, and which its prior draws to."""

PAIRS = 10_000
"""Pairs that the model of pairs learns from, at most."""
SETS = 20_000
"""Sets that are sampled, at most."""
EVERY = 20
"""Of the merges that become possible by another one, each so many-th is sampled."""
FLOOR = -8.0
"""Log-odds at which sampling ends: nothing below it would ever be merged."""
FREE = 10.0
"""How much wider than others the prior on the weight of what always holds is."""
ITERATIONS = 1000


class Choice(NamedTuple):
    """What a model is learned by; all but the method are chosen by folds.

    Parameters
    ----------
    method : `objects`, by statements about sets, or one of `LINKS`, which has neither a prior of
        sets nor a sampling.
    link : what sampling begins with, and what the prior draws to: the mean or the greatest log-odds
        of pairs.
    stop : gain at which merging ends.
    """

    method: str
    pair_prior: float
    prior: float = 0.0
    sampling: str = ""
    gain: str = "union"
    link: str = "mean"
    stop: float = 0.0


class Learned(NamedTuple):
    """The weights of statements: in the model of pairs, and in that of sets."""

    pairs: Weights
    sets: Weights


def anchor(statements: Sequence[Statement], link: str = "mean") -> Weights:
    """The weights of sets whose log-odds are the mean, or the greatest, of pairs between them."""
    weights = np.zeros(len(statements) + 2)
    for one, weight in zip(BUILT_IN, ANCHORS[link], strict=False):
        weights[list(statements).index(one)] = weight
    return weights


def pairs_only(statements: Sequence[Statement]) -> Weights:
    """The weights of PAIRS: the sum of the log-odds of all pairs that a merge joins."""
    weights = np.zeros(len(statements) + 2)
    weights[-2] = 1.0
    return weights


LINKS: Mapping[str, Callable[[Sequence[Statement]], Weights]] = {
    "pairs": pairs_only,
    "average": anchor,
    "closure": partial(anchor, link="max"),
}
"""Ways from pairs to clusters, as weights that nothing is learned of."""

OBJECTS = "objects"
METHODS = (OBJECTS, *LINKS)


def fit_logistic(
    values: Weights,
    right: NDArray[np.bool_],
    prior: float,
    mean: Weights,
    *,
    shares: Weights | float = 1.0,
    run: Run = ALONE,
    stage: str = "sets",
) -> Minimum:
    """The weights of a logistic classifier with a Gaussian prior of this variance and mean.

    Parameters
    ----------
    shares : how much each row counts.
    """
    signs = np.where(right, 1.0, -1.0)
    precision = np.full(values.shape[1], 1 / prior)
    precision[-1] /= FREE
    rows = np.broadcast_to(np.asarray(shares, dtype=np.float64), signs.shape)
    # in these units all directions curve alike, so that the search ends well before its limit
    unit = 1 / np.sqrt(precision + np.einsum("i,ij,ij->j", rows, values, values) / 4)

    def loss(steps: Weights) -> tuple[float, Weights]:
        off = unit * steps
        # not by BLAS, whose sums may vary
        margins = signs * np.einsum("ij,j->i", values, mean + off)
        wrong = rows * signs * np.exp(-np.logaddexp(0.0, margins))
        misses = np.add.reduce(rows * np.logaddexp(0.0, -margins))
        value = misses + np.add.reduce(precision * off * off) / 2
        return float(value), unit * (precision * off - np.einsum("i,ij->j", wrong, values))

    found = minimise(loss, np.zeros(len(unit)), iterations=ITERATIONS, run=run, stage=stage)
    return found._replace(x=mean + unit * found.x)


def fit_pairs(
    given: Compared, gold: Places, statements: Sequence[Statement], prior: float, run: Run = ALONE
) -> Weights:
    """The weights of the model of pairs, from all candidate pairs or evenly chosen ones."""
    known = np.array([*(one.of_pairs for one in statements), False, True])
    places = np.linspace(0, len(given.table.left) - 1, min(len(given.table.left), PAIRS))
    chosen = places.astype(np.uint32)
    rows = np.ascontiguousarray(given.pair_rows(chosen)[:, known])
    left, right = gold[given.table.left[chosen]], gold[given.table.right[chosen]]
    sizes = np.bincount(gold)
    shares = 1 / np.sqrt(sizes[left] * sizes[right])
    mean = np.zeros(rows.shape[1])
    weights = np.zeros(len(known))
    weights[known] = fit_logistic(
        rows, left == right, prior, mean, shares=shares, run=run, stage="pairs"
    ).x
    return weights


def sample_sets(
    given: Compared, gold: Places, statements: Sequence[Statement], choice: Choice
) -> Samples:
    """Sets that a weak agglomeration of the training records considers."""
    rule = MergeRule(stop=FLOOR)
    guided = choice.sampling == "guided"
    weights = anchor(statements, choice.link)
    return given.samples(weights, gold, rule, guided=guided, every=EVERY, most=SETS)


def fit_sets(
    samples: Samples, statements: Sequence[Statement], choice: Choice, run: Run = ALONE
) -> Weights:
    """The weights of the model of sets."""
    known = np.ones(samples.values.shape[1])
    known[-2] = 0.0  # the sum that PAIRS looks at
    values = samples.values - samples.parts if choice.gain == "difference" else samples.values
    mean = anchor(statements, choice.link)
    found = fit_logistic(values * known, samples.right, choice.prior, mean, run=run)
    return found.x * known


def learn(
    given: Compared,
    gold: Places,
    statements: Sequence[Statement],
    choice: Choice,
    run: Run = ALONE,
) -> Learned:
    """The weights of both models."""
    pairs = fit_pairs(given, gold, statements, choice.pair_prior, run)
    if choice.method != OBJECTS:
        return Learned(pairs, LINKS[choice.method](statements))
    given.set_match(pairs)
    samples = sample_sets(given, gold, statements, choice)
    return Learned(pairs, fit_sets(samples, statements, choice, run))
