"""Learning weights of statements from records whose clusters are known.

Culotta & McCallum (2006), section 3.5: piecewise training, a logistic classifier of sampled sets.
Two of them: first one of pairs, whose log-odds statements may speak of (`match(*)`), and whose
average between two sets is the weak score that agglomerates the training records; the sets that
are considered on the way are what the second one learns from.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from runoff.fitting.optimise import Minimum, minimise
from runoff.fitting.run import ALONE, Run
from runoff.proposers.identity.columns import Places
from runoff.proposers.identity.compared import Compared, MergeRule, Samples, Weights
from runoff.proposers.identity.statements import Statement, statement_of

BUILT_IN = (
    statement_of({"mean": "match(*)", "over": "between"}),
    statement_of({"mean": "apart", "over": "between"}),
)
"""What every model looks at: how well pairs between two sets match, and how many are apart."""

ANCHOR = (1.0, -8.0)
"""The weights of what is built in from which training starts, and which its prior draws to."""

PAIRS = 50_000
"""Pairs that the model of pairs learns from, at most."""
SETS = 20_000
"""Sets that are sampled, at most."""
EVERY = 20
"""Of the merges that become possible by another one, each so many-th is sampled."""
FLOOR = -8.0
"""Log-odds at which sampling ends: nothing below it would ever be merged."""
FREE = 10.0
"""How much wider than others the prior on the weight of what always holds is."""
ITERATIONS = 200


class Choice(NamedTuple):
    """What folds choose: priors of both models, how sets are sampled, and the merge rule."""

    pair_prior: float
    prior: float
    sampling: str
    gain: str


class Learned(NamedTuple):
    """The weights of statements: in the model of pairs, and in that of sets."""

    pairs: Weights
    sets: Weights


def anchor(statements: Sequence[Statement]) -> Weights:
    """The weights of sets whose log-odds are the average of those of the pairs between them."""
    weights = np.zeros(len(statements) + 2)
    for one, weight in zip(BUILT_IN, ANCHOR, strict=True):
        weights[list(statements).index(one)] = weight
    return weights


def pairs_only(statements: Sequence[Statement]) -> Weights:
    """The weights of PAIRS: the sum of the log-odds of all pairs that a merge joins."""
    weights = np.zeros(len(statements) + 2)
    weights[-2] = 1.0
    return weights


def fit_logistic(
    values: Weights,
    right: NDArray[np.bool_],
    prior: float,
    mean: Weights,
    *,
    run: Run = ALONE,
    stage: str = "sets",
) -> Minimum:
    """The weights of a logistic classifier with a Gaussian prior of this variance and mean."""
    signs = np.where(right, 1.0, -1.0)
    precision = np.full(values.shape[1], 1 / prior)
    precision[-1] /= FREE

    def loss(weights: Weights) -> tuple[float, Weights]:
        margins = signs * np.einsum("ij,j->i", values, weights)  # not by BLAS, whose sums may vary
        off = weights - mean
        wrong = signs * np.exp(-np.logaddexp(0.0, margins))
        value = (
            np.add.reduce(np.logaddexp(0.0, -margins)) + np.add.reduce(precision * off * off) / 2
        )
        return float(value), precision * off - np.einsum("i,ij->j", wrong, values)

    return minimise(loss, mean.copy(), iterations=ITERATIONS, run=run, stage=stage)


def fit_pairs(
    given: Compared, gold: Places, statements: Sequence[Statement], prior: float, run: Run = ALONE
) -> Weights:
    """The weights of the model of pairs, from all candidate pairs or evenly chosen ones."""
    known = np.array([*(one.of_pairs for one in statements), False, True])
    places = np.linspace(0, len(given.table.left) - 1, min(len(given.table.left), PAIRS))
    chosen = places.astype(np.uint32)
    rows = given.pair_rows(chosen) * known
    right = gold[given.table.left[chosen]] == gold[given.table.right[chosen]]
    mean = np.zeros(rows.shape[1])
    weights: Weights = fit_logistic(rows, right, prior, mean, run=run, stage="pairs").x * known
    return weights


def sample_sets(
    given: Compared, gold: Places, statements: Sequence[Statement], sampling: str
) -> Samples:
    """Sets that a weak agglomeration of the training records considers."""
    rule = MergeRule(stop=FLOOR)
    guided = sampling == "guided"
    return given.samples(anchor(statements), gold, rule, guided=guided, every=EVERY, most=SETS)


def fit_sets(
    samples: Samples,
    statements: Sequence[Statement],
    prior: float,
    gain: str,
    run: Run = ALONE,
) -> Weights:
    """The weights of the model of sets."""
    known = np.ones(samples.values.shape[1])
    known[-2] = 0.0  # the sum that PAIRS looks at
    values = samples.values - samples.parts if gain == "difference" else samples.values
    found = fit_logistic(values * known, samples.right, prior, anchor(statements), run=run)
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
    given.set_match(pairs)
    samples = sample_sets(given, gold, statements, choice.sampling)
    return Learned(pairs, fit_sets(samples, statements, choice.prior, choice.gain, run))


def quality(
    given: Compared, weights: Weights, rule: MergeRule, gold: Places, held: NDArray[np.bool_]
) -> float:
    """The mean of pairwise F1 and B-cubed F1 of the records that were held out.

    All records are resolved, so that those held out may be confused with any; pairs count that have
    one of them. B-cubed knows of small clusters too.
    """
    made, _ = given.resolve(weights, rule)
    copies = given.table.copies
    found, known = np.repeat(made.assignment(), copies), np.repeat(gold, copies)
    of_held = np.repeat(held, copies)
    labels = (found, known, found.astype(np.int64) << 32 | known.astype(np.int64))
    sizes = [_sizes(one) for one in labels]
    ours, theirs, both = (
        _touching(one, of_held, size) for one, size in zip(labels, sizes, strict=True)
    )
    pairs = 2 * both / (ours + theirs) if ours + theirs else 1.0
    precision = float(np.mean((sizes[2] / sizes[0])[of_held]))
    recall = float(np.mean((sizes[2] / sizes[1])[of_held]))
    return (pairs + 2 * precision * recall / (precision + recall)) / 2


def _sizes(labels: NDArray[Any]) -> NDArray[np.int64]:
    """The size of each record's cluster."""
    _, numbers, counts = np.unique(labels, return_inverse=True, return_counts=True)
    sizes: NDArray[np.int64] = counts[numbers]
    return sizes


def _touching(labels: NDArray[Any], held: NDArray[np.bool_], sizes: NDArray[np.int64]) -> float:
    """How many pairs of one cluster have a record that was held out."""
    within = _sizes(labels[~held])
    return (float(np.sum(sizes - 1)) - float(np.sum(within - 1))) / 2


def clusters_of(labels: NDArray[Any]) -> list[list[int]]:
    """Clusters of records, from a label for each record.

    Examples
    --------
    >>> clusters_of(np.array([7, 5, 7]))
    [[1], [0, 2]]
    """
    order = np.argsort(labels, kind="stable")
    ends = np.flatnonzero(np.diff(labels[order])) + 1
    return [part.tolist() for part in np.split(order, ends)] if len(labels) else []


def folds_of(gold: Places, copies: Places, n: int) -> Places:
    """The fold of each record: clusters stay whole, and folds have clusters of all sizes."""
    things, numbers = np.unique(gold, return_inverse=True)
    sizes = np.bincount(numbers, weights=copies)
    order = np.argsort(-sizes, kind="stable")
    fold = np.empty(len(things), dtype=np.uint32)
    fold[order] = np.arange(len(things)) % n
    return fold[numbers]


def choose(
    given: Compared,
    gold: Places,
    folds: Places,
    statements: Sequence[Statement],
    choices: Sequence[Choice],
    rule: MergeRule,
    run: Run = ALONE,
) -> dict[Choice, float]:
    """The quality of each choice, on folds of the training clusters that it did not learn from."""
    found = dict.fromkeys(choices, 0.0)
    n = int(folds.max()) + 1
    for fold in range(n):
        train, own = given.take(folds != fold), gold[folds != fold]
        for pair_prior in dict.fromkeys(one.pair_prior for one in choices):
            pairs = fit_pairs(train, own, statements, pair_prior)
            train.set_match(pairs)
            given.set_match(pairs)
            for sampling in dict.fromkeys(one.sampling for one in choices):
                samples = sample_sets(train, own, statements, sampling)
                for one in choices:
                    if (one.pair_prior, one.sampling) == (pair_prior, sampling):
                        weights = fit_sets(samples, statements, one.prior, one.gain)
                        now = rule._replace(gain=one.gain)
                        found[one] += quality(given, weights, now, gold, folds == fold) / n
        run.report("folds", fold + 1, n)
    return found
