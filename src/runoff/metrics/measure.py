"""Measuring whole n-best lists: every candidate's statistics, laid end to end."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from runoff.data.nbest import NBest
from runoff.errors import RunoffError
from runoff.metrics.base import Floats, Integers, MeasureError, Metric


@dataclass(frozen=True)
class Measured:
    """The candidates of L lists, N in all, list after list.

    Parameters
    ----------
    offsets : where each list starts, plus N at the end, shape (L + 1,).
    statistics : the metric's statistics, shape (N, k).
    qualities : the metric's quality, shape (N,).
    base_ranks : place of each candidate in its list's base order, from 0, shape (N,).
    """

    offsets: Integers
    statistics: Floats
    qualities: Floats
    base_ranks: Integers

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @property
    def sizes(self) -> Integers:
        """How many candidates each list has, shape (L,)."""
        return np.diff(self.offsets)

    @property
    def lists(self) -> Integers:
        """Which list each candidate belongs to, shape (N,)."""
        return np.repeat(np.arange(len(self)), self.sizes)


class ListError(RunoffError, ValueError):
    """A list that cannot be measured; says which list and which candidate."""


def measure(lists: Iterable[NBest], metric: Metric, first: int = 1) -> Measured:
    """Statistics, qualities and base ranks of every candidate of the lists.

    Lists are read one at a time and not kept. Statistics always come from the metric against the
    list's gold; qualities that a list carries itself are only used by the metric `quality`.
    `first` is the number of the first list, for errors.

    Raises
    ------
    ListError : a list without gold, or an output that cannot be compared with it.

    Examples
    --------
    >>> from runoff.data.nbest import Candidate
    >>> from runoff.metrics import metric
    >>> lists = [NBest("u1", None, [Candidate("ice cream"), Candidate("I scream")], "I scream")]
    >>> measure(lists, metric("wer")).qualities
    array([-2.,  0.])
    """
    sizes, statistics = [0], [np.zeros((0, len(metric.columns)))]
    base_ranks: list[int] = []
    for number, nbest in enumerate(lists, start=first):
        statistics.append(_statistics(nbest, number, metric))
        sizes.append(len(nbest))
        base_ranks.extend(nbest.base_ranks())
    every = np.concatenate(statistics)
    offsets = np.cumsum(sizes, dtype=np.int64)
    return Measured(offsets, every, metric.quality(every), np.array(base_ranks, dtype=np.int64))


def _statistics(nbest: NBest, number: int, metric: Metric) -> Floats:
    outputs: list[Any] = [getattr(candidate, metric.reads) for candidate in nbest.candidates]
    if metric.reads == "quality" and None in outputs:
        hint = "name a metric to measure against gold with: wer, bleu, parseval, ..."
        raise ListError(f"{nbest.name(number)} has a candidate without quality", hint=hint)
    if metric.reads == "output" and nbest.gold is None:
        hint = "give every list a `gold`, or use the metric `quality` on lists that carry qualities"
        raise ListError(f"{nbest.name(number)} has no gold to measure against", hint=hint)
    try:
        return metric.statistics(outputs, nbest.gold)
    except MeasureError as error:
        place = "gold" if error.output is None else f"candidates[{error.output}].{metric.reads}"
        message = f"{nbest.name(number)}: {place}: {error.problem}"
        raise ListError(message, hint=error.hint) from None
