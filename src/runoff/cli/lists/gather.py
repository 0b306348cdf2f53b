"""`runoff gather`: put the shards of a folder together."""

from __future__ import annotations

from typing import Annotated

import typer

from runoff.cli.options import Json


def command(
    folder: Annotated[
        str, typer.Argument(help="Folder that `--shard` has written to.", metavar="DIR")
    ],
    output: Annotated[
        str | None,
        typer.Option(
            "--output",
            "-o",
            help="File that gets all shards, in order; `-` is stdout.",
            metavar="FILE",
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Check that all shards of a folder are there, and write them to one file.

    Missing shards are named, with the commands that make them, and the exit status is 1. With
    `--output` each shard is compared with its hash, and lists of text are numbered through: the
    file is what the command writes without `--shard`.
    """
    from runoff.cli.show import print_header, print_json, print_line
    from runoff.data.shards.gather import gather

    found = gather(folder)
    if output is not None and not found.missing:
        gather(folder, output)
    if as_json:
        print_json(found._asdict())
    elif output != "-":
        print_header(
            folder,
            {
                "shards": f"{found.shards - len(found.missing):,} of {found.shards:,}",
                "lines": found.lines,
                "bytes": found.bytes,
                "CPU hours": f"{found.seconds / 3600:.4f}",
            },
        )
        for one in found.commands:
            print_line(one)
    if found.missing:
        raise typer.Exit(1)
