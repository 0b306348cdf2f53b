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
Show = Annotated[
    bool, typer.Option("--show", help="Print the recipe as TOML, and do nothing else.")
]
Small = Annotated[
    bool,
    typer.Option(
        "--small",
        help="Run on a little of the data, in minutes, to see that it works; the figures are "
        "marked and mean nothing.",
    ),
]


def command(
    recipe: Recipe = None,
    show: Show = False,
    small: Small = False,
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
        _list(data, json=json)
        return
    if show:
        _show(recipe, json=json)
        return
    from runoff.cli.show import note, training_engine
    from runoff.recipes.experiment import Setting
    from runoff.tasks.reproduce import experiment

    wanted = experiment(recipe, small=small)
    if small:
        note("a small run: it shows that everything works, its figures mean nothing")
    elif wanted.recipe.needs is not None:
        note(f"{wanted.recipe.data.name}: {wanted.recipe.needs}")
    with training_engine(jobs) as engine:
        outcome = wanted.run(Setting(data=data, wsj=wsj, work=work, plot=plot, engine=engine))
    if output is not None:
        outcome.model.save(output)
    _report(recipe, outcome, output, small=small, json=json)


def _list(folder: str | None, *, json: bool) -> None:
    from runoff.cli.show import print_json, table
    from runoff.recipes.recipe import read_recipe, shipped_recipes

    rows = []
    for name, file in shipped_recipes().items():
        one = read_recipe(file)
        there = one.data.missing(folder) == []
        rows.append(
            {
                "name": name,
                "paper": one.paper,
                "what": one.what,
                "data": one.data.name,
                "found": there,
                "minutes": one.needs and one.needs.minutes,
                "GB": one.needs and one.needs.memory,
            }
        )
    if json:
        print_json(rows)
        return
    columns = ["name", "what", "data", "found", "minutes", "GB"]  # names tell the papers
    for row in rows:
        row["found"] = "yes" if row["found"] else "no"
    cells = [[row[column] for column in columns] for row in rows]
    table(None, columns, cells, decimals={"minutes": 0, "GB": 1})


def _show(recipe: str, *, json: bool) -> None:
    import sys

    from runoff.cli.show import print_json
    from runoff.recipes.recipe import read_recipe, recipe_file

    file = recipe_file(recipe)
    read = read_recipe(file)
    if json:
        print_json(read)
    else:
        sys.stdout.write(file.read_text(encoding="utf-8"))


def _report(recipe: str, outcome: Outcome, output: str | None, *, small: bool, json: bool) -> None:
    from dataclasses import replace

    from runoff.cli.show import print_json, print_line, print_tables

    if json:
        tables = [{"title": one.title, "rows": one.rows} for one in outcome.tables]
        plots = [str(file) for file in outcome.plots]
        seen = {"recipe": recipe, "small": small, "model": output, "plots": plots}
        print_json({**seen, "tables": tables})
        return
    mark = "small run: " if small else ""
    print_tables([replace(one, title=f"{mark}{one.title}") for one in outcome.tables])
    for file in [*([] if output is None else [output]), *outcome.plots]:
        print_line(f"written: {file}")
