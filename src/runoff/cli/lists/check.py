"""`runoff check`: every problem in a file of n-best lists, and what is odd."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
) -> None:
    """Report every problem in a file of n-best lists, with line and key.

    Problems are broken lines, NaN, missing outputs, duplicate ids or keys, and lists that lack what
    others have. Exits with status 1 if there are any. Remarks say what is odd and may be meant:
    duplicate candidates, positive log-probabilities, a key such as `prob` where none is called
    `logprob`. Each kind is reported once, with the number of candidates.
    """
    from runoff.data.lists import NBestFiles

    files = NBestFiles(lists, format, map)
    bad = [not _checked(str(file), files, json=json) for file in files.paths]
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
