"""How sure a pick is: the probability that it is the best of its list, from held-out lists.

The margin between the two highest scores of a list orders lists by how clear the choice was. An
isotonic regression of "the pick was best" on the margin turns it into a probability, and assumes
nothing but that a larger margin is no worse. It is fitted by pooling adjacent violators (Ayer et
al. 1955; Zadrozny & Elkan 2002 for calibration).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runoff.errors import ModelError
from runoff.problem.problem import Floats, RankingProblem
from runoff.store.arrays import take
from runoff.store.file import Arrays

Booleans = NDArray[np.bool_]
Figures = dict[str, float]


@dataclass(frozen=True, eq=False)
class Calibration:
    """Probabilities that rise with the margin.

    Within a block of the regression the probability is level, so that on average it is right there.
    Between the last margin of a block and the first of the next it is interpolated: where there
    was no list to tell, there is no jump.

    Parameters
    ----------
    margins : the first and the last of each block, rising.
    probabilities : of these margins.

    Examples
    --------
    >>> margins = np.array([0.1, 0.3, 0.5, 0.7, 0.9, 1.1])
    >>> calibration = Calibration.fit(margins, np.array([False, False, True, False, True, True]))
    >>> calibration.probability(np.array([0.0, 0.6, np.inf])).round(2).tolist()
    [0.33, 0.5, 1.0]
    """

    margins: Floats
    probabilities: Floats

    @classmethod
    def fit(cls, margins: Floats, correct: Booleans) -> Calibration:
        """The isotonic regression of `correct` on the margins of held-out lists.

        It sees two lists more, a correct one with the lowest margin and a wrong one with the
        highest. So no finite number of lists makes it say 0 or 1: n picks that are all correct give
        (n + 1) / (n + 2), Laplace's rule. Without lists it says 1/2.
        """
        if not len(margins):
            return cls(np.zeros(1), np.full(1, 0.5))
        places, which = np.unique(
            np.concatenate([margins, [margins.min(), margins.max()]]), return_inverse=True
        )
        outcomes = np.concatenate([correct, [True, False]])
        counts = np.bincount(which).astype(np.float64)
        hits = np.bincount(which[outcomes], minlength=len(places)).astype(np.float64)
        starts = _pooled(hits, counts)
        ends = np.append(starts[1:], len(places)) - 1
        shares = np.add.reduceat(hits, starts) / np.add.reduceat(counts, starts)
        corners = np.unique(np.concatenate([starts, ends]))
        return cls(places[corners], shares[np.searchsorted(starts, corners, side="right") - 1])

    def probability(self, margins: Floats) -> Floats:
        """How likely picks with these margins are best; 1 where there was no choice."""
        inside = np.interp(margins, self.margins, self.probabilities)
        return np.where(np.isinf(margins), 1.0, inside)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The calibration as arrays for a model file."""
        return {_MARGINS: self.margins, _PROBABILITIES: self.probabilities}

    @classmethod
    def restore(cls, arrays: Arrays) -> Calibration | None:
        """The calibration that a model file holds, checked; None where it has none."""
        if _MARGINS not in arrays and _PROBABILITIES not in arrays:
            return None
        margins = np.array(take(arrays, _MARGINS, np.float64))
        own = cls(margins, np.array(take(arrays, _PROBABILITIES, np.float64, margins.shape)))
        if not len(margins):
            raise ModelError("the calibration is empty")
        if any((part[1:] < part[:-1]).any() for part in (own.margins, own.probabilities)):
            raise ModelError("the calibration does not rise")
        if own.margins[0] < 0 or own.probabilities[0] < 0 or own.probabilities[-1] > 1:
            raise ModelError("a margin or a probability of the calibration is out of range")
        return own


_MARGINS, _PROBABILITIES = "calibration: margins", "calibration: probabilities"


def calibrate(
    scores: Floats, dev: RankingProblem
) -> tuple[Calibration, Figures] | tuple[None, None]:
    """The calibration of a ranker by its scores on held-out lists, and how far to trust it.

    Only lists with a choice count; where there are none, both are None. The figures come from two
    folds, each judged by the calibration of the other: the Brier score, the mean squared distance
    of probability and outcome (0 is perfect), and that of always saying the share of correct picks.
    """
    order = dev.canonical_order()  # the order of a file leaves no trace
    margins = dev.margins(scores)[order]
    correct = dev.picks_are_best(scores)[order]
    choice = np.isfinite(margins)
    margins, correct = margins[choice], correct[choice]
    if not len(margins):
        return None, None
    said = np.empty(len(margins))
    for fold in (0, 1):
        other = Calibration.fit(margins[1 - fold :: 2], correct[1 - fold :: 2])
        said[fold::2] = other.probability(margins[fold::2])
    share = float(correct.mean())
    figures = {
        "lists": len(margins),
        "correct": round(share, 4),
        "Brier score": round(float(np.mean((said - correct) ** 2)), 4),
        "without margins": round(share * (1 - share), 4),
    }
    return Calibration.fit(margins, correct), figures


def _pooled(hits: Floats, counts: Floats) -> NDArray[np.int64]:
    """Where the blocks of the isotonic regression start: shares of hits rise from one to the next.

    A block whose share is not above the one before it is pooled with it, until none is left.
    """
    blocks: list[tuple[int, float, float]] = []
    for start, (hit, count) in enumerate(zip(hits.tolist(), counts.tolist(), strict=True)):
        block = (start, hit, count)
        while blocks and blocks[-1][1] * block[2] >= block[1] * blocks[-1][2]:
            before = blocks.pop()
            block = (before[0], before[1] + block[1], before[2] + block[2])
        blocks.append(block)
    return np.array([start for start, _, _ in blocks], dtype=np.int64)
