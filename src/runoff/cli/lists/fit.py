"""`runoff fit`: learn a ranker from n-best lists."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from runoff.cli.options import Format, Jobs, Json, Lists, Metric, ModelOutput
from runoff.cli.plan_options import command_for
from runoff.pipeline.fit_plan import FitPlan

if TYPE_CHECKING:
    from runoff.tasks.ranking.reranker import Reranker


def run(
    *,
    lists: Lists,
    output: ModelOutput,
    dev: Annotated[
        str | None,
        typer.Option(
            help="Development lists, which choose when to stop and calibrate the confidence.",
            metavar="LISTS",
        ),
    ] = None,
    metric: Metric = None,
    plan: FitPlan,
    format: Format = None,
    cache: Annotated[
        bool, typer.Option(help="Keep extracted features, so that tuning never extracts twice.")
    ] = True,
    jobs: Jobs = "1",
    json: Json = False,
) -> None:
    """Learn from lists with gold or qualities which candidate should win.

    The same lists and seed give the same bytes, whatever the number of jobs and the order of the
    lists. A fit that was interrupted resumes when the same command is given again.
    """
    from runoff.cli.show import training_engine
    from runoff.tasks.ranking.cache import default_cache
    from runoff.tasks.ranking.fit import fit

    with training_engine(jobs) as engine:
        reranker = fit(
            lists,
            dev=dev,
            metric=metric or "quality",
            engine=engine,
            cache=default_cache() if cache else None,
            checkpoint=f"{output}.checkpoint",
            format=format,
            **vars(plan),
        )
    reranker.save(output)
    _report(output, reranker, json=json)


def _report(output: str, reranker: Reranker, *, json: bool) -> None:
    from runoff.cli.show import print_header, print_json, print_record

    record, used = reranker.ranker.record_, len(reranker.ranker.features_used())
    summary = {**reranker.training, "features used": used}
    if json:
        print_json({"model": output, "record": record, **summary})
    else:
        print_record(record)
        print_header(output, summary)


command = command_for(FitPlan, run)
