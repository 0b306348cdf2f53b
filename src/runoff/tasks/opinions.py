"""What grammars with substates think of proposed trees, as features of n-best lists."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from runoff.data.formats import read_nbest, write_nbest
from runoff.data.nbest import NBest
from runoff.engine import cores
from runoff.features.build import chunked
from runoff.proposers.latent_grammar import LatentGrammars
from runoff.tasks.grammars import load_grammars, save_grammars
from runoff.tasks.parse_folds import treebank
from runoff.tasks.work import Product

LISTS_PER_CHUNK = 64


class Pupil(NamedTuple):
    """What a worker needs to learn grammars.

    Parameters
    ----------
    trees : file of all training trees.
    outside : of the trees, those that are not learned from.
    made : where the grammars go.
    grammars : still to be fitted.
    min_count : as the parser's.
    """

    trees: Path
    outside: range
    made: Product
    grammars: LatentGrammars
    min_count: int


def learn(pupil: Pupil) -> None:
    """Learn the grammars, unless they are there."""
    if pupil.made.done:
        return
    trees, encoded = treebank(pupil.trees, pupil.min_count)
    learned = (tree for number, tree in enumerate(trees) if number not in pupil.outside)
    save_grammars(pupil.grammars.fit(learned, encoded.alphabet), pupil.made.path)


def write_opinions(lists: Product, judges: Iterable[Pupil], made: Product, jobs: int = 1) -> None:
    """Write the lists of a file with opinions; each judge has those of the trees outside its own.

    One judge without trees outside judges all lists.
    """
    stream = read_nbest(lists.path)
    write_nbest(_judged(stream, list(judges), cores(jobs)), made.path)


def _judged(lists: Iterator[NBest], judges: list[Pupil], threads: int) -> Iterator[NBest]:
    for judge in judges:
        grammars = load_grammars(judge.made.path)
        own = lists if not judge.outside else (next(lists) for _ in judge.outside)
        for chunk in chunked(own, LISTS_PER_CHUNK * threads):
            yield from grammars.judged(chunk, threads=threads)
