"""`runoff why`: why the winner won."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from runoff.cli.options import Features, Format, Json, Lists

if TYPE_CHECKING:
    from runoff.learners.terms import Term
    from runoff.tasks.ranking.flip import Flip
    from runoff.tasks.ranking.why import Reasons


def command(
    ranker: Annotated[str, typer.Argument(help="Model file written by `runoff fit`.")],
    lists: Lists,
    id: Annotated[str, typer.Option("--id", help="Id of the list, or its number from 1.")],
    over: Annotated[
        int | None,
        typer.Option(
            help="Rank of the rival in the new order; by default the base's first choice."
        ),
    ] = None,
    what_if: Annotated[
        bool,
        typer.Option("--flip", help="Print the fewest terms without which another one would win."),
    ] = False,
    top: Annotated[int, typer.Option(help="How many terms to print.", min=0)] = 20,
    format: Format = None,
    features: Features = None,
    json: Json = False,
) -> None:
    """Say why the winner of a list won: named terms that sum to the difference of the scores.

    With `--flip`, say what the choice hangs on: the fewest terms whose removal, for all candidates,
    makes another one win.
    """
    from runoff.cli.show import print_json
    from runoff.data.formats import read_nbest
    from runoff.errors import UsageError
    from runoff.tasks.ranking.flip import flip
    from runoff.tasks.ranking.reranker import Reranker
    from runoff.tasks.ranking.why import find_list, why

    if what_if and over is not None:
        raise UsageError("--flip looks at all rivals, so it does not go with --over")
    model, nbest = Reranker.load(ranker, features or ()), find_list(read_nbest(lists, format), id)
    if what_if:
        found = flip(model, nbest)
        print_json(found) if json else print_flip(found, top)
    else:
        reasons = why(model, nbest, over=over)
        print_json(reasons) if json else print_reasons(reasons, top)


def print_reasons(reasons: Reasons, top: int) -> None:
    """Print the terms as a table that adds up."""
    from runoff.cli.show import print_line

    print_line(f"winner  {reasons.winner.output}", "bold green")
    print_line(f"rival   {reasons.rival.output}  (rank {reasons.rival_rank})")
    if reasons.note is not None:
        print_line(reasons.note)
    _print_terms(reasons.terms, top, "rival", {"difference of scores": reasons.difference})


def print_flip(found: Flip, top: int) -> None:
    """Print the terms that the choice hangs on, and what is left without them."""
    from runoff.cli.show import print_line

    print_line(f"winner      {found.winner.output}", "bold green")
    if found.new_winner is None:
        print_line("wins whatever terms are removed")
        return
    print_line(f"new winner  {found.new_winner.output}")
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
