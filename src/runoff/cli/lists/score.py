"""`runoff score`: give candidates the score of a language model as a feature."""

from __future__ import annotations

from typing import Annotated

import typer

from runoff.cli.options import Format, Jobs, NoMap, Output


def command(
    lists: Annotated[
        str, typer.Argument(help="File of n-best lists; `-` is stdin.", metavar="LISTS")
    ] = "-",
    lm: Annotated[
        str,
        typer.Option("--lm", help="Model of `runoff train lm`, or an ARPA file.", metavar="MODEL"),
    ] = ...,  # type: ignore[assignment]
    name: Annotated[
        str, typer.Option("--name", help="Name of the feature.", metavar="TEXT")
    ] = "lm",
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
    no_map: NoMap = False,
    jobs: Jobs = "1",
) -> None:
    """Add the log-probability of each candidate's text as a named feature.

    The text of a candidate is one sentence, whose end is scored too. Everything else in the lists
    stays as it is. Lists stream: the first is written before the last is read.
    """
    from runoff.cli.show import counting
    from runoff.data.formats import carried, format_of, read_nbest, write_nbest
    from runoff.errors import UsageError
    from runoff.tasks.lm.model import LanguageModel

    target = to_format or format_of(output)
    if "features" not in carried(target):
        raise UsageError(
            f"{target} cannot hold features", hint="write JSON Lines, e.g. `-o x.jsonl`"
        )
    model = LanguageModel.read(lm, map=not no_map)
    scored = model.scored(read_nbest(lists, format), name, engine=jobs)
    with counting("lists scored") as count:
        write_nbest(count(scored), output, target)
