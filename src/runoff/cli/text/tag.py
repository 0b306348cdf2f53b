"""`runoff tag`: tag words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from runoff.cli.options import Jobs, ModelAndFiles
from runoff.cli.plan_options import command_for
from runoff.cli.text.options import SentenceOptions
from runoff.cli.text.places import Places
from runoff.errors import UsageError
from runoff.pipeline.options import option, redefined

if TYPE_CHECKING:
    from runoff.data.nbest import NBest


@dataclass(frozen=True, kw_only=True)
class TagOptions(SentenceOptions):
    """How text is read, and how tags are written."""

    columns: bool = option(False, "Read one word per line, the first of its columns.")
    inline: bool = option(False, "Write `word/TAG word/TAG`, one sentence per line.")
    n: int = redefined(
        SentenceOptions, "n", 1, help="Number of taggings to write for each sentence, in columns."
    )

    def __post_init__(self) -> None:
        """Check what cannot be combined."""
        super().__post_init__()
        self.exclude("lines", "tokenized", "columns")
        if self.inline and (self.json or self.n > 1):
            raise UsageError(
                "--inline writes one tag per word and cannot be combined with --json or --n"
            )


def run(*, arguments: ModelAndFiles = None, options: TagOptions, jobs: Jobs = "1") -> None:
    """Write each word of raw text with its tag, one word per line.

    Text is split into sentences and words as in treebanks; a blank line follows each sentence.
    Sentences stream: the first is written before the last is read. The model is a tagger or a
    parser.
    """
    from runoff.cli.show import counting
    from runoff.cli.skipping import skipping
    from runoff.data.files import write_pieces
    from runoff.data.formats import jsonl
    from runoff.data.limits import Limit
    from runoff.models import model_and_files
    from runoff.tasks.load import load_tagger

    model, files = model_and_files(arguments or [], "tag")
    tagger = load_tagger(model)
    kinds = {"lines": options.lines, "tokenized": options.tokenized, "columns": options.columns}
    how = next((kind for kind, chosen in kinds.items() if chosen), "raw")
    encode = jsonl.encode if options.json else inline_text if options.inline else column_text
    with skipping("sentence") as skip, counting("sentences tagged") as count:
        places = Places(wanted=options.json)
        sentences = places.read(files, how, Limit(options.longest, skip))
        lists = places.added(count(tagger.lists(sentences, options.n, engine=jobs)))
        write_pieces(encode(lists), options.output)


command = command_for(TagOptions, run)


def column_text(lists: Iterable[NBest]) -> Iterator[bytes]:
    """One word per line with its tags, those of the best candidate first."""
    for nbest in lists:
        rows = zip(nbest.input, *(c.output for c in nbest.candidates), strict=True)
        yield _encoded("".join("\t".join(row) + "\n" for row in rows) + "\n")


def inline_text(lists: Iterable[NBest]) -> Iterator[bytes]:
    """Each word with its tag after a slash, one sentence per line."""
    for nbest in lists:
        pairs = zip(nbest.input, nbest.candidates[0].output, strict=True)
        yield _encoded(" ".join(f"{word}/{tag}" for word, tag in pairs) + "\n")


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
