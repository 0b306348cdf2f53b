"""`runoff inspect`: look into lists or a model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from runoff.cli.options import Format, Json, Metric

if TYPE_CHECKING:
    from runoff.tasks.inspect import ModelInspection
    from runoff.tasks.ranking.inspect import Inspection


def command(
    files: Annotated[
        list[str],
        typer.Argument(
            help="File of n-best lists, or a model: a file, or `english`.", metavar="FILE..."
        ),
    ],
    metric: Metric = None,
    top: Annotated[int, typer.Option(help="How many weights of a model to print.", min=0)] = 20,
    having: Annotated[
        str | None,
        typer.Option(
            help="Print weights of a model that have this in their name alone: a label or a word "
            "of a subtree, a token of another feature.",
            metavar="TOKEN",
        ),
    ] = None,
    plot: Annotated[
        str | None,
        typer.Option(
            help="Draw the training record of a model, or of several together, to this .svg, .png "
            "or .pdf file.",
            metavar="FILE",
        ),
    ] = None,
    format: Format = None,
    json: Json = False,
) -> None:
    """Show what a file holds.

    Lists: sizes, ties, duplicates, and what could be won: 1-best, oracle, random and worst by n.
    A model: its header and largest weights.
    """
    if plot is not None:
        from runoff.report.plot import plot_models

        plot_models(files, plot)
    for file in files:
        _inspect(file, metric, top, having, format, json=json)


def _inspect(
    file: str,
    metric: str | None,
    top: int,
    having: str | None,
    format: str | None,
    *,
    json: bool,
) -> None:
    from runoff.cli.show import counting, print_json
    from runoff.data.formats import read_nbest
    from runoff.models import model_file
    from runoff.store.file import is_model
    from runoff.tasks.inspect import inspect_model
    from runoff.tasks.ranking.inspect import inspect

    file = str(model_file(file))
    if is_model(file):
        model = inspect_model(file, top, having)
        print_json(model) if json else _print_model(file, model)
    else:
        with counting("lists read") as count:
            lists = inspect(count(read_nbest(file, format)), metric)
        print_json(lists) if json else _print_lists(file, lists)


def _print_lists(file: str, found: Inspection) -> None:
    from runoff.cli.show import table

    rows = [
        ["lists", f"{found.lists:,}"],
        ["candidates", f"{found.candidates:,}"],
        ["per list", f"{found.shortest} to {found.longest}, median {found.median:g}"],
        ["duplicate outputs", f"{found.duplicates:,}"],
        ["lists with a tie for the base's first place", f"{found.ties:,}"],
        ["lists not in the order of their logprobs", f"{found.out_of_order:,}"],
        ["lists that have", ", ".join(f"{part} {n:,}" for part, n in found.parts.items())],
    ]
    table(file, ["what", "value"], rows)
    if found.by_n:
        name = next(iter(found.by_n[0].oracle))
        columns = ["n", "1-best", "oracle", "random", "worst"]
        by_n = [
            [row.n, row.one_best[name], row.oracle[name], row.random[name], row.worst[name]]
            for row in found.by_n
        ]
        table(f"{name} of the first n ({found.signature})", columns, by_n)


def _print_model(file: str, model: ModelInspection) -> None:
    from runoff.cli.show import print_record, print_tables, shown, table

    apart = {"record", *model.parts, *(["dev", "experts"] if model.tables else [])}
    header = {k: v for k, v in model.header.items() if k not in apart and v is not None}
    rows = [["kind", model.kind], *([key, shown(value)] for key, value in header.items())]
    if not model.parts and not model.tables:
        rows.append(["arrays", ", ".join(f"{n} {shape}" for n, shape in model.arrays.items())])
    table(file, ["header", ""], rows)
    for name, size in model.parts.items():
        part = {k: v for k, v in model.header[name].items() if k not in ("record", "dev")}
        rows = [[key, shown(value)] for key, value in part.items() if value is not None]
        table(f"{name}, {size:,} bytes", ["header", ""], rows)
    print_tables(model.tables)
    print_record(model.header.get("record") or {})
    if model.weights:
        table("largest weights", ["feature", "weight"], [list(row) for row in model.weights])
