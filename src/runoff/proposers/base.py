"""The contract of proposers, and honest training lists for any of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol, Self, TypeVar

from numpy.typing import NDArray

from runoff.data.nbest import Candidate
from runoff.errors import UsageError
from runoff.store import Arrays


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
