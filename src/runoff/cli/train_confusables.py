"""`runoff train confusables`: learn to tell words apart that writers confuse."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any

import typer

from runoff.cli.options import Jobs, Json, ModelOutput, WorkFolder


def command(
    files: Annotated[
        list[str],
        typer.Argument(help="Well-written text to learn from, plain or gzip.", metavar="TEXT..."),
    ],
    output: ModelOutput,
    sets: Annotated[
        str | None,
        typer.Option(
            help="File of sets of words, one a line; else the nine of the paper and ten more.",
            metavar="FILE",
        ),
    ] = None,
    tokenized: Annotated[
        bool, typer.Option("--tokenized", help="What stands between blanks is a word.")
    ] = False,
    false_alarms: Annotated[
        float, typer.Option(help="Share of right words that may be suspected.", min=0, max=1)
    ] = 0.001,
    min_count: Annotated[
        int, typer.Option(help="Leave out features that are seen less often.", min=1)
    ] = 2,
    prior: Annotated[float, typer.Option(help="Spread of the weights.")] = 2.0,
    attribution: Annotated[
        str | None, typer.Option(help="Whose text this is, for the header.", metavar="TEXT")
    ] = None,
    work: WorkFolder = None,
    jobs: Jobs = 1,
    json: Json = False,
) -> None:
    """Learn to tell words apart that writers confuse, such as their and there.

    The text is taken to be right. Words are suspected only where another one of their set is so
    much more probable that no more than the stated share of right words is suspected; the
    thresholds come from parts of the text that their expert has not seen. Experts that are done are
    kept, so training can be broken off.
    """
    from runoff.cli.show import print_json, training_bar
    from runoff.data.files import check_target
    from runoff.pipeline.work_folder import default_work
    from runoff.tasks.proofing.model import MORE_SETS, PAPER_SETS, read_sets
    from runoff.tasks.proofing.train import (
        ConfusableOptions,
        read_corpus,
        train_confusables,
    )

    check_target(output)
    options = ConfusableOptions(false_alarms=false_alarms, min_count=min_count, prior=prior)
    wanted = (*PAPER_SETS, *MORE_SETS) if sets is None else read_sets(sets)
    with training_bar() as progress:
        model = train_confusables(
            read_corpus(files, tokenized=tokenized),
            wanted,
            options=options.check(),
            work=work or default_work(output),
            jobs=jobs,
            attribution=attribution,
            progress=progress,
        )
    model.save(output)
    if json:
        print_json({"model": output, **model.training})
    else:
        print_experts(output, model.training["dev"])


def print_experts(title: str, figures: Iterable[dict[str, Any]]) -> None:
    """A table of experts: how well they do on text that they have not seen."""
    from runoff.cli.show import table
    from runoff.tasks.proofing.train import expert_rows

    columns = ["words", "occurrences", "features", "accuracy", "false alarms", "errors found"]
    table(title, columns, list(expert_rows(figures)))
