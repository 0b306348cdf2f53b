"""`runoff rerank`: put lists into a ranker's order."""

from __future__ import annotations

from typing import Annotated

import typer

from runoff.cli.options import Features, Format, Jobs


def command(
    ranker: Annotated[str, typer.Argument(help="Model file written by `runoff fit`.")],
    lists: Annotated[str, typer.Argument(help="File of n-best lists; `-` is stdin.")] = "-",
    output: Annotated[str, typer.Option("--output", "-o", help="File to write.")] = "-",
    format: Format = None,
    to_format: Annotated[
        str | None, typer.Option("--to", help="Format to write; by the file's name if not given.")
    ] = None,
    features: Features = None,
    abstain: Annotated[
        float | None,
        typer.Option(
            metavar="P", help="Leave lists in the base order whose confidence is below P, 0 to 1."
        ),
    ] = None,
    jobs: Jobs = 1,
) -> None:
    """Write the same lists in the new order, each candidate with its score and former rank.

    A model that was fitted with development lists adds its confidence to each list: the probability
    that its pick is the best of the candidates. Everything else in the lists stays as it is. Lists
    stream: the first comes out before the last is read.
    """
    from runoff.cli.show import counting, note
    from runoff.data.formats import carried, format_of, read_nbest, write_nbest
    from runoff.tasks.ranking.reranker import Reranker
    from runoff.tasks.ranking.reranker import rerank as rerank_lists

    model = Reranker.load(ranker, features or ())
    target = to_format or format_of(output)
    ranked = rerank_lists(model, read_nbest(lists, format), abstain=abstain, engine=jobs)
    lost = [part for part in ("score", "rank") if part not in carried(target)]
    if lost:
        note(f"{output}: {target} cannot hold {' and '.join(lost)}; the order is all that is left")
    with counting("lists reranked") as count:
        write_nbest(count(ranked), output, target)
