"""How many candidates are kept, by the margin of the first two.

The margin is the difference of their log-probabilities: a large one says that the first is probably
right, and few others are needed (Ji, Rudin & Grishman 2006, section 3.2).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Annotated

import msgspec
import numpy as np
from msgspec.structs import replace

from runoff.data.nbest import Candidate, NBest
from runoff.metrics.chunks import ChunkF1
from runoff.metrics.measure import measure

RANGES = 10
"""Ranges of margins, each with as many of the lists."""

HELD = 0.99
"""Share of the lists of a range whose best candidate is kept."""


class Margins(msgspec.Struct, frozen=True):
    """Numbers of candidates by ranges of the margin.

    Parameters
    ----------
    bounds : where one range ends and the next begins, rising.
    sizes : how many candidates are kept in each range, one more than bounds.

    Examples
    --------
    >>> margins = Margins((1.0, 5.0), (30, 10, 1))
    >>> margins.size([Candidate(["O"], -0.1), Candidate(["B"], -2.6)])
    10
    """

    bounds: tuple[float, ...]
    sizes: tuple[Annotated[int, msgspec.Meta(ge=1)], ...]

    def __post_init__(self) -> None:
        if len(self.sizes) != len(self.bounds) + 1 or sorted(self.bounds) != list(self.bounds):
            raise ValueError("margins have bounds that rise, and one size more than bounds")

    @classmethod
    def of(cls, lists: Iterable[NBest]) -> Margins:
        """The sizes that hold the best candidate of lists with gold; ties are won by the first."""
        found: list[float] = []

        def noted() -> Iterator[NBest]:
            for nbest in lists:
                found.append(margin(nbest.candidates))
                yield nbest

        measured = measure(noted(), ChunkF1())
        spans = pairwise(measured.offsets.tolist())
        needed = np.array([int(np.argmax(measured.qualities[a:b])) + 1 for a, b in spans])
        margins = np.array(found)
        levels = np.arange(1, RANGES) / RANGES
        bounds = np.unique(np.quantile(margins, levels, method="lower"))
        ranges = np.searchsorted(bounds, margins, side="right")
        sizes = [
            int(np.quantile(own, HELD, method="higher")) if len(own) else 1
            for own in (needed[ranges == i] for i in range(len(bounds) + 1))
        ]
        return cls(tuple(bounds.tolist()), tuple(sizes))

    def size(self, candidates: Sequence[Candidate]) -> int:
        """How many of the candidates are kept."""
        return self.sizes[bisect_right(self.bounds, margin(candidates))]

    def cut(self, nbest: NBest) -> NBest:
        """The list with as many candidates as its margin asks for."""
        return replace(nbest, candidates=nbest.candidates[: self.size(nbest.candidates)])


LARGEST = 1000.0
"""The margin of a candidate that is alone, and the largest one."""


def margin(candidates: Sequence[Candidate]) -> float:
    """The difference of the log-probabilities of the first two candidates."""
    if len(candidates) < 2:
        return LARGEST
    first, second = (candidate.logprob or 0.0 for candidate in candidates[:2])
    return min(first - second, LARGEST)
