"""N-grams from anywhere, e.g. of an ARPA file, as the sorted orders of a model.

Models need every n-gram's context and its end (all but the last, all but the first word) to be
n-grams as well. Pruned models of other programs lack some: they are added, with the probability
that backing off gives them, so that all probabilities stay as they were.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from runoff.data.numbering import Numbers
from runoff.errors import FormatError
from runoff.ngrams.model import Floats, Order

NO_EXTENSION = np.float32(-0.0)
"""The backoff of an n-gram that no longer one begins with; see `model.hpp`."""


class Grams(NamedTuple):
    """N-grams of one order: numbers of words, shape (n-grams, order), and their weights."""

    words: Numbers
    probabilities: Floats
    backoffs: Floats


def sorted_orders(given: Sequence[Grams]) -> tuple[Order, ...]:
    """The orders of a model; unigrams are in the order of their numbers, and there is one each.

    Raises
    ------
    FormatError : an n-gram is there twice.
    """
    levels = [given[0], *map(_sorted, _completed(given)[1:])]
    keys: list[NDArray[np.uint64]] = []
    size = len(given[0].words)
    orders: list[Order] = []
    for n, own in enumerate(levels):
        last = n + 1 == len(levels)
        if n:
            ends = _find(own.words[:, 1:], keys, size)
            contexts = _find(own.words[:, :-1], keys, size)
            _fill(own, levels[n - 1], ends, contexts)
            keys.append(_key(ends, own.words[:, 0], size))
            orders[-1] = _linked(orders[-1], ends, contexts)
        backoffs = np.zeros(0, np.float32) if last else own.backoffs
        words = own.words[:, 0] if n else np.zeros(0, np.uint32)
        orders.append(Order.make(words, [], own.probabilities, backoffs))
    return tuple(orders)


def _completed(given: Sequence[Grams]) -> list[Grams]:
    """The n-grams with the contexts and ends that were missing, which have no weights yet (NaN)."""
    levels = list(given)
    for n in range(len(levels) - 1, 1, -1):
        own, below = levels[n].words, levels[n - 1]
        wanted = np.unique(np.concatenate([own[:, 1:], own[:, :-1]]), axis=0)
        known = _rows(wanted, below.words)
        if not known.all():
            words = np.concatenate([below.words, wanted[~known]])
            nothing = np.full(len(words) - len(below.words), np.nan, np.float32)
            weights = [np.concatenate([one, nothing]) for one in below[1:]]
            levels[n - 1] = Grams(words, *weights)
    return levels


def _rows(wanted: Numbers, known: Numbers) -> NDArray[np.bool_]:
    """Which rows of a table are rows of another one, too; those wanted are all different."""
    together = np.concatenate([known, wanted])
    order = np.lexsort(together.T)
    same = np.zeros(len(together), bool)
    same[order[1:]] = (together[order[1:]] == together[order[:-1]]).all(axis=1)
    return same[len(known) :]  # the sort is stable, so the known one comes first


def _sorted(own: Grams) -> Grams:
    order = np.lexsort(own.words.T)  # the last column, which is the last word, counts most
    words = own.words[order]
    if (words[1:] == words[:-1]).all(axis=1).any():
        raise FormatError(f"a {words.shape[1]}-gram is there twice")
    return Grams(words, own.probabilities[order], own.backoffs[order])


def _key(nodes: NDArray[np.int64], words: Numbers, size: int) -> NDArray[np.uint64]:
    """A number for each node below another, rising as they are sorted."""
    return nodes.astype(np.uint64) * np.uint64(size) + words


def _find(grams: Numbers, keys: Sequence[NDArray[np.uint64]], size: int) -> NDArray[np.int64]:
    """The index of every n-gram among those of its order, all of which are there."""
    nodes = grams[:, -1].astype(np.int64)
    for n in range(1, grams.shape[1]):
        nodes = np.searchsorted(keys[n - 1], _key(nodes, grams[:, -1 - n], size))
    return nodes


def _fill(own: Grams, below: Grams, ends: NDArray[np.int64], contexts: NDArray[np.int64]) -> None:
    """Give n-grams that were added the weights that backing off gives them."""
    added = np.isnan(own.probabilities)
    backed_off = below.backoffs[contexts[added]] + below.probabilities[ends[added]]
    own.probabilities[added] = backed_off
    own.backoffs[np.isnan(own.backoffs)] = 0


def _linked(below: Order, ends: NDArray[np.int64], contexts: NDArray[np.int64]) -> Order:
    """An order with its extensions, and marks where there are none."""
    size = len(below.probabilities)
    sizes = np.bincount(ends, minlength=size)
    children = np.concatenate([[0], np.cumsum(sizes)])
    extended = np.bincount(contexts, minlength=size) > 0
    idle = (below.backoffs == 0) & ~extended
    backoffs = np.where(idle, NO_EXTENSION, below.backoffs + np.float32(0))
    return Order.make(below.words, children, below.probabilities, backoffs)
