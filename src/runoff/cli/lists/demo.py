"""`runoff demo`: see it work."""

from __future__ import annotations

from typing import Annotated

import typer

from runoff.cli.options import Json


def command(
    write: Annotated[
        str | None,
        typer.Option(metavar="DIR", help="Write the lists to this folder, and do nothing else."),
    ] = None,
    json: Json = False,
) -> None:
    """Fit a ranker to the lists that come with Runoff, rerank others, and say why.

    The lists are those of an imaginary speech recogniser: sentences of ours, with words confused
    that sound alike.
    """
    from runoff.cli.lists.evaluate import print_evaluation
    from runoff.cli.lists.why import print_reasons
    from runoff.cli.show import print_candidates, print_json, print_line
    from runoff.tasks.ranking.demo import demo, write_demo_lists

    if write is not None:
        write_demo_lists(write)
        return
    result = demo()
    if json:
        print_json({"evaluation": result.evaluation, "example": result.example})
        return
    sizes = (
        f"{result.reranker.training['lists']} lists fitted, {len(result.ranked)} others reranked"
    )
    print_line(f"{sizes}: word error rate\n", "bold")
    print_evaluation(result.evaluation)
    print_line(f"\nOne of them. What was said: {result.example.gold}\n", "bold")
    print_candidates(result.example)
    print_line("\nWhy the winner won\n", "bold")
    print_reasons(result.reasons, top=8)
