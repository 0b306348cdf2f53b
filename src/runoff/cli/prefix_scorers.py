"""What `--lm` and `--prefixes` name: scorers that read texts word by word."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from runoff.tasks.ranking.partial.scorers import PrefixScorer

Lm = Annotated[
    str | None,
    typer.Option(
        "--lm",
        help="Language model: of `runoff train lm`, an ARPA file, or a binary file of KenLM.",
        metavar="MODEL",
    ),
]
Prefixes = Annotated[
    str | None,
    typer.Option(
        "--prefixes",
        help="Program that scores beginnings of texts: one JSON line in, with `input`, `prefix` "
        "and `complete`, and one out, a number.",
        metavar="CMD",
    ),
]
Name = Annotated[
    str | None,
    typer.Option("--name", help="Name of the feature; by default lm or program.", metavar="TEXT"),
]


@contextmanager
def prefix_scorer(lm: str | None, prefixes: str | None) -> Iterator[PrefixScorer | None]:
    """The scorer that one of two options names, if any; a program is ended afterwards."""
    from runoff.errors import UsageError
    from runoff.tasks.lm.prefixes import lm_scorer
    from runoff.tasks.ranking.partial.scorers import ProgramScorer

    if lm is not None and prefixes is not None:
        raise UsageError("choose one of --lm and --prefixes")
    if prefixes is not None:
        with ProgramScorer(prefixes) as scorer:
            yield scorer
    else:
        yield None if lm is None else lm_scorer(lm)


def feature_name(name: str | None, scorer: PrefixScorer | None) -> str | None:
    """The name of the feature that a scorer gives."""
    return name or (None if scorer is None else scorer.kind)
