"""A tree in shards, by the value of its first feature, that are grown separately and joined.

Every shard has the whole tree's root, and below it some of the root's children. Joined, they are
the tree that is grown in one go, array for array.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from runoff.learners.igtree.tree import NODE_ARRAYS, Nodes, Numbers, Shard, Windows

ARRAYS_OF_NODES = ("values", "totals", "kinds")
ARRAYS_OF_ENTRIES = ("classes", "counts")
OFFSETS = {"children": 1, "entries": 0}
"""Arrays that say where what belongs to a node begins, and where that of the root does."""


def cut(windows: Windows, feature: int, examples: int) -> list[Shard]:
    """Shards of about `examples` examples each, in rising order; each value is in one of them.

    Examples
    --------
    >>> table = Windows.of_table([[1], [1], [2], [3], [3]], [7, 7, 7, 7, 7])
    >>> cut(table, 0, 2)
    [(0, 2), (2, 4), (4, 8)]
    """
    values = windows.cells[windows.places.astype(np.int64) + windows.shifts[feature]]
    below = np.cumsum(np.bincount(values, minlength=int(windows.cells.max()) + 1))
    ends = np.searchsorted(below, range(examples, len(values), examples)) + 1
    bounds = [0, *sorted({int(end) for end in ends} - {len(below)}), len(below)]
    return list(pairwise(bounds))


def joined(shards: Sequence[Nodes]) -> Nodes:
    """The tree of all shards, in the order in which they were cut."""
    levels = [_levels(shard["children"]) for shard in shards]
    parts: dict[str, list[Numbers]] = {name: [] for name in NODE_ARRAYS}
    _add_nodes(parts, shards[0], 0, 1)
    parts["children"] = [np.array([sum(int(s["children"][1]) - 1 for s in shards)], np.uint32)]
    for depth in range(1, max(map(len, levels)) - 1):
        for shard, ends in zip(shards, levels, strict=True):
            if depth + 1 < len(ends):
                _add_nodes(parts, shard, ends[depth], ends[depth + 1])
    nodes = {name: np.concatenate(parts.pop(name)) for name in NODE_ARRAYS}
    for name, first in OFFSETS.items():
        nodes[name] = _offsets(nodes[name], first)
    return nodes


def _levels(children: Numbers) -> list[int]:
    """Where each level of nodes begins, and where the last one ends."""
    ends = [0, 1]
    while (end := int(children[ends[-1]])) > ends[-1]:
        ends.append(end)
    return ends


def _add_nodes(parts: dict[str, list[Numbers]], nodes: Nodes, begin: int, end: int) -> None:
    """Add some nodes; of offsets, how much belongs to each."""
    for name in ARRAYS_OF_NODES:
        parts[name].append(nodes[name][begin:end])
    for name in OFFSETS:
        parts[name].append(np.diff(nodes[name][begin : end + 1]))
    entries = slice(int(nodes["entries"][begin]), int(nodes["entries"][end]))
    for name in ARRAYS_OF_ENTRIES:
        parts[name].append(nodes[name][entries])


def _offsets(sizes: NDArray[np.uint32], first: int) -> Numbers:
    offsets = np.empty(len(sizes) + 1, dtype=np.uint32)
    offsets[0] = first
    np.cumsum(sizes, dtype=np.uint32, out=offsets[1:])
    offsets[1:] += np.uint32(first)
    return offsets
