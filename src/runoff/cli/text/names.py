"""`runoff names`: find the names in text."""

from __future__ import annotations

from typing import Annotated

import typer

from runoff.cli.options import Jobs, TextFiles
from runoff.cli.plan_options import command_for
from runoff.cli.text.taggings import TaggingOptions, write_taggings


def run(
    *,
    model: Annotated[
        str, typer.Argument(help="Model file written by `runoff train names`.", metavar="MODEL")
    ],
    files: TextFiles = None,
    options: TaggingOptions,
    jobs: Jobs = "1",
) -> None:
    """Write each word of raw text with its name tag, one word per line.

    Text is split into sentences and words as in treebanks, and at hyphens as in the training
    sentences. Sentences stream: the first is written before the last is read.
    """
    from runoff.models import model_file
    from runoff.tasks.names.model import NamesModel

    write_taggings(NamesModel.load(model_file(model)), files or ["-"], options, jobs)


command = command_for(TaggingOptions, run)
