"""Arguments and options that several verbs share."""

from __future__ import annotations

from typing import Annotated

import typer

Json = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]
Format = Annotated[
    str | None,
    typer.Option(
        "--format",
        help="Format of the lists: {READ}. By default, the beginning of the file tells.",
        metavar="NAME",
    ),
]
ToFormat = Annotated[
    str | None,
    typer.Option(
        "--to",
        help="Format to write: {WRITTEN}. By default, the ending of the name tells.",
        metavar="NAME",
    ),
]
Keys = Annotated[
    str | None,
    typer.Option(
        "--map",
        help="Keys or columns of the lists, where they are not the usual ones, e.g. "
        "`input=prompt,output=completions,quality=rewards,logprob=score`; also gold and id, and "
        "`n=8` if every 8 rows are one list. A model remembers them.",
        metavar="PART=KEY,...",
    ),
]
Lists = Annotated[
    list[str],
    typer.Argument(
        help="Files of n-best lists, or patterns such as `runs/*.jsonl`; `-` is stdin.",
        metavar="LISTS...",
        show_default=False,
    ),
]
ListsOrStdin = Annotated[
    list[str] | None,
    typer.Argument(
        help="Files of n-best lists, or patterns such as `runs/*.jsonl`; by default, stdin.",
        metavar="[LISTS...]",
        show_default=False,
    ),
]
Ranker = Annotated[str, typer.Argument(help="Model file written by `runoff fit`.", metavar="MODEL")]
OwnFeatures = Annotated[
    list[str] | None,
    typer.Option(
        "--features",
        help="Feature function or learner of yours that the model names, e.g. `module:function`, "
        "which may be imported; may be repeated.",
        metavar="NAME",
    ),
]
Metric = Annotated[
    str | None,
    typer.Option(
        "--metric",
        help="Metric that gives a candidate its quality: {METRICS}; of lists with grades, ndcg@K, "
        "map, mrr or hit@K; or a function of yours, `module:function`. By default, the lists carry "
        "their qualities.",
        metavar="NAME",
    ),
]
Jobs = Annotated[
    str,
    typer.Option(
        "--jobs",
        "-j",
        "--engine",
        help="Number of worker processes, or threads where native code works by itself; 0 is one "
        "per core. Or a cluster: dask://HOST:PORT, ray://HOST:PORT or ray:auto. Results do not "
        "depend on it.",
        metavar="N",
    ),
]
NoMap = Annotated[
    bool,
    typer.Option(
        "--no-map",
        help="Read the whole model instead of memory-mapping it, so that its file may be "
        "overwritten in place while it is in use.",
    ),
]
Seed = Annotated[int, typer.Option("--seed", help="Random seed.", metavar="N")]
Output = Annotated[
    str, typer.Option("--output", "-o", help="File to write; `-` is stdout.", metavar="FILE")
]
ModelOutput = Annotated[
    str, typer.Option("--output", "-o", help="Model file to write.", metavar="MODEL")
]
TextFiles = Annotated[
    list[str] | None,
    typer.Argument(
        help="Files of text, folders, or patterns such as `news/*.txt`; `-` is stdin.",
        metavar="FILE...",
        show_default=False,
    ),
]
ModelAndFiles = Annotated[
    list[str] | None,
    typer.Argument(
        help="Model file; by default, the English model of the package. Then files of text, "
        "folders, or patterns such as `news/*.txt`; `-` is stdin.",
        metavar="[MODEL] [FILE...]",
        show_default=False,
    ),
]
