"""`runoff names`: find the names in text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from runoff.cli.options import Jobs
from runoff.cli.plan_options import command_for
from runoff.cli.text.taggings import TaggingOptions, write_taggings
from runoff.pipeline.options import option

if TYPE_CHECKING:
    from runoff.data.files import FilePath
    from runoff.data.limits import Limit
    from runoff.data.sentence import Sentence
    from runoff.tasks.names.model import NamesModel


@dataclass(frozen=True, kw_only=True)
class NamesOptions(TaggingOptions):
    """How text is read, what else is looked at, and what is written."""

    documents: bool = option(False, "Read one document per line.")
    related: Sequence[str] = option(
        (),
        "File of unlabelled documents, one per line, which widen the clusters of related "
        "documents. May be repeated.",
        metavar="FILE",
    )

    def __post_init__(self) -> None:
        """Check what cannot be combined."""
        super().__post_init__()
        self.exclude("documents", "lines", "tokenized", "tagged")


def run(
    *,
    arguments: Annotated[
        list[str] | None,
        typer.Argument(
            help="Model file written by `runoff train names`; none comes with Runoff. Then files "
            "of text, folders, or patterns such as `news/*.txt`; `-` is stdin.",
            metavar="[MODEL] [FILE...]",
            show_default=False,
        ),
    ] = None,
    options: NamesOptions,
    jobs: Jobs = "1",
) -> None:
    """Write each word of raw text with its name tag, one word per line.

    Text is split into sentences and words as in treebanks, and at hyphens as in the training
    sentences. Sentences stream: the first is written before the last is read. Where the model looks
    at other sentences, a file is a document, and documents stream.
    """
    from runoff.data.limits import IN_CORPORA
    from runoff.errors import UsageError
    from runoff.models import named_model
    from runoff.tasks.names.model import NamesModel

    model, files = named_model(arguments or [])
    if model is None:
        raise UsageError(
            "no model of names comes with Runoff: train one on sentences with name tags, "
            "`runoff train names train.tsv -o names.runoff`, and name it first, "
            "`runoff names names.runoff news.txt`"
        )
    loaded = NamesModel.load(model)
    if options.related:
        related = (
            sentence
            for file in options.related
            for sentence in _lines(loaded)(file, "", IN_CORPORA)
        )
        loaded = loaded.widened(related, engine=jobs)
    lines = _lines(loaded) if options.documents else None
    write_taggings(loaded, files or ["-"], options, jobs, lines)


def _lines(model: NamesModel) -> Callable[[FilePath, str, Limit], Iterable[Sentence]]:
    """What reads the documents of a file, one per line."""
    from runoff.data.files import read_text_lines
    from runoff.data.text.read import sentences_of

    def read(file: FilePath, how: str, limit: Limit) -> Iterator[Sentence]:
        for number, line in read_text_lines(file):
            name = f"{file}:{number}"
            for sentence in sentences_of(line, hyphens=model.hyphens, limit=limit, name=name):
                yield model.of_document(sentence, name)

    return read


command = command_for(NamesOptions, run)
