"""`runoff reproduce`: repeat an experiment, and see the paper's figures beside ours."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from runoff.cli.options import Jobs, Json

if TYPE_CHECKING:
    from runoff.recipes.experiment import Outcome


def command(
    recipe: Annotated[
        str | None,
        typer.Argument(help="Name of a recipe, or a TOML file of yours; else all are listed."),
    ] = None,
    data: Annotated[
        str | None,
        typer.Option(
            help="Folder of the corpora; else RUNOFF_DATA, else ../shared/data.", metavar="DIR"
        ),
    ] = None,
    wsj: Annotated[
        str | None,
        typer.Option(
            help="Folder of the Wall Street Journal treebank: do it on the paper's own data.",
            metavar="DIR",
        ),
    ] = None,
    work: Annotated[
        str,
        typer.Option(
            help="Folder for the results of the steps, which recipes share.", metavar="DIR"
        ),
    ] = "reproduce.work",
    output: Annotated[
        str | None, typer.Option("--output", "-o", help="Model file to write.", metavar="MODEL")
    ] = None,
    plot: Annotated[
        str | None, typer.Option(help="Folder to draw the learning curves in.", metavar="DIR")
    ] = None,
    jobs: Jobs = 1,
    json: Json = False,
) -> None:
    """Repeat an experiment of a paper, or train a model that comes with Runoff.

    A recipe names data, plan and the paper's figures. Every step leaves its result in a folder: a
    run that was interrupted goes on from there.
    """
    if recipe is None:
        _list(json)
        return
    from runoff.cli.show import print_json, training_bar
    from runoff.data.files import check_target
    from runoff.engine import Engine
    from runoff.recipes.experiment import Setting
    from runoff.tasks.reproduce import experiment

    wanted = experiment(recipe)
    if output is not None:
        check_target(output)
    with training_bar() as progress:
        engine = Engine(jobs, progress=progress)
        setting = Setting(data=data, wsj=wsj, work=work, plot=plot, engine=engine)
        outcome = wanted.run(setting)
    if output is not None:
        outcome.model.save(output)
    if json:
        tables = [{"title": one.title, "rows": one.rows} for one in outcome.tables]
        plots = [str(file) for file in outcome.plots]
        print_json({"recipe": recipe, "model": output, "plots": plots, "tables": tables})
    else:
        _print(outcome, output)


def _list(json: bool) -> None:
    from runoff.cli.show import print_json, table
    from runoff.recipes.recipe import read_recipe, shipped_recipes

    recipes = {name: read_recipe(file) for name, file in shipped_recipes().items()}
    rows = [[name, one.paper, one.what] for name, one in recipes.items()]
    columns = ["name", "paper", "what"]
    if json:
        print_json([dict(zip(columns, row, strict=True)) for row in rows])
    else:
        table(None, columns, rows)


def _print(outcome: Outcome, output: str | None) -> None:
    from runoff.cli.show import print_line, print_tables

    print_tables(outcome.tables)
    for file in [*([] if output is None else [output]), *outcome.plots]:
        print_line(f"written: {file}")
