"""Candidates that are sequences, read piece by piece from the left; shared beginnings once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from runoff.errors import UsageError

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


class Prefix:
    """The common beginning of some of the sequences, with the scores of all target functions.

    `places` says which of the sequences these are. The degree of completion is the share that was
    read of the longest of them.
    """

    __slots__ = ("_last", "_states", "_tree", "completion", "key", "places", "scores")

    def __init__(
        self,
        tree: _Tree,
        key: tuple[Piece, ...],
        places: list[int],
        states: Sequence[Any],
        scores: Sequence[float],
        last: bool,
    ) -> None:
        self._tree, self._states, self._last = tree, states, last
        self.key, self.places, self.scores = key, places, scores
        longest = max(len(tree.sequences[place]) for place in places)
        self.completion = 1.0 if last else len(key) / longest

    def advance(self) -> list[Prefix]:
        """The next pieces: one prefix for each that differs."""
        return self._tree.after(self.key, self.places, self._states)


class _Tree:
    def __init__(self, sequences: Sequence[Sequence[Piece]], targets: Sequence[Target]) -> None:
        self.sequences, self.targets = sequences, targets

    def after(
        self, key: tuple[Piece, ...], places: Sequence[int], states: Sequence[Any]
    ) -> list[Prefix]:
        depth = len(key)
        groups: dict[tuple[Piece, bool], list[int]] = {}
        for place in places:
            sequence = self.sequences[place]
            groups.setdefault((sequence[depth], len(sequence) == depth + 1), []).append(place)
        found = []
        for (piece, last), own in sorted(groups.items()):
            read = [t.read(s, piece, last) for t, s in zip(self.targets, states, strict=True)]
            new, scores = [one[0] for one in read], [float(one[1]) for one in read]
            found.append(Prefix(self, (*key, piece), own, new, scores, last))
        return found


def read_sequences(sequences: Sequence[Sequence[Piece]], targets: Sequence[Target]) -> list[Prefix]:
    """The first pieces of sequences, to be read on; equal sequences are one candidate.

    Reading the first piece of each is a step, too, that is taken here.
    """
    if not targets:
        raise UsageError("there is no target function")
    if not all(len(sequence) for sequence in sequences):
        raise UsageError("a candidate is empty")
    tree = _Tree(sequences, targets)
    return tree.after((), range(len(sequences)), [target.start() for target in targets])
