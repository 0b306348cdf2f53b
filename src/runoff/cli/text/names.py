"""`runoff names`: find the names of text."""

from __future__ import annotations

from typing import Annotated

import typer

from runoff.cli.options import Jobs, JsonLists, Output, TextFiles, Tokenized, Top
from runoff.cli.text.chunk import Inline, NBestTags, Reasons, Tagged, write_taggings


def command(
    model: Annotated[str, typer.Argument(help="Model file written by `runoff train names`.")],
    files: TextFiles = None,
    tokenized: Tokenized = False,
    tagged: Tagged = False,
    output: Output = "-",
    inline: Inline = False,
    n: NBestTags = 1,
    reasons: Reasons = False,
    top: Top = 10,
    json: JsonLists = False,
    jobs: Jobs = 1,
) -> None:
    """Write each word of raw text with its name tag, one a line.

    Text is cut into sentences and words as the treebanks are, at hyphens as the training sentences
    were. Sentences stream: the first come out before the last is read.
    """
    from runoff.tasks.names.model import NamesModel

    write_taggings(
        lambda: NamesModel.load(model),
        files,
        tokenized=tokenized,
        tagged=tagged,
        output=output,
        inline=inline,
        n=n,
        reasons=reasons,
        top=top,
        json=json,
        jobs=jobs,
    )
