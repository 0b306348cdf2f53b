"""`runoff features`: what Runoff extracts, for other learners."""

from __future__ import annotations

from typing import Annotated

import typer

from runoff.cli.options import Format, Jobs, Keys, Lists, Metric


def command(
    lists: Lists,
    output: Annotated[
        str,
        typer.Option(
            "--output",
            "-o",
            help="File to write: .svmlight, .npz (as scipy reads it) or .parquet.",
            metavar="FILE",
        ),
    ],
    features: Annotated[
        list[str] | None,
        typer.Option(
            "--features",
            help="Feature set: {EXTRACTORS}; or a function of yours, `module:function`. May be "
            "repeated; by default given and text.",
            metavar="NAME",
        ),
    ] = None,
    model: Annotated[
        str | None,
        typer.Option(
            "--model",
            help="Model of `runoff fit` whose features are extracted, so that the columns of "
            "several files are the same.",
            metavar="MODEL",
        ),
    ] = None,
    metric: Metric = None,
    min_lists: Annotated[
        int,
        typer.Option(
            "--min-lists",
            help="Leave out features that occur in fewer lists than this.",
            min=1,
            metavar="N",
        ),
    ] = 1,
    format: Format = None,
    map: Keys = None,
    jobs: Jobs = "1",
) -> None:
    """Write the features of lists as a matrix: a row per candidate, with its list and quality.

    Features are those that a ranker sees: one that has the same value in every candidate of a list
    tells nothing about its order, and is left out there. The base system's log-probability is a
    column too. Without `--model` and `--min-lists`, every feature of the lists is a column.
    """
    from runoff.cli.show import count_of, counting, note
    from runoff.data.lists import NBestFiles
    from runoff.errors import UsageError
    from runoff.tasks.load import load_ranker
    from runoff.tasks.ranking.columns.extract import extract, write_columns, writer_of

    writer_of(output)
    if model is not None and (features or min_lists > 1):
        raise UsageError("--model has features of its own")
    known = None if model is None else load_ranker(model)
    files = NBestFiles(lists, format, map)
    with counting("lists read") as count:
        found = extract(
            count(files if known is None else files.like(known.map)),
            features=features or ("given", "text"),
            metric=metric,
            reranker=known,
            min_lists=min_lists,
            engine=jobs,
        )
    write_columns(found, output)
    rows = count_of(found.problem.n_candidates, "candidate")
    note(f"{output}: {rows}, {count_of(len(found.names), 'column')}")
