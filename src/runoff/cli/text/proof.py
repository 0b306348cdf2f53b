"""`runoff proof`: find commonly confused words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from runoff.cli.options import Json, NoMap
from runoff.errors import TooLongError

if TYPE_CHECKING:
    from runoff.tasks.proofing.proof import Suspect


def command(
    files: Annotated[
        list[str] | None,
        typer.Argument(
            help="Files of plain text, Markdown, or source code, of which the comments are read; "
            "folders of such files, or patterns such as `docs/*.md`; `-` is stdin.",
            metavar="FILE...",
            show_default=False,
        ),
    ] = None,
    model: Annotated[
        str,
        typer.Option(
            help="Model file written by `runoff train proofing`, or the model of the package.",
            metavar="MODEL",
        ),
    ] = "confusables",
    threshold: Annotated[
        float | None,
        typer.Option(
            help="The least probability of a suggestion, e.g. 0.99, instead of the thresholds that "
            "training has set.",
            metavar="P",
        ),
    ] = None,
    ignore: Annotated[
        str | None,
        typer.Option(
            help="File of words and places to pass over: `word` or `file:line`, one per line.",
            metavar="FILE",
        ),
    ] = None,
    fix: Annotated[
        bool, typer.Option("--fix", help="Write the suggestions into the files.")
    ] = False,
    json: Json = False,
    no_map: NoMap = False,
) -> None:
    """Find commonly confused words, such as `their` for `there`.

    A line with the mark `runoff: ignore` is passed over, and so is everything from `runoff: off` to
    `runoff: on`. Exits with status 1 if anything is found and not fixed.
    """
    from runoff.cli.show import count_of, note, plain, print_json
    from runoff.cli.skipping import skipping
    from runoff.data.files import files_of
    from runoff.models import model_file
    from runoff.tasks.proofing.ignore import NOTHING, Ignored
    from runoff.tasks.proofing.model import ConfusablesModel
    from runoff.tasks.proofing.proof import fix_file, read_text
    from runoff.tasks.proofing.prose import TEXTS

    ignored = NOTHING if ignore is None else Ignored.read(ignore)
    experts = ConfusablesModel.load(model_file(model), map=not no_map)
    found = 0
    with skipping("file") as skip:
        for file in map(str, files_of(files or ["-"], TEXTS)):
            try:
                text = read_text(file)
            except TooLongError as error:
                skip(error)
                continue
            suspects = experts.proof(text, file, threshold=threshold, ignore=ignored)
            found += len(suspects)
            if json:
                for one in suspects:
                    end = one.start + len(one.word)
                    print_json({"file": file, **plain(one), "end": end})
            else:
                _print(file, suspects)
            if fix and suspects:
                fix_file(file, text, suspects)
    if found and not json:
        note(f"{count_of(found, 'word')} {'fixed' if fix else 'to look at'}")
    if found and not fix:
        raise typer.Exit(1)


def _print(file: str, suspects: list[Suspect]) -> None:
    """Print one line per suspect, as compilers do."""
    from rich.text import Text

    from runoff.cli.terminal import Terminal

    terminal = Terminal(soft_wrap=True)
    for one in suspects:
        before, after = one.context[: one.offset], one.context[one.offset + len(one.word) :]
        terminal.print(
            Text.assemble(
                (f"{file}:{one.line}:{one.column}: ", "bold"),
                (one.word, "red"),
                " -> ",
                (one.suggestion, "green"),
                f" ({100 * one.confidence:.1f}%)  ",
                (before, "dim"),
                (one.word, "red"),
                (after, "dim"),
            )
        )
