"""Accuracy: how many tokens are right, and how many outputs are right as a whole."""

from __future__ import annotations

from collections.abc import Sequence
from operator import eq
from typing import Any, Literal

from runoff.data.tree import Tree
from runoff.metrics.base import Floats, ratio, rows, tokens, tokens_like_gold


class Accuracy:
    """Share of tokens that equal gold's; the quality of an output is the number of correct tokens.

    Examples
    --------
    >>> Accuracy().statistics(["DT NN", ["DT", "VB"]], "DT NN")
    array([[2., 2.],
           [1., 2.]])
    """

    name = "accuracy"
    higher_is_better = True
    reads: Literal["output"] = "output"
    columns = ("correct tokens", "tokens")

    def statistics(self, outputs: Sequence[Any], gold: Any) -> Floats:
        """Correct tokens and tokens of each output."""
        wanted = tokens(gold, None)
        found = [tokens_like_gold(output, wanted, i) for i, output in enumerate(outputs)]
        return rows([[sum(map(eq, each, wanted)), len(wanted)] for each in found], 2)

    def figures(self, totals: Floats) -> dict[str, Floats]:
        """Accuracy in per cent, and the number of tokens."""
        return {
            "accuracy": 100 * ratio(totals[..., 0], totals[..., 1]),
            "tokens": totals[..., 1],
        }

    def quality(self, statistics: Floats) -> Floats:
        """Correct tokens."""
        return statistics[..., 0]

    def signature(self) -> str:
        """`accuracy|unit:token`."""
        return "accuracy|unit:token"


class ExactMatch:
    """Share of outputs that equal gold as a whole.

    White space between words does not matter, nor whether tokens come as text or as a list.

    Examples
    --------
    >>> ExactMatch().statistics(["I  scream", "ice cream"], "I scream")
    array([[1., 1.],
           [0., 1.]])
    """

    name = "exact"
    higher_is_better = True
    reads: Literal["output"] = "output"
    columns = ("exact", "outputs")

    def statistics(self, outputs: Sequence[Any], gold: Any) -> Floats:
        """Whether each output is right, and 1."""
        wanted = _comparable(gold)
        return rows([[_comparable(output) == wanted, 1] for output in outputs], 2)

    def figures(self, totals: Floats) -> dict[str, Floats]:
        """Exact matches in per cent, and the number of outputs."""
        return {"exact": 100 * ratio(totals[..., 0], totals[..., 1]), "outputs": totals[..., 1]}

    def quality(self, statistics: Floats) -> Floats:
        """1 where the output is right, else 0."""
        return statistics[..., 0]

    def signature(self) -> str:
        """`exact|unit:output`."""
        return "exact|unit:output"


def _comparable(value: Any) -> Any:
    if isinstance(value, Tree):
        value = str(value)
    if isinstance(value, str):
        return value.split()
    return list(value) if isinstance(value, tuple) else value
