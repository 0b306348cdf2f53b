"""`runoff predict`: predict words from their neighbours."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from runoff.cli.options import Jobs, NoMap
from runoff.cli.plan_options import command_for
from runoff.cli.text.options import TextOptions
from runoff.errors import UsageError
from runoff.pipeline.options import option, redefined

if TYPE_CHECKING:
    from runoff.data.nbest import NBest


@dataclass(frozen=True, kw_only=True)
class PredictOptions(TextOptions):
    """Which words are predicted, and how they are written."""

    next: bool = option(False, "Predict the word that follows each line.")
    all: bool = option(False, "Predict every word from those around it.")
    tokenized: bool = redefined(
        TextOptions,
        "tokenized",
        False,
        help="The text is already tokenised; split it at whitespace only.",
    )
    n: int = redefined(TextOptions, "n", 5, help="Number of words to predict for each position.")

    def __post_init__(self) -> None:
        """Check what cannot be combined."""
        super().__post_init__()
        self.exclude("next", "all")

    @property
    def asked(self) -> str:
        """What is predicted: the next word, all words, or blanks."""
        return "next" if self.next else "all" if self.all else "blanks"


def run(
    *,
    arguments: Annotated[
        list[str] | None,
        typer.Argument(
            help="Model file; by default, the English model of the package. Then files of text "
            "with blanks, written `___`; `-` is stdin.",
            metavar="[MODEL] [FILE...]",
            show_default=False,
        ),
    ] = None,
    options: PredictOptions,
    no_map: NoMap = False,
    jobs: Jobs = "1",
) -> None:
    """Fill the blanks of a text with the most probable words.

    For each blank, its context is written, and below it words with their probabilities. With
    `--all`, the word that is there stands beside the context.
    """
    from itertools import chain

    from runoff.cli.show import counting
    from runoff.cli.skipping import skipping
    from runoff.data.files import write_pieces
    from runoff.data.formats import jsonl
    from runoff.models import SHIPPED, model_and_files
    from runoff.tasks.words.ask import ASKING
    from runoff.tasks.words.model import WordModel

    model, files = model_and_files(arguments or [], "predict")
    words, ask = WordModel.load(model, map=not no_map), ASKING[options.asked]
    if options.next and model in SHIPPED.values():
        raise UsageError(
            "--next needs a model that looks at no words to the right, unlike that of the "
            "package: train one by `runoff train words text.txt --right 0 -o next.runoff`"
        )
    encode = jsonl.encode if options.json else readable
    with skipping("line") as skip, counting("words predicted") as count:
        asked = chain.from_iterable(
            ask(file, tokenized=options.tokenized, over=skip) for file in files or ["-"]
        )
        lists = count(words.lists(asked, options.n, engine=jobs))
        write_pieces(encode(lists), options.output)


command = command_for(PredictOptions, run)


def readable(lists: Iterable[NBest]) -> Iterator[bytes]:
    """The context of each position, and below it words with their probabilities."""
    from math import exp

    for nbest in lists:
        gold = "" if nbest.gold is None else f"\t{nbest.gold}"
        lines = [f"{nbest.input}{gold}"]
        lines += [f"{exp(c.logprob or 0.0):8.4f}  {c.output}" for c in nbest.candidates]
        yield ("\n".join(lines) + "\n").encode("utf-8", "surrogatepass")
