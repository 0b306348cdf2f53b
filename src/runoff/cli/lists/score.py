"""`runoff score`: give candidates the score of a language model or a program as a feature."""

from __future__ import annotations

from typing import Annotated

import typer

from runoff.cli.options import Format, Jobs, Keys, ListsOrStdin, NoMap, Output, ToFormat
from runoff.cli.prefix_scorers import Lm, Name, Prefixes


def command(
    lists: ListsOrStdin = None,
    lm: Lm = None,
    prefixes: Prefixes = None,
    cmd: Annotated[
        str | None,
        typer.Option(
            "--cmd",
            help="Program that scores candidates: one JSON line in, with `input`, `output`, "
            "`logprob` and `features`, and one out, a number.",
            metavar="CMD",
        ),
    ] = None,
    cache: Annotated[
        bool, typer.Option(help="Keep the answers of `--cmd`, so that nothing is asked twice.")
    ] = True,
    name: Name = None,
    output: Output = "-",
    format: Format = None,
    map: Keys = None,
    to_format: ToFormat = None,
    no_map: NoMap = False,
    jobs: Jobs = "1",
) -> None:
    """Add what a language model or a program says of each candidate's text as a named feature.

    With `--lm` that is a log-probability; the text of a candidate is one sentence, whose end is
    scored too. With `--cmd` it is what a program of yours says of the candidate, e.g. a language
    model, a verifier, a test run; answers are kept, and asked for again with `--no-cache`. With
    `--prefixes` it is what the program says of the whole text. All else in the lists stays as it
    is. Lists stream: the first is written before the last is read.
    """
    from runoff.cli.prefix_scorers import feature_name, prefix_scorer
    from runoff.cli.show import counting
    from runoff.data.formats import carried, format_of, write_nbest
    from runoff.data.lists import NBestFiles
    from runoff.errors import UsageError
    from runoff.tasks.lm.model import LanguageModel
    from runoff.tasks.lm.prefixes import is_kenlm
    from runoff.tasks.ranking.cache import default_cache
    from runoff.tasks.ranking.columns.program import Answers, Program, scored_by
    from runoff.tasks.ranking.partial.scorers import scored_whole

    target = to_format or format_of(output)
    if "features" not in carried(target):
        raise UsageError(
            f"{target} cannot hold features", hint="write JSON Lines, e.g. `-o x.jsonl`"
        )
    if sum(one is not None for one in (lm, prefixes, cmd)) != 1:
        raise UsageError(
            "choose one scorer", hint="--lm MODEL, --cmd 'PROGRAM' or --prefixes 'PROGRAM'"
        )
    read = NBestFiles(lists or "-", format, map)
    with counting("lists scored") as count:
        if cmd is not None:
            answers = Answers.of(cmd, default_cache() if cache else None)
            with Program(cmd) as program:
                scored = scored_by(read, program, name or "program", answers)
                write_nbest(count(scored), output, target)
            return
        if lm is not None and not is_kenlm(lm):
            model = LanguageModel.read(lm, map=not no_map)
            write_nbest(count(model.scored(read, name or "lm", engine=jobs)), output, target)
            return
        with prefix_scorer(lm, prefixes) as scorer:
            assert scorer is not None
            made = scored_whole(read, scorer, feature_name(name, scorer) or "")
            write_nbest(count(made), output, target)
