"""Block alignments of sentence pairs: which blocks a translation is made of (Tillmann 2006, 4).

Where the links of a pair are a bijection, an interval of target words has one interval of source
words at most, and the best sequence of blocks is found in time quadratic in the target (Table 3).
Elsewhere, a search over target positions knows which source words are covered (section 4.1).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from runoff.data.bitext import Link, SentencePair
from runoff.proposers.translation.alignment import Side
from runoff.proposers.translation.blocks import (
    BlockLink,
    BlockTable,
    admissible_blocks,
    extract,
)

Cost = Callable[[BlockLink], float]
"""What a block costs; infinite for one that must not be used."""

MOST_STATES = 2000
"""States at a target position that are kept, the cheapest."""


class BlockAlignment(NamedTuple):
    """The cheapest sequence of blocks, in the order of the target.

    `by_table_3` tells whether the links were a bijection.
    """

    cost: float
    blocks: list[BlockLink]
    by_table_3: bool


def is_bijection(source_size: int, target_size: int, links: Iterable[Link]) -> bool:
    """Whether every word has exactly one link.

    Examples
    --------
    >>> is_bijection(2, 2, [(0, 1), (1, 0)]), is_bijection(2, 1, [(0, 0)])
    (True, False)
    """
    sources, targets = zip(*links, strict=True) if links else ((), ())
    return sorted(sources) == [*range(source_size)] and sorted(targets) == [*range(target_size)]


def align_blocks(
    source_size: int, target_size: int, links: Sequence[Link], cost: Cost, longest: int = 7
) -> BlockAlignment | None:
    """The cheapest block alignment of a sentence pair; None where no blocks cover all its words.

    Examples
    --------
    >>> crossed = [(0, 0), (1, 2), (2, 1), (3, 3)]
    >>> found = align_blocks(4, 4, crossed, lambda block: len(block.source) ** 0.5)
    >>> [list(block.target) for block in found.blocks]
    [[0, 1, 2, 3]]
    """
    if is_bijection(source_size, target_size, links):
        found = _table_3(target_size, {j: i for i, j in links}, cost, longest)
        by_table = True
    else:
        found = _search(source_size, target_size, links, cost, longest)
        by_table = False
    return None if found is None else BlockAlignment(*found, by_table)


def _table_3(
    size: int, source_of: dict[int, int], cost: Cost, longest: int
) -> tuple[float, list[BlockLink]] | None:
    """Q(i) is the cost of the best sequence of blocks over the first i target words."""
    best = [0.0] + [math.inf] * size
    last: list[BlockLink | None] = [None] * (size + 1)
    for begin in range(size):
        low, high = size, -1
        for end in range(begin, min(size, begin + longest)):
            low, high = min(low, source_of[end]), max(high, source_of[end])
            if high - low != end - begin:  # a source word between them has its link elsewhere
                continue
            block = BlockLink(range(low, high + 1), range(begin, end + 1))
            total = best[begin] + cost(block)
            if total < best[end + 1]:
                best[end + 1], last[end + 1] = total, block
    return _traced(best[size], last, size)


def _traced(
    cost: float, last: Sequence[BlockLink | None], size: int
) -> tuple[float, list[BlockLink]] | None:
    if cost == math.inf:
        return None
    blocks: list[BlockLink] = []
    while size:
        block = last[size]
        assert block is not None
        blocks.append(block)
        size = block.target.start
    return cost, blocks[::-1]


class _State(NamedTuple):
    cost: float
    block: BlockLink | None
    before: _State | None


def _search(
    source_size: int, target_size: int, links: Sequence[Link], cost: Cost, longest: int
) -> tuple[float, list[BlockLink]] | None:
    """States [C, i; d]: source words that are covered, target position, cost (equation 7)."""
    starting: list[list[tuple[int, BlockLink, float]]] = [[] for _ in range(target_size)]
    for block in admissible_blocks(source_size, target_size, links, longest):
        own = cost(block)
        if own < math.inf:
            mask = ((1 << len(block.source)) - 1) << block.source.start
            starting[block.target.start].append((mask, block, own))
    states: list[dict[int, _State]] = [{} for _ in range(target_size + 1)]
    states[0][0] = _State(0.0, None, None)
    for i in range(target_size):
        kept = sorted(states[i].items(), key=lambda item: item[1].cost)[:MOST_STATES]
        for covered, state in kept:
            for mask, block, own in starting[i]:
                if covered & mask:
                    continue
                total, after = state.cost + own, states[block.target.stop]
                known = after.get(covered | mask)
                if known is None or total < known.cost:
                    after[covered | mask] = _State(total, block, state)
    end = states[target_size].get((1 << source_size) - 1)
    if end is None:
        return None
    found, state = [], end
    while state.block is not None and state.before is not None:
        found.append(state.block)
        state = state.before
    return end.cost, found[::-1]


def table_cost(table: BlockTable, source: Sequence[int], target: Sequence[int]) -> Cost:
    """Costs from a table: minus the mean of a block's four scores; infinite where it has none.

    `source` and `target` are the sentences, as numbers of words.
    """

    def cost(block: BlockLink) -> float:
        wanted = tuple(target[block.target.start : block.target.stop])
        for one in table.blocks(source[block.source.start : block.source.stop]):
            if one.target == wanted:
                return -sum(one.scores) / len(one.scores)
        return math.inf

    return cost


def aligned_pairs(
    pairs: Sequence[SentencePair], links: Sequence[Sequence[Link]], longest: int = 7
) -> Iterator[BlockAlignment | None]:
    """The block alignments of a text, by the blocks that its own links give."""
    sides = [Side.of(side) for side in ([p.source for p in pairs], [p.target for p in pairs])]
    table = extract(sides[0], sides[1], links, longest)
    words = [
        [side.words[begin:end].tolist() for begin, end in pairwise(side.offsets.tolist())]
        for side in sides
    ]
    for source, target, own in zip(*words, links, strict=True):
        cost = table_cost(table, source, target)
        yield align_blocks(len(source), len(target), own, cost, longest)
