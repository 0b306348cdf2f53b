"""Records that are equal in every field are one thing, and count as one record with copies.

Records without any value are equal in nothing, and each of them stays alone. The distinct ones are
put in the order of what they say, so nothing that follows depends on the order in which records
come.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from runoff.data.records.records import Records
from runoff.proposers.identity.columns import Columns
from runoff.proposers.identity.fields import Coded, Places


class Distinct(NamedTuple):
    """The distinct records.

    Parameters
    ----------
    columns : the fields of one of each, in their order.
    node : for each record that was given, which of the distinct ones it is.
    copies : how many each of them stands for.
    blocks : the block of each of them, as a number.
    """

    columns: Columns
    node: NDArray[np.int64]
    copies: Places
    blocks: Places


def distinct(records: Records, fields: Sequence[str], block: str | None = None) -> Distinct:
    """The distinct records, by some fields and their block.

    Examples
    --------
    >>> from runoff.data.records.records import as_records
    >>> found = distinct(as_records([{"x": "b"}, {"x": "a"}, {"x": "b"}]), ["x"])
    >>> found.node.tolist(), found.copies.tolist()
    ([1, 0, 1], [1, 2])
    """
    coded = {name: Coded.of(records.column(name)) for name in fields}
    alone = np.ones(len(records), dtype=np.bool_)
    for one in coded.values():
        alone &= np.array([value is None for value in one.values])[one.codes]
    keys = [one.codes for one in coded.values()]
    keys.append(np.where(alone, np.arange(len(records)), 0).astype(np.uint32))
    if block:
        keys.insert(0, Coded.of(records.column(block)).codes)
    order = np.lexsort(keys[::-1])
    new = np.zeros(len(order), dtype=np.bool_)
    new[:1] = True
    for key in keys:
        new[1:] |= np.diff(key[order].astype(np.int64)) != 0
    node = np.empty(len(order), dtype=np.int64)
    node[order] = np.cumsum(new) - 1
    first = order[new]
    copies = np.bincount(node, minlength=len(first)).astype(np.uint32)
    columns = Columns({name: one.take(first) for name, one in coded.items()}, len(first))
    blocks = keys[0][first] if block else np.zeros(len(first), dtype=np.uint32)
    return Distinct(columns, node, copies, blocks)
