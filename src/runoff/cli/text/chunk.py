"""`runoff chunk`: find the chunks of text."""

from __future__ import annotations

from runoff.cli.options import Jobs, ModelAndFiles
from runoff.cli.plan_options import command_for
from runoff.cli.text.taggings import TaggingOptions, write_taggings


def run(*, arguments: ModelAndFiles = None, options: TaggingOptions, jobs: Jobs = "1") -> None:
    """Write each word of raw text with its part of speech and chunk tag, one word per line.

    Text is split into sentences and words as in treebanks, and at hyphens as in the training
    sentences. Sentences stream: the first is written before the last is read.
    """
    from runoff.models import model_and_files
    from runoff.tasks.chunking.model import ChunkingModel

    model, files = model_and_files(arguments or [], "chunk")
    write_taggings(ChunkingModel.load(model), files or ["-"], options, jobs)


command = command_for(TaggingOptions, run)
