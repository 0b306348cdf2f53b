"""`runoff train names`: learn a name tagger with its reranker."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from runoff.cli.lists.fit import learner_options
from runoff.cli.options import (
    Features,
    Jobs,
    Json,
    LearnerOption,
    MinLists,
    ModelOutput,
    RankerLearner,
    Seed,
    WorkFolder,
)
from runoff.cli.train_tagging import numbers
from runoff.cli.train_taggings import Attribution, Taggings, TrainFiles, learn


def command(
    train: TrainFiles,
    output: ModelOutput,
    dev: Annotated[
        str | None,
        typer.Option(
            help="Development file: it makes choices, and tells how well names are found.",
            metavar="FILE",
        ),
    ] = None,
    boundaries: Annotated[
        bool,
        typer.Option("--boundaries", help="Find where names begin and end, not their types."),
    ] = False,
    rerank: Annotated[
        bool, typer.Option(help="Learn a ranker too; else the tagger's favourite is taken.")
    ] = True,
    folds: Annotated[
        int,
        typer.Option(
            help="Cut the training sentences so; each fold is tagged by a tagger of the others.",
            min=2,
        ),
    ] = 5,
    n: Taggings = 20,
    prior: Annotated[
        str | None, typer.Option(help="Of the tagger, as of runoff train tagging.")
    ] = None,
    features: Features = None,
    learner: RankerLearner = "tagging-kernel",
    option: LearnerOption = None,
    min_lists: MinLists = 1,
    attribution: Attribution = None,
    work: WorkFolder = None,
    seed: Seed = 0,
    jobs: Jobs = 1,
    json: Json = False,
) -> None:
    """Learn to find names: a maximum-entropy tagger, and a ranker that picks among its taggings.

    Files have a word a line and its name tag last, in any scheme of chunks; a blank line after each
    sentence. Every step leaves its result in the folder MODEL.work: training that was interrupted
    goes on from there. The same sentences give the same bytes, whatever the number of jobs.
    """
    from runoff.tasks.names.train import Plan, train_names

    tagger: dict[str, Any] = {} if prior is None else {"prior": numbers(prior)}
    plan = Plan(
        boundaries=boundaries,
        rerank=rerank,
        n=n,
        folds=folds,
        features=tuple(features or ["tagging"]),
        learner=learner,
        options=learner_options(option or [], None),
        min_lists=min_lists,
        seed=seed,
        tagger_options=tagger,
        attribution=attribution,
    )
    learn(train_names, plan, train, dev, output=output, work=work, jobs=jobs, json=json)
