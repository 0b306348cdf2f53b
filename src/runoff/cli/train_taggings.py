"""What `runoff train chunking` and `runoff train names` have in common."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from runoff.pipeline.plan import RankerPlan
    from runoff.tasks.tagging.reranked import RankedTaggings

TrainFiles = Annotated[
    list[str], typer.Option(help="File to learn from; may be repeated.", metavar="FILE")
]
Taggings = Annotated[int, typer.Option("--n", help="Taggings of a list.", min=1, max=1000)]
Attribution = Annotated[
    str | None, typer.Option(help="Whose sentences these are; goes into the model's header.")
]


def learn(
    train_model: Callable[..., RankedTaggings],
    plan: RankerPlan,
    train: list[str],
    dev: str | None,
    *,
    output: str,
    work: str | None,
    jobs: int,
    json: bool,
) -> None:
    """Learn from files as the plan says, write the model, and print how well it does."""
    from runoff.cli.show import print_json, training_bar
    from runoff.data.tagged import read_tagged
    from runoff.pipeline.work_folder import default_work

    with training_bar() as progress:
        model = train_model(
            (sentence for file in train for sentence in read_tagged(file)),
            None if dev is None else read_tagged(dev),
            work=work or default_work(output),
            plan=plan,
            jobs=jobs,
            progress=progress,
        )
    model.save(output)
    if json:
        print_json({"model": output, **model.training})
    else:
        print_training(output, model.training)


def print_training(output: str, training: dict[str, Any]) -> None:
    """Print how a model of taggings was trained, and how well it does."""
    from runoff.cli.show import shown, table

    training = dict(training)
    dev = training.pop("dev", None)
    rows = [[key, shown(value)] for key, value in training.items() if value is not None]
    if dev is not None and "p" in dev:
        rows.append(["significance", f"p = {dev['p']:.4f}"])
    table(output, ["what", "value"], rows)
    if dev is not None:
        print_figures(dev)


def print_figures(dev: dict[str, Any]) -> None:
    """Print how well development sentences are chunked: all in all, and by type."""
    from runoff.cli.show import table

    figures, types = dev["figures"], dev["types"]
    columns = ["", *next(iter(figures.values()))]
    rows = [[name, *row.values()] for name, row in figures.items()]
    table(f"development sentences ({dev['metric']})", columns, rows, decimals=2)
    columns = ["type", "precision", "recall", "F1", "found", "gold"]
    table("by type", columns, [[kind, *row.values()] for kind, row in types.items()], decimals=2)
