"""What lists can give: the base system's choice, the oracle, the worst and a random candidate.

Everything is worked out for the first n candidates in the base system's order: higher base score
first, ties by position. Best and worst are by quality; ties go to the higher base score, then to
the lower position. A list without candidates adds nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from runoff.metrics.base import Floats, Integers, Metric
from runoff.metrics.measure import Measured


@dataclass(frozen=True)
class Row:
    """Figures of four ways to choose among the first n candidates of every list."""

    n: int
    one_best: dict[str, float]
    oracle: dict[str, float]
    random: dict[str, float]
    worst: dict[str, float]


def table(measured: Measured, metric: Metric, sizes: Iterable[int] | None = None) -> list[Row]:
    """One row per size n: 1, 2, 5, 10, 20, ... and the longest list, unless sizes are given.

    Time is one sort, and then linear in the number of candidates for every n.

    Examples
    --------
    >>> from runoff.data.nbest import Candidate, NBest
    >>> from runoff.metrics import metric
    >>> from runoff.metrics.measure import measure
    >>> lists = [NBest("u1", None, [Candidate("ice cream"), Candidate("I scream")], "I scream")]
    >>> row = table(measure(lists, metric("wer")), metric("wer"))[-1]
    >>> row.n, row.one_best["WER"], row.oracle["WER"], row.random["WER"]
    (2, 100.0, 0.0, 50.0)
    """
    one_best = _figures(metric, totals(measured, oracle(measured, 1)))
    longest = int(measured.sizes.max(initial=0))
    return [
        Row(
            n,
            one_best,
            _figures(metric, totals(measured, oracle(measured, n))),
            _figures(metric, random_totals(measured, n)),
            _figures(metric, totals(measured, worst(measured, n))),
        )
        for n in (default_sizes(longest) if sizes is None else sizes)
    ]


def oracle(measured: Measured, n: int | None = None) -> Integers:
    """Row of the best of the first n candidates of every list that has any."""
    return _first_by(measured, -measured.qualities, n)


def worst(measured: Measured, n: int | None = None) -> Integers:
    """Row of the worst of the first n candidates of every list that has any."""
    return _first_by(measured, measured.qualities, n)


def one_best(measured: Measured) -> Integers:
    """Row of the base system's first choice of every list that has any."""
    return oracle(measured, 1)


def random_totals(measured: Measured, n: int | None = None) -> Floats:
    """Expected summed statistics of a random choice: the mean of each list's first n."""
    lists = measured.lists
    taken = measured.base_ranks < _limit(measured, n)
    share = 1 / np.bincount(lists[taken], minlength=len(measured))[lists[taken]]
    totals: Floats = share @ measured.statistics[taken]
    return totals


def totals(measured: Measured, chosen: Integers) -> Floats:
    """Summed statistics of chosen candidates, shape (k,)."""
    found: Floats = measured.statistics[chosen].sum(axis=0)
    return found


def default_sizes(longest: int) -> list[int]:
    """1, 2, 5, 10, 20, 50, ... below the longest list, and the longest.

    Examples
    --------
    >>> default_sizes(27)
    [1, 2, 5, 10, 20, 27]
    """
    steps = (digit * 10**power for power in range(len(str(longest))) for digit in (1, 2, 5))
    return [*(n for n in steps if n < longest), longest] if longest else []


def _first_by(measured: Measured, key: Floats, n: int | None) -> Integers:
    """Row of the candidate with the smallest key among the first n of every list."""
    ranks, lists = measured.base_ranks, measured.lists
    taken = np.flatnonzero(ranks < _limit(measured, n))
    order = taken[np.lexsort((ranks[taken], key[taken], lists[taken]))]
    return order[np.flatnonzero(np.diff(lists[order], prepend=-1))]


def _limit(measured: Measured, n: int | None) -> int:
    return len(measured.qualities) if n is None else n


def _figures(metric: Metric, totals: Floats) -> dict[str, float]:
    return {name: float(value) for name, value in metric.figures(totals).items()}
