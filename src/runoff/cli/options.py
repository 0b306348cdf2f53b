"""Arguments and options that several verbs share."""

from __future__ import annotations

from typing import Annotated

import typer

Json = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]
Format = Annotated[
    str | None,
    typer.Option(
        "--format",
        help="jsonl, moses, bllip, espnet, tsv, svmlight or conll; else by the file's name.",
    ),
]
Lists = Annotated[str, typer.Argument(help="File of n-best lists; `-` is stdin.", metavar="LISTS")]
Features = Annotated[
    list[str] | None,
    typer.Option(
        "--features",
        help="Feature set: given, text, phrases, parse, parse-rich, or module:function of yours; "
        "may be repeated.",
    ),
]
Metric = Annotated[
    str | None,
    typer.Option(
        "--metric",
        help="What makes a candidate good: wer, cer, bleu, accuracy, exact, chunk-f1, parseval, "
        "parseval-plain, quality (carried by the lists), or module:function of yours.",
    ),
]
Jobs = Annotated[int, typer.Option("--jobs", "-j", help="Processes; 0 is one per core.")]
Seed = Annotated[int, typer.Option("--seed", help="Seed of everything random.")]
