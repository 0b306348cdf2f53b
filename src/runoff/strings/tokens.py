"""Similarities of sets of tokens, for many pairs at once.

The tokens of both sides of the pairs are sorted together by pair and token, so that shared ones
are neighbours: time is that of sorting the tokens, whatever the number of different ones.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from runoff.strings.values import Floats, Integers, Value, tokens_of

CHUNK = 1 << 18
"""Pairs whose tokens are compared at once."""


def chunks(places: Integers) -> list[Integers]:
    """Indices of pairs, as many at a time as are compared at once."""
    return [places[start : start + CHUNK] for start in range(0, len(places), CHUNK)]


def shared_tokens(values: Sequence[Value], left: Integers, right: Integers) -> Floats:
    """Shared tokens of pairs of values, as a share of the smaller set."""
    tokens = _Tokens(values)
    smaller = np.minimum(tokens.sizes[left], tokens.sizes[right])
    shared = tokens.products(left, right, np.ones(len(tokens.ids)))
    return np.divide(shared, smaller, out=np.zeros(len(left)), where=smaller > 0)


def token_cosine(values: Sequence[Value], left: Integers, right: Integers) -> Floats:
    """Cosine of the tokens of pairs of values, weighted by their rarity in all values."""
    tokens = _Tokens(values)
    counts = np.bincount(tokens.ids, minlength=1)
    weights = np.log1p(np.count_nonzero(tokens.sizes) / counts[tokens.ids])
    owners = np.repeat(np.arange(len(values)), tokens.sizes)
    squares = np.bincount(owners, weights**2, minlength=len(values))
    weights = weights / np.sqrt(squares)[owners]
    return np.minimum(tokens.products(left, right, weights), 1.0)


class _Tokens:
    """The tokens of values as numbers, in alphabetical order, value after value."""

    def __init__(self, values: Sequence[Value]) -> None:
        own = [tokens_of(value) for value in values]
        known = {token: number for number, token in enumerate(sorted(set().union(*own)))}
        self.sizes = np.array([len(tokens) for tokens in own], dtype=np.int64)
        self.offsets = np.concatenate([[0], np.cumsum(self.sizes)])
        numbers = [sorted(known[token] for token in tokens) for tokens in own]
        self.ids = np.array([number for row in numbers for number in row], dtype=np.int64)

    def products(self, left: Integers, right: Integers, weights: Floats) -> Floats:
        """Sum over shared tokens of the product of their weights, one for each pair."""
        found = np.zeros(len(left))
        for places in chunks(np.arange(len(left))):
            one, other = self._keyed(left[places]), self._keyed(right[places])
            keys = np.concatenate([one[0], other[0]])
            order = np.argsort(keys, kind="stable")  # two sorted runs
            twins = np.flatnonzero(np.diff(keys[order]) == 0)
            first, second = order[twins], order[twins + 1] - len(one[0])
            product = weights[one[1][first]] * weights[other[1][second]]
            owners = keys[first] // self._width
            found[places] = np.bincount(owners, product, minlength=len(places))
        return found

    @property
    def _width(self) -> int:
        return int(self.ids.max(initial=0)) + 1

    def _keyed(self, side: Integers) -> tuple[Integers, Integers]:
        """A key of pair and token for each token of one side, and where the token stands."""
        sizes = self.sizes[side]
        owners = np.repeat(np.arange(len(side)), sizes)
        starts = self.offsets[side] - np.concatenate([[0], np.cumsum(sizes)[:-1]])
        places = np.repeat(starts, sizes) + np.arange(len(owners))
        return owners * self._width + self.ids[places], places
