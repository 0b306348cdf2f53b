"""`runoff evaluate`: how good rankings are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from runoff.cli.options import Format, Json, Keys, Lists, Metric, Seed

if TYPE_CHECKING:
    from runoff.tasks.identity.evaluate import ClusterEvaluation
    from runoff.tasks.parsing.evaluate import TreeEvaluation
    from runoff.tasks.ranking.evaluate import Evaluation


def command(
    lists: Lists,
    metric: Metric = None,
    against: Annotated[
        str | None,
        typer.Option(
            help="Lists to compare with: those of LISTS in the order of another ranker.",
            metavar="LISTS",
        ),
    ] = None,
    gold: Annotated[
        str | None,
        typer.Option(
            help="File of gold trees; LISTS is then a file of parses, in the same order. For a "
            "file of clusters (.csv, .tsv, .jsonl), the column with the right clusters, or "
            "RECORDS::COLUMN of a file of records.",
            metavar="FILE|COLUMN",
        ),
    ] = None,
    samples: Annotated[int, typer.Option(help="Number of bootstrap samples.", metavar="N")] = 1000,
    seed: Seed = 0,
    format: Format = None,
    map: Keys = None,
    json: Json = False,
) -> None:
    """Measure the base order, the picks and the oracle of lists, and test the difference.

    With `--gold`, measure parses against a treebank, by sentence length, or clusters of records
    against the right ones.
    """
    from runoff.cli.show import counting, print_json
    from runoff.data.lists import NBestFiles
    from runoff.errors import UsageError
    from runoff.tasks.ranking.evaluate import evaluate

    if gold is not None and len(lists) > 1:
        raise UsageError("--gold is for one file of parses or clusters")
    if gold is not None and _are_clusters(lists[0], metric):
        _evaluate_clusters(lists[0], gold, metric, against, json)
        return
    if gold is not None:
        _evaluate_trees(lists[0], gold, metric or "parseval", against, json)
        return

    with counting("lists read") as count:
        result = evaluate(
            count(NBestFiles(lists, format, map)),
            metric or "quality",
            against=None if against is None else count(NBestFiles(against, format, map)),
            samples=samples,
            seed=seed,
        )
    if json:
        print_json(result)
        return
    print_evaluation(result, against)


def _are_clusters(file: str, metric: str | None) -> bool:
    """Whether a file has clusters of records: its metric says so, or its name."""
    from runoff.data.records.files import format_of_name
    from runoff.tasks.identity.evaluate import METRICS

    return metric in METRICS or (metric is None and format_of_name(file) is not None)


def _evaluate_clusters(
    clusters: str, gold: str, metric: str | None, against: str | None, json: bool
) -> None:
    from runoff.cli.show import print_json, print_line
    from runoff.errors import UsageError
    from runoff.tasks.identity.evaluate import evaluate_clusters

    if against is not None:
        raise UsageError("--against compares n-best lists and cannot be combined with --gold")
    result = evaluate_clusters(clusters, gold, metric)
    if json:
        print_json(result)
    else:
        print_evaluation(result)
        print_line(f"clusters: {result.clusters:,} found, {result.gold_clusters:,} in gold")


def _evaluate_trees(parses: str, gold: str, metric: str, against: str | None, json: bool) -> None:
    from runoff.cli.show import counting, print_json
    from runoff.data.tree import read_trees
    from runoff.errors import UsageError
    from runoff.tasks.parsing.evaluate import evaluate_trees

    if against is not None:
        raise UsageError("--against compares n-best lists and cannot be combined with --gold")
    with counting("trees read") as count:
        result = evaluate_trees(parses, count(read_trees(gold)), metric)
    if json:
        print_json(result)
    else:
        print_evaluation(result)


def print_evaluation(
    result: Evaluation | TreeEvaluation | ClusterEvaluation, other: str | None = None
) -> None:
    """Print the figures and the tests as tables; `other` is the file compared with."""
    from runoff.cli.show import table

    columns = list(next(iter(result.figures.values())))
    largest = max(abs(value) for row in result.figures.values() for value in row.values())
    decimals = 2 if largest >= 2 else 4
    rows = [
        [other if name == "other" else name, *figures.values()]
        for name, figures in result.figures.items()
    ]
    table(result.signature, ["", *columns], rows, decimals=decimals)
    comparisons = getattr(result, "comparisons", [])
    if comparisons:
        tests = []
        for one in comparisons:
            gap = None if one.intervals is None else one.intervals[2]
            interval = None if gap is None else f"{gap[0]:+.{decimals}f} to {gap[1]:+.{decimals}f}"
            p_value = f"{one.p_value:.4f}"
            tests.append([one.test, one.first, one.second, one.difference, interval, p_value])
        head = ["test", other or "base", "picked", "difference", "95% interval", "p"]
        table(None, head, tests, decimals=decimals)
