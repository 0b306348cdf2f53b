"""Word and character error rate: substitutions, deletions and insertions against gold."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from runoff.errors import unknown_choice
from runoff.metrics.base import Floats, MeasureError, ratio, tokens
from runoff.strings.edits import edit_counts

UNITS = {"word": "wer", "character": "cer"}


class ErrorRate:
    """Edits per hundred words or characters of gold; quality is minus the number of edits.

    White space is a separator for words; for characters a run of it is one character.

    Parameters
    ----------
    unit : `word` or `character`.

    Notes
    -----
    About 2 µs for an output of 20 words with a few errors. The number of errors is unique; their
    division into kinds is that of one best alignment.

    Examples
    --------
    >>> metric = ErrorRate()
    >>> metric.statistics(["ice cream you", "I scream for you"], "I scream you")
    array([[2., 0., 0., 3., 1., 1.],
           [0., 0., 1., 3., 1., 1.]])
    """

    higher_is_better = False
    reads: Literal["output"] = "output"
    columns = ("substitutions", "deletions", "insertions", "gold", "wrong outputs", "outputs")

    def __init__(self, *, unit: str = "word") -> None:
        if unit not in UNITS:
            raise unknown_choice("unit", unit, UNITS)
        self.unit, self.name = unit, UNITS[unit]

    def statistics(self, outputs: Sequence[Any], gold: Any) -> Floats:
        """One row per output; see `columns`."""
        wanted = self._units(gold, None)
        found = [self._units(output, index) for index, output in enumerate(outputs)]
        edits = edit_counts(found, wanted).astype(np.float64)  # (outputs, 3)
        ones = np.ones((len(outputs), 1))
        return np.hstack([edits, len(wanted) * ones, edits.any(axis=1, keepdims=True), ones])

    def _units(self, value: Any, output: int | None) -> list[str]:
        if self.unit == "word":
            return tokens(value, output)
        if not isinstance(value, str):
            raise MeasureError(f"expected text, not {value!r:.60}", output=output)
        return list(" ".join(value.split()))

    def figures(self, totals: Floats) -> dict[str, Floats]:
        """Error rate, its three kinds, and wrong outputs, all in per cent."""
        gold, outputs = totals[..., 3], totals[..., 5]
        kinds = {name: 100 * ratio(totals[..., i], gold) for i, name in enumerate(self.columns[:3])}
        wrong = 100 * ratio(totals[..., 4], outputs)
        return {self.name.upper(): 100 * ratio(_errors(totals), gold), **kinds, "wrong": wrong}

    def quality(self, statistics: Floats) -> Floats:
        """Minus the number of edits."""
        return 0.0 - _errors(statistics)

    def signature(self) -> str:
        """`wer|unit:word`."""
        return f"{self.name}|unit:{self.unit}"


def _errors(statistics: Floats) -> Floats:
    errors: Floats = statistics[..., :3].sum(axis=-1)
    return errors
