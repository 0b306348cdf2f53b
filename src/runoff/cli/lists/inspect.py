"""`runoff inspect`: look into lists or a model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from runoff.cli.options import Format, Json, Keys, Metric

if TYPE_CHECKING:
    from runoff.data.lists import NBestFiles
    from runoff.tasks.inspect import ModelInspection
    from runoff.tasks.ranking.inspect import Inspection

TABLED = ("dev", "experts", "n-grams", "parser record", "partial")
"""Keys of headers whose figures are printed as tables."""


def command(
    files: Annotated[
        list[str],
        typer.Argument(
            help="Files of n-best lists or models, or names of models that come with Runoff.",
            metavar="FILE...",
        ),
    ],
    metric: Metric = None,
    top: Annotated[
        int, typer.Option(help="Number of weights of a model to print.", min=0, metavar="N")
    ] = 20,
    having: Annotated[
        str | None,
        typer.Option(
            help="Print only weights whose name has this token: a label or a word of a subtree, or "
            "a token of another feature. Of a translator, print the blocks of this word, or "
            "the rules from trees with this word or label.",
            metavar="TOKEN",
        ),
    ] = None,
    plot: Annotated[
        str | None,
        typer.Option(
            help="Draw the training record of the model, or of several in one plot, to this .svg, "
            ".png or .pdf file; of a model of `runoff fit --partial`, the maps and the calibration "
            "of its error model.",
            metavar="FILE",
        ),
    ] = None,
    draw: Annotated[
        int,
        typer.Option(
            help="Draw the first candidates of this many lists, if they are linkages.",
            min=0,
            metavar="N",
        ),
    ] = 0,
    format: Format = None,
    map: Keys = None,
    json: Json = False,
) -> None:
    """Show what files of lists or models hold.

    Of lists: sizes, ties, duplicates, and what there is to win: 1-best, oracle, random and worst
    choice by n. Of a model: its header, its figures and its largest weights.
    """
    from itertools import islice

    from runoff.cli.lists.propose import print_linkages
    from runoff.data.lists import NBestFiles
    from runoff.errors import UsageError
    from runoff.models import model_file
    from runoff.store.file import is_model

    if draw and json:
        raise UsageError("choose one of --draw and --json")
    if plot is not None:
        _plot(files, plot)
    for file in (path for name in files for path in NBestFiles(str(model_file(name))).paths):
        if draw and is_model(file):
            raise UsageError(f"{file}: --draw draws linkages of lists, and this is a model")
        lists = NBestFiles(file, format, map)
        _inspect(str(file), lists, metric, top, having, json=json)
        if draw:
            print_linkages(islice(lists, draw))


def _plot(files: list[str], path: str) -> None:
    """Draw the error model of one reranker that has one, else training records."""
    from functools import partial

    from runoff.models import model_file
    from runoff.report.error_maps import draw_error_maps
    from runoff.report.plot import plot_models, save_plot
    from runoff.tasks.ranking.partial.model import partial_of

    found = partial_of(model_file(files[0])) if len(files) == 1 else None
    if found is None:
        plot_models(files, path)
    else:
        curves = {found.reads: found.calibration} if found.calibration else {}
        save_plot(path, partial(draw_error_maps, found.errors, curves))


def _inspect(
    file: str,
    lists: NBestFiles,
    metric: str | None,
    top: int,
    having: str | None,
    *,
    json: bool,
) -> None:
    from runoff.cli.show import counting, print_json
    from runoff.store.file import is_model
    from runoff.tasks.inspect import inspect_model
    from runoff.tasks.ranking.inspect import inspect

    if is_model(file):
        model = inspect_model(file, top, having)
        print_json(model) if json else print_model(file, model)
    else:
        with counting("lists read") as count:
            found = inspect(count(lists), metric)
        print_json(found) if json else _print_lists(file, found)


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


def print_model(file: str, model: ModelInspection, *, whole: bool = True) -> None:
    """Print header, training record and figures of a model; the whole has parts and weights too."""
    from runoff.cli.show import print_header, print_record, print_tables, table

    apart = {"record", *model.parts, *(TABLED if model.tables else [])}
    apart |= {one.title for one in model.tables}
    header = {key: value for key, value in model.header.items() if key not in apart}
    if not model.parts and not model.tables:
        header["arrays"] = ", ".join(f"{name} {shape}" for name, shape in model.arrays.items())
    print_header(file, {"kind": model.kind, **header})
    for name, size in model.parts.items() if whole else ():
        part = {k: v for k, v in model.header[name].items() if k not in ("record", "dev")}
        print_header(f"{name}, {size:,} bytes", part)
    print_record(model.header.get("record") or {})
    print_tables(model.tables)
    if whole and model.weights:
        table("largest weights", ["feature", "weight"], [list(row) for row in model.weights])
