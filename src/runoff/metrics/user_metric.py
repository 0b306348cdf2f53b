"""Metrics with one number per candidate: a user's function, or the qualities given in the lists."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Literal

from runoff.metrics.base import Floats, MeasureError, ratio, rows


class FunctionMetric:
    """The mean of a function of output and gold, higher is better.

    Parameters
    ----------
    function : `f(output, gold)` gives a number, which is the quality.
    name : what to call it; the function's own name if not given.

    Examples
    --------
    >>> def same_length(output, gold):
    ...     return len(output) == len(gold)
    >>> FunctionMetric(same_length).statistics(["abc", "ab"], "xyz")
    array([[1., 1.],
           [0., 1.]])
    """

    higher_is_better = True
    reads: Literal["output"] = "output"
    columns = ("value", "outputs")

    def __init__(self, function: Callable[[Any, Any], float], *, name: str | None = None) -> None:
        self.function = function
        self.name = name or str(getattr(function, "__name__", type(function).__name__))

    def statistics(self, outputs: Sequence[Any], gold: Any) -> Floats:
        """The function's value of each output, and 1."""
        return rows([[self._value(place, one, gold), 1] for place, one in enumerate(outputs)], 2)

    def _value(self, place: int, output: Any, gold: Any) -> float:
        try:
            value = self.function(output, gold)
        except Exception as error:  # whatever the user's code raises
            kind = type(error).__name__
            problem = f"the metric {self.name!r} failed: {kind}: {error}"
            raise MeasureError(problem, output=place) from error
        return _number(value, place)

    def figures(self, totals: Floats) -> dict[str, Floats]:
        """The mean, and the number of outputs."""
        return {"mean": ratio(totals[..., 0], totals[..., 1]), "outputs": totals[..., 1]}

    def quality(self, statistics: Floats) -> Floats:
        """The function's value."""
        return statistics[..., 0]

    def signature(self) -> str:
        """`function|name:same_length`."""
        return f"function|name:{self.name}"


class GivenQuality:
    """The mean of the qualities that are given in the lists; needs no gold.

    Examples
    --------
    >>> GivenQuality().statistics([0.5, 1.0], None)
    array([[0.5, 1. ],
           [1. , 1. ]])
    """

    name = "quality"
    higher_is_better = True
    reads: Literal["quality"] = "quality"
    columns = ("quality", "candidates")

    def statistics(self, outputs: Sequence[Any], gold: Any) -> Floats:
        """The quality of each candidate, and 1; gold is ignored."""
        return rows([[_number(value, i), 1] for i, value in enumerate(outputs)], 2)

    def figures(self, totals: Floats) -> dict[str, Floats]:
        """The mean, and the number of candidates."""
        return {"quality": ratio(totals[..., 0], totals[..., 1]), "candidates": totals[..., 1]}

    def quality(self, statistics: Floats) -> Floats:
        """The quality given in the list."""
        return statistics[..., 0]

    def signature(self) -> str:
        """`quality|from:lists`."""
        return "quality|from:lists"


def _number(value: Any, output: int) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = math.nan
    if not math.isfinite(number):
        raise MeasureError(f"expected a finite number as quality, not {value!r:.60}", output=output)
    return number
