"""`runoff parse`: parse text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from runoff.cli.options import Jobs, ModelAndFiles
from runoff.cli.plan_options import command_for
from runoff.cli.text.options import RankedOptions
from runoff.cli.text.places import Places
from runoff.data.limits import WORDS
from runoff.errors import UsageError
from runoff.pipeline.options import option, redefined

if TYPE_CHECKING:
    from runoff.data.nbest import NBest
    from runoff.data.sentence import Sentence
    from runoff.tasks.parsing.model import ParsingModel


@dataclass(frozen=True, kw_only=True)
class ParseOptions(RankedOptions):
    """How text is read, and how its trees are written."""

    tagged: bool = option(
        False,
        "Read words with their tags, which are used: `word_TAG` or `word/TAG`, one sentence per "
        "line, or columns.",
    )
    longest: int = redefined(RankedOptions, "longest", WORDS["parse"])
    n: int = redefined(
        RankedOptions, "n", 1, help="Number of trees to write for each sentence, with scores."
    )
    base: bool = option(False, "Write the trees of the base parser alone, without reranking.")
    draw: bool = option(False, "Draw the trees; with `--why`, above the reasons.")
    svg: str | None = option(
        None,
        "Draw the trees to `1.svg`, `2.svg`, ... in this folder, or a single tree to this `.svg` "
        "file.",
        metavar="DIR",
    )

    def __post_init__(self) -> None:
        """Check what cannot be combined."""
        super().__post_init__()
        self.exclude("draw", "svg", "json")
        self.exclude("why", "svg")
        self.exclude("lines", "tokenized", "tagged")
        self.exclude("base", "why")
        drawn = self.draw or self.svg is not None or (self.why and not self.json)
        if drawn and (self.n > 1 or self.output != "-"):
            raise UsageError(
                "--n and --output can be combined with --json, and with plain brackets"
            )

    @property
    def reader(self) -> str:
        """The kind of input: raw, tokenised or tagged text, or raw lines."""
        kinds = {"lines": self.lines, "tokenized": self.tokenized, "tagged": self.tagged}
        return next((kind for kind, chosen in kinds.items() if chosen), "raw")


def run(*, arguments: ModelAndFiles = None, options: ParseOptions, jobs: Jobs = "1") -> None:
    """Write the tree of each sentence of raw text, one tree per line.

    Text is split into sentences and words as in treebanks. Sentences stream: the first tree is
    written before the last sentence is read.
    """
    from runoff.cli.lists.why import print_with_reasons
    from runoff.cli.skipping import skipping
    from runoff.data.limits import Limit
    from runoff.models import model_and_files
    from runoff.tasks.parsing.model import ParsingModel

    file, files = model_and_files(arguments or [], "parse")
    model = ParsingModel.load(file)
    model = model.base() if options.base else model
    with skipping("sentence") as skip:
        limit = Limit(options.longest, skip)
        places = Places(wanted=options.json)
        sentences = places.read(files, options.reader, limit)
        if options.why and model.ranker is None:
            _explain(model, sentences, places, options)
        elif options.why and not options.json:
            first = (lambda nbest: _draw([nbest])) if options.draw else lambda nbest: None
            lists = model.explained(sentences, None, engine=jobs)
            print_with_reasons(lists, options.top, "tree", first)
        elif options.draw:
            _draw(model.lists(sentences, engine=jobs))
        else:
            _write(model, sentences, places, options, jobs)


command = command_for(ParseOptions, run)


def _write(
    model: ParsingModel,
    sentences: Iterator[Sentence],
    places: Places,
    options: ParseOptions,
    jobs: str,
) -> None:
    from runoff.cli.lists.why import with_reasons
    from runoff.cli.show import counting
    from runoff.data.files import write_pieces
    from runoff.data.formats import jsonl

    n = options.n
    with counting("sentences parsed") as count:
        found = count(
            with_reasons(model.explained(sentences, n, engine=jobs))
            if options.why
            else model.lists(sentences, n, engine=jobs)
        )
        if options.svg is not None:
            _write_svg(found, options.svg)
            return
        encode: Callable[[Iterable[NBest]], Iterator[bytes]] = (
            jsonl.encode if options.json else bracket_text if n == 1 else scored_text
        )
        write_pieces(encode(places.added(found)), options.output)


def _explain(
    model: ParsingModel, sentences: Iterator[Sentence], places: Places, options: ParseOptions
) -> None:
    """Write trees with the reasons of the base parser, for a model without a ranker."""
    from msgspec.structs import replace

    from runoff.cli.show import plain, print_line, table
    from runoff.data.files import write_pieces
    from runoff.data.formats import jsonl

    found = model.inferences(sentences)
    if options.json:
        lists = (
            replace(nbest, extra={**nbest.extra, "why": plain([one._asdict() for one in reasons])})
            for nbest, reasons in found
        )
        write_pieces(jsonl.encode(places.added(lists)), options.output)
        return
    for number, (nbest, reasons) in enumerate(found):
        if number:
            print_line("")
        if options.draw:
            _draw([nbest])
        print_line(f"tree  {nbest.candidates[0].output}", "bold green")
        for one in reasons[:CONSTITUENTS_SHOWN]:
            rows: list[list[object]] = [[text, value] for text, value in one.terms[: options.top]]
            if rest := one.terms[options.top :]:
                rows.append([f"{len(rest)} smaller terms", sum(value for _, value in rest)])
            rows.append(["score", one.score])
            table(f"{one.label}  {' '.join(one.words)}", ["conjunction", "value"], rows)


CONSTITUENTS_SHOWN = 3
"""Constituents whose reasons are printed: the least certain ones."""


def bracket_text(lists: Iterable[NBest]) -> Iterator[bytes]:
    """The best tree of each sentence, one per line."""
    return (f"{nbest.candidates[0].output}\n".encode() for nbest in lists)


def scored_text(lists: Iterable[NBest]) -> Iterator[bytes]:
    """Score or log-probability and tree, one per line; a blank line after each sentence."""
    for nbest in lists:
        lines = (
            f"{c.logprob if c.score is None else c.score:.4f}\t{c.output}\n"
            for c in nbest.candidates
        )
        yield ("".join(lines) + "\n").encode()


def _draw(lists: Iterable[NBest]) -> None:
    from runoff.cli.terminal import Terminal
    from runoff.data.tree import Tree
    from runoff.data.treebank.draw import draw_rich

    terminal = Terminal(soft_wrap=True)
    for nbest in lists:
        width = terminal.width if terminal.is_terminal else None
        terminal.print(draw_rich(Tree.parse(nbest.candidates[0].output), width), end="\n\n")


def _write_svg(lists: Iterable[NBest], target: str) -> None:
    from pathlib import Path

    from runoff.data.files import write_pieces
    from runoff.data.tree import Tree
    from runoff.data.treebank.svg import draw_svg

    one_file = target.endswith(".svg")
    if not one_file:
        Path(target).mkdir(parents=True, exist_ok=True)
    for number, nbest in enumerate(lists, 1):
        if one_file and number > 1:
            raise UsageError(
                f"{target} holds one tree, but the text has more sentences",
                hint="name a folder for all of them: --svg DIR",
            )
        path = Path(target) if one_file else Path(target) / f"{number}.svg"
        write_pieces([draw_svg(Tree.parse(nbest.candidates[0].output)).encode()], path)
