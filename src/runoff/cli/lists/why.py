"""`runoff why`: why the winner won."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from runoff.cli.options import Format, Json, Keys, Lists, Metric, OwnFeatures, Ranker

if TYPE_CHECKING:
    from runoff.data.nbest import NBest
    from runoff.learners.terms import Term
    from runoff.tasks.ranking.flip import Flip
    from runoff.tasks.ranking.why import Reasons

CANDIDATES_SHOWN = 5
"""Candidates of a list that are printed above the reasons."""


def command(
    ranker: Ranker,
    lists: Lists,
    id: Annotated[
        str | None,
        typer.Option("--id", help="Id of the list, or its number, from 1.", metavar="ID"),
    ] = None,
    changed: Annotated[
        bool,
        typer.Option("--changed", help="Show lists whose pick is not the base system's."),
    ] = False,
    worse: Annotated[
        bool,
        typer.Option(
            "--worse", help="Show lists whose pick is worse than the base system's, by `--metric`."
        ),
    ] = False,
    unsure: Annotated[
        bool, typer.Option("--unsure", help="Show lists that were decided by the least margin.")
    ] = False,
    most: Annotated[
        int, typer.Option("--lists", help="Number of lists to show.", min=1, metavar="N")
    ] = 5,
    metric: Metric = None,
    over: Annotated[
        int | None,
        typer.Option(
            help="Rank of the rival in the new order; by default, the first choice of the base "
            "system.",
            metavar="N",
        ),
    ] = None,
    what_if: Annotated[
        bool,
        typer.Option("--flip", help="Print the fewest terms without which another would win."),
    ] = False,
    top: Annotated[int, typer.Option(help="Number of terms to print.", min=0, metavar="N")] = 20,
    format: Format = None,
    map: Keys = None,
    features: OwnFeatures = None,
    json: Json = False,
) -> None:
    """Say why the winner of a list won, in named terms that add up to the difference in score.

    With `--flip`, say what the choice depends on: the fewest terms whose removal, for all
    candidates, makes another one win. Of a list that `runoff rerank --epsilon` has searched, say
    which candidates were left unread, how far they were read, and what was expected of them.
    """
    from runoff.cli.lists.audited import print_notable
    from runoff.cli.lists.searched import print_searched
    from runoff.cli.show import print_json
    from runoff.data.lists import NBestFiles
    from runoff.errors import UsageError
    from runoff.metrics import metric as find_metric
    from runoff.tasks.load import load_ranker
    from runoff.tasks.ranking.flip import flip
    from runoff.tasks.ranking.partial.rerank import was_searched
    from runoff.tasks.ranking.why import find_list, why

    kinds = {"changed": changed, "worse": worse, "unsure": unsure}
    chosen = [kind for kind, wanted in kinds.items() if wanted]
    if len(chosen) + (id is not None) != 1:
        raise UsageError("name a list with --id, or choose one of --changed, --worse and --unsure")
    if what_if and over is not None:
        raise UsageError("--flip looks at all rivals and cannot be combined with --over")
    model = load_ranker(ranker, features or ())
    files = NBestFiles(lists, format, map).like(model.map)
    if id is None:
        found_metric = find_metric(metric or "quality", allow_code=True) if worse else None
        print_notable(model, files, chosen[0], most, found_metric, top, json=json)
        return
    nbest = find_list(files, id)
    if was_searched(nbest):
        if what_if or over is not None:
            raise UsageError("--flip and --over need all scores, and this list was searched")
        print_searched([nbest], json=json)
    elif what_if:
        found = flip(model, nbest)
        print_json(found) if json else print_flip(found, top)
    else:
        reasons = why(model, nbest, over=over)
        print_json(reasons) if json else print_reasons(reasons, top)


def print_reasons(reasons: Reasons, top: int) -> None:
    """Print the terms as a table that adds up."""
    from runoff.cli.show import print_line
    from runoff.report.tables import shown_candidate

    print_line(f"winner  {shown_candidate(reasons.winner)}", "bold green")
    print_line(f"rival   {shown_candidate(reasons.rival)}  (rank {reasons.rival_rank})")
    if reasons.note is not None:
        print_line(reasons.note)
    _print_terms(reasons.terms, top, "rival", {"difference of scores": reasons.difference})


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
    from runoff.cli.show import print_candidates, print_line
    from runoff.report.tables import shown_candidate

    for number, (nbest, reasons) in enumerate(lists):
        if number:
            print_line("")
        first(nbest)
        if reasons is None:
            print_line(f"winner  {shown_candidate(nbest.candidates[0])}", "bold green")
            print_line(f"there was no other {what} to choose")
        else:
            print_candidates(nbest, CANDIDATES_SHOWN)
            print_reasons(reasons, top)


def print_flip(found: Flip, top: int) -> None:
    """Print the terms that the choice hangs on, and what is left without them."""
    from runoff.cli.show import print_line
    from runoff.report.tables import shown_candidate

    print_line(f"winner      {shown_candidate(found.winner)}", "bold green")
    if found.new_winner is None:
        print_line("wins whatever terms are removed")
        return
    print_line(f"new winner  {shown_candidate(found.new_winner)}")
    sums = {"difference of scores": found.difference, "without these terms": found.left}
    _print_terms(found.terms, top, "new winner", sums)


def _print_terms(
    terms: Sequence[Term], top: int, rival: str, sums: Mapping[str, float | None]
) -> None:
    from dataclasses import astuple

    from runoff.cli.show import table

    rows: list[list[object]] = [list(astuple(term)) for term in terms[:top]]
    rest = terms[top:]
    if rest:
        left = sum(term.contribution for term in rest)
        rows.append([f"{len(rest)} smaller terms", None, None, None, left])
    rows += [[name, None, None, None, value] for name, value in sums.items()]
    table(None, ["feature", "winner", rival, "weight", "contribution"], rows)
