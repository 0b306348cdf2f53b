"""PARSEVAL: labelled brackets, crossing brackets and tags, counted as EVALB counts them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from runoff.data.flat_tree import Flat
from runoff.data.tree import Tree
from runoff.errors import FormatError, check_at_least, unknown_choice
from runoff.metrics.base import Floats, MeasureError, ratio, rows
from runoff.metrics.brackets import EMPTY, RULES, Gold, Labels, tags_of


class Parseval:
    """Labelled bracket F1 and its companions.

    Where gold and output have the same words, gold's tags decide which of them are punctuation;
    otherwise each tree's own tags do, as in EVALB. (EVALB gives up on a sentence where the two
    disagree.) A sentence of nothing but punctuation, or of another length than asked for, adds
    nothing.

    Parameters
    ----------
    parameters : `collins`, EVALB's COLLINS.prm: no punctuation, ADVP is PRT; `plain`: everything
        counts except empty elements and the root.
    max_length : longest sentence that is scored, in words that are not empty elements.
    min_length : shortest sentence that is scored.

    Notes
    -----
    Costs about 30 µs for a tree of 25 words, and as much again to read its brackets.

    References
    ----------
    Black et al. (1991), "A procedure for quantitatively comparing the syntactic coverage of
    English grammars". Sekine and Collins, EVALB (2008), README sections 6 and 7, COLLINS.prm.

    Examples
    --------
    >>> gold = "(TOP (S (NP (PRP we)) (VP (VBD voted) (NP (NN today)))))"
    >>> flat = "(TOP (S (NP (PRP we)) (VP (VBD voted) (NN today))))"
    >>> statistics = Parseval().statistics([gold, flat], gold)
    >>> Parseval().figures(statistics)["F1"].round(2)
    array([100.  ,  85.71])
    """

    higher_is_better = True
    reads: Literal["output"] = "output"
    columns = (
        "matched brackets",
        "gold brackets",
        "output brackets",
        "exact",
        "crossing",
        "no crossing",
        "two or less crossing",
        "words",
        "correct tags",
        "sentences",
    )

    def __init__(
        self,
        *,
        parameters: str = "collins",
        max_length: int | None = None,
        min_length: int | None = None,
    ) -> None:
        if parameters not in RULES:
            raise unknown_choice("parameters", parameters, RULES)
        limits = {"max_length": max_length, "min_length": min_length}
        check_at_least(1, **{name: limit for name, limit in limits.items() if limit is not None})
        self.parameters, self.max_length, self.min_length = parameters, max_length, min_length
        self.name = "parseval" if parameters == "collins" else f"parseval-{parameters}"
        self._labels = Labels(RULES[parameters])

    def statistics(self, outputs: Sequence[Any], gold: Any) -> Floats:
        """One row per output; see `columns`."""
        reference = Gold(_flat(gold, None), self._labels)
        if not reference.scored.words or not self.scores(len(reference.full)):
            return rows([[0.0] * len(self.columns)] * len(outputs), len(self.columns))
        found = [reference.compare(_flat(output, i), i) for i, output in enumerate(outputs)]
        return rows(found, len(self.columns))

    def scores(self, length: int) -> bool:
        """Whether sentences of this length are scored.

        Examples
        --------
        >>> [length for length in range(8) if Parseval(max_length=6, min_length=5).scores(length)]
        [5, 6]
        """
        return (self.min_length or 0) <= length <= (self.max_length or length)

    def length(self, gold: Any) -> int:
        """The words of a gold tree that are not empty elements."""
        return sum(tag != EMPTY for tag in tags_of(_flat(gold, None)))

    def figures(self, totals: Floats) -> dict[str, Floats]:
        """F1, recall, precision, exact match, crossing brackets, tag accuracy, sentences."""
        matched, gold, output, exact, crossing, none, two, words, tags, sentences = (
            totals[..., column] for column in range(len(self.columns))
        )
        return {
            "F1": 100 * ratio(2 * matched, gold + output),
            "LR": 100 * ratio(matched, gold),
            "LP": 100 * ratio(matched, output),
            "exact": 100 * ratio(exact, sentences),
            "CB": ratio(crossing, sentences),
            "0CB": 100 * ratio(none, sentences),
            "2CB": 100 * ratio(two, sentences),
            "tags": 100 * ratio(tags, words),
            "sentences": sentences,
        }

    def quality(self, statistics: Floats) -> Floats:
        """Collins and Koo's Score: F1/100 times the number of gold brackets."""
        matched, gold, output = (statistics[..., column] for column in range(3))
        return gold * ratio(2 * matched, gold + output)

    def signature(self) -> str:
        """Parameters and lengths: `parseval|prm:collins|len:<=40`, or `len:>5,<=40`."""
        low = [] if self.min_length is None else [f">{self.min_length - 1}"]
        high = [] if self.max_length is None else [f"<={self.max_length}"]
        return f"parseval|prm:{self.parameters}|len:{','.join(low + high) or 'all'}"


def _flat(tree: Any, output: int | None) -> Flat:
    if isinstance(tree, Tree):
        return tree.flat()
    if not isinstance(tree, str):
        raise MeasureError(f"expected a tree or its brackets, not {tree!r:.60}", output=output)
    try:
        return Tree.parse(tree).flat()
    except FormatError as error:
        raise MeasureError(f"not a bracketed tree ({error.message})", output=output) from None
