"""Canopies: which pairs of records are compared at all (McCallum, Nigam & Ungar 2000)."""

from __future__ import annotations

import math
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from runoff._native import canopies, canopy_cosines
from runoff.proposers.identity.columns import Columns
from runoff.proposers.identity.fields import Floats, Places
from runoff.proposers.identity.language import WHOLE, Call

RECALL = 0.998
"""Share of the pairs of training clusters that canopies must have."""
LEAST, GREATEST = 0.02, 0.15  # so that unlike pairs are learned from, too
SAMPLED = 200_000
PAIRS, PER_RECORD = 200_000, 3
"""Pairs that canopies may have: so many, or so many for each record if that is more."""
LOOKS, READS = 5_000_000, 400
"""Looks at records that share a token: so many, or so many for each record if that is more."""
CENTRES = 5000
"""Records whose neighbours are counted, to know how many pairs there would be."""


Vectors: TypeAlias = tuple[NDArray[np.int64], Places, Floats, Places, int]


class Canopies(NamedTuple):
    """How canopies are made.

    Parameters
    ----------
    loose : cosine with the centre of a canopy that brings a record into it; 0 compares all pairs.
        Where that would be more than 200,000 pairs, and more than 3 for each record, it is raised.
    tight : cosine from which on a record is no centre any more.
    frequent : tokens in more records than this bring no records together. The tokens of a
        record are asked from the rarest on; of many records, until 400 others were met.
    """

    loose: float = 0.15
    tight: float = 0.8
    frequent: int = 1000


def candidate_pairs(columns: Columns, blocks: Places, how: Canopies) -> tuple[Places, Places]:
    """The pairs of records that are compared, smaller index first, in order.

    Parameters
    ----------
    blocks : a number for each record; only records of one block are compared, and no record that
        has no word.
    """
    tokens = columns.field(WHOLE).tokens
    if how.loose <= 0:
        left, right = all_pairs(blocks)
    else:
        vectors = (tokens.offsets, tokens.ids, tokens.weights, blocks, tokens.n)
        reads = max(READS, LOOKS // len(blocks))
        loose = _bounded(vectors, how, reads)
        left, right = canopies(*vectors, loose, how.tight, how.frequent, reads)
    some = tokens.sizes > 0
    if some.all():
        return left, right
    kept = some[left] & some[right]
    return left[kept], right[kept]


def _bounded(vectors: Vectors, how: Canopies, reads: int) -> float:
    """The loose threshold, or a greater one if it would let too many pairs through."""
    n = len(vectors[0]) - 1
    most = max(PAIRS, PER_RECORD * n)
    if n * (n - 1) // 2 <= most:
        return how.loose
    every = max(1, n // CENTRES)
    near = np.sort(canopy_cosines(*vectors, how.loose, how.frequent, reads, every))[::-1]
    kept = 2 * most // every  # each pair is met at both of its records
    return how.loose if len(near) <= kept else float(near[kept])


def choose_loose(columns: Columns, gold: Places, blocks: Places) -> float:
    """The loose threshold that nearly all pairs of the clusters in `gold` reach."""
    left, right = all_pairs(gold)
    within = blocks[left] == blocks[right]
    left, right = left[within], right[within]
    step = max(1, len(left) // SAMPLED)
    near = columns.pairs(Call("cosine", WHOLE), left[::step], right[::step])
    near = near[~np.isnan(near)]
    if not len(near):
        return LEAST
    reached = float(np.quantile(near, 1 - RECALL)) - 1e-6
    return math.floor(1e4 * min(max(reached, LEAST), GREATEST)) / 1e4


def all_pairs(blocks: Places) -> tuple[Places, Places]:
    """All pairs of records of one block.

    Examples
    --------
    >>> all_pairs(np.array([7, 5, 7], dtype=np.uint32))
    (array([0], dtype=uint32), array([2], dtype=uint32))
    """
    order = np.argsort(blocks, kind="stable")
    _, sizes = np.unique(blocks, return_counts=True)
    left, right, start = [], [], 0
    for size in sizes.tolist():
        own = order[start : start + size]
        a, b = np.triu_indices(size, 1)
        left.append(own[a])
        right.append(own[b])
        start += size
    first, second = np.concatenate(left), np.concatenate(right)
    places = np.lexsort((second, first))
    return first[places].astype(np.uint32), second[places].astype(np.uint32)
