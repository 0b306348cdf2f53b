"""Link F1: links between words, without direction or label, against gold dependencies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from runoff.data.links import PUNCTUATION, WALL, Link, links_of
from runoff.errors import UsageError
from runoff.metrics.base import Floats, MeasureError, ratio, rows


class LinkF1:
    """F1 of the pairs of words that are linked.

    Punctuation marks, which gold attaches by `punct`, and the wall are left out, and so are all
    links to them. The quality of an output is its F1, as a share, times the number of gold links.

    Examples
    --------
    >>> gold = [[1, 2, "nsubj"], [0, 2, "root"], [2, 3, "punct"]]
    >>> statistics = LinkF1().statistics([[[1, 2, "Sp"], [0, 3, "Xp"]], []], gold)
    >>> LinkF1().figures(statistics)["F1"]
    array([100.,   0.])
    """

    name = "link-f1"
    higher_is_better = True
    reads: Literal["output"] = "output"
    columns = ("matched links", "gold links", "output links", "exact", "sentences")

    def statistics(self, outputs: Sequence[Any], gold: Any) -> Floats:
        """One row per output; see `columns`."""
        wanted = _links(gold, None)
        marks = _punctuation(wanted)
        pairs = _pairs(wanted, marks)
        found = [_pairs(_links(output, i), marks) for i, output in enumerate(outputs)]
        counted = [[len(one & pairs), len(pairs), len(one), one == pairs, 1] for one in found]
        return rows(counted, len(self.columns))

    def figures(self, totals: Floats) -> dict[str, Floats]:
        """F1, recall, precision and exact matches in per cent, and the number of sentences."""
        matched, gold, output, exact, sentences = (totals[..., i] for i in range(5))
        return {
            "F1": 100 * ratio(2 * matched, gold + output),
            "recall": 100 * ratio(matched, gold),
            "precision": 100 * ratio(matched, output),
            "exact": 100 * ratio(exact, sentences),
            "sentences": sentences,
        }

    def quality(self, statistics: Floats) -> Floats:
        """F1 as a share, times the number of gold links."""
        matched, gold, output = (statistics[..., column] for column in range(3))
        return gold * ratio(2 * matched, gold + output)

    def signature(self) -> str:
        """`link-f1|links:undirected|punctuation:out`."""
        return "link-f1|links:undirected|punctuation:out"


def _links(value: Any, output: int | None) -> list[Link]:
    try:
        return links_of(value)
    except UsageError as error:
        raise MeasureError(error.message, output=output) from None


def _punctuation(gold: Sequence[Link]) -> set[int]:
    """The punctuation marks: words on a `punct` link that have no other one.

    Gold has no direction, so that of two words on such a link the mark is the one without others.
    """
    attached = {word for *ends, label in gold if label != PUNCTUATION for word in ends}
    return {word for *ends, label in gold if label == PUNCTUATION for word in ends} - attached


def _pairs(links: Sequence[Link], marks: set[int]) -> set[tuple[int, int]]:
    left_out = marks | {WALL}
    return {(a, b) for a, b, _ in links if a not in left_out and b not in left_out}
