"""Tables of rules from trees to strings, and an index of the trees that they begin with."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import exp
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runoff import _native
from runoff.data.numbering import Numbers, offsets_of, sizes_of
from runoff.data.treebank.rules import Rule, RuleNode
from runoff.errors import ModelError
from runoff.store.arrays import take
from runoff.store.file import Arrays
from runoff.store.strings import StringTable

VARIABLE = 0x80000000
"""Tokens of targets from here on are variables."""

SCORES = (
    "target given source",
    "source given target",
    "target words given source",
    "source words given target",
    "rule given label",
)
"""The scores of a rule, natural logarithms."""

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class RuleTable:
    """Rules by the tree that they begin with, as arrays that a file may hold.

    Left-hand sides are leaves of a trie of decisions, from the root of the tree down, words last;
    see `source_tree.hpp`.

    Parameters
    ----------
    production_starts, production_symbols : symbols of a node and its children, sorted.
    keys, parents, first_children, first_rules : of the trie's nodes: the decision that leads to
        it, the node before, where its children and its rules begin.
    target_starts, targets : words and variables of the rules' targets.
    scores : of each rule, see `SCORES`.
    counts : how often each was seen.
    """

    production_starts: Numbers
    production_symbols: Numbers
    keys: Numbers
    parents: Numbers
    first_children: Numbers
    first_rules: Numbers
    target_starts: Numbers
    targets: Numbers
    scores: Floats
    counts: Numbers

    def __len__(self) -> int:
        return len(self.counts)

    @cached_property
    def native(self) -> _native.RuleTable:
        """The table as native code has it; the sizes of arrays are checked."""
        names = list(self.__dataclass_fields__)[:8]
        return _native.RuleTable([getattr(self, name) for name in names], self.scores.reshape(-1))

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The arrays of a model file."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}

    @classmethod
    def restored(cls, arrays: Arrays) -> RuleTable:
        """The table of arrays out of a file; they are not read before they are used."""
        numbers = {
            name: take(arrays, name, np.uint32) for name in list(cls.__dataclass_fields__)[:8]
        }
        counts = take(arrays, "counts", np.uint32)
        scores = take(arrays, "scores", np.float32, (len(counts), len(SCORES)), finite=False)
        table = cls(**numbers, scores=scores, counts=counts)
        if len(table.target_starts) != len(counts) + 1:
            raise ModelError("the array 'target_starts' must have an entry for each rule, and one")
        _ = table.native  # which checks the sizes
        return table

    def limited(self, most: int) -> RuleTable:
        """The table with at most this many rules of a tree, the most frequent."""
        sizes = sizes_of(self.first_rules)
        ranks = np.arange(len(self)) - np.repeat(self.first_rules[:-1].astype(np.int64), sizes)
        return self._kept(ranks < most, np.minimum(sizes, most))

    def _kept(self, mask: NDArray[np.bool_], sizes: NDArray[np.int64]) -> RuleTable:
        words = sizes_of(self.target_starts)
        return replace(
            self,
            first_rules=offsets_of(sizes).astype(np.uint32),
            target_starts=offsets_of(words[mask]).astype(np.uint32),
            targets=self.targets[np.repeat(mask, words)],
            scores=self.scores[mask],
            counts=self.counts[mask],
        )

    def owner(self, rule: int) -> int:
        """The node of the trie that a rule belongs to."""
        return int(np.searchsorted(self.first_rules, rule, "right")) - 1

    def tree_nodes(self, trie_node: int, symbols: StringTable) -> tuple[RuleNode, ...]:
        """The source tree of the rules of a node of the trie."""
        decisions: list[int] = []
        node = trie_node
        while node:
            decisions.append(int(self.keys[node]))
            parent = int(self.parents[node])
            if parent >= node:
                raise ModelError("the index of rules is not a tree")
            node = parent
        return _tree_of(decisions[::-1], self._production, symbols)

    def _production(self, number: int) -> list[int]:
        begin, end = self.production_starts[number : number + 2].tolist()
        found: list[int] = self.production_symbols[begin:end].tolist()
        return found

    def target(self, rule: int) -> list[int]:
        """The tokens of a rule's target."""
        begin, end = self.target_starts[rule : rule + 2].tolist()
        found: list[int] = self.targets[begin:end].tolist()
        return found

    def rule(self, number: int, symbols: StringTable, words: StringTable) -> Rule:
        """A rule as text has it."""
        target = [
            token - VARIABLE if token >= VARIABLE else words[token] for token in self.target(number)
        ]
        nodes = self.tree_nodes(self.owner(number), symbols)
        prob = exp(float(self.scores[number, -1]))
        return Rule(nodes, tuple(target), int(self.counts[number]), prob)

    def having(self, symbol: int | None, word: int | None) -> list[int]:
        """The numbers of the rules with a symbol of the source, or a word of the target.

        The most frequent come first.
        """
        found = np.zeros(len(self), bool)
        if symbol is not None:
            sizes = sizes_of(self.production_starts)
            owners = np.repeat(np.arange(len(sizes)), sizes)
            has = np.zeros(len(sizes) + 1, bool)
            has[1 + owners[self.production_symbols == symbol]] = True
            nodes = has[np.minimum(self.keys, len(sizes))]
            while True:  # once for each level of the trie, at most
                wider = nodes | nodes[self.parents]
                if (wider == nodes).all():
                    break
                nodes = wider
            found |= np.repeat(nodes, sizes_of(self.first_rules))
        if word is not None:
            sizes = sizes_of(self.target_starts)
            found[np.repeat(np.arange(len(self)), sizes)[self.targets == word]] = True
        numbers = np.flatnonzero(found)
        ordered: list[int] = numbers[np.argsort(-self.counts[numbers].astype(np.int64),
                                                kind="stable")].tolist()  # fmt: skip
        return ordered


def _tree_of(
    decisions: Sequence[int], production: Any, symbols: StringTable
) -> tuple[RuleNode, ...]:
    """The tree that was written down as decisions: the reverse of `write_decisions`."""
    texts: list[str] = []
    depths: list[int] = []
    children: list[list[int]] = []
    is_variable: set[int] = set()

    def add(symbol: int, depth: int) -> int:
        texts.append(symbols[symbol])
        depths.append(depth)
        children.append([])
        return len(texts) - 1

    pending: list[int] = []
    left: list[int] = []
    for place, decision in enumerate(decisions):
        if place == 0:
            node = add(production(decision - 1)[0], 0)
        else:
            if not pending and not left:
                raise ModelError("the index of rules has more decisions than nodes")
            first = bool(pending)
            node = (pending if first else left).pop()
            if decision == 0:
                if first:
                    left.append(node)
                else:
                    is_variable.add(node)
                continue
        children[node] = [add(one, depths[node] + 1) for one in production(decision - 1)[1:]]
        pending += [one for one in reversed(children[node]) if texts[one].startswith(" ")]
    nodes: list[RuleNode] = []
    todo, rank = [0], 0
    while todo:
        node = todo.pop()
        todo += reversed(children[node])
        text, kind = texts[node], -2
        if text.startswith(" "):
            text, kind = text[1:], -1
            if node in is_variable:
                kind, rank = rank, rank + 1
        nodes.append(RuleNode(text, depths[node], kind))
    return tuple(nodes)


def rules_of(table: RuleTable, symbols: StringTable, words: StringTable) -> Iterator[Rule]:
    """All rules of a table."""
    return (table.rule(number, symbols, words) for number in range(len(table)))
