"""`runoff propose`: n-best lists from models of other programs, one command per task."""

from __future__ import annotations

from typing import Annotated

import typer

from runoff.cli.help import Command, Group
from runoff.cli.options import Jobs, Output
from runoff.data.limits import WORDS

app = typer.Typer(cls=Group, no_args_is_help=True)


@app.callback()
def _common() -> None:
    """Write the n-best lists of a model that another program has trained."""


def chunking(
    crfsuite: Annotated[
        str, typer.Option(help="Model file of CRFsuite or python-crfsuite.", metavar="MODEL")
    ],
    files: Annotated[
        list[str] | None,
        typer.Argument(
            help="Files of items in CRFsuite's format, one per line: a label and attributes; `-` "
            "is stdin.",
            metavar="FILE...",
            show_default=False,
        ),
    ] = None,
    columns: Annotated[
        bool,
        typer.Option(
            "--columns",
            help="Read one word per line, with its part of speech; attributes are made as in "
            "CRFsuite's chunking example.",
        ),
    ] = False,
    n: Annotated[
        int,
        typer.Option("--n", help="Number of candidates in a list.", min=1, max=10_000, metavar="N"),
    ] = 20,
    longest: Annotated[
        int,
        typer.Option(
            "--longest",
            help="Items of the longest sequence that is taken. A longer one is skipped, with a "
            "warning: its result is that of an empty one.",
            min=1,
            metavar="N",
        ),
    ] = WORDS["propose"],
    output: Output = "-",
    jobs: Jobs = "1",
) -> None:
    """Write the n best label sequences of a CRF, with log-probabilities, as JSON Lines.

    They are exact: distinct, in order, and normalised. Labels in the files become gold, so that the
    lists can be given to `runoff evaluate --metric chunk-f1` and `runoff fit`.
    """
    from itertools import chain

    from runoff.cli.show import counting
    from runoff.cli.skipping import skipping
    from runoff.data.files import write_pieces
    from runoff.data.formats import jsonl
    from runoff.data.limits import Limit
    from runoff.proposers.sequence.crfsuite import CrfsuiteModel
    from runoff.tasks.chunking.propose import propose_lists, read_chunk_columns, read_item_file

    model = CrfsuiteModel.load(crfsuite)
    read = read_chunk_columns if columns else read_item_file
    with skipping("sequence") as skip, counting("lists written") as count:
        observed = chain.from_iterable(read(file, Limit(longest, skip)) for file in files or ["-"])
        lists = count(propose_lists(model, observed, n, engine=jobs))
        write_pieces(jsonl.encode(lists), output)


app.command("chunking", cls=Command)(chunking)
