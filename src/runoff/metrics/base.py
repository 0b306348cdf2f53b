"""What a metric is: statistics that add up, figures made from their sum, and a signature.

Everything that is measured goes through the same three steps: `statistics` of each candidate,
a sum over the chosen candidates, `figures` of the sum. Oracles, bootstrap and training share the
statistics, so nothing is scored twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, TypeAlias, runtime_checkable

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]


@runtime_checkable
class Metric(Protocol):
    """The contract of every metric; `tests/contract/test_metrics.py` checks it.

    `name` is what the command line calls it; `higher_is_better` speaks of the first figure.
    """

    name: str
    higher_is_better: bool

    def statistics(self, outputs: Sequence[Any], gold: Any) -> Floats:
        """One row of numbers that add up per output, against one gold; shape (outputs, k).

        Raises
        ------
        ValueError : an output or the gold cannot be compared; says which output, from 0.
        """
        ...

    def figures(self, totals: Floats) -> dict[str, Floats]:
        """Named figures of summed statistics, the main one first; (..., k) gives (...)."""
        ...

    def quality(self, statistics: Floats) -> Floats:
        """What a learner wants more of, from statistics of single outputs; (..., k) gives (...)."""
        ...

    def signature(self) -> str:
        """Name and parameters, in sacrebleu's manner: `wer|unit:word`."""
        ...


def figure(metric: Metric, totals: Floats) -> Floats:
    """The main figure of summed statistics."""
    return next(iter(metric.figures(totals).values()))


def ratio(part: Floats, whole: Floats, empty: float = 0.0) -> Floats:
    """`part / whole`, and `empty` where the whole is nothing.

    Examples
    --------
    >>> ratio(np.array([1.0, 0.0]), np.array([2.0, 0.0]))
    array([0.5, 0. ])
    """
    part, whole = np.asarray(part, dtype=np.float64), np.asarray(whole, dtype=np.float64)
    return np.divide(part, whole, out=np.full(np.broadcast(part, whole).shape, empty), where=whole != 0)
