"""What a hidden Markov model of names counts: events behind histories, and the trie of those.

Symbols are numbers: tokens, then the end of a stretch, the beginning of one, and classes; the class
after the last stands for what lies outside of sentences. `cpp/runoff/sequence/hmm.hpp` says the
same to native code.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64]

NONE = -1
"""In a history: there is nothing more."""


class Symbols(NamedTuple):
    """The numbers of symbols, given those of tokens and of classes."""

    tokens: int
    classes: int

    @property
    def end(self) -> int:
        """The end of a stretch, which comes where another token might."""
        return self.tokens

    @property
    def begin(self) -> int:
        """What comes before the first token of a stretch."""
        return self.tokens + 1

    def classes_of(self, numbers: Numbers) -> Numbers:
        """The symbols of classes."""
        return numbers + self.tokens + 2


class Events(NamedTuple):
    """Symbols and the histories that they came behind.

    Parameters
    ----------
    roots : the class of a token or of an end; `symbols.classes` for a class.
    symbols : what came.
    histories : what came before, the nearest first, one row each; NONE fills up short ones.
    """

    roots: Numbers
    symbols: Numbers
    histories: Numbers

    @classmethod
    def joined(cls, parts: list[Events]) -> Self:
        """All events of several."""
        width = max(part.histories.shape[1] for part in parts)
        wide = [
            np.pad(
                part.histories,
                ((0, 0), (0, width - part.histories.shape[1])),
                constant_values=NONE,
            )
            for part in parts
        ]
        roots, symbols = (np.concatenate([part[i] for part in parts]) for i in (0, 1))
        return cls(roots, symbols, np.concatenate(wide))

    def where(self, chosen: NDArray[np.bool_]) -> Events:
        """Some of the events."""
        return Events(self.roots[chosen], self.symbols[chosen], self.histories[chosen])

    def with_any(self, symbols: NDArray[np.bool_]) -> Events:
        """The events in which one of some symbols occurs."""
        marked = np.append(symbols, False)  # for NONE
        return self.where(marked[self.symbols] | marked[self.histories].any(axis=1))


class Stretches(NamedTuple):
    """Sentences of tokens as stretches of a class.

    Parameters
    ----------
    tokens : those of all sentences.
    classes : of each token.
    first : whether a token begins a stretch.
    starts : whether a token begins a sentence.
    """

    tokens: Numbers
    classes: Numbers
    first: NDArray[np.bool_]
    starts: NDArray[np.bool_]

    def events(self, symbols: Symbols, order: int) -> Events:
        """Every token, end and class, with histories of `order` tokens.

        References
        ----------
        Bikel, Miller, Schwartz and Weischedel (1997), "Nymble", section 3.2.
        """
        place = np.arange(len(self.tokens))
        inside = place - np.maximum.accumulate(np.where(self.first, place, 0))
        before = np.where(self.starts, symbols.classes, np.roll(self.classes, 1))
        begins, follows, ends = map(
            np.flatnonzero, (self.first, ~self.first, self._last(self.first))
        )
        entry = [np.full(len(begins), symbols.begin), symbols.classes_of(before[begins])]
        following = self._tokens(follows - 1, inside[follows], order, symbols.begin)
        ending = self._tokens(ends, inside[ends] + 1, order, symbols.begin)
        return Events.joined(
            [
                Events(self.classes[begins], self.tokens[begins], np.stack(entry, axis=1)),
                Events(self.classes[follows], self.tokens[follows], following),
                Events(self.classes[ends], np.full(len(ends), symbols.end), ending),
                self._changes(symbols, order, ends),
            ]
        )

    def _changes(self, symbols: Symbols, order: int, ends: Numbers) -> Events:
        """The class of each stretch, and the end of each sentence, behind the class before."""
        place = np.arange(len(self.tokens))
        sizes = place - np.maximum.accumulate(np.where(self.starts, place, 0)) + 1
        starts = np.flatnonzero(self.starts)
        final = self._last(self.starts)[ends]
        after = np.where(final, symbols.classes, np.roll(self.classes, -1)[ends])
        left = symbols.classes_of(self.classes[ends])[:, None]
        behind = np.concatenate([left, self._tokens(ends, sizes[ends], order, NONE)], axis=1)
        start = symbols.classes_of(np.full((len(starts), 1), symbols.classes))
        root = np.full(len(ends) + len(starts), symbols.classes)
        return Events.joined(
            [
                Events(root[: len(ends)], symbols.classes_of(after), behind),
                Events(root[len(ends) :], symbols.classes_of(self.classes[starts]), start),
            ]
        )

    def _last(self, first: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Which tokens are the last of parts, given which are the first."""
        return np.append(first[1:], True)

    def _tokens(self, last: Numbers, size: Numbers, order: int, before: int) -> Numbers:
        """The histories that end at some tokens: `size` tokens and what is before, in `order`."""
        back = np.arange(order)
        found = self.tokens[np.maximum(last[:, None] - back, 0)]
        rest = np.where(back == size[:, None], before, NONE)
        return np.where(back < size[:, None], found, rest)


class Counts(NamedTuple):
    """Histories as a trie, and how often symbols came behind them; all are arrays of uint32.

    Node `roots + i` is the history of `parents[i]` with `symbols[i]` before it.
    """

    parents: NDArray[np.uint32]
    symbols: NDArray[np.uint32]
    event_nodes: NDArray[np.uint32]
    event_symbols: NDArray[np.uint32]
    event_counts: NDArray[np.uint32]

    @classmethod
    def of(cls, events: Events, roots: int) -> Self:
        """The counts of events, behind their whole histories and all shorter ones."""
        parents, symbols, counted = [], [], []
        for nodes, level, shown in _levels(events, roots):
            parents.append(level >> 32)
            symbols.append(level & 0xFFFFFFFF)
            keys, counts = np.unique(nodes << 32 | shown, return_counts=True)
            counted.append((keys >> 32, keys & 0xFFFFFFFF, counts))
        columns = (parents, symbols, *zip(*counted, strict=True))
        return cls(*(np.concatenate(column).astype(np.uint32) for column in columns))


def _levels(events: Events, roots: int) -> Iterator[tuple[Numbers, Numbers, Numbers]]:
    """By length of history: the nodes of the events that have one, new nodes, and the symbols.

    New nodes are numbers: the parent times 2^32, plus the symbol.
    """
    nodes, symbols, histories = events
    yield nodes, np.zeros(0, dtype=np.int64), symbols
    total = roots
    for column in range(events.histories.shape[1]):
        longer = histories[:, column] != NONE
        nodes, symbols, histories = nodes[longer], symbols[longer], histories[longer]
        new, numbers = np.unique(nodes << 32 | histories[:, column], return_inverse=True)
        nodes = total + numbers
        total += len(new)
        yield nodes, new, symbols
