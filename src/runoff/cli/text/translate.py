"""`runoff translate`: translate text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from runoff.cli.options import Jobs, NoMap, TextFiles
from runoff.cli.plan_options import command_for
from runoff.data.limits import WORDS
from runoff.errors import UsageError
from runoff.pipeline.options import check_ranges, option

if TYPE_CHECKING:
    from runoff.data.nbest import NBest
    from runoff.tasks.translation.model import TranslationModel
    from runoff.tasks.translation.trees.model import TreeTranslationModel
    from runoff.tasks.translation.trees.why import TreeReasons
    from runoff.tasks.translation.why import TranslationReasons


@dataclass(frozen=True, kw_only=True)
class TranslateOptions:
    """How translations are searched for, and how they are written."""

    output: str = option(
        "-", "File to write; `-` is stdout.", flags=("--output", "-o"), metavar="FILE"
    )
    n: int = option(1, "Number of translations to write for each line.", min=1, max=10_000)
    tokenized: bool = option(
        False, "Read words separated by spaces; for translators by trees, whose text is raw."
    )
    trees: bool = option(False, "Read parses in Penn brackets, for translators by trees.")
    json: bool = option(
        False, "Write n-best lists with log-probabilities, features and blocks, as JSON Lines."
    )
    why: bool = option(
        False,
        "Print each translation block by block or rule by rule, and why it beat the next one.",
    )
    draw: bool = option(
        False, "Draw which source words each target word comes from, or the tree cut into rules."
    )
    svg: str | None = option(
        None,
        "Draw the same to `1.svg`, `2.svg`, ... in this folder, or a single line to this `.svg` "
        "file.",
        metavar="DIR",
    )
    beam: str | None = option(
        None, "Search: multi-beam or single-beam. By default, that of the training."
    )
    search: str | None = option(
        None,
        "Search of a translator by trees: `direct`, the most probable rules; `rescore`, the k best "
        "translations weighed with the language model; or `cube`, with it in the search.",
    )
    k: int | None = option(None, "Number of translations that `--search rescore` weighs.", min=1)
    pops: int | None = option(
        None, "Number of combinations that `--search cube` tries for each node.", min=1
    )
    parses: int | None = option(
        None, "Number of parses of a sentence that are translated.", min=1, max=100
    )
    given: str | None = option(
        None,
        "Translations, line by line, that are to be made: the best blocks that give them are "
        "found, for `--why`, `--draw` and `--svg`; where there are none, it says what is missing.",
        metavar="FILE",
    )
    budget: str | None = option(
        None,
        "Time for a line, e.g. 200ms, without that of parsing; after it, the search ends greedily.",
        metavar="TIME",
    )
    longest: int = option(
        WORDS["translate"],
        "Words of the longest line that is taken. A longer one is skipped, with a warning: its "
        "translation is empty.",
        min=1,
    )

    def __post_init__(self) -> None:
        """Check what cannot be combined."""
        check_ranges(self)
        given = [name for name in ("json", "why", "draw", "svg") if getattr(self, name)]
        if len(given) > 1 and set(given) != {"json", "why"}:
            raise UsageError(f"--{given[0]} and --{given[1]} cannot be combined")
        if self.given is not None and not {"why", "draw", "svg"} & set(given):
            raise UsageError("--given needs --why, --draw or --svg")
        if self.n > 1 and given and given != ["json"]:
            raise UsageError(f"--n cannot be combined with --{given[0]}")
        if self.trees and self.tokenized:
            raise UsageError("--trees and --tokenized cannot be combined")


def run(
    *,
    model: Annotated[
        str,
        typer.Argument(help="Model file written by `runoff train translation`.", metavar="MODEL"),
    ],
    files: TextFiles = None,
    options: TranslateOptions,
    no_map: NoMap = False,
    jobs: Jobs = "1",
) -> None:
    """Translate text, line by line.

    Lines stream: the first translation is written before the last line is read. With `--n`, the
    translations of a line are followed by an empty line, each after its log-probability.
    """
    from dataclasses import replace

    from runoff.cli.budget import seconds
    from runoff.cli.show import counting
    from runoff.cli.skipping import skipping
    from runoff.data.files import write_pieces
    from runoff.data.formats import jsonl
    from runoff.tasks.translation.model import TranslationModel
    from runoff.tasks.translation.trees.model import TreeTranslationModel
    from runoff.tasks.translation.trees.parsing import read_sources

    translator = TranslationModel.load(model, map=not no_map)
    if isinstance(translator, TreeTranslationModel):
        _set_up(translator, options)
    else:
        _check_blocks(options)
    if options.beam is not None:
        translator.search = replace(translator.search, beam=options.beam)
    if options.budget is not None:
        translator.search = replace(translator.search, budget=seconds(options.budget))
    with skipping("line") as skip, counting("lines translated") as count:
        lines: Iterator[Any] = translator.read(files or ["-"], options.longest, skip)
        if options.trees:
            lines = (tree for file in files or ["-"] for tree in read_sources(file))
        if options.why or options.draw or options.svg is not None:
            _explain(translator, lines, options)
            return
        lists = count(translator.lists(lines, options.n, engine=jobs))
        encode = jsonl.encode if options.json else _scored if options.n > 1 else _plain
        write_pieces(encode(lists), options.output)


command = command_for(TranslateOptions, run)


FOR_TREES = ("tokenized", "trees", "search", "k", "pops", "parses")
FOR_BLOCKS = ("beam", "given")
"""Options of one kind of translator."""


def _check_blocks(options: TranslateOptions) -> None:
    if given := next((name for name in FOR_TREES if getattr(options, name)), None):
        raise UsageError(f"--{given} needs a translator by trees; this one has blocks")


def _set_up(translator: TreeTranslationModel, options: TranslateOptions) -> None:
    """Search as the options say."""
    from dataclasses import replace

    if given := next((name for name in FOR_BLOCKS if getattr(options, name)), None):
        raise UsageError(f"--{given} needs a translator with blocks; this one has rules for trees")
    names = ("search", "k", "pops", "parses")
    chosen = {name: value for name in names if (value := getattr(options, name)) is not None}
    translator.search = replace(translator.search, **chosen)
    translator.search.check()
    if options.tokenized:
        translator.raw_source = False


def _plain(lists: Iterable[NBest]) -> Iterator[bytes]:
    for nbest in lists:
        yield f"{nbest.candidates[0].output}\n".encode("utf-8", "surrogatepass")


def _scored(lists: Iterable[NBest]) -> Iterator[bytes]:
    for nbest in lists:
        rows = [f"{one.logprob:9.4f}  {one.output}\n" for one in nbest.candidates]
        yield ("".join(rows) + "\n").encode("utf-8", "surrogatepass")


def _explain(
    model: TranslationModel, lines: Iterator[list[str]], options: TranslateOptions
) -> None:
    from runoff.cli.show import print_json, print_line
    from runoff.tasks.translation.trees.why import TreeReasons
    from runoff.tasks.translation.why import Unreachable, explained

    given = None if options.given is None else model.read_targets(options.given)
    for number, found in enumerate(explained(model, lines, given), 1):
        if isinstance(found, Unreachable):
            print_line(f"line {number}: {found.problem}", "bold red")
        elif options.svg is not None:
            _write_svg(found, options.svg, number)
        elif options.json:
            print_json(found)
        else:
            if number > 1:
                print_line("")
            if isinstance(found, TreeReasons):
                print_line(found.winner.output, "bold green")
                print_line(found.draw()) if options.draw else _print_rules(found)
            else:
                print_translation(found, draw=options.draw)


def _print_rules(found: TreeReasons) -> None:
    from runoff.cli.lists.why import print_reasons
    from runoff.cli.show import print_line, table

    rows: list[list[object]] = [
        ["  " * one.depth + one.rule, one.source, one.target, one.score] for one in found.rules
    ]
    rows += [[name, "", "", score] for name, score in found.whole.items()]
    table(None, ["rule", "source", "target", "score"], rows)
    if found.reasons is None:
        print_line("there was no other translation")
    else:
        print_reasons(found.reasons, top=len(found.reasons.terms))


def print_translation(found: TranslationReasons, *, draw: bool) -> None:
    """Print a translation, and where its words come from or why it won."""
    from runoff.cli.show import print_line
    from runoff.report.blocks import draw_text

    print_line(found.winner.output, "bold green")
    if draw:
        print_line(draw_text(*_grid(found)))
    else:
        _print_reasons(found)


def _grid(found: TranslationReasons) -> tuple[list[str], list[str], list[tuple[range, range]]]:
    """Source words, target words, and the places of the blocks."""
    target: list[str] = []
    blocks: list[tuple[range, range]] = []
    for one in found.blocks:
        words = one.target.split()
        place = range(len(target), len(target) + len(words))
        blocks.append((range(one.first, one.last + 1), place))
        target += words
    return found.source, target, blocks


def _write_svg(found: TranslationReasons | TreeReasons, target: str, number: int) -> None:
    from pathlib import Path

    from runoff.data.files import write_pieces
    from runoff.report.blocks import draw_svg
    from runoff.tasks.translation.trees.why import TreeReasons

    one_file = target.endswith(".svg")
    if one_file and number > 1:
        raise UsageError(
            f"{target} holds one line, but the text has more",
            hint="name a folder for all of them: --svg DIR",
        )
    path = Path(target) if one_file else Path(target) / f"{number}.svg"
    path.parent.mkdir(parents=True, exist_ok=True)
    drawing = found.svg() if isinstance(found, TreeReasons) else draw_svg(*_grid(found))
    write_pieces([drawing.encode()], path)


def _print_reasons(found: TranslationReasons) -> None:
    from runoff.cli.lists.why import print_reasons
    from runoff.cli.show import print_line, table

    rows = [
        [one.source, one.target, one.score, _largest(one.contributions)] for one in found.blocks
    ]
    if rows:
        table(None, ["source", "target", "score", "largest parts"], rows)
    if found.reasons is None:
        print_line("there was no other translation")
    else:
        print_reasons(found.reasons, top=len(found.reasons.terms))


def _largest(contributions: dict[str, float]) -> str:
    ordered = sorted(contributions.items(), key=lambda item: -abs(item[1]))
    return ", ".join(f"{name} {value:+.2f}" for name, value in ordered[:3] if value)
