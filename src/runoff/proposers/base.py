"""The contract of proposers, and candidates from the arrays that native taggers give."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, Protocol, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from runoff.data.nbest import Candidate
from runoff.store.file import Arrays

Choices: TypeAlias = Sequence[Sequence[tuple[str, float]]]
"""For every word its possible tags with their probabilities, the likeliest first."""


class Proposer(Protocol):
    """A base system: learns from annotated examples, proposes candidates for new inputs.

    Constructor arguments are keyword-only and stored unchanged; what is learned ends in `_`.
    """

    __dataclass_fields__: ClassVar[dict[str, Any]]

    def check(self) -> None:
        """Raise an error for options that make no sense."""
        ...

    def fit(self, corpus: Iterable[Any]) -> Self:
        """Learn from annotated examples, such as trees or tagged sentences."""
        ...

    def propose_all(
        self, sentences: Iterable[Any], n: int, *, threads: int = 1
    ) -> list[list[Candidate]]:
        """At most n distinct candidates per input, best first, with log-probabilities."""
        ...

    def stored(self) -> tuple[dict[str, Any], Arrays]:
        """Header and arrays, for a model file."""
        ...

    def restore(self, arrays: Arrays) -> Self:
        """Restore the learned parameters from the arrays of a model file, checked."""
        ...


def named_lists(
    offsets: NDArray[Any],
    counts: NDArray[Any],
    logprobs: NDArray[Any],
    labels: NDArray[Any],
    names: Sequence[str],
) -> list[list[Candidate]]:
    """The candidates of sentences, from the arrays that native taggers give.

    Parameters
    ----------
    offsets : where the words of each sentence begin, and their number.
    counts : candidates of each sentence; those of all sentences lie end to end.
    logprobs : of each candidate.
    labels : numbers, one per word of each candidate.
    names : what the numbers stand for.
    """
    named = np.array([*names, None], dtype=object)[labels].tolist()
    scores = iter(logprobs.tolist())
    lists, place = [], 0
    for size, count in zip(np.diff(offsets).tolist(), counts.tolist(), strict=True):
        ends = range(place + size, place + size * count + 1, size) if size else [place] * count
        lists.append([Candidate(named[end - size : end], next(scores)) for end in ends])
        place += size * count
    return lists
