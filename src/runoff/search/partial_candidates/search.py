"""The best of candidates that are read piece by piece, most of them not to the end.

A candidate whose score may still become the best is read on; the search ends when none may.
"""

from __future__ import annotations

import heapq
import math
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np

from runoff.errors import UsageError, unknown_choice
from runoff.search.partial_candidates.error_model import ErrorModel
from runoff.search.partial_candidates.list_effect import ListEffect, Path
from runoff.search.partial_candidates.quantiles import Quantiles

ORDERS = ("eta", "expected", "score")


class PartialCandidate(Protocol):
    """A candidate that has been read so far."""

    @property
    def completion(self) -> float:
        """The degree of completion u, above 0; 1 for a complete candidate."""

    @property
    def scores(self) -> Sequence[float]:
        """What each target function says of it so far."""

    @property
    def key(self) -> Any:
        """What orders candidates of which equal scores are expected.

        With it, the answer does not depend on the order in which candidates are given.
        """

    def advance(self) -> Iterable[PartialCandidate]:
        """What it becomes with the next piece: one candidate, or several that begin alike."""


class Waiting(NamedTuple):
    """A candidate that was not read to the end.

    `expected` is the mean of its final score, `eta` the score that it exceeds with the chance of
    epsilon.
    """

    candidate: PartialCandidate
    expected: float
    deviation: float
    eta: float


@dataclass(frozen=True)
class SearchResult:
    """The best candidate that was read to the end, and what it cost to find it.

    Parameters
    ----------
    best : the winner; the candidate of which most is expected, if the budget let none be completed.
    score : its sum of normalised scores, or what is expected of it.
    completed : complete candidates, in the order in which they were completed.
    steps : how often a candidate was advanced.
    pieces : how often one was scored; a candidate with several successors has one step for them.
    waiting : those that were left, the most promising first.
    missed : the chance, by the error model, that one of these is better than the best.
    ended_by : `nothing better`, `steps` or `time`; only the first two give the same answer on
        every run.
    stop : where the search ended, or, if it is in the order of eta and went on to the end, would
        have ended.
    """

    best: PartialCandidate
    score: float
    completed: list[PartialCandidate]
    steps: int
    pieces: int
    waiting: list[Waiting]
    missed: float
    ended_by: str
    stop: Stop


def search_partial(
    candidates: Iterable[PartialCandidate],
    errors: ErrorModel,
    *,
    epsilon: float = 0.05,
    steps: int | None = None,
    seconds: float | None = None,
    order: str = "eta",
    to_the_end: bool = False,
) -> SearchResult:
    """The best of candidates, found by reading on where it may pay (section 2.1).

    Parameters
    ----------
    errors : how much scores still move.
    epsilon : a candidate is left when the chance that its final score exceeds the best one so far
        is not above this; with 0, all that could win are completed.
    steps, seconds : budgets. One of steps is exact; where the clock decides, the answer may differ
        from run to run.
    order : which candidate is read on: `eta`, the one with the highest score that is exceeded with
        the chance of epsilon, as in the paper; `expected`, that with the highest mean. The latter
        is the order by eq. 10: P(f_i < f_j) of two normal variables is above one half just where
        the mean of j is higher. `score` is greedy: that with the highest score so far.
    to_the_end : complete all candidates, in that order, to see when the best comes.

    Examples
    --------
    >>> import numpy as np
    >>> from runoff.search.partial_candidates.error_model import ErrorModel
    >>> from runoff.search.partial_candidates.observations import Observations
    >>> from runoff.search.partial_candidates.sequences import read_sequences
    >>> class Sum:
    ...     name = "sum"
    ...     def start(self):
    ...         return 0
    ...     def read(self, state, piece, last):
    ...         return state + piece, state + piece
    >>> seen = Observations.of([0.5, 0.5, 0.5], [[1.0], [2.0], [5.0]], [[2.0], [5.0], [9.0]])
    >>> errors = ErrorModel.fit(["sum"], seen)
    >>> found = search_partial(read_sequences([(1, 1), (2, 3), (5, 4)], [Sum()]), errors)
    >>> found.best.places, found.steps, len(found.waiting)
    ([2], 1, 2)
    """
    _check(epsilon, steps, seconds, order)
    search = _Search(errors, epsilon, order, to_the_end)
    for candidate in candidates:
        search.add(candidate)
    if not search.queue and search.best is None:
        raise UsageError("there are no candidates to search among")
    end = None if seconds is None else time.monotonic() + seconds
    ended_by = "nothing better"
    while search.promising():
        if steps is not None and search.steps >= steps:
            ended_by = "steps"
            break
        if end is not None and time.monotonic() >= end:
            ended_by = "time"
            break
        search.step()
    return search.result(ended_by)


def _check(epsilon: float, steps: int | None, seconds: float | None, order: str) -> None:
    if not 0 <= epsilon < 1:
        raise UsageError(f"epsilon must be at least 0 and below 1, not {epsilon}")
    if steps is not None and steps < 0:
        raise UsageError(f"steps must be at least 0, not {steps}")
    if seconds is not None and not seconds >= 0:
        raise UsageError(f"seconds must be at least 0, not {seconds}")
    if order not in ORDERS:
        raise unknown_choice("order", order, ORDERS)


class Stop(NamedTuple):
    """Where a search had no more promising candidates: pieces scored, candidates completed."""

    pieces: int
    completed: int


_Entry = tuple[float, Any, int, PartialCandidate, Path]
"""A candidate in the queue: its place there, its key, a number for ties, itself, and its path."""

UPDATE_SHARE = 4
"""The queue is ordered anew when at least one piece per this many waiting candidates was read."""


class _Search:
    def __init__(self, errors: ErrorModel, epsilon: float, order: str, to_the_end: bool) -> None:
        self.expected, self.curve = errors.native.expected, errors.curve
        self.quantile = self.curve.at(epsilon)
        self.order, self.to_the_end = order, to_the_end
        self.effect = ListEffect(errors.shared.tolist())
        self.follows = bool(errors.shared.any()) and order != "score"
        self.queue: list[_Entry] = []
        self.left: list[_Entry] = []
        self.completed: list[PartialCandidate] = []
        self.best: tuple[float, Any, PartialCandidate] | None = None
        self.steps = self.pieces = 0
        self.next_update, self.updated = 1, 0
        self.stop: Stop | None = None
        self._find_levels()

    def _find_levels(self) -> None:
        """How many deviations above their means etas and places in the queue are, by row."""
        effects = self.effect.effects
        self.etas = [shift + self.quantile * share for shift, share in effects]
        self.places = self.etas if self.order == "eta" else [shift for shift, _ in effects]

    def add(self, candidate: PartialCandidate, before: Path | None = None) -> None:
        """Take a candidate: into the queue, or among the complete ones."""
        self.pieces += 1
        completion = candidate.completion
        mean, variance = self.expected(completion, candidate.scores)
        if not math.isfinite(mean):
            raise UsageError(f"a score of a candidate is not a finite number: {candidate.scores}")
        if completion >= 1:
            self._complete(candidate, mean, before)
            return
        row = int(completion * self.effect.last + 0.5)
        path = Path(candidate.key, row, mean, math.sqrt(variance), before)
        if self.order == "score":
            place = -self.expected(1.0, candidate.scores)[0]
        else:
            place = -_level(path, self.places)
        heapq.heappush(self.queue, (place, candidate.key, self.pieces, candidate, path))

    def _complete(self, candidate: PartialCandidate, score: float, path: Path | None) -> None:
        self.completed.append(candidate)
        if self.best is None or (-score, candidate.key) < (-self.best[0], self.best[1]):
            self.best = score, candidate.key, candidate
        if self.follows:
            self.effect.completed(path, score)
            read = self.pieces - self.updated
            if len(self.completed) >= self.next_update and UPDATE_SHARE * read >= len(self.queue):
                self._order_anew()

    def _order_anew(self) -> None:
        """Use what complete candidates tell of others: after 1, 2, 4, ... of them, if it pays."""
        self.next_update, self.updated = 2 * len(self.completed), self.pieces
        self.effect.update()
        self._find_levels()
        places = self.places
        self.queue = [
            (-_level(path, places), key, number, candidate, path)
            for _, key, number, candidate, path in self.queue
        ]
        heapq.heapify(self.queue)

    def promising(self) -> bool:
        """Whether the next in the queue should be read on; those that should not are left."""
        if self.best is None:
            return bool(self.queue)
        if self.to_the_end:
            top = _level(self.queue[0][-1], self.etas) if self.queue else -math.inf
            if self.stop is None and self.order == "eta" and top <= self.best[0]:
                self.stop = Stop(self.pieces, len(self.completed))
            return bool(self.queue)
        while self.queue and _level(self.queue[0][-1], self.etas) <= self.best[0]:
            if self.order == "eta":
                return False
            self.left.append(heapq.heappop(self.queue))
        return bool(self.queue)

    def step(self) -> None:
        """Advance the next in the queue."""
        _, _, _, candidate, path = heapq.heappop(self.queue)
        self.steps += 1
        for successor in candidate.advance():
            self.add(successor, path)

    def _waiting(self, candidate: PartialCandidate, path: Path) -> Waiting:
        shift, share = self.effect.effects[path.row]
        mean, deviation = path.mean + shift * path.deviation, share * path.deviation
        return Waiting(candidate, mean, deviation, _level(path, self.etas))

    def result(self, ended_by: str) -> SearchResult:
        waiting = sorted(
            (self._waiting(candidate, path) for *_, candidate, path in [*self.left, *self.queue]),
            key=lambda one: (-one.eta, one.candidate.key),
        )
        if self.best is not None:
            score, _, best = self.best
        else:
            first = min(waiting, key=lambda one: (-one.expected, one.candidate.key))
            best, score = first.candidate, first.expected
        return SearchResult(
            best,
            score,
            self.completed,
            self.steps,
            self.pieces,
            waiting,
            _chance(waiting, score, self.curve),
            ended_by,
            self.stop or Stop(self.pieces, len(self.completed)),
        )


def _level(path: Path, deviations: Sequence[float]) -> float:
    """The expected score and a number of deviations, by row; infinitely many of 0 are 0."""
    return path.mean + deviations[path.row] * path.deviation if path.deviation else path.mean


def _chance(waiting: Sequence[Waiting], best: float, curve: Quantiles) -> float:
    """The chance that one of several independent scores is above the best."""
    if any(one.expected > best and one.deviation == 0 for one in waiting):
        return 1.0
    errors = [(best - one.expected) / one.deviation for one in waiting if one.deviation > 0]
    none: float = np.log1p(-curve.above(np.array(errors))).sum()
    return -math.expm1(none)
