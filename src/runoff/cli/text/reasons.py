"""What verbs that rerank say about why a candidate won."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from runoff.data.nbest import NBest
    from runoff.tasks.parsing.model import ParsingModel
    from runoff.tasks.tagging.reranked import RerankedTagger

CANDIDATES_SHOWN = 5
"""Of a list, beside the reasons."""


def with_reasons(
    model: ParsingModel | RerankedTagger, lists: Iterable[NBest], n: int
) -> Iterator[NBest]:
    """The first n of every list; under `why`, what `runoff why --json` says of the first.

    That is null where there was no other candidate to choose.
    """
    from msgspec.structs import replace

    from runoff.cli.show import plain

    for nbest in lists:
        extra = {**nbest.extra, "why": plain(model.why(nbest))}
        yield replace(nbest, candidates=nbest.candidates[:n], extra=extra)


def print_with_reasons(
    model: ParsingModel | RerankedTagger,
    lists: Iterable[NBest],
    top: int,
    what: str,
    first: Callable[[NBest], None] = lambda nbest: None,
) -> None:
    """Print the best candidates of every list, and why the winner won; `first` is done before."""
    from runoff.cli.lists.why import print_reasons
    from runoff.cli.show import print_candidates, print_line

    for number, nbest in enumerate(lists):
        if number:
            print_line("")
        first(nbest)
        found = model.why(nbest)
        if found is None:
            print_line(f"winner  {nbest.candidates[0].output}", "bold green")
            print_line(f"there was no other {what} to choose")
        else:
            print_candidates(nbest, CANDIDATES_SHOWN)
            print_reasons(found, top)
