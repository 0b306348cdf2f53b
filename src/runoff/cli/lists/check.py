"""`runoff check`: every problem in a file of n-best lists."""

from __future__ import annotations

from typing import Annotated

import typer

from runoff.cli.options import Format, Json


def command(
    file: Annotated[
        str, typer.Argument(help="File of n-best lists; `-` is stdin.", metavar="LISTS")
    ],
    format: Format = None,
    json: Json = False,
) -> None:
    """Report every problem in a file of n-best lists, with line and key.

    Problems are broken lines, NaN, missing outputs, duplicate candidates or ids, and lists that
    lack what others have. Exits with status 1 if there are any.
    """
    from runoff.cli.show import count_of, counting, print_json, print_line
    from runoff.errors import FormatError
    from runoff.tasks.ranking.check import check

    with counting("lists checked") as count:
        result = check(file, format, watch=count)
    if json:
        print_json({"file": file, **vars(result)})
    else:
        for problem in result.problems:
            print_line(
                str(FormatError(problem.message, path=file, line=problem.line, key=problem.key))
            )
        sizes = f"{count_of(result.lists, 'list')}, {count_of(result.candidates, 'candidate')}"
        style = "red" if result.problems else "green"
        print_line(f"{sizes}, {count_of(len(result.problems), 'problem')}", style)
    if result.problems:
        raise typer.Exit(1)
