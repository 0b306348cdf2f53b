"""Translations of parsed sentences by rules from trees to strings."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from runoff import _native
from runoff.data.numbering import Numbers, offsets_of
from runoff.errors import UsageError, check_at_least, unknown_choice
from runoff.ngrams.model import NgramModel
from runoff.proposers.translation.decoder import (
    Derivation,
    Floats,
    Found,
    Lists,
    WritesTarget,
    summed,
)
from runoff.proposers.translation.features import (
    COPIED_WORDS,
    PARSE,
    RAW,
    RULE,
)
from runoff.proposers.translation.trees.derivations import merged, spans_of, steps_of
from runoff.proposers.translation.trees.rules import RuleTable
from runoff.proposers.translation.trees.source import (
    ANY_LABEL,
    Parses,
    SourceTrees,
    known_symbols,
    label_symbol,
    source_trees,
)
from runoff.store.file import checking
from runoff.store.strings import UNKNOWN, StringTable

MODES = ("cube", "rescore", "direct")

COPIED = 0x40000000
"""Numbers of words from here on are places of source words that are copied."""

DIRECT = np.zeros(RAW)
"""Weights of the direct model (Huang, Knight & Joshi 2006, equations 6 to 8). A step without a rule
is as improbable as that of a rule that was seen once in 20,000."""
DIRECT[[RULE, COPIED_WORDS]] = 1.0, -10.0


@dataclass(frozen=True, kw_only=True)
class TreeSearch:
    """How translations of trees are searched for.

    Parameters
    ----------
    search : `direct` takes the derivation whose rules are most probable; `rescore` weighs the k
        best strings with the language model; `cube` has the language model in the search.
    k : strings that are rescored.
    pops : combinations of partial translations that are tried for each node.
    parses : trees of a sentence that are translated.
    budget : seconds for a sentence, of which each tree has its share; then the search ends
        greedily.

    Examples
    --------
    >>> TreeSearch.exact().pops > 10**9
    True
    """

    search: str = "cube"
    k: int = 1000
    pops: int = 100
    parses: int = 1
    budget: float = math.inf

    @classmethod
    def exact(cls) -> TreeSearch:
        """A search with the language model in it, without pruning."""
        return cls(pops=2**40)

    def check(self) -> None:
        """Raise an error for options that make no sense."""
        if self.search not in MODES:
            raise unknown_choice("search", self.search, MODES)
        check_at_least(1, k=self.k, pops=self.pops, parses=self.parses)
        if self.budget < 0:
            raise UsageError("budgets are not negative")

    @property
    def native(self) -> dict[str, Any]:
        """The options as native code takes them."""
        given = asdict(self)
        share = self.budget / given.pop("parses")
        return {"mode": given.pop("search"), **given, "budget": share}


class _Made(NamedTuple):
    """What native code gives for trees, end to end."""

    lists: list[int]
    scores: list[float]
    steps: list[int]
    rules: list[list[int]]
    features: Floats
    word_ends: list[int]
    words: list[int]
    effort: list[list[int]]


@dataclass(frozen=True)
class TreeDecoder(WritesTarget):
    """A table of rules and a language model, which translate trees with given weights.

    Parameters
    ----------
    symbols : labels, each after a space, and words of the source.
    target : words of the target.
    cased : whether source words keep their case.
    """

    symbols: StringTable
    target: StringTable
    table: RuleTable
    lm: NgramModel
    cased: bool = False

    def trees(self, sentences: Sequence[Parses]) -> SourceTrees:
        """The parses of sentences as arrays."""
        texts = [parse.tree for parses in sentences for parse in parses]
        return source_trees(texts, known_symbols(self.symbols), cased=self.cased)

    def translate(
        self,
        sentences: Sequence[Parses],
        weights: Floats,
        search: TreeSearch | None = None,
        *,
        n: int = 1,
        distinct: bool = True,
        threads: int = 1,
    ) -> list[Found]:
        """The n best translations of sentences, from any of their parses.

        Parameters
        ----------
        weights : of raw features; see `FeatureSet.raw_weights`.
        distinct : whether translations differ in their words, not only in their rules.
        """
        search = search or TreeSearch()
        chosen = [parses[: search.parses] for parses in sentences]
        trees = self.trees(chosen)
        made = self._native(trees, weights, search, n, distinct, threads)
        per_tree = [
            self._found(made, trees, number, first, last)
            for number, (first, last) in enumerate(pairwise(made.lists))
        ]
        ends = offsets_of([len(own) for own in chosen]).tolist()
        bounds = zip(chosen, pairwise(ends), strict=True)
        return [
            merged(per_tree[first:last], parses, weights, n, distinct)
            for parses, (first, last) in bounds
        ]

    def lists(
        self,
        sentences: Sequence[Parses],
        weights: Floats,
        search: TreeSearch | None = None,
        *,
        n: int = 1,
        threads: int = 1,
    ) -> Lists:
        """The n best translations of sentences without their rules, for tuning."""
        search = search or TreeSearch()
        chosen = [parses[: search.parses] for parses in sentences]
        trees = self.trees(chosen)
        made = self._native(trees, weights, search, n, True, threads)
        values, lists = summed(made.features, np.array(made.steps)), np.array(made.lists)
        logprobs = np.array([parse.logprob for parses in chosen for parse in parses])
        values[:, PARSE] = np.repeat(logprobs, np.diff(lists))
        words = [
            self._text(made, trees.words[tree], d)
            for tree, (first, last) in enumerate(pairwise(made.lists))
            for d in range(first, last)
        ]
        ends = lists[offsets_of([len(own) for own in chosen])]
        scores = values @ weights
        kept: list[int] = []
        counts: list[int] = []
        for first, last in pairwise(ends.tolist()):
            best: dict[tuple[str, ...], int] = {}
            for d in sorted(range(first, last), key=lambda d: -scores[d]):
                best.setdefault(tuple(words[d]), d)
            own = list(best.values())[:n]
            kept += own
            counts.append(len(own))
        return Lists(offsets_of(counts), values[kept], [words[d] for d in kept])

    def _text(self, made: _Made, source: Sequence[str], derivation: int) -> list[str]:
        """The words of a translation of a sentence."""
        known = self.target_words
        numbers = made.words[made.word_ends[derivation] : made.word_ends[derivation + 1]]
        return [source[i - COPIED] if i >= COPIED else known[i] for i in numbers]

    def _native(
        self,
        trees: SourceTrees,
        weights: Floats,
        search: TreeSearch,
        n: int,
        distinct: bool,
        threads: int,
    ) -> _Made:
        search.check()
        check_at_least(1, n=n)
        with checking():
            made = _native.translate_trees(
                self.table.native,
                self.lm.native,
                self.lm_words,
                weights.tolist(),
                self.symbols.numbered.get(label_symbol(ANY_LABEL), UNKNOWN),
                trees.offsets,
                trees.symbols,
                trees.depths,
                self._copies(trees),
                trees.word_offsets,
                **search.native,
                n=n,
                distinct=distinct,
                threads=threads,
            )
        lists, scores, steps, rules, features, ends, words, effort = made
        return _Made(lists.tolist(), scores.tolist(), steps.tolist(), rules.reshape(-1, 3).tolist(),
                     features.reshape(-1, RAW), ends.tolist(), words.tolist(),
                     effort.astype(int).reshape(-1, 2).tolist())  # fmt: skip

    def _copies(self, trees: SourceTrees) -> Numbers:
        """Every word as it is copied: a word of the target, or the place of the first like it."""
        numbers = self.target.numbers([word for own in trees.words for word in own])
        places = [
            COPIED + own.index(word) if number == UNKNOWN else number
            for (own, word), number in zip(
                ((own, word) for own in trees.words for word in own), numbers.tolist(), strict=True
            )
        ]
        return np.array(places, np.uint32)

    def _found(self, made: _Made, trees: SourceTrees, tree: int, first: int, last: int) -> Found:
        own, spans = trees.words[tree], spans_of(trees, tree)
        derivations = []
        for d in range(first, last):
            part = slice(made.steps[d], made.steps[d + 1])
            steps = steps_of(made.rules[part], made.features[part], spans, self.table)
            words = self._text(made, own, d)
            derivations.append(Derivation(-made.scores[d], words, steps))
        return Found(derivations, *made.effort[tree])
