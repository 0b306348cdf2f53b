"""Canopies: which pairs of records are compared at all (McCallum, Nigam & Ungar 2000)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from runoff._native import canopies
from runoff.proposers.identity.columns import Columns, Field, Places
from runoff.proposers.identity.language import WHOLE


class Canopies(NamedTuple):
    """How canopies are made.

    Parameters
    ----------
    loose : cosine with the centre of a canopy that brings a record into it; 0 compares all pairs.
    tight : cosine from which on a record is no centre any more.
    frequent : tokens in more records than this bring no records together.
    """

    loose: float = 0.15
    tight: float = 0.8
    frequent: int = 1000


def candidate_pairs(columns: Columns, blocks: Places, how: Canopies) -> tuple[Places, Places]:
    """The pairs of records that are compared, smaller index first, in order.

    Parameters
    ----------
    blocks : a number for each record; only records of one block are compared.
    """
    if how.loose <= 0:
        return all_pairs(blocks)
    vectors = _rarest_last(columns.field(WHOLE))
    return canopies(
        vectors.indptr.astype(np.int64),
        vectors.indices.astype(np.uint32),
        vectors.data.astype(np.float32),
        blocks,
        vectors.shape[1],
        how.loose,
        how.tight,
        how.frequent,
    )


def _rarest_last(field: Field):  # type: ignore[no-untyped-def]
    vectors = field.tokens.vectors
    vectors.sort_indices()
    return vectors


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
