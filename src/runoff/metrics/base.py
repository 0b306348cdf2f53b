"""The contract of metrics: statistics that add up, figures made from their sum, a signature.

Everything that is measured goes through the same three steps: `statistics` of each candidate,
a sum over the chosen candidates, `figures` of the sum. Oracles, bootstrap and training share the
statistics, so nothing is scored twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, Protocol, TypeAlias, runtime_checkable

import numpy as np
from numpy.typing import NDArray

import runoff
from runoff.errors import RunoffError

Floats: TypeAlias = NDArray[np.float64]
Integers: TypeAlias = NDArray[np.int64]


class MeasureError(RunoffError, ValueError):
    """An output or a gold that a metric cannot compare.

    `output` is the place of the output among those measured, from 0, or None for the gold.

    Examples
    --------
    >>> print(MeasureError("has 7 words, gold has 8", output=2))
    outputs[2]: has 7 words, gold has 8
    """

    def __init__(self, problem: str, *, output: int | None = None, hint: str | None = None) -> None:
        place = "gold" if output is None else f"outputs[{output}]"
        super().__init__(f"{place}: {problem}", hint=hint)
        self.problem, self.output = problem, output


@runtime_checkable
class Metric(Protocol):
    """The contract of every metric; `tests/contract/test_metrics.py` checks it."""

    @property
    def name(self) -> str:
        """The metric's name on the command line."""
        ...

    @property
    def higher_is_better(self) -> bool:
        """Whether a higher first figure is better."""
        ...

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the statistics, k of them."""
        ...

    @property
    def reads(self) -> Literal["output", "quality"]:
        """What is measured of a candidate: its output against gold, or its given quality."""
        ...

    def statistics(self, outputs: Sequence[Any], gold: Any) -> Floats:
        """One row of numbers that add up per output, against one gold; shape (outputs, k).

        Raises
        ------
        MeasureError : an output or the gold cannot be compared; says which output, from 0.
        """
        ...

    def figures(self, totals: Floats) -> dict[str, Floats]:
        """Named figures of summed statistics, the main one first; (..., k) gives (...)."""
        ...

    def quality(self, statistics: Floats) -> Floats:
        """What a learner maximises, from statistics of single outputs; (..., k) gives (...)."""
        ...

    def signature(self) -> str:
        """Name and parameters, in sacrebleu's manner: `wer|unit:word`."""
        ...


def figure(metric: Metric, totals: Floats) -> Floats:
    """The main figure of summed statistics."""
    return next(iter(metric.figures(totals).values()))


def rows(statistics: Sequence[Sequence[float]], width: int) -> Floats:
    """Rows of statistics as an array of shape (rows, width), also where there are none."""
    return np.array(statistics, dtype=np.float64).reshape(len(statistics), width)


def ratio(part: Floats, whole: Floats, empty: float = 0.0) -> Floats:
    """`part / whole`, and `empty` where the whole is 0.

    Examples
    --------
    >>> ratio(np.array([1.0, 0.0]), np.array([2.0, 0.0]))
    array([0.5, 0. ])
    """
    part, whole = np.asarray(part, dtype=np.float64), np.asarray(whole, dtype=np.float64)
    out = np.full(np.broadcast(part, whole).shape, empty)
    np.divide(part, whole, out=out, where=whole != 0)
    return out


def tokens(value: Any, output: int | None) -> list[str]:
    """The tokens of a text or of a list of them, or an error that says which output is neither.

    Examples
    --------
    >>> tokens("B-NP I-NP", None), tokens(["DT", "NN"], 0)
    (['B-NP', 'I-NP'], ['DT', 'NN'])
    """
    if isinstance(value, str):
        return value.split()
    if isinstance(value, (list, tuple)) and {*map(type, value)} <= {str}:
        return list(value)
    raise MeasureError(f"expected text or a list of text, not {value!r:.60}", output=output)


def tokens_like_gold(value: Any, gold: list[str], output: int) -> list[str]:
    """The tokens of an output that must have as many as gold has."""
    found = tokens(value, output)
    if len(found) != len(gold):
        raise MeasureError(f"has {len(found)} tokens, gold has {len(gold)}", output=output)
    return found


def signature(metric: str, **settings: object) -> str:
    """The signature of a figure: its metric, what else it depends on, and the version.

    Examples
    --------
    >>> signature("parseval|prm:collins", trees=2).rpartition("|v:")[0]
    'parseval|prm:collins|trees:2'
    """
    parts = [f"{name}:{setting}" for name, setting in settings.items()]
    return "|".join([metric, *parts, f"v:{runoff.__version__}"])
