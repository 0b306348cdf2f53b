"""Extraction of rules from parsed and aligned text, with counts and scores.

Galley et al. (2004) say which rules a parsed and aligned sentence pair has. The probability of a
rule is its share among those with the same root label (Huang, Knight & Joshi 2006, equation 8);
the other scores are those of blocks: both directions, smoothed, and lexical weights.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np

from runoff import _native
from runoff.data.bitext import Link
from runoff.data.numbering import Numbering, Numbers, offsets_of
from runoff.data.treebank.rules import Rule
from runoff.engine import ALONE, AnyEngine, Engine
from runoff.errors import check_at_least
from runoff.proposers.translation.alignment import Side
from runoff.proposers.translation.blocks import smoothed
from runoff.proposers.translation.trees.rules import VARIABLE, RuleTable
from runoff.proposers.translation.trees.source import ANY_LABEL, SourceTrees, label_symbol
from runoff.store.strings import UNKNOWN

LEAST_LEXICAL = -40.0
"""The lexical weight of rules that no text has."""


@dataclass(frozen=True, kw_only=True)
class Extraction:
    """Which rules a sentence pair has.

    Parameters
    ----------
    compose : number of minimal rules in a rule, at most.
    most : number of rules with the same root in a tree, at most; the smallest are kept.
    deletions : whether what has no links is a variable too, and written as nothing.
    """

    compose: int = 4
    most: int = 100
    deletions: bool = False

    def check(self) -> None:
        """Raise an error for options that make no sense."""
        check_at_least(1, compose=self.compose, most=self.most)


@dataclass(frozen=True)
class Extracted:
    """A table of rules, and how many each sentence pair had."""

    table: RuleTable
    per_pair: Numbers


def extract(
    source: SourceTrees,
    target: Side,
    links: Sequence[Sequence[Link]],
    how: Extraction | None = None,
    *,
    added: Iterable[Rule] = (),
    numberings: tuple[Numbering, Numbering] | None = None,
    engine: AnyEngine = ALONE,
) -> Extracted:
    """The scored rules of parsed and aligned text; the same on any number of threads.

    Time is linear in the words for minimal rules, memory in the number of different rules.

    Parameters
    ----------
    added : rules of other sources, with their counts.
    numberings : of symbols and of target words, for `added`, and for rules of words that are found
        with labels they were never seen with: those have the label `*`.
    """
    how = how or Extraction()
    how.check()
    counter = _native.RuleCounter()
    symbols = None if numberings is None else numberings[0]
    flat = np.array(list(chain.from_iterable(sorted(own) for own in links)), np.uint32)
    flat = flat.reshape(-1, 2)
    per_pair = counter.extract(
        source.offsets,
        source.symbols,
        source.depths,
        target.words,
        target.offsets,
        offsets_of([len(own) for own in links]),
        np.ascontiguousarray(flat[:, 0]),
        np.ascontiguousarray(flat[:, 1]),
        how.compose,
        how.most,
        how.deletions,
        UNKNOWN if symbols is None else symbols[label_symbol(ANY_LABEL)],
        threads=Engine.of(engine).threads,
    )
    if numberings is not None:
        for rule in added:
            _add(counter, rule, *numberings)
    return Extracted(_scored(counter), per_pair)


def _add(counter: Any, rule: Rule, symbols: Numbering, words: Numbering) -> None:
    """Count a rule; below a variable, native code wants a word."""
    texts: list[str] = []
    depths: list[int] = []
    variables: list[bool] = []
    for node in rule.nodes:
        texts.append(node.text if node.is_word else label_symbol(node.text))
        depths.append(node.depth)
        variables.append(node.variable >= 0)
        if node.variable >= 0:
            texts.append("")
            depths.append(node.depth + 1)
            variables.append(False)
    target = [
        VARIABLE + one if isinstance(one, int) else int(words.numbers([one])[0])
        for one in rule.target
    ]
    counter.add(
        symbols.numbers(texts),
        np.array(depths, np.uint16),
        np.array(variables, np.uint8),
        np.array(target, np.uint32),
        rule.count,
    )


def _scored(counter: Any) -> RuleTable:
    made = counter.sorted()
    arrays, sides, counts, lexical = made[:8], made[8].reshape(-1, 3), made[9], made[10]
    trees, targets, roots = (sides[:, k].astype(np.int64) for k in range(3))
    _, written = np.unique(targets * (int(roots.max(initial=0)) + 1) + roots, return_inverse=True)
    _, given = np.unique(trees, return_inverse=True)
    totals = np.bincount(roots, counts)
    shares = np.log(counts / totals[roots]) if len(counts) else np.zeros(0)
    scores = np.column_stack(
        [
            smoothed(counts, given, written),
            smoothed(counts, written, given),
            np.maximum(lexical.reshape(-1, 2), LEAST_LEXICAL),
            shares,
        ]
    ).astype(np.float32)
    names = list(RuleTable.__dataclass_fields__)[:8]
    return RuleTable(**dict(zip(names, arrays, strict=True)), scores=scores, counts=counts)
