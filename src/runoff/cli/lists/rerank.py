"""`runoff rerank`: put lists into a ranker's order."""

from __future__ import annotations

from typing import Annotated

import typer

from runoff.cli.options import (
    Format,
    Jobs,
    Keys,
    ListsOrStdin,
    Output,
    OwnFeatures,
    Ranker,
    ToFormat,
)
from runoff.cli.prefix_scorers import Lm, Prefixes


def command(
    ranker: Ranker,
    lists: ListsOrStdin = None,
    output: Output = "-",
    format: Format = None,
    map: Keys = None,
    to_format: ToFormat = None,
    best: Annotated[
        bool,
        typer.Option("--best", help="Write the winner of each list only, one per line."),
    ] = False,
    features: OwnFeatures = None,
    abstain: Annotated[
        float | None,
        typer.Option(
            metavar="P", help="Leave lists whose confidence is below P, 0 to 1, in the base order."
        ),
    ] = None,
    epsilon: Annotated[
        float | None,
        typer.Option(
            "--epsilon",
            help="Leave a candidate unread when the chance that it would win is not above this, 0 "
            "to 1; 0.05 if only `--budget` is given. Needs a model of `runoff fit --partial`.",
            metavar="X",
        ),
    ] = None,
    budget: Annotated[
        str | None,
        typer.Option(
            "--budget",
            help="Stop reading a list after this many steps, e.g. 500, or this much time, e.g. "
            "100ms or 2s; with a time, results may differ from run to run.",
            metavar="N|TIME",
        ),
    ] = None,
    lm: Lm = None,
    prefixes: Prefixes = None,
    reasons: Annotated[
        bool,
        typer.Option(
            "--why",
            help="Print which candidates were left unread, as tables; the lists that are written "
            "without it say the same as JSON.",
        ),
    ] = False,
    audit: Annotated[
        str | None,
        typer.Option(
            "--audit",
            help="File that gets a JSON line for each decision: winner, reasons, confidence, ties, "
            "hash of the model.",
            metavar="FILE",
        ),
    ] = None,
    jobs: Jobs = "1",
) -> None:
    """Write lists in a ranker's order, each candidate with its score and former rank.

    A model that was fitted with development lists adds its confidence to each list: the probability
    that its pick is the best of the candidates. Everything else in the lists stays as it is. Lists
    stream: the first is written before the last is read.

    With `--epsilon` or `--budget`, candidates are read piece by piece and most of them not to the
    end. Those that were read have scores; of the others, `read`, `expected` and `eta` tell how far
    they were read, and what is expected of them. `search` tells what each list cost.
    """
    from runoff.cli.lists.audited import audited
    from runoff.cli.lists.searched import print_searched, searched
    from runoff.cli.show import counting, note
    from runoff.data.formats import carried, format_of, write_nbest
    from runoff.data.lists import NBestFiles
    from runoff.errors import UsageError
    from runoff.models import model_file
    from runoff.tasks.ranking.rerank import rerank as rerank_lists
    from runoff.tasks.ranking.reranker import Reranker

    model = Reranker.load(model_file(ranker), features or ())
    if best and to_format is not None:
        raise UsageError("--best writes plain text and cannot be combined with --to")
    target = "best" if best else to_format or format_of(output)
    read = NBestFiles(lists or "-", format, map).like(model.map)
    if audit is not None:
        if (epsilon, budget, abstain) != (None, None, None):
            raise UsageError("--audit cannot be combined with --epsilon, --budget or --abstain")
        ranked = audited(model, ranker, read, audit)
    elif epsilon is None and budget is None:
        if reasons or (lm, prefixes) != (None, None):
            raise UsageError("--why, --lm and --prefixes are for --epsilon and --budget")
        ranked = rerank_lists(model, read, abstain=abstain, engine=jobs)
    elif abstain is not None:
        raise UsageError("--abstain needs all scores and cannot be combined with a search")
    else:
        ranked = searched(model, read, epsilon, budget, lm, prefixes)
    if reasons:
        print_searched(ranked)
        return
    lost = [part for part in ("score", "rank") if part not in carried(target)]
    if lost and target != "best":
        note(f"{output}: {target} cannot hold {' and '.join(lost)}, so only the order is written")
    with counting("lists reranked") as count:
        write_nbest(count(ranked), output, target)
