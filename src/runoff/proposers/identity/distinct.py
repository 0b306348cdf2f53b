"""Records that are equal in every field are one thing, and count as one record with copies.

Records without any value are equal in nothing, and each of them stays alone. The distinct ones are
put in the order of what they say, so nothing that follows depends on the order in which records
come.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from runoff.data.records.records import Records
from runoff.proposers.identity.columns import Places


class Distinct(NamedTuple):
    """The distinct records.

    Parameters
    ----------
    records : one of each, in the order of their fields.
    node : for each record that was given, which of the distinct ones it is.
    copies : how many each of them stands for.
    blocks : the block of each of them, as a number.
    """

    records: Records
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
    names = list(dict.fromkeys([*([block] if block else []), *fields]))
    columns = [[_key(value) for value in records.column(name)] for name in names]
    keys = list(zip(*columns, strict=True)) if columns else [()] * len(records)
    nothing = ("",) * len(fields)
    for place, key in enumerate(keys):
        if key[-len(fields) :] == nothing:
            keys[place] = (*key, str(place))
    order = sorted(set(keys))
    numbers = {key: number for number, key in enumerate(order)}
    node = np.array([numbers[key] for key in keys], dtype=np.int64)
    _, first, copies = np.unique(node, return_index=True, return_counts=True)
    kept = records.take(first.tolist())
    named = Records(kept.ids, list(fields), {f: kept.column(f) for f in fields}, records.source)
    names_of_blocks = [columns[0][i] if block else "" for i in first.tolist()]
    known = {name: number for number, name in enumerate(sorted(set(names_of_blocks)))}
    blocks = np.array([known[name] for name in names_of_blocks], dtype=np.uint32)
    return Distinct(named, node, copies.astype(np.uint32), blocks)


def _key(value: Any) -> str:
    """A value as text that sorts: nothing where it is missing, and lists apart from texts."""
    return "\0".join(["", *value]) if isinstance(value, list) else value or ""
