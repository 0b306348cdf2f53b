"""`runoff score`: give candidates the score of a language model or a program as a feature."""

from __future__ import annotations

from runoff.cli.options import Format, Jobs, Keys, ListsOrStdin, NoMap, Output, ToFormat
from runoff.cli.prefix_scorers import Lm, Name, Prefixes


def command(
    lists: ListsOrStdin = None,
    lm: Lm = None,
    prefixes: Prefixes = None,
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
    scored too. With `--prefixes` it is what the program says of the whole text. Everything else in
    the lists stays as it is. Lists stream: the first is written before the last is read.
    """
    from runoff.cli.prefix_scorers import feature_name, prefix_scorer
    from runoff.cli.show import counting
    from runoff.data.formats import carried, format_of, write_nbest
    from runoff.data.lists import NBestFiles
    from runoff.errors import UsageError
    from runoff.tasks.lm.model import LanguageModel
    from runoff.tasks.lm.prefixes import is_kenlm
    from runoff.tasks.ranking.partial.scorers import scored_whole

    target = to_format or format_of(output)
    if "features" not in carried(target):
        raise UsageError(
            f"{target} cannot hold features", hint="write JSON Lines, e.g. `-o x.jsonl`"
        )
    if lm is None and prefixes is None:
        raise UsageError(
            "nothing to score by", hint="name a scorer: --lm MODEL or --prefixes 'CMD'"
        )
    read = NBestFiles(lists or "-", format, map)
    with counting("lists scored") as count:
        if lm is not None and prefixes is None and not is_kenlm(lm):
            model = LanguageModel.read(lm, map=not no_map)
            write_nbest(count(model.scored(read, name or "lm", engine=jobs)), output, target)
            return
        with prefix_scorer(lm, prefixes) as scorer:
            assert scorer is not None
            made = scored_whole(read, scorer, feature_name(name, scorer) or "")
            write_nbest(count(made), output, target)
