"""`runoff rerank`: put lists into a ranker's order."""

from __future__ import annotations

from typing import Annotated

import typer

from runoff.cli.options import Format, Jobs, Output, OwnFeatures, Ranker


def command(
    ranker: Ranker,
    lists: Annotated[
        str, typer.Argument(help="File of n-best lists; `-` is stdin.", metavar="LISTS")
    ] = "-",
    output: Output = "-",
    format: Format = None,
    to_format: Annotated[
        str | None,
        typer.Option(
            "--to",
            help="Format to write: {FORMATS}. By default, the file's name tells.",
            metavar="NAME",
        ),
    ] = None,
    features: OwnFeatures = None,
    abstain: Annotated[
        float | None,
        typer.Option(
            metavar="P", help="Leave lists whose confidence is below P, 0 to 1, in the base order."
        ),
    ] = None,
    jobs: Jobs = "1",
) -> None:
    """Write lists in a ranker's order, each candidate with its score and former rank.

    A model that was fitted with development lists adds its confidence to each list: the probability
    that its pick is the best of the candidates. Everything else in the lists stays as it is. Lists
    stream: the first is written before the last is read.
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
        note(f"{output}: {target} cannot hold {' and '.join(lost)}, so only the order is written")
    with counting("lists reranked") as count:
        write_nbest(count(ranked), output, target)
