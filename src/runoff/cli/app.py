"""The verbs, in panels, each in the order in which a newcomer meets them."""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import find_spec
from typing import Annotated, Any, NoReturn

import typer

import runoff
from runoff.cli import train
from runoff.cli.exit_status import status_of
from runoff.cli.help import Command, Group
from runoff.cli.lists import propose
from runoff.tasks import TASKS

VERBS = {
    "Lists": [
        f"runoff.cli.lists.{verb}"
        for verb in (
            *("demo", "check", "inspect", "convert", "score", "features"),
            *("fit", "rerank", "evaluate", "why", "serve", "report"),
        )
    ],
    "Text and records": [
        f"runoff.cli.text.{verb}" for verb in (*(t.verb for t in TASKS.values()), "align")
    ],
    "Experiments": ["runoff.cli.reproduce"],
}
"""Modules of verbs by the panel of `runoff --help` that lists them; a task may have none."""

PANELS = ("Lists", "Text and records", "Training", "Experiments")


class Verbs(Group):
    """All verbs, panel by panel."""

    def main(
        self, args: Any = None, prog_name: str | None = None, *_: Any, **extra: Any
    ) -> NoReturn:
        """Run a command and exit; whatever goes wrong is one sentence and an exit status."""
        given = sys.argv[1:] if args is None else list(args)
        if given[:1] == ["help"]:  # `runoff help fit` is `runoff fit --help`
            given = [*given[1:], "--help"]

        def run() -> None:
            with self.make_context(prog_name, given, **extra) as ctx:
                self.invoke(ctx)

        sys.exit(status_of(run))

    def list_commands(self, ctx: Any) -> list[str]:
        """The names of the verbs; typer has those of one command before groups of commands."""
        panels = {name: getattr(one, "rich_help_panel", "") for name, one in self.commands.items()}
        return sorted(panels, key=lambda name: PANELS.index(panels[name]))


app = typer.Typer(
    name="runoff",
    cls=Verbs,
    help="Picks the best of a list: learns which candidate of an n-best list should win, "
    "and says why.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"runoff {runoff.__version__}")
        raise typer.Exit


@app.callback()
def _common(
    version: Annotated[
        bool,
        typer.Option(
            "--version", "-V", callback=_version, is_eager=True, help="Print the version."
        ),
    ] = False,
) -> None:
    pass


def _add(panel: str) -> None:
    for module in VERBS[panel]:
        if find_spec(module) is not None:
            name, command = module.rpartition(".")[2], import_module(module).command
            app.command(name, cls=Command, rich_help_panel=panel)(command)


_add("Lists")
app.add_typer(propose.app, name="propose", rich_help_panel="Lists")
_add("Text and records")
app.add_typer(train.app, name="train", rich_help_panel="Training")
_add("Experiments")
