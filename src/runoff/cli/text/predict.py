"""`runoff predict`: predict words from their neighbours."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from runoff.cli.options import Jobs, Output

if TYPE_CHECKING:
    from runoff.data.nbest import NBest


def command(
    model: Annotated[str, typer.Argument(help="Model file of `runoff train words`.")],
    files: Annotated[
        list[str] | None,
        typer.Argument(help="Text with blanks, as `___`; `-` is stdin.", metavar="FILE..."),
    ] = None,
    next_word: Annotated[
        bool, typer.Option("--next", help="Predict the word that follows each line.")
    ] = False,
    every_word: Annotated[
        bool, typer.Option("--all", help="Predict every word from those around it.")
    ] = False,
    n: Annotated[int, typer.Option("--n", help="Words for a place, at most.", min=1, max=1000)] = 5,
    tokenized: Annotated[
        bool, typer.Option("--tokenized", help="What stands between blanks is a word.")
    ] = False,
    output: Output = "-",
    json: Annotated[
        bool, typer.Option("--json", help="Write n-best lists with logprobs, as JSON Lines.")
    ] = False,
    jobs: Jobs = 1,
) -> None:
    """Fill the blanks of a text with the most probable words.

    For each blank its surroundings are written, and below them words with their probabilities. With
    `--all` the word that is there is given first.
    """
    from itertools import chain

    from runoff.cli.show import counting
    from runoff.data.files import write_pieces
    from runoff.data.formats import jsonl
    from runoff.errors import UsageError
    from runoff.tasks.words.ask import ASKING
    from runoff.tasks.words.model import WordModel

    if next_word and every_word:
        raise UsageError("choose one of --next and --all")
    ask = ASKING["next" if next_word else "all" if every_word else "blanks"]
    words = WordModel.load(model)
    asked = chain.from_iterable(ask(file, tokenized=tokenized) for file in files or ["-"])
    encode = jsonl.encode if json else readable
    with counting("words predicted") as count:
        write_pieces(encode(count(words.lists(asked, n, engine=jobs))), output)


def readable(lists: Iterable[NBest]) -> Iterator[bytes]:
    """The surroundings of each place, and below them words with their probabilities."""
    from math import exp

    for nbest in lists:
        gold = "" if nbest.gold is None else f"\t{nbest.gold}"
        lines = [f"{nbest.input}{gold}"]
        lines += [f"{exp(c.logprob or 0.0):8.4f}  {c.output}" for c in nbest.candidates]
        yield ("\n".join(lines) + "\n").encode("utf-8", "surrogatepass")
