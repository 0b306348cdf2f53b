"""The contract of proposers, and honest training lists for any of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol, Self, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from runoff.data.nbest import Candidate
from runoff.errors import UsageError
from runoff.store.file import Arrays

Choices: TypeAlias = Sequence[Sequence[tuple[str, float]]]
"""For every word its possible tags with their probabilities, the likeliest first."""


class Proposer(Protocol):
    """A base system: learns from annotated examples, proposes candidates for new inputs.

    Constructor arguments are keyword-only and stored unchanged; what is learned ends in `_`.
    """

    def fit(self, corpus: Sequence[Any]) -> Self:
        """Learn from annotated examples, such as trees or tagged sentences."""
        ...

    def propose(self, input: Any, n: int) -> list[Candidate]:
        """At most n distinct candidates with log-probabilities, best first; never none."""
        ...

    def arrays(self) -> dict[str, NDArray[Any]]:
        """What was learned, for a model file."""
        ...

    def restore(self, arrays: Arrays) -> Self:
        """Take over what a model file holds, checked."""
        ...


Example = TypeVar("Example")
Fitted = TypeVar("Fitted")


def jackknife(
    fit: Callable[[list[Example]], Fitted], corpus: Sequence[Example], folds: int
) -> Iterator[tuple[range, Fitted]]:
    """For each fold, its place in the corpus and a system fitted to all that is outside it.

    Folds are runs of neighbours, so that sentences of one document do not help each other.

    Examples
    --------
    >>> [(fold, total) for fold, total in jackknife(sum, [1, 2, 4, 8], 2)]
    [(range(0, 2), 12), (range(2, 4), 3)]
    """
    if not 2 <= folds <= len(corpus):
        raise UsageError(f"folds must lie between 2 and the {len(corpus)} examples, not {folds}")
    for fold in range(folds):
        place = range(fold * len(corpus) // folds, (fold + 1) * len(corpus) // folds)
        yield place, fit([*corpus[: place.start], *corpus[place.stop :]])


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
    named = [names[label] for label in labels.tolist()]
    scores = iter(logprobs.tolist())
    lists, place = [], 0
    for size, count in zip(np.diff(offsets).tolist(), counts.tolist(), strict=True):
        ends = range(place + size, place + size * count + 1, size) if size else [place] * count
        lists.append([Candidate(named[end - size : end], next(scores)) for end in ends])
        place += size * count
    return lists
