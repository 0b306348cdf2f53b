"""The brackets of a tree that EVALB scores, and how those of an output compare with gold's.

Every tree is cut down to what is scored. Words under a deleted tag go, and brackets that are left
without words; labels lose what follows `-` or `=`; brackets of a deleted label go, their children
stay. Brackets then match by label and span, each at most once.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import accumulate, compress
from operator import eq
from typing import NamedTuple, TypeAlias

from runoff.data.flat_tree import Flat
from runoff.metrics.base import MeasureError

Bracket: TypeAlias = tuple[str, int, int]

EMPTY = "-NONE-"
PUNCTUATION = [",", ":", "``", "''", "."]


class Rules(NamedTuple):
    """The rules of scoring: what is ignored, and which labels count as equal."""

    delete_tags: frozenset[str]
    delete_labels: frozenset[str]
    equal_labels: dict[str, str]


RULES = {
    "collins": Rules(
        frozenset([EMPTY, "TOP", *PUNCTUATION]),
        frozenset(["", "TOP", *PUNCTUATION]),
        {"PRT": "ADVP"},
    ),
    "plain": Rules(frozenset([EMPTY]), frozenset(["", "TOP", "ROOT"]), {}),
}
"""`collins` is COLLINS.prm, and ignores the unlabelled outer bracket of Penn files as well, which
EVALB's own format does not have."""


class Labels(dict[str, "str | None"]):
    """Label of a tree -> label that is compared, or None where its brackets are deleted.

    Examples
    --------
    >>> labels = Labels(RULES["collins"])
    >>> labels["NP-SBJ-1"], labels["PRT"], labels["TOP"]
    ('NP', 'ADVP', None)
    """

    def __init__(self, rules: Rules) -> None:
        super().__init__()
        self.rules = rules

    def __missing__(self, label: str) -> str | None:
        name = re.split("[-=]", label, maxsplit=1)[0]
        deleted = name in self.rules.delete_labels
        self[label] = None if deleted else self.rules.equal_labels.get(name, name)
        return self[label]


class Scored(NamedTuple):
    """The part of a tree that is scored."""

    words: list[str]
    tags: list[str]
    brackets: list[Bracket]


def tags_of(flat: Flat) -> list[str]:
    """The tag of every word; a word directly below a phrase has none."""
    tags = [""] * len(flat.words)
    columns = zip(flat.labels, flat.ends, flat.starts, flat.stops, strict=True)
    for node, (label, end, start, stop) in enumerate(columns, 1):
        if end == node and stop == start + 1:
            tags[start] = label
    return tags


def scored(flat: Flat, tags: list[str], keep: list[bool], labels: Labels) -> Scored:
    """The tree without the words that are not kept; spans count the words that are."""
    place = list(accumulate(keep, initial=0))
    columns = zip(flat.labels, flat.ends, flat.starts, flat.stops, strict=True)
    brackets = [
        (name, first, last)
        for node, (label, end, start, stop) in enumerate(columns, 1)
        if (end != node or stop != start + 1)
        and (first := place[start]) < (last := place[stop])
        and (name := labels[label]) is not None
    ]
    equal = labels.rules.equal_labels  # EVALB holds tags and labels equal by one list
    kept_tags = [equal.get(tag, tag) for tag in compress(tags, keep)]
    return Scored(list(compress(flat.words, keep)), kept_tags, brackets)


class Gold:
    """A gold tree prepared for comparison with its candidates, with a cache of spans.

    Candidates of one list share most of their spans, so whether a span crosses gold is worked out
    once.
    """

    def __init__(self, flat: Flat, labels: Labels) -> None:
        tags = tags_of(flat)
        keep = [tag not in labels.rules.delete_tags for tag in tags]
        real = [tag != EMPTY for tag in tags]
        self.labels = labels
        self.full = list(compress(flat.words, real))
        self.full_keep = list(compress(keep, real))
        self.scored = scored(flat, tags, keep, labels)
        self.counts = Counter(self.scored.brackets)
        self.spans = {bracket[1:] for bracket in self.scored.brackets}
        self.crosses: dict[tuple[int, int], bool] = dict.fromkeys(self.spans, False)

    def compare(self, flat: Flat, output: int) -> list[float]:
        """The statistics of an output, in the order of `Parseval.columns`."""
        tags = tags_of(flat)
        real = [tag != EMPTY for tag in tags]
        words = list(compress(flat.words, real))
        found = scored(flat, tags, self._keep(words, tags, real), self.labels)
        if found.words != self.scored.words:
            raise MeasureError(difference(words, self.full), output=output)
        matched = self._matched(found.brackets)
        crossing = sum([self._crosses(bracket[1:]) for bracket in found.brackets])
        return [
            matched,
            len(self.scored.brackets),
            len(found.brackets),
            matched == len(found.brackets) == len(self.scored.brackets),
            crossing,
            crossing == 0,
            crossing <= 2,
            len(found.words),
            sum(map(eq, found.tags, self.scored.tags)),
            1,
        ]

    def by_label(self, flat: Flat) -> dict[str, list[int]]:
        """For each label, its brackets that match, those of gold, and those of the output."""
        tags = tags_of(flat)
        real = [tag != EMPTY for tag in tags]
        keep = self._keep(list(compress(flat.words, real)), tags, real)
        found = Counter(scored(flat, tags, keep, self.labels).brackets)
        counts: dict[str, list[int]] = {}
        for column, part in enumerate((found & self.counts, self.counts, found)):
            for (label, _, _), n in part.items():
                counts.setdefault(label, [0, 0, 0])[column] += n
        return counts

    def _keep(self, words: list[str], tags: list[str], real: list[bool]) -> list[bool]:
        """Which words of an output are scored: gold's tags decide where gold has its words."""
        if words != self.full:
            return [tag not in self.labels.rules.delete_tags for tag in tags]
        if len(words) == len(tags):
            return self.full_keep
        by_gold = iter(self.full_keep)
        return [word and next(by_gold) for word in real]

    def _matched(self, brackets: list[Bracket]) -> int:
        """Brackets that find a partner in gold, each partner taken once."""
        hits = [bracket for bracket in brackets if bracket in self.counts]
        if len(set(hits)) == len(hits):
            return len(hits)
        return (Counter(hits) & self.counts).total()

    def _crosses(self, span: tuple[int, int]) -> bool:
        """Whether a span overlaps a gold bracket with neither inside the other."""
        known = self.crosses.get(span)
        if known is None:
            start, end = span
            known = any(s < start < e < end or start < s < end < e for s, e in self.spans)
            self.crosses[span] = known
        return known


def difference(words: list[str], gold: list[str]) -> str:
    """How two yields differ.

    Examples
    --------
    >>> difference(["we", "vote"], ["we", "voted"])
    "word 2 is 'vote', gold has 'voted'"
    """
    if len(words) != len(gold):
        return f"has {len(words)} words, gold has {len(gold)}"
    place = next(i for i, (a, b) in enumerate(zip(words, gold, strict=True)) if a != b)
    return f"word {place + 1} is {words[place]!r}, gold has {gold[place]!r}"
