"""Choosing how to learn by folds of the training clusters.

Clusters stay whole: a choice is judged by clusters that it did not learn from; of records in
several blocks, by blocks that it did not learn from, since the model will meet others and what is
best for other clusters of the same blocks need not be for them. The prior of the model of pairs is
chosen first, by what average link makes of it; then, of the model of sets, all that is left to
choose.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from runoff.fitting.run import ALONE, Run
from runoff.proposers.identity.compared import Compared, MergeRule, Samples, Weights
from runoff.proposers.identity.fields import Places
from runoff.proposers.identity.learning import (
    LINKS,
    OBJECTS,
    Choice,
    fit_pairs,
    fit_sets,
    sample_sets,
)
from runoff.proposers.identity.statements import Statement


class Tried(NamedTuple):
    """A choice, and its quality on each fold."""

    choice: Choice
    folds: list[float]

    @property
    def quality(self) -> float:
        """The mean over the folds."""
        return float(np.mean(self.folds))


def assignments(
    given: Compared, weights: Weights, rule: MergeRule, stops: Sequence[float]
) -> Iterator[Places]:
    """The sets of records when merging ends at each of these gains.

    Greedy merging that ends earlier makes the first of the same merges, so it is done once.
    """
    if rule.look_ahead > 0 or rule.moves > 0:
        for stop in stops:
            yield given.resolve(weights, rule._replace(stop=stop))[0].assignment()
        return
    _, merges = given.resolve(weights, rule._replace(stop=min(stops)))
    for stop in stops:
        ends = np.flatnonzero(merges.gains <= stop)
        made = ends[0] if len(ends) else len(merges.gains)
        sets = np.arange(len(given), dtype=np.uint32)
        sets[merges.lost[:made]] = merges.kept[:made]
        while (sets != sets[sets]).any():
            sets = sets[sets]
        yield sets


def quality(sets: Places, gold: Places, copies: Places, held: NDArray[np.bool_]) -> float:
    """The mean of pairwise F1 and B-cubed F1 of the records that were held out.

    All records are resolved, so that those held out may be confused with any; pairs count that have
    one of them. B-cubed knows of small clusters too.
    """
    found, known = np.repeat(sets, copies), np.repeat(gold, copies)
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


def folds_of(groups: Places, copies: Places, n: int) -> Places:
    """The fold of each record: groups stay whole, and folds have groups of all sizes."""
    things, numbers = np.unique(groups, return_inverse=True)
    sizes = np.bincount(numbers, weights=copies)
    order = np.argsort(-sizes, kind="stable")
    fold = np.empty(len(things), dtype=np.uint32)
    fold[order] = np.arange(len(things)) % n
    return fold[numbers]


class Folds:
    """Training records and the fold of each of them; models of pairs are learned once.

    Parameters
    ----------
    n : number of folds, or that of the blocks if there are fewer.
    stops : gains at which merging may end; which one is chosen, too.
    blocks : the block of each record, if records of different blocks are never compared. Of several
        each stays whole, and its quality counts alike.
    """

    def __init__(
        self,
        given: Compared,
        gold: Places,
        statements: Sequence[Statement],
        rule: MergeRule,
        n: int,
        stops: Sequence[float] = (0.0,),
        blocks: Places | None = None,
    ) -> None:
        self.given, self.gold, self.statements, self.rule = given, gold, statements, rule
        several = 1 if blocks is None else len(np.unique(blocks))
        self.blocks = blocks if several > 1 else None
        self.n, self.stops = min(n, several) if several > 1 else n, stops
        groups = gold if self.blocks is None else self.blocks
        self.fold = folds_of(groups, given.table.copies, self.n)
        self._pairs: dict[tuple[int, float], Weights] = {}

    @property
    def enough(self) -> bool:
        """Whether there are two clusters for each fold, or several blocks."""
        return self.blocks is not None or len(np.unique(self.gold)) >= 2 * self.n

    def choose(self, choices: Sequence[Choice], run: Run = ALONE) -> list[Tried]:
        """The qualities of choices that are worth trying, the best one first.

        Parameters
        ----------
        choices : all of one method.
        """
        method = choices[0].method
        priors = list(dict.fromkeys(one.pair_prior for one in choices))
        if method != OBJECTS:
            tried = self._of_links(method, priors, run)
        else:
            prior = priors[0]
            if len(priors) > 1:
                prior = max(self._of_links("average", priors, run), key=_quality).choice.pair_prior
            tried = self._of_sets([one for one in choices if one.pair_prior == prior], run)
        return sorted(tried, key=_quality, reverse=True)

    def _of_links(self, method: str, priors: Sequence[float], run: Run) -> list[Tried]:
        tried = self._tried([Choice(method, prior) for prior in priors])
        weights = LINKS[method](self.statements)
        for fold, train, own in self._parts():
            for prior in priors:
                self.given.set_match(self._model_of_pairs(fold, train, own, prior))
                self._judge(weights, Choice(method, prior), fold, tried)
            run.report("folds of pairs", fold + 1, self.n)
        return list(tried.values())

    def _of_sets(self, choices: Sequence[Choice], run: Run) -> list[Tried]:
        tried = self._tried(choices)
        for fold, train, own in self._parts():
            pairs = self._model_of_pairs(fold, train, own, choices[0].pair_prior)
            train.set_match(pairs)
            self.given.set_match(pairs)
            samples: dict[tuple[str, str], Samples] = {}
            for one in choices:
                key = (one.sampling, one.link)
                if key not in samples:
                    samples[key] = sample_sets(train, own, self.statements, one)
                weights = fit_sets(samples[key], self.statements, one)
                self._judge(weights, one, fold, tried)
            run.report("folds of sets", fold + 1, self.n)
        return list(tried.values())

    def _tried(self, choices: Sequence[Choice]) -> dict[Choice, Tried]:
        """Every choice with every stop, not judged yet."""
        every = (one._replace(stop=stop) for one in choices for stop in self.stops)
        return {one: Tried(one, []) for one in every}

    def _judge(
        self, weights: Weights, choice: Choice, fold: int, tried: Mapping[Choice, Tried]
    ) -> None:
        rule = self.rule._replace(gain=choice.gain)
        made = assignments(self.given, weights, rule, self.stops)
        for stop, sets in zip(self.stops, made, strict=True):
            tried[choice._replace(stop=stop)].folds.append(self._quality_of(sets, fold))

    def _quality_of(self, sets: Places, fold: int) -> float:
        """The quality of the records of a fold, or the mean over its blocks."""
        held, copies = self.fold == fold, self.given.table.copies
        if self.blocks is None:
            return quality(sets, self.gold, copies, held)
        found = []
        for block in np.unique(self.blocks[held]):
            own = np.flatnonzero(self.blocks == block)
            found.append(quality(sets[own], self.gold[own], copies[own], held[own]))
        return float(np.mean(found))

    def _model_of_pairs(self, fold: int, train: Compared, own: Places, prior: float) -> Weights:
        """The model of pairs of the other folds, learned once."""
        if (fold, prior) not in self._pairs:
            self._pairs[fold, prior] = fit_pairs(train, own, self.statements, prior)
        return self._pairs[fold, prior]

    def _parts(self) -> Iterator[tuple[int, Compared, Places]]:
        """Each fold, and the records of the others with their clusters."""
        for fold in range(self.n):
            kept = self.fold != fold
            yield fold, self.given.take(kept), self.gold[kept]


def _quality(tried: Tried) -> tuple[float, float]:
    """What the best choice has most of; of equal ones, the stop nearest to 0 is the best."""
    return tried.quality, -abs(tried.choice.stop)
