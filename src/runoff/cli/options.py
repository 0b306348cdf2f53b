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
        help="Feature set: given, text, phrases, parse, parse-rich; trees for learners of trees: "
        "tree, lexical-tree, chunk-tree, tagging; or module:function of yours; may be repeated.",
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

ModelAndFiles = Annotated[
    list[str] | None,
    typer.Argument(
        help="Model file, or else the English model of the package; then files of text, where `-` "
        "is stdin.",
        metavar="[MODEL] [FILE...]",
    ),
]
TextFiles = Annotated[
    list[str] | None, typer.Argument(help="Files of text; `-` is stdin.", metavar="FILE...")
]
Tokenized = Annotated[
    bool, typer.Option("--tokenized", help="Read a sentence a line, blanks between words.")
]
Output = Annotated[str, typer.Option("--output", "-o", help="File to write.")]
ModelOutput = Annotated[str, typer.Option("--output", "-o", help="Model file to write.")]
Top = Annotated[int, typer.Option(help="How many terms `--why` prints.", min=0)]
JsonLists = Annotated[
    bool,
    typer.Option("--json", help="Write n-best lists, as JSON Lines; with `--why`, all terms."),
]
RankerLearner = Annotated[str, typer.Option(help="Of the ranker, as of `runoff fit`.")]
LearnerOption = Annotated[
    list[str] | None,
    typer.Option("--option", "-O", help="Option of the learner, as rounds=20000."),
]
MinLists = Annotated[int, typer.Option(help="Leave out features that occur in fewer lists.")]
Thresholds = Annotated[
    str, typer.Option(help="Make counts binary: 1,2,4 asks for >=1, >=2 and >=4.")
]
WorkFolder = Annotated[
    str | None,
    typer.Option(help="Folder for the results of the steps; else MODEL.work.", metavar="DIR"),
]
