"""`runoff train`: train a model of a task, one command per task, made from its plan."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from runoff.cli.help import COMMANDS, Command, Group, Row
from runoff.cli.options import Jobs, Json
from runoff.tasks import TASKS

PANEL = "Plan"
"""What help texts call the options of a plan."""

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
Work = Annotated[
    str | None,
    typer.Option(
        help="Folder for the results of the steps, from which interrupted training resumes; by "
        "default, MODEL.work.",
        metavar="DIR",
    ),
]
Show = Annotated[
    bool,
    typer.Option("--show", help="Print the plan, with all defaults, as a recipe; train nothing."),
]


class TaskCommands(Group):
    """The commands of the tasks, each made when it is asked for: plans take time to import."""

    def list_commands(self, ctx: Any) -> list[str]:
        """The names of the tasks."""
        return list(TASKS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command of a task."""
        return task_command(cmd_name) if cmd_name in TASKS else None

    def command_rows(self, ctx: Any) -> list[Row]:
        """The tasks, each with what is learned."""
        return [Row(name, task.learns, "", COMMANDS) for name, task in TASKS.items()]


app = typer.Typer(cls=TaskCommands, no_args_is_help=True, add_completion=False)


@app.callback()
def _common() -> None:
    """Train a base system, with its ranker if it has one, on annotated or plain text."""


def task_command(name: str) -> Any:
    """The command that trains a model of a task."""
    from runoff.cli.plan_options import command_for

    task = TASKS[name]

    def run(
        plan: Any,
        *,
        files: Files = None,
        dev: Dev = None,
        output: Output = None,
        work: Work = None,
        show: Show = False,
        jobs: Jobs = "1",
        json: Json = False,
    ) -> None:
        files = files or getattr(plan, "files", None)  # of a plan that names them itself
        dev = dev or getattr(plan, "dev_files", None)
        if show:
            _show(name, plan, files or [], dev or [])
        else:
            _train(name, plan, files, dev, output, work, jobs)
            _report(str(output), json=json)

    run.__doc__ = f"{task.learns}\n\nThe command `runoff {task.verb}` puts the model to work."
    single = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
    made = command_for(task.module("train").Plan, run, PANEL)
    single.command(name, cls=Command)(made)
    command = typer.main.get_command(single)
    command.name = name
    return command


def _show(name: str, plan: Any, files: list[str], dev: list[str]) -> None:
    from runoff.cli.show import print_line
    from runoff.recipes.show import RUN, recipe_text

    task, data = TASKS[name], {"train": files, "dev": dev}
    recipe = recipe_text(name, task.learns, task.metric, data, plan)
    print_line(f"{RUN if task.has_experiments else ''}{recipe}", end="")


def _train(
    name: str,
    plan: Any,
    files: list[str] | None,
    dev: list[str] | None,
    output: str | None,
    work: str | None,
    jobs: str,
) -> None:
    from runoff.cli.show import training_engine
    from runoff.errors import UsageError
    from runoff.pipeline.work_folder import default_work

    if not files or output is None:
        missing = "files to learn from" if not files else "--output MODEL"
        raise UsageError(f"`runoff train {name}` needs {missing}")
    folder = work or default_work(output)
    with training_engine(jobs) as engine:
        train = TASKS[name].module("train").train
        model = train(files, dev, plan=plan, work=folder, engine=engine)
    model.save(output)


def _report(file: str, *, json: bool) -> None:
    from runoff.cli.lists.inspect import print_model
    from runoff.cli.show import print_json
    from runoff.tasks.inspect import inspect_model

    found = inspect_model(file, top=0)
    if json:
        print_json({"model": file, **found.header})
    else:
        print_model(file, found, whole=False)
