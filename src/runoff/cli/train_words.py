"""`runoff train words`: learn to predict words from their neighbours."""

from __future__ import annotations

from typing import Annotated

import typer

from runoff.cli.options import Jobs, Json, ModelOutput, WorkFolder


def command(
    files: Annotated[
        list[str],
        typer.Argument(help="Plain text to learn from, plain or gzip.", metavar="TEXT..."),
    ],
    output: ModelOutput,
    dev: Annotated[
        str | None,
        typer.Option(
            help="Development text: it chooses the discount, and tells how many words are "
            "predicted.",
            metavar="FILE",
        ),
    ] = None,
    tokenized: Annotated[
        bool, typer.Option("--tokenized", help="What stands between blanks is a word.")
    ] = False,
    left: Annotated[int, typer.Option(help="Words to the left that are looked at.", min=0)] = 7,
    right: Annotated[
        int,
        typer.Option(help="Words to the right; 0 for a model of the next word.", min=0),
    ] = 7,
    top: Annotated[int, typer.Option(help="Words that a node of the tree keeps.", min=1)] = 5,
    work: WorkFolder = None,
    jobs: Jobs = 1,
    json: Json = False,
) -> None:
    """Learn to predict words from the words around them.

    The model is an IGTree: contexts of up to 14 words, backed off to shorter ones. Any text will
    do; the more, the better. The same files give the same bytes. What is done is kept, so training
    can be broken off.
    """
    from runoff.cli.show import print_json, shown, table, training_bar
    from runoff.data.files import check_target
    from runoff.pipeline.work_folder import default_work
    from runoff.tasks.words.train import train_words

    check_target(output)
    with training_bar() as progress:
        model = train_words(
            files,
            dev,
            tokenized=tokenized,
            left=left,
            right=right,
            top=top,
            work=work or default_work(output),
            jobs=jobs,
            progress=progress,
        )
    model.save(output)
    if json:
        print_json({"model": output, **model.training})
        return
    training = dict(model.training)
    figures = training.pop("dev", None)
    table(output, ["what", "value"], [[key, shown(value)] for key, value in training.items()])
    if figures is not None:
        rows = [
            [key, f"{value:,}" if isinstance(value, int) else f"{100 * value:.2f}%"]
            for key, value in figures.items()
        ]
        table("development text", ["what", "value"], rows)
