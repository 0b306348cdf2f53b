"""`runoff train`: train a model of a task, one command per task, made from its plan."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from runoff.cli.exit_status import guarded
from runoff.cli.options import Jobs, Json, WorkFolder
from runoff.tasks import TASKS

if TYPE_CHECKING:
    from runoff.tasks import Task

Files = Annotated[
    list[str] | None,
    typer.Argument(
        help="Files to learn from; `-` is stdin.", metavar="FILE...", show_default=False
    ),
]
Dev = Annotated[
    list[str] | None,
    typer.Option(
        help="Development file, which makes choices and tells how well the model does; may be "
        "repeated.",
        metavar="FILE",
    ),
]
Output = Annotated[
    str | None, typer.Option("--output", "-o", help="Model file to write.", metavar="MODEL")
]
Show = Annotated[
    bool,
    typer.Option("--show", help="Print the plan, which is a recipe, and train nothing."),
]
OWN: dict[str, Any] = {
    "files": (Files, None),
    "dev": (Dev, None),
    "output": (Output, None),
    "work": (WorkFolder, None),
    "show": (Show, False),
    "jobs": (Jobs, 1),
    "json": (Json, False),
}
"""Parameters that every command has besides those of its plan, and their defaults."""


class TaskCommands(TyperGroup):
    """The commands of the tasks, each made when it is asked for: plans take time to import."""

    def list_commands(self, ctx: Any) -> list[str]:
        """The names of the tasks."""
        return list(TASKS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command of a task."""
        return task_command(cmd_name) if cmd_name in TASKS else None


app = typer.Typer(cls=TaskCommands, no_args_is_help=True)


@app.callback()
def _common() -> None:
    """Train a base system, with its ranker where it has one, on annotated or plain text."""


def task_command(name: str) -> Any:
    """The command that trains a model of a task."""
    from runoff.cli.plan_options import command_for

    task = TASKS[name]
    own = [
        inspect.Parameter(
            key, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation
        )
        for key, (annotation, default) in OWN.items()
    ]

    def run(plan: Any, **given: Any) -> None:
        _train(name, task, plan, **given)

    made = command_for(task.module("train").Plan, run, own)
    made.__doc__ = f"{task.learns}\n\n{inspect.cleandoc(task.module('train').__doc__ or '')}"
    single = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
    single.command(name)(guarded(made))
    command = typer.main.get_command(single)
    command.name = name
    return command


def _train(
    name: str,
    task: Task,
    plan: Any,
    *,
    files: list[str] | None,
    dev: list[str] | None,
    output: str | None,
    work: str | None,
    show: bool,
    jobs: int,
    json: bool,
) -> None:
    from runoff.cli.show import print_json as as_json
    from runoff.cli.show import print_line, print_tables, shown, table, training_bar
    from runoff.data.files import check_target
    from runoff.engine import Engine
    from runoff.errors import UsageError
    from runoff.pipeline.work_folder import default_work
    from runoff.recipes.show import recipe_text
    from runoff.tasks.inspect import inspect_model

    if show:
        data = {"train": files or [], "dev": dev or []}
        print_line(recipe_text(name, task.learns, task.metric, data, plan), end="")
        return
    if not files or output is None:
        missing = "files to learn from" if not files else "--output MODEL"
        raise UsageError(f"`runoff train {name}` needs {missing}")
    check_target(output)
    with training_bar() as progress:
        model = task.module("train").train(
            files,
            dev,
            plan=plan,
            work=work or default_work(output),
            engine=Engine(jobs, progress=progress),
        )
    model.save(output)
    found = inspect_model(output, top=0)
    if json:
        as_json({"model": output, **found.header})
        return
    apart = {"record", "dev", "experts", *found.parts}
    rows = [
        [key, shown(value)]
        for key, value in found.header.items()
        if key not in apart and value is not None
    ]
    table(output, ["what", "value"], rows)
    print_tables(found.tables)
