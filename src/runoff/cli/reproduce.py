"""`runoff reproduce`: repeat an experiment, and see the paper's figures beside ours."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from runoff.cli.options import Jobs, Json

if TYPE_CHECKING:
    from runoff.recipes.experiment import Outcome


Recipe = Annotated[
    str | None,
    typer.Argument(
        help="Name of a recipe, or a TOML file of yours; without one, all are listed.",
        metavar="RECIPE",
    ),
]
Data = Annotated[
    str | None,
    typer.Option(
        help="Folder of the corpora that the recipe names; by default RUNOFF_DATA, or else "
        "`../shared/data`.",
        metavar="DIR",
    ),
]
Journal = Annotated[
    str | None,
    typer.Option(
        help="Folder of the Wall Street Journal treebank: run the experiment on the paper's own "
        "data.",
        metavar="DIR",
    ),
]
Work = Annotated[
    str,
    typer.Option(
        help="Folder for the results of the steps, which recipes share and from which an "
        "interrupted run resumes.",
        metavar="DIR",
    ),
]
Output = Annotated[
    str | None, typer.Option("--output", "-o", help="Model file to write.", metavar="MODEL")
]
Plot = Annotated[
    str | None,
    typer.Option(help="Draw the learning curves, to files in this folder.", metavar="DIR"),
]


def command(
    recipe: Recipe = None,
    data: Data = None,
    wsj: Journal = None,
    work: Work = "reproduce.work",
    output: Output = None,
    plot: Plot = None,
    jobs: Jobs = "1",
    json: Json = False,
) -> None:
    """Repeat an experiment of a paper, or train a model that comes with Runoff.

    A recipe names data, plan and the paper's figures. One of your own is a TOML file, such as
    `runoff train TASK --show` prints; its files are looked for in the folder of corpora.
    """
    if recipe is None:
        _list(json)
        return
    from runoff.cli.show import training_engine
    from runoff.recipes.experiment import Setting
    from runoff.tasks.reproduce import experiment

    wanted = experiment(recipe)
    with training_engine(jobs) as engine:
        outcome = wanted.run(Setting(data=data, wsj=wsj, work=work, plot=plot, engine=engine))
    if output is not None:
        outcome.model.save(output)
    _report(recipe, outcome, output, json=json)


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


def _report(recipe: str, outcome: Outcome, output: str | None, *, json: bool) -> None:
    from runoff.cli.show import print_json, print_line, print_tables

    if json:
        tables = [{"title": one.title, "rows": one.rows} for one in outcome.tables]
        plots = [str(file) for file in outcome.plots]
        print_json({"recipe": recipe, "model": output, "plots": plots, "tables": tables})
        return
    print_tables(outcome.tables)
    for file in [*([] if output is None else [output]), *outcome.plots]:
        print_line(f"written: {file}")
