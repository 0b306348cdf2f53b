"""What verbs that rerank say about why a candidate won."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from runoff.data.nbest import NBest
    from runoff.tasks.ranking.why import Reasons

CANDIDATES_SHOWN = 5
"""Of a list, beside the reasons."""


def with_reasons(lists: Iterable[tuple[NBest, Reasons | None]]) -> Iterator[NBest]:
    """The lists of `RankedLists.explained`; under `why`, what `runoff why --json` says of each.

    That is null where there was no other candidate to choose.
    """
    from msgspec.structs import replace

    from runoff.cli.show import plain

    for nbest, reasons in lists:
        yield replace(nbest, extra={**nbest.extra, "why": plain(reasons)})


def print_with_reasons(
    lists: Iterable[tuple[NBest, Reasons | None]],
    top: int,
    what: str,
    first: Callable[[NBest], None] = lambda nbest: None,
) -> None:
    """Print the best candidates of every list, and why the winner won; `first` is done before."""
    from runoff.cli.lists.why import print_reasons
    from runoff.cli.show import print_candidates, print_line

    for number, (nbest, reasons) in enumerate(lists):
        if number:
            print_line("")
        first(nbest)
        if reasons is None:
            print_line(f"winner  {nbest.candidates[0].output}", "bold green")
            print_line(f"there was no other {what} to choose")
        else:
            print_candidates(nbest, CANDIDATES_SHOWN)
            print_reasons(reasons, top)
