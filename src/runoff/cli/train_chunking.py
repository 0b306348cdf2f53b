"""`runoff train chunking`: learn a chunker with its reranker."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from runoff.cli.lists.fit import learner_options, number_list
from runoff.cli.options import (
    Features,
    Jobs,
    Json,
    LearnerOption,
    MinLists,
    ModelOutput,
    RankerLearner,
    Seed,
    Thresholds,
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
            help="Development file: it makes choices, and tells how well chunks are found.",
            metavar="FILE",
        ),
    ] = None,
    rerank: Annotated[
        bool, typer.Option(help="Learn a ranker too; else the CRF's favourite is taken.")
    ] = True,
    order: Annotated[
        int, typer.Option(help="Labels before that a label depends on.", min=1, max=2)
    ] = 1,
    scheme: Annotated[
        str, typer.Option(help="In which the CRF learns chunks: iob2 or iobes.")
    ] = "iobes",
    prior: Annotated[
        str | None,
        typer.Option(
            help="Spread of the CRF's weights, as 1; development sentences choose among several."
        ),
    ] = None,
    min_count: Annotated[
        int | None, typer.Option(help="Leave out attributes that are seen less often.", min=1)
    ] = None,
    iterations: Annotated[
        int | None, typer.Option(help="Of the search for the CRF's weights, at most.", min=1)
    ] = None,
    text: Annotated[
        list[str] | None,
        typer.Option(
            help="Plain text to learn clusters of words from, which the CRF looks at; may be "
            "repeated. Of .tsv files the last column is read.",
            metavar="FILE",
        ),
    ] = None,
    folds: Annotated[
        int,
        typer.Option(
            help="Cut the training sentences so; each fold is tagged by a CRF of the others.", min=2
        ),
    ] = 5,
    n: Taggings = 20,
    features: Features = None,
    learner: RankerLearner = "maxent",
    option: LearnerOption = None,
    min_lists: MinLists = 2,
    thresholds: Thresholds = "",
    attribution: Attribution = None,
    work: WorkFolder = None,
    seed: Seed = 0,
    jobs: Jobs = 1,
    json: Json = False,
) -> None:
    """Learn to find chunks: a tagger, a CRF, and a ranker that picks among its taggings.

    Files have a word a line with its part of speech, if there is one, and its chunk tag last, in
    any scheme; a blank line after each sentence. Every step leaves its result in the folder
    MODEL.work: training that was interrupted goes on from there. The same sentences give the same
    bytes, whatever the number of jobs.
    """
    from runoff.tasks.chunking.train import Plan, train_chunking

    given = {"order": order, "min_count": min_count, "iterations": iterations}
    crf: dict[str, Any] = {key: value for key, value in given.items() if value is not None}
    if prior is not None:
        crf["prior"] = numbers(prior)
    plan = Plan(
        rerank=rerank,
        n=n,
        folds=folds,
        scheme=scheme,
        text=tuple(text or ()),
        features=tuple(features or ()),
        learner=learner,
        options=learner_options(option or [], None),
        min_lists=min_lists,
        thresholds=tuple(number_list(thresholds)) if thresholds else (),
        seed=seed,
        crf_options=crf,
        attribution=attribution,
    )
    learn(train_chunking, plan, train, dev, output=output, work=work, jobs=jobs, json=json)
