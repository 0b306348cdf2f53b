"""`runoff why`: why the winner won."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from runoff.cli.options import Features, Format, Json, Lists

if TYPE_CHECKING:
    from runoff.tasks.why import Reasons


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
    top: Annotated[int, typer.Option(help="How many terms to print.", min=0)] = 20,
    format: Format = None,
    features: Features = None,
    json: Json = False,
) -> None:
    """Say why the winner of a list won: named terms that sum to the difference of the scores."""
    from runoff.cli.show import print_json
    from runoff.data.formats import read_nbest
    from runoff.tasks.reranker import Reranker
    from runoff.tasks.why import find_list, why

    reasons = why(
        Reranker.load(ranker, features or ()), find_list(read_nbest(lists, format), id), over=over
    )
    if json:
        print_json(reasons)
    else:
        print_reasons(reasons, top)


def print_reasons(reasons: Reasons, top: int) -> None:
    """Print the terms as a table that adds up."""
    from dataclasses import astuple

    from runoff.cli.show import print_line, table

    print_line(f"winner  {reasons.winner.output}", "bold green")
    print_line(f"rival   {reasons.rival.output}  (rank {reasons.rival_rank})")
    rows: list[list[object]] = [list(astuple(term)) for term in reasons.terms[:top]]
    rest = reasons.terms[top:]
    if rest:
        left = sum(term.contribution for term in rest)
        rows.append([f"{len(rest)} smaller terms", None, None, None, left])
    rows.append(["difference of scores", None, None, None, reasons.difference])
    table(None, ["feature", "winner", "rival", "weight", "contribution"], rows)
