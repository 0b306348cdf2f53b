"""Algorithms that base systems share: k-best derivations of hypergraphs, partial candidates.

Examples
--------
>>> import runoff as ro
>>> class Sum:
...     name = "sum"
...     def start(self):
...         return 0
...     def read(self, state, piece, last):
...         return state + piece, float(state + piece)
>>> lists = [[(1, 2, 3), (3, 3, 3)], [(2, 2), (1, 0)]]
>>> errors = ro.search.learn_errors(lists, [Sum()])
>>> ro.search.partial(lists[0], [Sum()], errors).best.key
(3, 3, 3)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from runoff.search.partial_candidates.error_model import ErrorModel
    from runoff.search.partial_candidates.search import SearchResult
    from runoff.search.partial_candidates.sequences import Target

__all__ = ["learn_errors", "partial"]


def partial(
    candidates: Sequence[Sequence[Any]],
    targets: Sequence[Target],
    error_model: ErrorModel,
    *,
    epsilon: float = 0.05,
    steps: int | None = None,
    seconds: float | None = None,
    order: str = "eta",
) -> SearchResult:
    """The best of sequences by the sum of target functions, most of them not read to the end.

    Ginter, Mylläri & Salakoski (2006). `learn_errors` makes the error model.

    Parameters
    ----------
    candidates : sequences of pieces, such as the words of translations.
    targets : what scores them piece by piece; see `Target`.
    epsilon : the chance, for each candidate that is left unread, that it is better after all.
    steps, seconds : budgets; one in time is not the same on every run.
    order : which candidate is read on: `eta`, `expected` or `score`.

    Examples
    --------
    >>> import runoff as ro
    >>> class Letters:
    ...     name = "letters"
    ...     def start(self):
    ...         return 0
    ...     def read(self, state, piece, last):
    ...         return state + len(piece), state + len(piece)
    >>> seen = [["a", "short", "ballot"], ["the", "longest", "ballot", "of", "all"], ["a", "vote"]]
    >>> errors = ro.search.learn_errors([seen], [Letters()])
    >>> found = ro.search.partial(seen, [Letters()], errors, epsilon=0.05)
    >>> found.best.places, found.ended_by
    ([1], 'nothing better')
    """
    from runoff.errors import UsageError
    from runoff.search.partial_candidates.search import search_partial
    from runoff.search.partial_candidates.sequences import read_sequences

    names = [target.name for target in targets]
    if names != list(error_model.names):
        raise UsageError(
            f"the error model is for the target functions {', '.join(error_model.names)}, not for "
            f"{', '.join(names)}"
        )
    return search_partial(
        read_sequences(candidates, targets),
        error_model,
        epsilon=epsilon,
        steps=steps,
        seconds=seconds,
        order=order,
    )


def learn_errors(
    lists: Sequence[Sequence[Sequence[Any]]],
    targets: Sequence[Target],
    *,
    width: float | None = None,
    correlated: bool = True,
) -> ErrorModel:
    """How much the scores of half-read sequences still move, learned from lists of sequences.

    Parameters
    ----------
    width, correlated : see `ErrorModel.fit`.
    """
    from runoff.search.partial_candidates.error_model import ErrorModel
    from runoff.search.partial_candidates.sequences import Reading, observe

    seen = observe(Reading(sequences, targets) for sequences in lists)
    names = [target.name for target in targets]
    return ErrorModel.fit(names, seen, width=width, correlated=correlated)
