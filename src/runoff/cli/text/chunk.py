"""`runoff chunk`: find the chunks of text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from runoff.cli.options import Jobs, JsonLists, Output, TextFiles, Tokenized, Top

if TYPE_CHECKING:
    from runoff.data.nbest import NBest
    from runoff.data.sentence import Sentence
    from runoff.tasks.tagging.reranked import RerankedTagger

Tagged = Annotated[
    bool,
    typer.Option(
        "--tagged",
        help="Read a word and its part of speech a line, which is used; chunk tags in a last "
        "column become gold of the lists that `--json` writes.",
    ),
]
Inline = Annotated[
    bool, typer.Option("--inline", help="Write `[NP a vote] [VP was]`, a sentence a line.")
]
NBestTags = Annotated[
    int, typer.Option("--n", help="Tags of the n best, a column each.", min=1, max=1000)
]
Reasons = Annotated[
    bool,
    typer.Option(
        "--why",
        help="Print the best candidates, and why the tagging beat the base's favourite or the "
        "runner-up.",
    ),
]


def command(
    model: Annotated[str, typer.Argument(help="Model file written by `runoff train chunking`.")],
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
    """Write each word of raw text with its part of speech and chunk tag, one a line.

    Text is cut into sentences and words as the treebanks are, at hyphens as the training sentences
    were. Sentences stream: the first come out before the last is read.
    """
    from runoff.tasks.chunking.model import ChunkingModel

    write_taggings(
        lambda: ChunkingModel.load(model),
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


def write_taggings(
    load: Callable[[], RerankedTagger],
    files: list[str] | None,
    *,
    tokenized: bool,
    tagged: bool,
    output: str,
    inline: bool,
    n: int,
    reasons: bool,
    top: int,
    json: bool,
    jobs: int,
) -> None:
    """Write the taggings of files, as the options say; they are checked before `load` is called."""
    from runoff.cli.show import counting
    from runoff.cli.text.reasons import print_with_reasons, with_reasons
    from runoff.data.files import write_pieces
    from runoff.data.formats import jsonl
    from runoff.data.text.read import read_files
    from runoff.errors import UsageError

    if tokenized and tagged:
        raise UsageError("choose one of --tokenized and --tagged")
    if inline and (json or n > 1 or reasons):
        raise UsageError("--inline has one tagging, so it goes not with --json, --n or --why")
    if reasons and not json and (n > 1 or output != "-"):
        raise UsageError("--n and --output go with --why only if --json is given too")
    model = load()
    how = "tokenized" if tokenized else "tagged" if tagged else "raw"
    sentences = read_files(files or ["-"], how, hyphens=model.hyphens)
    if reasons and not json:
        lists = model.explained(sentences, None, engine=jobs)
        print_with_reasons(lists, top, "tagging")
        return

    def tagged_lists(words: Iterable[Sentence]) -> Iterator[NBest]:
        if reasons:
            return with_reasons(model.explained(words, n, engine=jobs))
        return model.lists(words, n, engine=jobs)

    encode: Callable[[Iterable[NBest]], Iterator[bytes]] = (
        jsonl.encode if json else inline_text if inline else column_text
    )
    with counting("sentences tagged") as count:
        write_pieces(encode(count(with_gold(tagged_lists, sentences))), output)


def with_gold(
    tagged_lists: Callable[[Iterable[Sentence]], Iterator[NBest]],
    sentences: Iterable[Sentence],
) -> Iterator[NBest]:
    """The taggings of every sentence, with the gold that its file has."""
    from collections import deque

    from msgspec.structs import replace

    waiting: deque[list[str] | None] = deque()

    def remembered() -> Iterator[Sentence]:
        for sentence in sentences:
            waiting.append(None if sentence.gold is None else list(sentence.gold))
            yield sentence

    for nbest in tagged_lists(remembered()):
        yield replace(nbest, gold=waiting.popleft())


def column_text(lists: Iterable[NBest]) -> Iterator[bytes]:
    """A word a line with its part of speech and its tags, those of the best candidate first."""
    for nbest in lists:
        words = ([one] if isinstance(one, str) else one for one in nbest.input)
        rows = zip(words, *(c.output for c in nbest.candidates), strict=True)
        yield _encoded("".join("\t".join([*word, *tags]) + "\n" for word, *tags in rows) + "\n")


def inline_text(lists: Iterable[NBest]) -> Iterator[bytes]:
    """The words with brackets around chunks, a sentence a line."""
    from runoff.tasks.tagging.chunked import bracketed

    for nbest in lists:
        words = [one if isinstance(one, str) else one[0] for one in nbest.input]
        yield _encoded(bracketed(words, nbest.candidates[0].output) + "\n")


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
