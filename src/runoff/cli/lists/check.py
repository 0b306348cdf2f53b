"""`runoff check`: every problem in a file of n-best lists, and what is odd."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from runoff.cli.options import Format, Json, Keys, Lists

if TYPE_CHECKING:
    from runoff.data.lists import NBestFiles
    from runoff.tasks.ranking.check import Problem, Remark


def command(
    lists: Lists,
    format: Format = None,
    map: Keys = None,
    json: Json = False,
    clean: Annotated[
        str | None,
        typer.Option(
            help="File to write the cleaned trees of a treebank to: without empty elements, "
            "function tags and indices.",
            metavar="FILE",
        ),
    ] = None,
) -> None:
    """Report every problem in a file of n-best lists, with line and key, or of a treebank.

    Problems are broken lines, NaN, missing outputs, duplicate ids or keys, and lists that lack what
    others have. Exits with status 1 if there are any. Remarks say what is odd and may be meant:
    duplicate candidates, positive log-probabilities, a key such as `prob` where none is called
    `logprob`. Each kind is reported once, with the number of candidates.
    """
    from runoff.cli.lists.treebanks import check_treebank
    from runoff.data.lists import NBestFiles
    from runoff.data.treebank.inspect import is_treebank
    from runoff.errors import UsageError

    files = NBestFiles(lists, format, map)
    treebanks = [is_treebank(file) for file in files.paths]
    if clean is not None and treebanks != [True]:
        raise UsageError("--clean writes the trees of one treebank")
    bad = [
        not (
            check_treebank(str(file), clean, json=json)
            if treebank
            else _checked(str(file), files, json=json)
        )
        for file, treebank in zip(files.paths, treebanks, strict=True)
    ]
    if any(bad):
        raise typer.Exit(1)


def _checked(file: str, files: NBestFiles, *, json: bool) -> bool:
    """Print what was found in one file; whether there was no problem."""
    from runoff.cli.show import count_of, counting, print_json, print_line
    from runoff.tasks.ranking.check import check

    with counting("lists checked") as count:
        result = check(file, files.format, files.map, watch=count)
    if json:
        print_json({"file": file, **vars(result)})
    else:
        for problem in result.problems:
            print_line(_described(file, problem))
        for remark in result.remarks:
            number = count_of(remark.candidates, "candidate")
            print_line(f"{_described(file, remark)} ({number})")
        sizes = f"{count_of(result.lists, 'list')}, {count_of(result.candidates, 'candidate')}"
        style = "red" if result.problems else "yellow" if result.remarks else "green"
        remarks = f", {count_of(len(result.remarks), 'remark')}" if result.remarks else ""
        print_line(f"{sizes}, {count_of(len(result.problems), 'problem')}{remarks}", style)
    return not result.problems


def _described(file: str, found: Problem | Remark) -> str:
    from runoff.errors import FormatError

    return str(FormatError(found.message, path=file, line=found.line, key=found.key))
