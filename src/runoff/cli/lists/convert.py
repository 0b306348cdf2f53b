"""`runoff convert`: between the formats of n-best lists."""

from __future__ import annotations

from typing import Annotated

import typer

from runoff.cli.options import Keys, ToFormat


def command(
    source: Annotated[
        list[str],
        typer.Argument(
            metavar="IN...", help="Files to read, or patterns such as `runs/*.jsonl`; `-` is stdin."
        ),
    ],
    output: Annotated[str, typer.Argument(metavar="OUT", help="File to write; `-` is stdout.")],
    from_format: Annotated[
        str | None,
        typer.Option(
            "--from",
            help="Format of IN: {READ}. By default, the beginning of the file tells.",
            metavar="NAME",
        ),
    ] = None,
    to_format: ToFormat = None,
    map: Keys = None,
    merge: Annotated[
        str | None,
        typer.Option(
            help="Merge candidates with equal outputs: `best` keeps the highest log-probability, "
            "`sum` adds up the probabilities.",
            metavar="best|sum",
        ),
    ] = None,
    n: Annotated[
        int | None,
        typer.Option(
            "--n",
            help="Keep the first N candidates of the base system's order.",
            min=1,
            metavar="N",
        ),
    ] = None,
    gold: Annotated[
        str | None,
        typer.Option(
            help="Text file with the reference of each list, one per line.", metavar="FILE"
        ),
    ] = None,
    input: Annotated[
        str | None,
        typer.Option(help="Text file with the input of each list, one per line.", metavar="FILE"),
    ] = None,
) -> None:
    """Write the lists of files in another format.

    An OUT that ends in `.txt` gets plain text, the first candidate of each list. What a format
    cannot hold is left out, and reported. With `--gold` and `--input` the lists get the lines of
    text files, by number: a list whose id is a whole number gets the line of that number, counted
    from 0, and any other list the line at its own position.
    """
    from runoff.cli.show import count_of, note
    from runoff.data.lists import NBestFiles
    from runoff.tasks.ranking.convert import convert

    def say(lost: dict[str, int]) -> None:
        for part, lists in lost.items():
            note(f"{output}: cannot hold the {part} of {count_of(lists, 'list')}; it is left out")

    files = NBestFiles(source, from_format, map)
    convert(files, output, target_format=to_format, gold=gold, input=input, merge=merge, n=n,
            on_loss=say)  # fmt: skip
