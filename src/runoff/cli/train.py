"""`runoff train`: learn a base system from annotated text, one command per task."""

from __future__ import annotations

import typer

from runoff.cli import (
    train_chunking,
    train_confusables,
    train_names,
    train_parsing,
    train_tagging,
    train_words,
)
from runoff.cli.exit_status import guarded

app = typer.Typer(help="Learn a base system from annotated text.", no_args_is_help=True)

for name, module in (
    ("tagging", train_tagging),
    ("chunking", train_chunking),
    ("names", train_names),
    ("parsing", train_parsing),
    ("words", train_words),
    ("confusables", train_confusables),
):
    app.command(name)(guarded(module.command))


@app.callback()
def _common() -> None:
    """Learn a base system from annotated text."""
