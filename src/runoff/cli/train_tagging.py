"""`runoff train tagging`: learn a tagger."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from runoff.cli.options import Jobs, Json

if TYPE_CHECKING:
    from runoff.tasks.tagging.model import TaggingModel


def command(
    train: Annotated[
        list[str],
        typer.Option(help="File to learn from; may be repeated.", metavar="FILE"),
    ],
    output: Annotated[str, typer.Option("--output", "-o", help="Model file to write.")],
    dev: Annotated[
        str | None,
        typer.Option(
            help="Development file: it chooses the prior, and tells how well words are tagged.",
            metavar="FILE",
        ),
    ] = None,
    column: Annotated[
        int | None,
        typer.Option(help="Where column files have the tags, from 1; else the last one.", min=2),
    ] = None,
    prior: Annotated[
        str | None,
        typer.Option(
            help="Spread of the weights, as 1; development sentences choose among several, as "
            "0.5,1,2."
        ),
    ] = None,
    frequent: Annotated[
        int | None,
        typer.Option(help="Words that occur so often have only the tags seen with them.", min=1),
    ] = None,
    min_count: Annotated[
        int | None, typer.Option(help="Leave out features that are seen less often.", min=1)
    ] = None,
    iterations: Annotated[
        int | None, typer.Option(help="Of the search for weights, at most.", min=1)
    ] = None,
    jobs: Jobs = 1,
    json: Json = False,
) -> None:
    """Learn to tag words from sentences with tags.

    Files have a word a line with its columns, words first and tags last, and a blank line after
    each sentence; or they are treebanks (.mrg, .tree, .ptb; plain or gzip). The same files give the
    same bytes, whatever the number of jobs.
    """
    from runoff.cli.show import print_json, training_bar
    from runoff.data.text.read import read_tagged_sentences
    from runoff.tasks.tagging.model import train_tagger

    given = {"frequent": frequent, "min_count": min_count, "iterations": iterations}
    options: dict[str, Any] = {key: value for key, value in given.items() if value is not None}
    if prior is not None:
        options["prior"] = numbers(prior)
    with training_bar() as progress:
        model = train_tagger(
            (sentence for file in train for sentence in read_tagged_sentences(file, column)),
            None if dev is None else read_tagged_sentences(dev, column),
            options=options,
            jobs=jobs,
            checkpoint=f"{output}.checkpoint",
            progress=progress,
        )
    model.save(output)
    if json:
        print_json({"model": output, "record": model.tagger.record_, **model.training})
    else:
        _print(output, model)


def numbers(text: str) -> tuple[float, ...]:
    """Priors from a text such as `0.5,1,2`."""
    from runoff.errors import UsageError

    try:
        return tuple(float(part) for part in text.split(","))
    except ValueError:
        raise UsageError(f"a prior is a number, or several as 0.5,1,2; not {text!r}") from None


def _print(output: str, model: TaggingModel) -> None:
    from runoff.cli.show import print_record, shown, table

    print_record({k: rows for k, rows in model.tagger.record_.items() if k != "iterations"})
    training = dict(model.training)
    dev = training.pop("dev", None)
    rows = [[key, shown(value)] for key, value in training.items() if value is not None]
    table(output, ["what", "value"], rows)
    if dev is not None:
        confusions = dev.pop("confusions")
        table("development sentences", ["what", "value"], _dev_rows(dev))
        if confusions:
            table("most frequent confusions", ["gold", "found", "times"], confusions)


def _dev_rows(dev: dict[str, Any]) -> list[list[str]]:
    """Accuracies in per cent, numbers of words as they are."""
    names = {
        "words": "words",
        "accuracy": "accuracy",
        "known": "of known words",
        "unknown_words": "unknown words",
        "unknown": "accuracy of unknown words",
        "sentences": "sentences without an error",
    }
    return [
        [name, f"{dev[key]:,}" if isinstance(dev[key], int) else f"{100 * dev[key]:.2f}%"]
        for key, name in names.items()
        if dev[key] is not None
    ]
