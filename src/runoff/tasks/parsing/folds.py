"""Honest lists of training trees: each fold is parsed by models that have not seen it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from runoff.data.formats import write_nbest
from runoff.data.sentence import Sentence
from runoff.data.text.read import tagged_words
from runoff.data.tree import Tree, read_trees
from runoff.engine import ALONE
from runoff.pipeline.folds import Fold, with_gold
from runoff.pipeline.work_folder import StepResult
from runoff.proposers.parsing import make_parser
from runoff.proposers.parsing.latent_grammars import LatentGrammars
from runoff.tasks.parsing.corpus import numbers_learned
from runoff.tasks.parsing.model import ParsingModel
from runoff.tasks.tagging.train import tagger_step


class FoldModels(NamedTuple):
    """A job that parses folds in a worker.

    Parameters
    ----------
    trees : file of all training trees.
    times : how often each tree counts.
    taggers, grammars : those of each fold, learned from the other folds; taggers are trained where
        they are missing.
    clusters : of words, which taggers look at.
    tagger_options, parser, parser_options : of the models.
    n, proposed : see `ParsingModel`.
    """

    trees: Path
    times: NDArray[np.int64]
    taggers: list[StepResult]
    clusters: StepResult | None
    grammars: list[StepResult]
    tagger_options: Mapping[str, Any]
    parser: str
    parser_options: Mapping[str, Any]
    n: int
    proposed: int


def parse_fold(models: FoldModels, fold: Fold) -> None:
    """Write the lists of a fold."""
    trees, encoded = _treebank(models.trees, models.parser, tuple(models.parser_options.items()))
    outside = numbers_learned(models.times, fold.inside)
    tagged = (tagged_words(trees[number]) for number in outside.tolist())
    made = models.taggers[fold.number - 1]
    model = ParsingModel(
        tagger=tagger_step(made, tagged, None, models.tagger_options, ALONE, models.clusters),
        parser=make_parser(models.parser, models.parser_options).fit_some(encoded, outside),
        ranker=None,
        training={},
        n=models.n,
        proposed=models.proposed,
    )
    if models.grammars:
        model.grammars = LatentGrammars.load(models.grammars[fold.number - 1].path)
    inside = [trees[number] for number in fold.inside]
    lists = model.lists((Sentence(tree.words) for tree in inside), None)
    write_nbest(with_gold(lists, map(str, inside), fold.inside.start + 1), fold.lists.path)


@lru_cache(maxsize=1)
def _treebank(
    path: Path, parser: str, options: tuple[tuple[str, Any], ...]
) -> tuple[list[Tree], Any]:
    """The trees of a file, also encoded for a parser, made once for all folds of a worker."""
    trees = list(read_trees(path))
    return trees, make_parser(parser, dict(options)).encode(trees)
