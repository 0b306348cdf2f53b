"""`runoff propose`: n-best lists from other programs and their models, one command per task."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from runoff.cli.help import Group
from runoff.cli.options import Jobs, Output, Seed
from runoff.cli.shards import ShardedCommand, with_shard
from runoff.data.limits import WORDS

if TYPE_CHECKING:
    from runoff.data.nbest import NBest

LINKED_WORDS = 250
"""Words of the longest sentence that Link Grammar takes."""

LinkedFiles = Annotated[
    list[str] | None,
    typer.Argument(
        help="Files of text, or of dependencies in CoNLL-U (`.conllu`), which become gold; `-` is "
        "stdin.",
        metavar="FILE...",
        show_default=False,
    ),
]

Tokenized = Annotated[
    bool,
    typer.Option("--tokenized", help="Read one sentence per line, words separated by spaces."),
]
Sample = Annotated[
    bool,
    typer.Option(
        "--sample",
        help="Draw the candidates at random from all linkages found, at most 1,000; by default, "
        "they are the cheapest.",
    ),
]
Seconds = Annotated[
    int,
    typer.Option(
        "--seconds",
        help="Link Grammar's time limit for a sentence; at three times this it is stopped, and "
        "the list has what it printed until then.",
        min=1,
        metavar="N",
    ),
]
Draw = Annotated[
    bool, typer.Option("--draw", help="Draw the first linkage of each sentence instead.")
]

app = typer.Typer(cls=Group, no_args_is_help=True, add_completion=False)


@app.callback()
def _common() -> None:
    """Write the n-best lists of another program, or of a model that it has trained."""


def chunking(
    crfsuite: Annotated[
        str, typer.Option(help="Model file of CRFsuite or python-crfsuite.", metavar="MODEL")
    ],
    files: Annotated[
        list[str] | None,
        typer.Argument(
            help="Files of items in CRFsuite's format, one per line: a label and attributes; `-` "
            "is stdin.",
            metavar="FILE...",
            show_default=False,
        ),
    ] = None,
    columns: Annotated[
        bool,
        typer.Option(
            "--columns",
            help="Read one word per line, with its part of speech; attributes are made as in "
            "CRFsuite's chunking example.",
        ),
    ] = False,
    n: Annotated[
        int,
        typer.Option("--n", help="Number of candidates in a list.", min=1, max=10_000, metavar="N"),
    ] = 20,
    longest: Annotated[
        int,
        typer.Option(
            "--longest",
            help="Items of the longest sequence that is taken. A longer one is skipped, with a "
            "warning: its result is that of an empty one.",
            min=1,
            metavar="N",
        ),
    ] = WORDS["propose"],
    output: Output = "-",
    jobs: Jobs = "1",
) -> None:
    """Write the n best label sequences of a CRF, with log-probabilities, as JSON Lines.

    They are exact: distinct, in order, and normalised. Labels in the files become gold, so that the
    lists can be given to `runoff evaluate --metric chunk-f1` and `runoff fit`.
    """
    from itertools import chain

    from runoff.cli.show import counting
    from runoff.cli.skipping import skipping
    from runoff.data.files import write_pieces
    from runoff.data.formats import jsonl
    from runoff.data.limits import Limit
    from runoff.proposers.sequence.crfsuite import CrfsuiteModel
    from runoff.tasks.chunking.propose import propose_lists, read_chunk_columns, read_item_file

    model = CrfsuiteModel.load(crfsuite)
    read = read_chunk_columns if columns else read_item_file
    with skipping("sequence") as skip, counting("lists written") as count:
        observed = chain.from_iterable(read(file, Limit(longest, skip)) for file in files or ["-"])
        lists = count(propose_lists(model, observed, n, engine=jobs))
        write_pieces(jsonl.encode(lists), output)


def linkages(
    files: LinkedFiles = None,
    tokenized: Tokenized = False,
    n: Annotated[
        int,
        typer.Option("--n", help="Number of candidates in a list.", min=1, max=1000, metavar="N"),
    ] = 100,
    sample: Sample = False,
    seed: Seed = 0,
    seconds: Seconds = 5,
    longest: Annotated[
        int,
        typer.Option(
            "--longest",
            help="Words of the longest sentence that is taken. A longer one is skipped, with a "
            "warning: its result is that of an empty one.",
            min=1,
            metavar="N",
        ),
    ] = LINKED_WORDS,
    draw: Draw = False,
    output: Output = "-",
    jobs: Jobs = "1",
) -> None:
    """Write the linkages that Link Grammar finds for each sentence, as JSON Lines.

    This needs the program `link-parser` of Debian's package `link-grammar`. Links are
    `[left, right, label]`, words numbered from 1 and the wall 0; the costs of a linkage are
    features, and minus the cost of its disjuncts is its log-probability.
    """
    from runoff.cli.show import counting
    from runoff.cli.skipping import skipping
    from runoff.data.files import write_pieces
    from runoff.data.formats import jsonl
    from runoff.data.limits import Limit
    from runoff.proposers.parsing.linkage_lists import LinkageProposer, read_linkable

    proposer = LinkageProposer(n, sample, seed, seconds)
    with skipping("sentence") as skip, counting("sentences linked") as count:
        sentences = read_linkable(files or ["-"], Limit(longest, skip), tokenized=tokenized)
        lists = _problems_told(count(proposer.lists(sentences, engine=jobs)))
        if draw:
            print_linkages(lists)
        else:
            write_pieces(jsonl.encode(lists), output)


def _problems_told(lists: Iterable[NBest]) -> Iterator[NBest]:
    """The lists; after the last, stderr is told what Link Grammar could not do."""
    from runoff.cli.show import count_of, note

    not_laid = failed = 0
    for nbest in lists:
        not_laid += nbest.extra.get("not laid over", 0)
        failed += "problem" in nbest.extra
        yield nbest
    if not_laid:
        note(f"{count_of(not_laid, 'linkage')} left out: other words than those of the sentence")
    if failed:
        note(f"Link Grammar failed on {count_of(failed, 'sentence')}; `problem` says why")


def print_linkages(lists: Iterable[NBest]) -> None:
    """Draw the first linkage of each list."""
    from runoff.cli.show import print_line
    from runoff.data.link_drawing import draw_links
    from runoff.data.links import links_of

    for nbest in lists:
        for line in draw_links(nbest.input, links_of(nbest.candidates[0].output)):
            print_line(line)
        print_line("")


app.command("chunking", cls=ShardedCommand)(with_shard(chunking))
app.command("linkages", cls=ShardedCommand)(with_shard(linkages))
