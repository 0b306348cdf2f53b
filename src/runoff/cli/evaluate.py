"""`runoff evaluate`: how good rankings are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from runoff.cli.options import Format, Json, Lists, Metric, Seed

if TYPE_CHECKING:
    from runoff.tasks.evaluate import Evaluation


def command(
    lists: Lists,
    metric: Metric = None,
    against: Annotated[
        str | None, typer.Option(help="The same lists ordered by another ranker: compare the two.")
    ] = None,
    samples: Annotated[int, typer.Option(help="Bootstrap samples.")] = 1000,
    seed: Seed = 0,
    format: Format = None,
    json: Json = False,
) -> None:
    """Measure lists: base order, what was picked, the oracle, and whether the gain is chance."""
    from runoff.cli.show import counting, print_json
    from runoff.data.formats import read_nbest
    from runoff.tasks.evaluate import evaluate

    with counting("lists read") as count:
        result = evaluate(
            count(read_nbest(lists, format)),
            metric or "quality",
            against=None if against is None else count(read_nbest(against)),
            samples=samples,
            seed=seed,
        )
    if json:
        print_json(result)
        return
    print_evaluation(result)


def print_evaluation(result: Evaluation) -> None:
    """Print the figures and the tests as tables."""
    from runoff.cli.show import table

    columns = list(next(iter(result.figures.values())))
    rows = [[name, *figures.values()] for name, figures in result.figures.items()]
    table(result.signature, ["", *columns], rows)
    if result.comparisons:
        tests = []
        for one in result.comparisons:
            interval = (
                None if one.intervals is None else "{:+.2f} to {:+.2f}".format(*one.intervals[2])
            )
            tests.append([one.test, one.first, one.second, one.difference, interval, one.p_value])
        table(None, ["test", "first", "second", "difference", "95% interval", "p"], tests)
