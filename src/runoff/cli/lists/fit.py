"""`runoff fit`: learn a ranker from n-best lists."""

from __future__ import annotations

from typing import Annotated

import typer

from runoff.cli.options import Features, Format, Jobs, Json, Lists, Metric, Seed


def command(
    lists: Lists,
    output: Annotated[str, typer.Option("--output", "-o", help="Model file to write.")],
    dev: Annotated[
        str | None,
        typer.Option(help="Development lists: they choose when to stop, and calibrate confidence."),
    ] = None,
    learner: Annotated[
        str,
        typer.Option(
            help="perceptron, voted-perceptron, exp-loss, log-loss, maxent, maxent-rank, svm-rank, "
            "p-norm-push, subtree-boost, tree-kernel, tagging-kernel, cascade or base."
        ),
    ] = "perceptron",
    features: Features = None,
    metric: Metric = None,
    option: Annotated[
        list[str] | None,
        typer.Option(
            "--option", "-O", help="Option of the learner, as epochs=20; may be repeated."
        ),
    ] = None,
    smoothing: Annotated[
        str | None,
        typer.Option(
            help="Of exp-loss and log-loss, as 0.0025; development lists choose among several, as "
            "0.001,0.0025,0.005."
        ),
    ] = None,
    min_lists: Annotated[
        int, typer.Option(help="Leave out features that occur in fewer lists.")
    ] = 2,
    thresholds: Annotated[
        str | None, typer.Option(help="Make counts binary: 1,2,4 asks for >=1, >=2 and >=4.")
    ] = None,
    bins: Annotated[
        int, typer.Option(help="Make each feature that is not a count so many binary ones.")
    ] = 0,
    format: Format = None,
    seed: Seed = 0,
    jobs: Jobs = 1,
    cache: Annotated[
        bool, typer.Option(help="Keep extracted features, so that tuning never extracts twice.")
    ] = True,
    json: Json = False,
) -> None:
    """Learn from lists with gold or qualities which candidate should win.

    The same lists and seed give the same bytes, whatever the number of jobs and the order of the
    lists.
    """
    from runoff.cli.plan_options import key_values, numbers
    from runoff.cli.show import print_json, print_record, shown, table, training_bar
    from runoff.engine import Engine
    from runoff.tasks.ranking.cache import default_cache
    from runoff.tasks.ranking.fit import fit

    options = key_values(option or [])
    if smoothing is not None:
        options["smoothing"] = smoothing
    with training_bar() as progress:
        reranker = fit(
            lists,
            dev=dev,
            learner=learner,
            features=features or ("given", "text"),
            metric=metric or "quality",
            seed=seed,
            options=options,
            min_lists=min_lists,
            thresholds=numbers("thresholds", thresholds or "", int),
            bins=bins,
            engine=Engine(jobs, progress=progress),
            cache=default_cache() if cache else None,
            checkpoint=f"{output}.checkpoint",
            format=format,
        )
    reranker.save(output)
    used = len(reranker.ranker.features_used())
    summary = {**reranker.training, "features used": used}
    if json:
        print_json({"model": output, "record": reranker.ranker.record_, **summary})
        return
    print_record(reranker.ranker.record_)
    rows = [[key, shown(value)] for key, value in summary.items() if value is not None]
    table(output, ["what", "value"], rows)
