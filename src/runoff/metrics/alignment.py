"""Alignment error rate of word alignments, with sure and possible links (Och & Ney 2003)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from runoff.data.bitext import GoldLinks, parse_links
from runoff.errors import FormatError
from runoff.metrics.base import Floats, MeasureError, ratio, rows


class AlignmentErrorRate:
    """One minus the F measure of links: those found should be possible, and all sure ones found.

    An alignment is a text of links, such as `0-0 1-2`; gold may have possible links, `1p2` or
    `1?2`. Quality is minus the number of links that are wrong or missing.

    Examples
    --------
    >>> metric = AlignmentErrorRate()
    >>> statistics = metric.statistics(["0-0 1-1", "0-0 1-2"], "0-0 1p1")
    >>> [round(float(one), 1) for one in metric.figures(statistics)["AER"]]
    [0.0, 33.3]
    """

    name = "aer"
    higher_is_better = False
    reads: Literal["output"] = "output"
    columns = ("sure found", "possible found", "found", "sure")

    def statistics(self, outputs: Sequence[Any], gold: Any) -> Floats:
        """One row per output; see `columns`."""
        sure, possible = _links(gold, None)
        found = [_links(output, i).sure for i, output in enumerate(outputs)]
        counted = [[len(own & sure), len(own & possible), len(own), len(sure)] for own in found]
        return rows(counted, len(self.columns))

    def figures(self, totals: Floats) -> dict[str, Floats]:
        """Alignment error rate, precision and recall, in per cent."""
        sure_found, possible_found, found, sure = (totals[..., i] for i in range(4))
        wrong = found - possible_found + sure - sure_found
        return {
            "AER": 100 * ratio(wrong, found + sure),
            "precision": 100 * ratio(possible_found, found),
            "recall": 100 * ratio(sure_found, sure),
        }

    def quality(self, statistics: Floats) -> Floats:
        """Minus the number of links that are not possible, or sure and missing."""
        sure_found, possible_found, found, sure = (statistics[..., i] for i in range(4))
        wrong: Floats = found - possible_found + sure - sure_found
        return 0.0 - wrong

    def signature(self) -> str:
        """`aer|links:sure+possible`."""
        return "aer|links:sure+possible"


def _links(value: Any, output: int | None) -> GoldLinks:
    if isinstance(value, GoldLinks):
        return value
    if not isinstance(value, str):
        raise MeasureError(f"expected links such as 0-0 1-2, not {value!r:.60}", output=output)
    try:
        return parse_links(value)
    except FormatError as error:
        raise MeasureError(error.problem, output=output) from None
