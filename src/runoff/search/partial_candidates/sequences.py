"""Candidates that are sequences, read piece by piece from the left; shared beginnings once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Protocol

from runoff.errors import UsageError
from runoff.search.partial_candidates.observations import Observations

Piece = Any
"""Hashable, and to be compared with the pieces of other sequences at its place."""


class Target(Protocol):
    """A target function: it scores a sequence piece by piece, from a state of its own."""

    name: str

    def start(self) -> Any:
        """The state before the first piece."""

    def read(self, state: Any, piece: Any, last: bool) -> tuple[Any, float]:
        """The state after the next piece, and the score of all that was read so far.

        With the last piece, the score is that of the whole sequence.
        """


class _Node:
    """A beginning that was read, and its continuations so far; complete ones are apart."""

    __slots__ = ("children", "scores", "states")

    def __init__(self, states: Sequence[Any], scores: list[float]) -> None:
        self.states, self.scores = states, scores
        self.children: dict[tuple[Piece, bool], _Node] = {}


class Reading:
    """Sequences that are read by target functions; what begins alike is read once.

    They can be searched any number of times, and are not read again.

    Parameters
    ----------
    known : a further score of each sequence that is known before anything is read, if there is
        one; it comes first among the scores.
    """

    def __init__(
        self,
        sequences: Sequence[Sequence[Piece]],
        targets: Sequence[Target],
        known: Sequence[float] | None = None,
    ) -> None:
        if not targets:
            raise UsageError("there is no target function")
        if not all(len(sequence) for sequence in sequences):
            raise UsageError("a candidate is empty")
        self.sequences, self.targets, self.known = sequences, targets, known
        self.root = _Node([target.start() for target in targets], [])
        self.reads = 0  # how often a piece was read
        self._shared: list[Prefix] | None = None
        self._alone: list[Alone] | None = None

    def after(self, node: _Node, piece: Piece, last: bool) -> _Node:
        """What a beginning becomes with the next piece."""
        found = node.children.get((piece, last))
        if found is None:
            self.reads += 1
            states, scores = [], []
            for target, state in zip(self.targets, node.states, strict=True):
                new, score = target.read(state, piece, last)
                states.append(new)
                scores.append(score)
            found = node.children[(piece, last)] = _Node(states, scores)
        return found

    def shared(self) -> list[Prefix]:
        """The first pieces of all sequences; one candidate for all that begin alike."""
        if self._shared is None:
            everything = Prefix(self, self.root, (), list(range(len(self.sequences))), False)
            self._shared = everything.advance()
        return self._shared

    def alone(self) -> list[Alone]:
        """The first pieces of all sequences; each is a candidate of its own."""
        if self._alone is None:
            places = range(len(self.sequences))
            self._alone = [Alone(self, self.root, place, 0).advance()[0] for place in places]
        return self._alone


class Prefix:
    """The common beginning of some of the sequences, with the scores of all target functions.

    `places` says which of the sequences these are. The degree of completion is the share that was
    read of the longest of them.
    """

    __slots__ = ("_next", "_node", "_reading", "completion", "key", "places", "scores")

    def __init__(
        self, reading: Reading, node: _Node, key: tuple[Piece, ...], places: list[int], last: bool
    ) -> None:
        self._reading, self._node, self.scores = reading, node, node.scores
        self.key, self.places = key, places
        longest = max((len(reading.sequences[place]) for place in places), default=1)
        self.completion = 1.0 if last else len(key) / longest
        self._next: list[Prefix] | None = None

    def advance(self) -> list[Prefix]:
        """The next pieces: one prefix for each that differs."""
        if self._next is None:
            self._next = self._successors()
        return self._next

    def _successors(self) -> list[Prefix]:
        reading, depth = self._reading, len(self.key)
        groups: dict[tuple[Piece, bool], list[int]] = {}
        for place in self.places:
            sequence = reading.sequences[place]
            groups.setdefault((sequence[depth], len(sequence) == depth + 1), []).append(place)
        return [
            Prefix(
                reading,
                reading.after(self._node, piece, last),
                (*self.key, piece),
                groups[piece, last],
                last,
            )
            for piece, last in sorted(groups)
        ]


class Alone:
    """The beginning of one sequence; what it shares with others is read once all the same.

    Of candidates of which equal scores are expected, the one given earlier comes first.
    """

    __slots__ = ("_next", "_node", "_reading", "completion", "key", "pieces", "scores")

    def __init__(self, reading: Reading, node: _Node, place: int, pieces: int) -> None:
        self._reading, self._node, self.key, self.pieces = reading, node, place, pieces
        known = reading.known
        self.scores = node.scores if known is None else [known[place], *node.scores]
        self.completion = pieces / len(reading.sequences[place])
        self._next: list[Alone] | None = None

    @property
    def places(self) -> list[int]:
        """Which of the sequences it is."""
        return [self.key]

    def advance(self) -> list[Alone]:
        """The sequence with the next piece."""
        if self._next is None:
            reading, place, depth = self._reading, self.key, self.pieces
            sequence = reading.sequences[place]
            node = reading.after(self._node, sequence[depth], depth + 1 == len(sequence))
            self._next = [Alone(reading, node, place, depth + 1)]
        return self._next


def read_sequences(sequences: Sequence[Sequence[Piece]], targets: Sequence[Target]) -> list[Prefix]:
    """The first pieces of sequences, to be read on; equal sequences are one candidate.

    Reading the first piece of each is a step, too, that is taken here.
    """
    return Reading(sequences, targets).shared()


def observe(readings: Iterable[Reading]) -> Observations:
    """What reading all sequences of some lists to their ends shows of their target functions."""
    rows: list[tuple[float, list[float], list[float], int]] = []
    for number, reading in enumerate(readings):
        for first in reading.alone():
            path = [first]
            while path[-1].completion < 1:
                path += path[-1].advance()
            final = path[-1].scores
            rows += [(one.completion, one.scores, final, number) for one in path]
    if not rows:
        raise UsageError("there are no candidates to learn errors from")
    return Observations.of(*(list(column) for column in zip(*rows, strict=True)))
