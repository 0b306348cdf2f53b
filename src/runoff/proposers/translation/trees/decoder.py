"""Translations of parsed sentences by rules from trees to strings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from itertools import chain, pairwise
from typing import Any, NamedTuple

import numpy as np

from runoff import _native
from runoff.data.numbering import Numbers, offsets_of
from runoff.errors import check_at_least, unknown_choice
from runoff.ngrams.model import NgramModel
from runoff.proposers.translation.decoder import Derivation, Floats, Found, Lists, Step
from runoff.proposers.translation.features import PARSE, RAW, RULE
from runoff.proposers.translation.trees.rules import RuleTable
from runoff.proposers.translation.trees.source import (
    Parse,
    SourceTrees,
    known_symbols,
    source_trees,
)
from runoff.store.file import checking
from runoff.store.strings import UNKNOWN, StringTable

MODES = ("cube", "rescore", "direct")

COPIED = 0x40000000
"""Numbers of words from here on are places of source words that are copied."""

DIRECT = np.zeros(RAW)
"""Weights of the direct model (Huang, Knight & Joshi 2006, equations 6 to 8)."""
DIRECT[RULE] = 1.0

Parses = Sequence[Parse]
"""The parses of a sentence, the best first."""


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

    Examples
    --------
    >>> TreeSearch.exact().pops > 10**9
    True
    """

    search: str = "cube"
    k: int = 1000
    pops: int = 100
    parses: int = 1

    @classmethod
    def exact(cls) -> TreeSearch:
        """A search with the language model in it, without pruning."""
        return cls(pops=2**40)

    def check(self) -> None:
        """Raise an error for options that make no sense."""
        if self.search not in MODES:
            raise unknown_choice("search", self.search, MODES)
        check_at_least(1, k=self.k, pops=self.pops, parses=self.parses)

    @property
    def native(self) -> dict[str, Any]:
        """The options as native code takes them."""
        given = asdict(self)
        return {"mode": given["search"], "k": given["k"], "pops": given["pops"]}


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
class TreeDecoder:
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

    @cached_property
    def lm_words(self) -> Numbers:
        """The number that each target word has in the language model."""
        numbers = self.lm.vocabulary.numbers(self.target.strings())
        numbers[numbers == UNKNOWN] = 0
        return numbers

    @cached_property
    def _target_words(self) -> list[str]:
        return self.target.strings()

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
            _merged(per_tree[first:last], parses, weights, n, distinct)
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
        found = self.translate(sentences, weights, search, n=n, threads=threads)
        derivations = [one for own in found for one in own.derivations]
        return Lists(
            offsets_of([len(own.derivations) for own in found]),
            np.array([one.features for one in derivations]).reshape(-1, RAW),
            [one.words for one in derivations],
        )

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
        own, spans = trees.words[tree], _spans(trees, tree)
        derivations = []
        for d in range(first, last):
            numbers = made.words[made.word_ends[d] : made.word_ends[d + 1]]
            words = [own[i - COPIED] if i >= COPIED else self._target_words[i] for i in numbers]
            part = slice(made.steps[d], made.steps[d + 1])
            steps = self._steps(made.rules[part], made.features[part], spans)
            derivations.append(Derivation(-made.scores[d], words, steps))
        return Found(derivations, *made.effort[tree])

    def _steps(self, rows: list[list[int]], features: Floats, spans: list[range]) -> list[Step]:
        """The steps of a derivation, heads before tails, each with the words that it writes."""
        ends, sizes = [0] * len(rows), [0] * len(rows)
        below: list[list[int]] = [[] for _ in rows]
        for i in range(len(rows) - 1, -1, -1):
            _, rule, variables = rows[i]
            end = i + 1
            for _ in range(variables):
                below[i].append(end)
                end = ends[end]
            ends[i] = end
            sizes[i] = sum(sizes[one] for one in below[i]) + self._own_words(rule, spans, rows[i])
        starts = [0] * len(rows)
        for i, (_, rule, variables) in enumerate(rows):
            place = starts[i]
            for token in self._tokens(rule, spans, rows[i], below[i], rows):
                if token < 0:
                    starts[below[i][-1 - token]] = place
                    place += sizes[below[i][-1 - token]]
                else:
                    place += 1
        return [
            Step(spans[node], rule, range(starts[i], starts[i] + sizes[i]), features[i], node,
                 variables)
            for i, (node, rule, variables) in enumerate(rows)
        ]  # fmt: skip

    def _own_words(self, rule: int, spans: list[range], row: list[int]) -> int:
        """How many words a step writes itself."""
        if rule >= 0:
            first, last = self.table.target_starts[rule : rule + 2].tolist()
            return int(last - first) - row[2]
        return len(spans[row[0]]) if row[2] == 0 else 0

    def _tokens(
        self, rule: int, spans: list[range], row: list[int], below: list[int], rows: list[list[int]]
    ) -> list[int]:
        """What a step writes, from the left: 0 for a word, -1, -2, ... for its variables."""
        if rule >= 0:
            return [
                0 if token < 1 << 31 else -1 - (token - (1 << 31))
                for token in self.table.target(rule)
            ]
        return [-1 - i for i in range(len(below))] or [0] * len(spans[row[0]])

    def direct_weights(self, copying: float, keeping: float) -> Floats:
        """The weights of the direct model, with what steps without a rule cost."""
        weights = DIRECT.copy()
        weights[[6, 9]] = copying, keeping
        return weights


def _spans(trees: SourceTrees, tree: int) -> list[range]:
    """The words below every node of a tree."""
    first, last = trees.offsets[tree : tree + 2].tolist()
    depths = trees.depths[first:last].tolist()
    starts, ends, open_nodes, word = [0] * len(depths), [0] * len(depths), list[int](), 0
    for node, depth in enumerate(depths):
        while len(open_nodes) > depth:
            ends[open_nodes.pop()] = word
        starts[node] = word
        open_nodes.append(node)
        if node + 1 == len(depths) or depths[node + 1] <= depth:
            word += 1
    for node in open_nodes:
        ends[node] = word
    return [range(start, end) for start, end in zip(starts, ends, strict=True)]


def _merged(
    found: Sequence[Found], parses: Parses, weights: Floats, n: int, distinct: bool
) -> Found:
    """The translations of all parses of a sentence, the best of equal words."""
    made: list[Derivation] = []
    for number, (own, parse) in enumerate(zip(found, parses, strict=True)):
        for one in own.derivations:
            steps = one.steps
            if steps:
                features = steps[0].features.copy()
                features[PARSE] = parse.logprob
                steps = [steps[0]._replace(features=features), *steps[1:]]
            cost = one.cost - float(weights[PARSE]) * parse.logprob
            made.append(Derivation(cost, one.words, steps, number))
    made.sort(key=lambda one: one.cost)
    if distinct and len(found) > 1:
        best: dict[tuple[str, ...], Derivation] = {}
        for one in made:
            best.setdefault(tuple(one.words), one)
        made = list(best.values())
    states, edges = (sum(one[k] for one in found) for k in (1, 2))  # type: ignore[misc]
    return Found(made[:n], states, edges)
