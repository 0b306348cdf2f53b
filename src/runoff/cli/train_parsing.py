"""`runoff train parsing`: learn a parser with its reranker."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

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

if TYPE_CHECKING:
    from runoff.tasks.parsing.model import ParsingModel


def command(
    train: Annotated[
        list[str],
        typer.Option(help="Treebank to learn from, a file or folder; may be repeated."),
    ],
    dev: Annotated[
        list[str],
        typer.Option(
            help="Development treebank: it makes the choices, and tells how well sentences are "
            "parsed; may be repeated."
        ),
    ],
    output: ModelOutput,
    parser: Annotated[str, typer.Option(help="The base parser: collins or pcfg.")] = "collins",
    rerank: Annotated[
        bool, typer.Option(help="Learn a ranker too; else the parser's favourite is taken.")
    ] = True,
    folds: Annotated[
        int,
        typer.Option(
            help="Cut the training trees so; each fold is parsed by models of the others.", min=2
        ),
    ] = 10,
    n: Annotated[int, typer.Option("--n", help="Trees of a list.", min=1, max=1000)] = 50,
    grammars: Annotated[
        int,
        typer.Option(
            help="Grammars with hidden substates whose opinion of a tree the ranker hears.",
            min=0,
        ),
    ] = 2,
    features: Features = None,
    learner: RankerLearner = "maxent",
    option: LearnerOption = None,
    smoothing: Annotated[
        str | None, typer.Option(help="Of exp-loss and log-loss; several are compared on dev.")
    ] = None,
    min_lists: MinLists = 5,
    thresholds: Thresholds = "1,2,4",
    prior: Annotated[
        str | None, typer.Option(help="Of the tagger, as of `runoff train tagging`.")
    ] = None,
    min_count: Annotated[
        int | None,
        typer.Option(help="Tagger and parser know rarer words by their form alone.", min=1),
    ] = None,
    attribution: Annotated[
        str | None, typer.Option(help="Whose trees these are; goes into the model's header.")
    ] = None,
    work: WorkFolder = None,
    seed: Seed = 0,
    jobs: Jobs = 1,
    json: Json = False,
) -> None:
    """Learn to parse from trees: a tagger, a base parser, and a ranker that picks among its trees.

    Every step leaves its result in the folder MODEL.work: training that was interrupted goes on
    from there, and after a change only what depends on it is done again. The same trees give the
    same bytes, whatever the number of jobs.
    """
    from runoff.cli.show import print_json, training_bar
    from runoff.pipeline.work_folder import default_work
    from runoff.tasks.parsing.train import Plan, train_parsing

    tagger: dict[str, Any] = {} if prior is None else {"prior": numbers(prior)}
    parser_options: dict[str, Any] = {}
    if min_count is not None:
        tagger["min_count"] = parser_options["min_count"] = min_count
    plan = Plan(
        parser=parser,
        rerank=rerank,
        n=n,
        folds=folds,
        grammars=grammars,
        features=tuple(features or ["parse-rich"]),
        learner=learner,
        options=learner_options(option or [], smoothing),
        min_lists=min_lists,
        thresholds=tuple(number_list(thresholds)),
        seed=seed,
        tagger_options=tagger,
        parser_options=parser_options,
        attribution=attribution,
    )
    with training_bar() as progress:
        model = train_parsing(
            train, dev, work=work or default_work(output), plan=plan, jobs=jobs, progress=progress
        )
    model.save(output)
    if json:
        tagging = model.tagger.training["dev"]
        print_json({"model": output, **model.training, "tagging": tagging})
    else:
        _print(output, model)


def _print(output: str, model: ParsingModel) -> None:
    from runoff.cli.show import shown, table

    training = dict(model.training)
    dev = training.pop("dev")
    accuracy = model.tagger.training["dev"]["accuracy"]
    rows = [[key, shown(value)] for key, value in training.items() if value is not None]
    rows.append(["tagging accuracy", f"{100 * accuracy:.2f}%"])
    if "p" in dev:
        rows.append(["errors mended by the ranker", f"{dev['error reduction']:.2f}%"])
        rows.append(["significance", f"p = {dev['p']:.4f}"])
    table(output, ["what", "value"], rows)
    print_figures(dev)


def print_figures(dev: dict[str, Any]) -> None:
    """Print how well development trees are parsed, by lengths of sentences."""
    from runoff.cli.show import table

    figures = dev["figures"]
    lengths = next(iter(figures.values()))
    rows = [[words, name, *figures[name][words].values()] for words in lengths for name in figures]
    columns = ["words", "", *next(iter(lengths.values()))]
    table(f"development trees ({dev['metric']})", columns, rows, decimals=2)
