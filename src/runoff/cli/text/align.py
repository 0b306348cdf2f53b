"""`runoff align`: link the words of parallel text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from runoff.cli.options import Jobs, Output

if TYPE_CHECKING:
    from runoff.data.bitext import Link, SentencePair

LONGEST = 500
"""Words of the longest sentence that is aligned."""


def command(
    source: Annotated[
        str, typer.Argument(help="Tokenised text, one sentence per line.", metavar="SOURCE")
    ],
    translation: Annotated[
        str, typer.Argument(help="Its translation, line by line.", metavar="TARGET")
    ],
    output: Output = "-",
    aligner: Annotated[
        str,
        typer.Option(
            "--aligner",
            help="Aligner: native, or eflomal, which runs the program `eflomal-align`.",
            metavar="NAME",
        ),
    ] = "native",
    links: Annotated[
        str | None,
        typer.Option(
            "--links",
            help="Links of another aligner, e.g. 0-0 1-2, which are checked instead of made.",
            metavar="FILE",
        ),
    ] = None,
    symmetrise: Annotated[
        str,
        typer.Option(
            "--symmetrise",
            help="How both directions are made one: grow-diag-final-and, intersection or union.",
            metavar="NAME",
        ),
    ] = "grow-diag-final-and",
    blocks: Annotated[
        bool,
        typer.Option(
            "--blocks",
            help="Draw the best sequence of blocks (phrase pairs) of every sentence pair instead "
            "of writing links; words of a block are linked with each other only.",
        ),
    ] = False,
    jobs: Jobs = "1",
) -> None:
    """Link the words of two texts that are translations of each other.

    Links are written one line per sentence pair: `0-0 1-2` links the first words of both sentences,
    and the second of the source with the third of the target. A pair with a
    sentence of more than 500 words is skipped, and gets an empty line.
    """
    from runoff.cli.show import training_engine
    from runoff.cli.skipping import skipping
    from runoff.data.bitext import read_bitext, read_links, write_links
    from runoff.data.files import write_pieces
    from runoff.data.limits import Limit
    from runoff.proposers.translation.alignment import aligned

    with skipping("sentence pair") as skip:
        pairs = list(read_bitext(source, translation, limit=Limit(LONGEST, skip)))
    if links is not None:
        made = [sorted(own.sure) for own in read_links(links, pairs)]
    else:
        with training_engine(jobs) as engine:
            made = aligned(pairs, aligner, symmetrise, engine=engine)
    if blocks:
        write_pieces(_drawn(pairs, made), output)
    else:
        write_links(made, output)


def _drawn(pairs: list[SentencePair], links: list[list[Link]]) -> Iterator[bytes]:
    """The block alignment of every pair, drawn; the pair and a sentence where there is none."""
    from runoff.proposers.translation.block_alignment import aligned_pairs
    from runoff.report.blocks import draw_text

    for pair, found in zip(pairs, aligned_pairs(pairs, links), strict=True):
        if found is None:
            text = f"{' '.join(pair.source)} ||| {' '.join(pair.target)}: no blocks cover all words"
        else:
            text = draw_text(pair.source, pair.target, found.blocks)
        yield f"{text}\n\n".encode("utf-8", "surrogatepass")
