"""Blocks (phrase pairs) of word-aligned parallel text, and tables of them with their scores.

A block is a pair of phrases whose words are linked with each other only (Och & Ney 2004; Tillmann
2006, section 4). Its scores are those of Koehn, Och & Marcu (2003): shares of counts in both
directions, smoothed by modified Kneser-Ney (Foster, Kuhn & Johnson 2006), and lexical weights; and
the probabilities of the three orientations to the blocks around it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from runoff import _native
from runoff.data.bitext import Link
from runoff.data.numbering import Numbers
from runoff.errors import check_at_least
from runoff.proposers.translation.alignment import Side
from runoff.store.arrays import take
from runoff.store.file import Arrays

SCORES = ("block given source", "block given target", "words given source", "words given target")
"""The scores of a block, natural logarithms."""

ORIENTATIONS = ("monotone", "swap", "other")

LONGEST = 20
"""Words of the longest phrases that native code takes."""

PRIOR = 0.5
"""Weight of all blocks' orientations among those of one block."""

Floats = NDArray[np.float32]


class BlockLink(NamedTuple):
    """An interval of source words and one of target words, without their ends."""

    source: range
    target: range


class Block(NamedTuple):
    """A block of a table: target words as numbers, scores, orientations, and how often it was seen.

    Scores and orientations are natural logarithms of probabilities.
    """

    target: tuple[int, ...]
    scores: tuple[float, ...]
    orientations: tuple[float, ...]
    seen: int


def admissible_blocks(
    source_size: int, target_size: int, links: Iterable[Link], longest: int = 7
) -> list[BlockLink]:
    """All blocks of a sentence pair whose words are linked with each other only.

    There is at least one link in each, and words without links may be at its edges.

    Examples
    --------
    >>> for block in admissible_blocks(2, 2, [(0, 1), (1, 0)]):
    ...     print(list(block.source), list(block.target))
    [1] [0]
    [0, 1] [0, 1]
    [0] [1]
    """
    sources, targets = _columns(list(links))
    found = _native.admissible_blocks(source_size, target_size, sources, targets, longest)
    rows = found.reshape(-1, 4).tolist()
    return [BlockLink(range(a, b + 1), range(c, d + 1)) for a, b, c, d in rows]


def _columns(links: Sequence[Link]) -> tuple[Numbers, Numbers]:
    both = np.array(links, np.uint32).reshape(-1, 2)
    return np.ascontiguousarray(both[:, 0]), np.ascontiguousarray(both[:, 1])


@dataclass(frozen=True)
class BlockTable:
    """Blocks sorted by the words of their source phrase, as arrays that a file may hold.

    Parameters
    ----------
    sources, source_starts : words of the source phrases, and where each begins; sorted.
    first_blocks : where the blocks of each source phrase begin, the most frequent first.
    targets, target_starts : words of the blocks' target phrases, and where each begins.
    scores, orientations : of each block, shape (blocks, 4) and (blocks, 6): the orientations to
        the block before it, and of the block after it.
    counts : how often each was seen.
    """

    sources: Numbers
    source_starts: Numbers
    first_blocks: Numbers
    targets: Numbers
    target_starts: Numbers
    scores: Floats
    orientations: Floats
    counts: Numbers

    def __len__(self) -> int:
        return len(self.counts)

    @cached_property
    def native(self) -> _native.BlockTable:
        """The table as native code has it; the sizes of arrays are checked."""
        return _native.BlockTable(
            self.sources,
            self.source_starts,
            self.first_blocks,
            self.targets,
            self.target_starts,
            self.scores.reshape(-1),
            self.orientations.reshape(-1),
        )

    def blocks(self, source: Sequence[int]) -> list[Block]:
        """The blocks of a source phrase, the most frequent first."""
        found = self.native.find(np.array(source, np.uint32)).reshape(-1, 4).tolist()
        ranges = [range(a, b) for begin, end, a, b in found if end - begin + 1 == len(source)]
        return [self[block] for own in ranges for block in own]

    def __getitem__(self, block: int) -> Block:
        begin, end = self.target_starts[block : block + 2].tolist()
        return Block(
            tuple(self.targets[begin:end].tolist()),
            tuple(self.scores[block].tolist()),
            tuple(self.orientations[block].tolist()),
            int(self.counts[block]),
        )

    def limited(self, most: int) -> BlockTable:
        """The table with at most this many blocks of a source phrase, the most frequent."""
        sizes = _sizes(self.first_blocks)
        ranks = np.arange(len(self)) - np.repeat(self.first_blocks[:-1].astype(np.int64), sizes)
        return self._kept(ranks < most, np.minimum(sizes, most))

    def _kept(self, mask: NDArray[np.bool_], sizes: NDArray[np.int64]) -> BlockTable:
        words = _sizes(self.target_starts)
        return BlockTable(
            self.sources,
            self.source_starts,
            _starts(sizes),
            self.targets[np.repeat(mask, words)],
            _starts(words[mask]),
            self.scores[mask],
            self.orientations[mask],
            self.counts[mask],
        )

    def filtered(self, sentences: Iterable[Sequence[int]]) -> BlockTable:
        """The table of the source phrases that occur in a text, whose words are numbers."""
        used = np.zeros(len(self.source_starts) - 1, bool)
        for sentence in sentences:
            found = self.native.find(np.asarray(sentence, np.uint32)).reshape(-1, 4)
            used[np.searchsorted(self.first_blocks, found[:, 2], "right") - 1] = True
        sizes = _sizes(self.first_blocks)
        kept = self._kept(np.repeat(used, sizes), sizes[used])
        words = _sizes(self.source_starts)
        sources = self.sources[np.repeat(used, words)]
        return BlockTable(sources, _starts(words[used]), *list(vars(kept).values())[2:8])

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The arrays of a model file."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}

    @classmethod
    def restored(cls, arrays: Arrays) -> BlockTable:
        """The table of arrays out of a file; they are not read before they are used."""
        numbers = [
            take(arrays, name, np.uint32)
            for name in ("sources", "source_starts", "first_blocks", "targets", "target_starts")
        ]
        counts = take(arrays, "counts", np.uint32)
        scores = take(arrays, "scores", np.float32, (len(counts), 4), finite=False)
        orientations = take(arrays, "orientations", np.float32, (len(counts), 6), finite=False)
        sources, source_starts, first_blocks, targets, target_starts = numbers
        table = cls(sources, source_starts, first_blocks, targets, target_starts, scores,
                    orientations, counts)  # fmt: skip
        _ = table.native  # which checks the sizes
        return table


def _sizes(starts: Numbers) -> NDArray[np.int64]:
    whole = starts.astype(np.int64)
    return whole[1:] - whole[:-1]


def _starts(sizes: NDArray[np.int64]) -> Numbers:
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.uint32)


def extract(
    source: Side, target: Side, links: Sequence[Sequence[Link]], longest: int = 7
) -> BlockTable:
    """The scored blocks of parallel text, up to a number of words on each side.

    Time and memory are linear in the number of blocks.
    """
    check_at_least(1, longest=longest)
    offsets = np.cumsum([0, *map(len, links)], dtype=np.int64)
    columns = _columns(list(chain.from_iterable(sorted(own) for own in links)))
    made = _native.extract_blocks(
        source.words,
        source.offsets,
        target.words,
        target.offsets,
        source.vocabulary,
        target.vocabulary,
        offsets,
        *columns,
        min(longest, LONGEST),
    )
    sources, source_starts, first_blocks, targets, target_starts = made[:5]
    target_numbers, counts, turns, lexical = made[5:]
    source_numbers = np.repeat(np.arange(len(first_blocks) - 1), _sizes(first_blocks))
    scores = np.column_stack(
        [
            smoothed(counts, source_numbers, target_numbers),
            smoothed(counts, target_numbers, source_numbers),
            lexical.reshape(-1, 2),
        ]
    ).astype(np.float32)
    return BlockTable(
        sources,
        source_starts,
        first_blocks,
        targets,
        target_starts,
        scores,
        orientation_logs(turns.reshape(-1, 6)),
        counts,
    )


def smoothed(counts: Numbers, given: NDArray[Any], other: NDArray[Any]) -> NDArray[np.float64]:
    """The logarithms of probabilities of one side of blocks given the other.

    Modified Kneser-Ney: counts of 1, 2, and 3 or more lose what their numbers say, and what is lost
    is shared by the number of different phrases that a phrase was seen with.

    Parameters
    ----------
    counts : of each block.
    given, other : numbers of the phrases of each block.
    """
    discounts = _discounts(counts)
    taken = discounts[np.minimum(counts, 3)]
    totals = np.bincount(given, counts)
    lost = np.bincount(given, taken)
    kinds = np.bincount(other)
    probabilities = (counts - taken) / totals[given]
    probabilities += lost[given] / totals[given] * kinds[other] / max(len(counts), 1)
    logs: NDArray[np.float64] = np.log(probabilities)
    return logs


def _discounts(counts: Numbers) -> NDArray[np.float64]:
    """What counts of 0, 1, 2, and 3 or more lose (Chen & Goodman 1998)."""
    n1, n2, n3, n4 = (int((counts == i).sum()) for i in range(1, 5))
    if not (n1 and n2 and n3 and n4):
        return np.array([0.0, 0.5, 0.5, 0.5])
    y = n1 / (n1 + 2 * n2)
    found = [0.0, 1 - 2 * y * n2 / n1, 2 - 3 * y * n3 / n2, 3 - 4 * y * n4 / n3]
    return np.clip(found, 0.0, [0.0, 0.95, 1.9, 2.85])


def orientation_logs(turns: NDArray[Any]) -> Floats:
    """The logarithms of the probabilities of orientations, from counts of shape (blocks, 6)."""
    logs = np.empty(turns.shape, np.float32)
    for side in (slice(0, 3), slice(3, 6)):
        own = turns[:, side].astype(np.float64)
        prior = (own.sum(axis=0) + 1) / (own.sum() + 3)
        total = own.sum(axis=1, keepdims=True)
        logs[:, side] = np.log((own + PRIOR * prior) / (total + PRIOR))
    return logs
