"""The verbs, in panels, each in the order in which a newcomer meets them."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Annotated, Any, NoReturn

import typer

import runoff
from runoff.cli.exit_status import status_of
from runoff.cli.help import Command, Group
from runoff.cli.shards import SHARDED, ShardedCommand, remember, with_shard
from runoff.tasks import TASKS

VERBS = {
    "Lists": [
        f"runoff.cli.lists.{verb}"
        for verb in (
            *("demo", "check", "inspect", "convert", "score", "features"),
            *("fit", "rerank", "evaluate", "why", "serve", "report", "propose", "gather"),
        )
    ],
    "Text and records": [
        f"runoff.cli.text.{verb}" for verb in (*(t.verb for t in TASKS.values()), "align")
    ],
    "Training": ["runoff.cli.train"],
    "Experiments": ["runoff.cli.reproduce"],
}
"""Modules of verbs by the panel of `runoff --help` that lists them; a task may have none."""


class VerbCommands(Mapping[str, Any]):
    """The commands of the verbs by name; the module of one is imported when it is asked for."""

    def __getitem__(self, name: str) -> Any:
        if name not in _modules():
            raise KeyError(name)
        return _verb_command(name)

    def __iter__(self) -> Iterator[str]:
        return iter(_modules())

    def __len__(self) -> int:
        return len(_modules())


@cache
def _modules() -> dict[str, tuple[str, str]]:
    """The module and panel of each verb by its name."""
    return {
        module.rpartition(".")[2]: (module, panel)
        for panel, modules in VERBS.items()
        for module in modules
        if find_spec(module) is not None
    }


@cache
def _verb_command(name: str) -> Any:
    module, panel = _modules()[name]
    found = import_module(module)
    if hasattr(found, "app"):  # a group of commands
        made = typer.main.get_command(found.app)
    else:
        single = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
        if name in SHARDED:
            single.command(name, cls=ShardedCommand)(with_shard(found.command))
        else:
            single.command(name, cls=Command)(found.command)
        made = typer.main.get_command(single)
    made.name, made.rich_help_panel = name, panel  # type: ignore[attr-defined]
    return made


class Verbs(Group):
    """All verbs, panel by panel."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**{**settings, "commands": VerbCommands()})

    def main(
        self, args: Any = None, prog_name: str | None = None, *_: Any, **extra: Any
    ) -> NoReturn:
        """Run a command and exit; whatever goes wrong is one sentence and an exit status."""
        self._main_shell_completion(extra, "runoff")
        given = sys.argv[1:] if args is None else list(args)
        if given[:1] == ["help"]:  # `runoff help fit` is `runoff fit --help`
            given = [*given[1:], "--help"]

        remember(given)

        def run() -> None:
            with self.make_context(prog_name, given, **extra) as ctx:
                self.invoke(ctx)

        sys.exit(status_of(run))

    def list_commands(self, ctx: Any) -> list[str]:
        """The names of the verbs, panel by panel."""
        return list(self.commands)


app = typer.Typer(
    name="runoff",
    cls=Verbs,
    help="Picks the best of a list: learns which candidate of an n-best list should win, "
    "and says why.",
    no_args_is_help=True,
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
