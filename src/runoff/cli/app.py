"""The verbs, in the order in which a newcomer meets them."""

from __future__ import annotations

from typing import Annotated

import typer

import runoff
from runoff.cli import reproduce, train
from runoff.cli.exit_status import guarded
from runoff.cli.lists import check, convert, demo, evaluate, fit, inspect, propose, rerank, why
from runoff.cli.text import chunk, names, parse, predict, proof, tag

app = typer.Typer(
    name="runoff",
    help="Picks the best of a list: learns which candidate of an n-best list should win, "
    "and says why.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    rich_markup_mode="markdown",
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"runoff {runoff.__version__}")
        raise typer.Exit


@app.callback()
def _common(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Print the version."),
    ] = False,
) -> None:
    pass


app.add_typer(train.app, name="train")
app.add_typer(propose.app, name="propose")
for module in (
    demo,
    check,
    inspect,
    convert,
    fit,
    rerank,
    evaluate,
    why,
    tag,
    chunk,
    names,
    parse,
    predict,
    proof,
    reproduce,
):
    app.command(module.__name__.rpartition(".")[2])(guarded(module.command))
