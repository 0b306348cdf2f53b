"""Honest lists of training trees: each fold is parsed by models that have not seen it."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np

from runoff.data.files import open_output
from runoff.data.formats import write_nbest
from runoff.data.nbest import NBest
from runoff.data.text.read import tags_of
from runoff.data.tree import Tree, read_trees
from runoff.engine.processes import Mapper
from runoff.fitting.run import Progress, Step
from runoff.pipeline.work_folder import Product
from runoff.proposers.parsing.head_parser import Treebank, make_parser
from runoff.proposers.parsing.latent_grammars import LatentGrammars
from runoff.tasks.parsing.model import ParsingModel
from runoff.tasks.tagging.model import TaggingModel, train_tagger


class Fold(NamedTuple):
    """What a worker needs to make the lists of a fold.

    Parameters
    ----------
    trees : file of all training trees.
    place : which of them are in the fold.
    tagger, lists : where its results go.
    tagger_options, parser, parser_options : of the models.
    grammars : learned from the trees outside the fold, if any.
    n, proposed : see `ParsingModel`.
    """

    trees: Path
    place: range
    tagger: Product
    lists: Product
    tagger_options: dict[str, Any]
    parser: str
    parser_options: dict[str, Any]
    grammars: Product | None
    n: int
    proposed: int


def places(trees: int, folds: int) -> list[range]:
    """Folds as runs of neighbours, as `runoff.proposers.base.jackknife` has them.

    Examples
    --------
    >>> places(5, 2)
    [range(0, 2), range(2, 5)]
    """
    return [range(i * trees // folds, (i + 1) * trees // folds) for i in range(folds)]


def with_gold(lists: Iterable[NBest], trees: Iterable[Tree], first: int = 1) -> Iterator[NBest]:
    """The lists with their gold trees, numbered from `first`."""
    for number, (nbest, tree) in enumerate(zip(lists, trees, strict=True), first):
        yield msgspec.structs.replace(nbest, id=number, gold=str(tree))


def train_lists(folds: list[Fold], joined: Product, map: Mapper, progress: Progress | None) -> None:
    """Make the lists of all folds, then one file of them."""
    for done, _ in enumerate(map(fold_lists, folds), 1):
        if progress is not None:
            progress(Step("lists of training trees, by fold", done, len(folds), {}))
    treebank.cache_clear()
    with open_output(joined.path.with_suffix("")) as stream:  # gzip files joined are a gzip file
        for fold in folds:
            with fold.lists.path.open("rb") as part:
                shutil.copyfileobj(part, stream)
    joined.path.with_suffix("").replace(joined.path)
    for fold in folds:
        fold.lists.path.unlink()


def fold_lists(fold: Fold) -> None:
    """Make the lists of a fold, unless they are there."""
    if fold.lists.done:
        return
    parser = make_parser(fold.parser, fold.parser_options)
    trees, encoded = treebank(fold.trees, parser.min_count)
    outside = [n for n in range(len(trees)) if n not in fold.place]
    if fold.tagger.done:
        tagger = TaggingModel.load(fold.tagger.path)
    else:
        tagger = train_tagger(
            (tags_of(trees[n]) for n in outside),
            options=fold.tagger_options,
            checkpoint=fold.tagger.checkpoint,
        )
        tagger.save(fold.tagger.path)
    parser.fit_some(encoded, np.array(outside, dtype=np.int64))
    grammars = None if fold.grammars is None else LatentGrammars.load(fold.grammars.path)
    model = ParsingModel(tagger, parser, None, {}, fold.n, grammars, fold.proposed)
    inside = [trees[n] for n in fold.place]
    lists = model.lists((tree.words for tree in inside), None)
    write_nbest(with_gold(lists, inside, fold.place.start + 1), fold.lists.path)


@lru_cache(maxsize=1)
def treebank(path: Path, min_count: int) -> tuple[list[Tree], Treebank]:
    """The trees of a file, encoded once for all that a worker does with them."""
    trees = list(read_trees(path))
    return trees, Treebank.of(trees, min_count)
