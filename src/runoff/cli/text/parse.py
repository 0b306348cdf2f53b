"""`runoff parse`: parse text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from runoff.cli.options import Jobs, JsonLists, ModelAndFiles, Output, Tokenized, Top

if TYPE_CHECKING:
    from runoff.data.nbest import NBest


def command(
    arguments: ModelAndFiles = None,
    tokenized: Tokenized = False,
    tagged: Annotated[
        bool,
        typer.Option(
            "--tagged",
            help="Read words with their tags, which are used: `word_TAG` or `word/TAG`, a sentence "
            "a line, or columns.",
        ),
    ] = False,
    output: Output = "-",
    n: Annotated[
        int, typer.Option("--n", help="Trees of every sentence, with scores.", min=1, max=1000)
    ] = 1,
    draw: Annotated[bool, typer.Option("--draw", help="Draw the trees.")] = False,
    svg: Annotated[
        str | None,
        typer.Option(
            help="Draw the trees to 1.svg, 2.svg, ... in this folder, or one to this .svg file.",
            metavar="DIR",
        ),
    ] = None,
    reasons: Annotated[
        bool,
        typer.Option(
            "--why",
            help="Print the best candidates, and why the tree beat the parser's favourite or the "
            "runner-up; with `--draw`, draw the tree first.",
        ),
    ] = False,
    top: Top = 10,
    json: JsonLists = False,
    jobs: Jobs = 1,
) -> None:
    """Write the tree of each sentence of raw text, one a line.

    Text is cut into sentences and words as the treebanks are. Sentences stream: the first trees
    come out before the last sentence is read.
    """
    from runoff.cli.show import counting
    from runoff.cli.text.reasons import print_with_reasons, with_reasons
    from runoff.data.files import write_pieces
    from runoff.data.formats import jsonl
    from runoff.data.text.read import read_files
    from runoff.errors import UsageError
    from runoff.models import model_and_files
    from runoff.tasks.parsing.model import ParsingModel

    if draw + (svg is not None) + json > 1 or (reasons and svg is not None):
        raise UsageError("choose one of --draw, --svg and --json; --why goes with --draw or --json")
    if tokenized and tagged:
        raise UsageError("choose one of --tokenized and --tagged")
    if (draw or (reasons and not json) or svg is not None) and (n > 1 or output != "-"):
        raise UsageError("--n and --output go with trees in brackets and with --json")
    file, files = model_and_files(arguments or [])
    model = ParsingModel.load(file)
    how = "tokenized" if tokenized else "tagged" if tagged else "raw"
    sentences = read_files(files or ["-"], how)
    if reasons and not json:
        first = (lambda nbest: _draw([nbest])) if draw else lambda nbest: None
        print_with_reasons(model.explained(sentences, None, engine=jobs), top, "tree", first)
        return
    if draw:
        _draw(model.lists(sentences, engine=jobs))
        return
    with counting("sentences parsed") as count:
        found = count(
            with_reasons(model.explained(sentences, n, engine=jobs))
            if reasons
            else model.lists(sentences, n, engine=jobs)
        )
        if svg is not None:
            _write_svg(found, svg)
            return
        encode: Callable[[Iterable[NBest]], Iterator[bytes]] = (
            jsonl.encode if json else bracket_text if n == 1 else scored_text
        )
        write_pieces(encode(found), output)


def bracket_text(lists: Iterable[NBest]) -> Iterator[bytes]:
    """The best tree of each sentence, one a line."""
    return (f"{nbest.candidates[0].output}\n".encode() for nbest in lists)


def scored_text(lists: Iterable[NBest]) -> Iterator[bytes]:
    """Score or log-probability, and the tree, one a line; a blank line after each sentence."""
    for nbest in lists:
        lines = (
            f"{c.logprob if c.score is None else c.score:.4f}\t{c.output}\n"
            for c in nbest.candidates
        )
        yield ("".join(lines) + "\n").encode()


def _draw(lists: Iterable[NBest]) -> None:
    from rich.console import Console

    from runoff.data.tree import Tree
    from runoff.data.treebank.draw import draw_rich

    console = Console(soft_wrap=True, highlight=False)
    for nbest in lists:
        width = console.width if console.is_terminal else None
        console.print(draw_rich(Tree.parse(nbest.candidates[0].output), width), end="\n\n")


def _write_svg(lists: Iterable[NBest], target: str) -> None:
    from pathlib import Path

    from runoff.data.files import write_pieces
    from runoff.data.tree import Tree
    from runoff.data.treebank.draw import draw_svg
    from runoff.errors import UsageError

    one_file = target.endswith(".svg")
    if not one_file:
        Path(target).mkdir(parents=True, exist_ok=True)
    for number, nbest in enumerate(lists, 1):
        if one_file and number > 1:
            raise UsageError(
                f"{target} holds the first tree, and the text has more sentences",
                hint="name a folder for all of them: --svg DIR",
            )
        path = Path(target) if one_file else Path(target) / f"{number}.svg"
        write_pieces([draw_svg(Tree.parse(nbest.candidates[0].output)).encode()], path)
