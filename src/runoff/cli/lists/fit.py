"""`runoff fit`: learn a ranker from n-best lists."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from runoff.cli.options import Format, Jobs, Json, Keys, Lists, Metric, ModelOutput
from runoff.cli.plan_options import command_for
from runoff.cli.prefix_scorers import Lm, Name, Prefixes
from runoff.pipeline.fit_plan import FitPlan

if TYPE_CHECKING:
    from runoff.tasks.ranking.reranker import Reranker
    from runoff.tasks.ranking.results.judged import Judged


def run(
    *,
    lists: Lists,
    output: ModelOutput,
    dev: Annotated[
        list[str] | None,
        typer.Option(
            help="Development lists, which choose when to stop and calibrate the confidence; may "
            "be repeated.",
            metavar="LISTS",
        ),
    ] = None,
    metric: Metric = None,
    plan: FitPlan,
    format: Format = None,
    map: Keys = None,
    cache: Annotated[
        bool, typer.Option(help="Keep extracted features, so that tuning never extracts twice.")
    ] = True,
    partial: Annotated[
        bool,
        typer.Option(
            "--partial",
            help="Learn an error model too, with which `runoff rerank --epsilon` leaves candidates "
            "unread that cannot win: of `--lm`, of `--prefixes`, or of the ranker's own features. "
            "It needs a linear learner, e.g. `--learner maxent`.",
        ),
    ] = False,
    partial_lists: Annotated[
        int,
        typer.Option(
            "--partial-lists",
            help="Number of lists that the error model is learned from: development lists, or "
            "else training lists.",
            min=1,
            metavar="N",
        ),
    ] = 200,
    lm: Lm = None,
    prefixes: Prefixes = None,
    name: Name = None,
    folds: Annotated[
        int,
        typer.Option(
            help="Without development lists, learn once more without each of so many parts of the "
            "lists, which tell how sure a pick is; `auto` does so in any case.",
            min=0,
            metavar="N",
        ),
    ] = 0,
    budget: Annotated[
        str | None,
        typer.Option(
            help="Time after which `auto` tries nothing new, e.g. 60s; the result then depends on "
            "the machine.",
            metavar="TIME",
        ),
    ] = None,
    log: Annotated[
        str | None,
        typer.Option("--log", help="File that gets a line for each stage.", metavar="FILE"),
    ] = None,
    jobs: Jobs = "1",
    json: Json = False,
) -> None:
    """Learn from lists with gold or qualities which candidate should win.

    The same lists and seed give the same bytes, whatever the number of jobs and the order of the
    lists. A fit that was interrupted resumes when the same command is given again.
    """
    from runoff.cli.prefix_scorers import feature_name, prefix_scorer
    from runoff.cli.show import logging_to, training_engine
    from runoff.data.lists import NBestFiles
    from runoff.errors import UsageError
    from runoff.metrics import metric as find_metric
    from runoff.tasks.ranking.cache import default_cache
    from runoff.tasks.ranking.fit import fit
    from runoff.tasks.ranking.partial.model import PartialPlan
    from runoff.tasks.ranking.results.judged import judge

    if not partial and (lm, prefixes) != (None, None):
        raise UsageError("--lm and --prefixes are for --partial")
    with training_engine(jobs) as engine, prefix_scorer(lm, prefixes) as scorer, logging_to(log):
        how = PartialPlan(scorer=scorer, feature=feature_name(name, scorer), lists=partial_lists)
        reranker = fit(
            NBestFiles(lists, format, map),
            dev=NBestFiles(dev, format, map) if dev else None,
            metric=metric or "quality",
            engine=engine,
            cache=default_cache() if cache else None,
            checkpoint=f"{output}.checkpoint",
            partial=how if partial else None,
            folds=folds,
            **(vars(plan) | _within(budget, plan)),
        )
    reranker.save(output)
    wanted = find_metric(metric or "quality", allow_code=True)
    held_out = NBestFiles(dev, format, map) if dev and "-" not in dev else None
    judged = None if held_out is None else judge(reranker, held_out, wanted)
    _report(output, reranker, judged, json=json)


def _within(budget: str | None, plan: FitPlan) -> dict[str, Any]:
    """The options of the learner with a limit of time."""
    from runoff.cli.budget import seconds
    from runoff.errors import UsageError

    if budget is None:
        return {}
    if plan.learner != "auto":
        raise UsageError(f"--budget is for --learner auto, not {plan.learner}")
    return {"options": {**plan.options, "budget": seconds(budget)}}


def _report(output: str, reranker: Reranker, judged: Judged | None, *, json: bool) -> None:
    from runoff.cli.show import note, print_header, print_json, print_record, print_tables

    record, used = reranker.ranker.record_, len(reranker.ranker.features_used())
    summary = {**reranker.training, "features used": used}
    partial = reranker.partial
    if json:
        told = {} if partial is None else {"partial": partial.header()}
        on_dev = {} if judged is None else {"on dev": judged}
        print_json({"model": output, "record": record, **summary, **told, **on_dev})
    else:
        print_record(record)
        print_header(output, summary)
        print_tables([] if partial is None else [partial.table()])
    if judged is not None:
        if not json:
            _print_judged(judged)
        for warning in judged.warnings:
            note(f"warning: {warning}")


def _print_judged(judged: Judged) -> None:
    """Print the figures of ways to choose, and what the picks won."""
    from runoff.cli.show import count_of, print_line, table

    rows = [[name, value] for name, value in judged.figures.items()]
    table(f"on {count_of(judged.lists, 'development list')}", ["choice", judged.metric], rows)
    closed = "" if judged.closed is None else f", {judged.closed:.0%} of the way to the oracle"
    print_line(f"won {judged.won}, lost {judged.lost}{closed}, p {judged.p_value:.4f}")


command = command_for(FitPlan, run)
