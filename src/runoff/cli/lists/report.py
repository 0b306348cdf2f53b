"""`runoff report`: one file that shows what was compared, what was gained, and why."""

from __future__ import annotations

from typing import Annotated

import typer

from runoff.cli.options import Format, Keys, Metric, OwnFeatures


def command(
    files: Annotated[
        list[str],
        typer.Argument(
            help="Files of n-best lists; or models, whose own tables are reported.",
            metavar="FILE...",
            show_default=False,
        ),
    ],
    models: Annotated[
        list[str] | None,
        typer.Option(
            "--model",
            help="Model whose ranker picks; may be repeated, and the models are compared. Without "
            "one, the scores that lists carry pick.",
            metavar="MODEL",
        ),
    ] = None,
    gold: Annotated[
        list[str] | None,
        typer.Option(
            "--gold",
            help="Annotated data, as `runoff train` takes them, that the one model is applied to, "
            "to show its worst cases; may be repeated, e.g. for both sides of parallel text. "
            "Records have their clusters in the column `cluster`, or in that of `FILE::COLUMN`.",
            metavar="FILE",
        ),
    ] = None,
    output: Annotated[
        str, typer.Option("--output", "-o", help="HTML file to write.", metavar="FILE")
    ] = "report.html",
    metric: Metric = None,
    format: Format = None,
    map: Keys = None,
    features: OwnFeatures = None,
) -> None:
    """Write one HTML file that opens anywhere: figures, curves, and the lists that changed most.

    It needs nothing from the network, prints well, and is the same for the same input.
    """
    from pathlib import Path

    from runoff.cli.show import note
    from runoff.data.files import write_pieces
    from runoff.data.lists import NBestFiles
    from runoff.errors import UsageError
    from runoff.models import SHIPPED, model_file
    from runoff.report.pieces import document
    from runoff.store.file import is_model
    from runoff.tasks.load import load_ranker
    from runoff.tasks.model_report import gold_report, model_report
    from runoff.tasks.ranking.list_report import list_report

    own = [one for one in files if one in SHIPPED or is_model(one)]
    lists = [one for one in files if one not in own]
    if gold and (lists or len(own) != 1):
        raise UsageError("--gold needs one model, and no lists")
    parts: list[str] = []
    if lists:
        rankers = {Path(one).name: load_ranker(one, features or ()) for one in models or ()}
        streamed = NBestFiles(lists, format, map)
        names = ", ".join(Path(file).name for file in streamed.paths)
        parts += list_report(streamed, names, rankers, metric)
    for place, one in enumerate(own):
        parts += model_report(model_file(one), Path(one).name, f"own{place}")
        if gold:
            parts += gold_report(model_file(one), Path(one).name, gold)
    title = "Runoff report: " + ", ".join(Path(one).name for one in files)
    text = document(title, parts).encode("utf-8", "surrogatepass")
    write_pieces([text], output)
    note(f"{output}: {len(text):,} bytes")
