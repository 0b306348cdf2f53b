"""`runoff tag`: tag words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from runoff.cli.options import Jobs, ModelAndFiles, Tokenized

if TYPE_CHECKING:
    from runoff.data.nbest import NBest


def command(
    arguments: ModelAndFiles = None,
    tokenized: Tokenized = False,
    columns: Annotated[
        bool, typer.Option("--columns", help="Read a word a line, the first of its columns.")
    ] = False,
    output: Annotated[str, typer.Option("--output", "-o", help="File to write.")] = "-",
    inline: Annotated[
        bool, typer.Option("--inline", help="Write `word/TAG word/TAG`, a sentence a line.")
    ] = False,
    n: Annotated[
        int, typer.Option("--n", help="Tags of the n best, a column each.", min=1, max=1000)
    ] = 1,
    json: Annotated[
        bool, typer.Option("--json", help="Write n-best lists with logprobs, as JSON Lines.")
    ] = False,
    jobs: Jobs = 1,
) -> None:
    """Write each word with its tag, one a line, a blank line after each sentence.

    Text is cut into sentences and words as treebanks are. Sentences stream: the first comes out
    before the last is read. The model is that of a tagger or of a parser.
    """
    from runoff.cli.show import counting
    from runoff.data.files import write_pieces
    from runoff.data.formats import jsonl
    from runoff.data.text.read import read_files
    from runoff.errors import UsageError
    from runoff.models import model_and_files
    from runoff.tasks.load import load_tagger

    if inline and (json or n > 1):
        raise UsageError("--inline has one tag a word, so it goes neither with --json nor with --n")
    if tokenized and columns:
        raise UsageError("choose one of --tokenized and --columns")
    model, files = model_and_files(arguments or [])
    tagger = load_tagger(model)
    how = "tokenized" if tokenized else "columns" if columns else "raw"
    sentences = read_files(files or ["-"], how)
    encode = jsonl.encode if json else inline_text if inline else column_text
    with counting("sentences tagged") as count:
        write_pieces(encode(count(tagger.lists(sentences, n, engine=jobs))), output)


def column_text(lists: Iterable[NBest]) -> Iterator[bytes]:
    """A word a line with its tags, those of the best candidate first."""
    for nbest in lists:
        rows = zip(nbest.input, *(c.output for c in nbest.candidates), strict=True)
        yield _encoded("".join("\t".join(row) + "\n" for row in rows) + "\n")


def inline_text(lists: Iterable[NBest]) -> Iterator[bytes]:
    """Each word with its tag behind a slash, a sentence a line."""
    for nbest in lists:
        pairs = zip(nbest.input, nbest.candidates[0].output, strict=True)
        yield _encoded(" ".join(f"{word}/{tag}" for word, tag in pairs) + "\n")


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
