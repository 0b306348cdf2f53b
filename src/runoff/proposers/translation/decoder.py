"""Translations of sentences, block by block: both beam searches of Tillmann (2006)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from runoff import _native
from runoff.data.numbering import Numbering, Numbers
from runoff.errors import UsageError, check_at_least, unknown_choice
from runoff.ngrams.model import NgramModel
from runoff.proposers.translation.blocks import BlockTable
from runoff.proposers.translation.features import RAW
from runoff.store.file import checking
from runoff.store.strings import UNKNOWN, StringTable

Floats = NDArray[np.float64]

SEARCHES = ("multi-beam", "single-beam")

COPIED = 0x80000000
"""Numbers of words from here on are places of source words that are copied."""


@dataclass(frozen=True, kw_only=True)
class Search:
    """How translations are searched for.

    Parameters
    ----------
    beam : `multi-beam` has a list of states for each number of covered words; `single-beam`
        covers a block's words one at a time, its cost spread over them.
    skip : holes at most in what is covered.
    window : how far after the first hole words may be covered.
    coverage, cardinality : states whose cost is this much above the best with the same words, or
        the same number of words, covered are pruned.
    compare_open : whether `coverage` also compares the single beam's states within a block, by the
        part of its cost, as in Tillmann (2006, section 5), or only those that are complete.
    histogram : states of a list at most.
    completion : compare states by their cost and an estimate of what is to come.
    limit : blocks of an interval at most.
    budget : seconds for a sentence; then the search ends greedily.

    Examples
    --------
    >>> Search.exact().histogram > 10**9
    True
    """

    beam: str = "multi-beam"
    skip: int = 3
    window: int = 6
    coverage: float = math.inf
    cardinality: float = math.inf
    compare_open: bool = True
    histogram: int = 50
    completion: bool = True
    limit: int = 20
    budget: float = math.inf

    @classmethod
    def exact(cls, **options: Any) -> Search:
        """A search without pruning, which finds the best translation."""
        return cls(**{"skip": 40, "window": 40, "histogram": 2**40, "limit": 2**40} | options)

    def check(self) -> None:
        """Raise an error for options that make no sense."""
        if self.beam not in SEARCHES:
            raise unknown_choice("search", self.beam, SEARCHES)
        check_at_least(0, skip=self.skip, window=self.window)
        check_at_least(1, histogram=self.histogram, limit=self.limit)
        if self.window > 40:
            raise UsageError(f"the window has at most 40 words, not {self.window}")
        if min(self.coverage, self.cardinality, self.budget) < 0:
            raise UsageError("thresholds and budgets are not negative")

    @property
    def native(self) -> dict[str, Any]:
        """The options as native code takes them."""
        given = asdict(self)
        return {"single_beam": given.pop("beam") == "single-beam", **given}


class Step(NamedTuple):
    """A block of a translation: source words, the number of the block, target words, features.

    The number is -1 where a word was copied. Translations by trees have rules in place of blocks:
    words are those below the node of the tree, and the steps of its variables follow.
    """

    source: range
    block: int
    target: range
    features: Floats
    node: int = -1
    variables: int = 0


class Derivation(NamedTuple):
    """A translation: its cost, its words, and the blocks that it was made of, in their order.

    Translations by trees have the number of the parse that was rewritten.
    """

    cost: float
    words: list[str]
    steps: list[Step]
    parse: int = 0

    @property
    def features(self) -> Floats:
        """Raw features of the whole translation."""
        total = np.zeros(RAW)
        for step in self.steps:
            total += step.features
        return total


class Found(NamedTuple):
    """The translations of a sentence, best first, and how many states and edges were visited."""

    derivations: list[Derivation]
    states: int
    edges: int


class Lists(NamedTuple):
    """The translations of sentences end to end: offsets of lists, raw features, words."""

    offsets: NDArray[np.int64]
    features: Floats
    words: list[list[str]]

    @property
    def bounds(self) -> list[tuple[int, int]]:
        """Where the translations of each sentence begin and end."""
        return list(pairwise(self.offsets.tolist()))


class WritesTarget:
    """A decoder's words of the target and its language model."""

    target: StringTable
    lm: NgramModel

    @cached_property
    def lm_words(self) -> Numbers:
        """The number that each target word has in the language model."""
        numbers = self.lm.vocabulary.numbers(self.target.strings())
        numbers[numbers == UNKNOWN] = 0
        return numbers

    @cached_property
    def target_words(self) -> list[str]:
        """The words of the target by their numbers."""
        return self.target.strings()


@dataclass(frozen=True)
class Decoder(WritesTarget):
    """A table of blocks and a language model, which translate with given weights."""

    source: StringTable
    target: StringTable
    table: BlockTable
    lm: NgramModel

    def translate(
        self,
        sentences: Sequence[Sequence[str]],
        weights: Floats,
        search: Search | None = None,
        *,
        n: int = 1,
        distinct: bool = True,
        targets: Sequence[Sequence[str]] | None = None,
        threads: int = 1,
    ) -> list[Found]:
        """The n best translations of sentences.

        Parameters
        ----------
        weights : of raw features; see `FeatureSet.raw_weights`.
        distinct : whether translations differ in their words, not only in their blocks.
        targets : translations that are to be made, each by the best blocks that give it; there
            may be none that do.
        """
        made = self._native(sentences, weights, search, n, distinct, targets, threads)
        lists, costs, steps, blocks, features, _, _, effort = made
        rows, values = blocks.reshape(-1, 4).tolist(), features.reshape(-1, RAW)
        words, bounds, found = self._words(made, sentences), list(pairwise(steps.tolist())), []
        for s, (first, last) in enumerate(pairwise(lists.tolist())):
            derivations = []
            for d in range(first, last):
                own = slice(*bounds[d])
                parts = _steps(rows[own], values[own])
                derivations.append(Derivation(float(costs[d]), words[d], parts))
            states, edges = effort[2 * s : 2 * s + 2].astype(int).tolist()
            found.append(Found(derivations, states, edges))
        return found

    def lists(
        self,
        sentences: Sequence[Sequence[str]],
        weights: Floats,
        search: Search | None = None,
        *,
        n: int = 1,
        threads: int = 1,
    ) -> Lists:
        """The n best translations of sentences without their blocks, for tuning."""
        made = self._native(sentences, weights, search, n, True, None, threads)
        lists, _, steps, _, features = made[:5]
        return Lists(lists, summed(features, steps), self._words(made, sentences))

    def _native(
        self,
        sentences: Sequence[Sequence[str]],
        weights: Floats,
        search: Search | None,
        n: int,
        distinct: bool,
        targets: Sequence[Sequence[str]] | None,
        threads: int,
    ) -> Any:
        search = search or Search()
        search.check()
        check_at_least(1, n=n)
        words, offsets = _flat(sentences, self.source)
        goals, goal_offsets = (None, None) if targets is None else _flat(targets, self.target)
        with checking():
            return _native.translate(
                self.table.native,
                self.lm.native,
                self.lm_words,
                weights.tolist(),
                words,
                offsets,
                goals,
                goal_offsets,
                **search.native,
                n=n,
                distinct=distinct,
                threads=threads,
            )

    def _words(self, made: Any, sentences: Sequence[Sequence[str]]) -> list[list[str]]:
        """The words of every translation."""
        lists, words, numbers = made[0].tolist(), made[5].tolist(), made[6].tolist()
        return [
            [self._word(number, sentences[s]) for number in numbers[words[d] : words[d + 1]]]
            for s, (first, last) in enumerate(pairwise(lists))
            for d in range(first, last)
        ]

    def _word(self, number: int, sentence: Sequence[str]) -> str:
        return sentence[number - COPIED] if number >= COPIED else self.target_words[number]


def summed(features: Floats, steps: NDArray[np.int64]) -> Floats:
    """Raw features of derivations, from those of their steps and where the steps of each begin."""
    values = np.zeros((len(steps) - 1, RAW))
    filled = np.diff(steps) > 0
    if filled.any():
        values[filled] = np.add.reduceat(features.reshape(-1, RAW), steps[:-1][filled])
    return values


def _steps(rows: list[list[int]], features: Floats) -> list[Step]:
    steps, place = [], 0
    for (begin, end, block, size), own in zip(rows, features, strict=True):
        steps.append(Step(range(begin, end + 1), block, range(place, place + size), own))
        place += size
    return steps


def _flat(
    sentences: Sequence[Sequence[str]], vocabulary: StringTable
) -> tuple[Numbers, NDArray[np.int64]]:
    """Words as numbers; those that are not in the vocabulary have numbers after it."""
    offsets = np.cumsum([0, *map(len, sentences)], dtype=np.int64)
    words = [word for one in sentences for word in one]
    numbers = vocabulary.numbers(words)
    unknown = np.flatnonzero(numbers == UNKNOWN)
    numbers[unknown] = len(vocabulary) + Numbering().numbers([words[i] for i in unknown])
    return numbers, offsets
