"""Evaluating parses against a treebank: PARSEVAL's figures for several lengths of sentences."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import zip_longest

import numpy as np

from runoff.data.files import FilePath
from runoff.data.lists import path_of
from runoff.data.tree import Tree, read_trees
from runoff.errors import FormatError, UsageError, unknown_choice
from runoff.metrics.base import MeasureError, signature
from runoff.metrics.parseval import Parseval

PARAMETERS = {"parseval": "collins", "parseval-plain": "plain"}
LENGTHS = ("all", "<=40", "<=100", ">5")
"""Classes of sentences by their words: those of the field's tables, and without the shortest."""


@dataclass(frozen=True)
class TreeEvaluation:
    """Figures of each class of lengths, by name."""

    signature: str
    trees: int
    figures: dict[str, dict[str, float]]

    def __str__(self) -> str:
        columns = next(iter(self.figures.values()))
        rows = [[f"{value:.2f}" for value in row.values()] for row in self.figures.values()]
        table = [["", *columns], *([n, *row] for n, row in zip(self.figures, rows, strict=True))]
        widths = [max(map(len, column)) for column in zip(*table, strict=True)]
        lines = ("  ".join(map(str.rjust, row, widths)) for row in table)
        return "\n".join([self.signature, *lines])


def evaluate_trees(
    parses: FilePath | Iterable[Tree],
    gold: FilePath | Iterable[Tree],
    metric: str = "parseval",
    *,
    lengths: Iterable[str] = LENGTHS,
) -> TreeEvaluation:
    """How good parses are; files of trees may be named in place of trees.

    Parameters
    ----------
    parses : one tree for each sentence.
    gold : the trees they should be, in the same order.
    metric : `parseval` or `parseval-plain`.
    lengths : classes of sentences: `all`, `<=40`, `>5`, `>5,<=40`.

    Raises
    ------
    FormatError : a tree too many or too few, or one with other words than gold.

    Examples
    --------
    >>> gold = Tree.parse("(TOP (S (NP (PRP we)) (VP (VBD voted) (NP (NN today)))))")
    >>> flat = Tree.parse("(TOP (S (NP (PRP we)) (VP (VBD voted) (NN today))))")
    >>> print(evaluate_trees([gold, flat], [gold, gold], lengths=["all", ">5"]))
    parseval|prm:collins|trees:2|v:0.1.0
            F1     LR      LP  exact    CB     0CB     2CB    tags  sentences
    all  93.33  87.50  100.00  50.00  0.00  100.00  100.00  100.00       2.00
     >5   0.00   0.00    0.00   0.00  0.00    0.00    0.00    0.00       0.00
    """
    if metric not in PARAMETERS:
        raise unknown_choice("metric of trees", metric, PARAMETERS)
    every = Parseval(parameters=PARAMETERS[metric])
    classes = {name: length_class(name) for name in lengths}
    sums = {name: np.zeros(len(every.columns)) for name in classes}
    trees = 0
    for trees, (parse, reference) in enumerate(_pairs(parses, gold), 1):
        try:
            row = every.statistics([parse], reference)[0]
        except MeasureError as error:
            raise FormatError(f"tree {trees}: {error.problem}", path=path_of(parses)) from None
        length = every.length(reference)
        for name, one in classes.items():
            if one.scores(length):
                sums[name] += row
    if not trees:
        raise FormatError("there are no trees to evaluate", path=path_of(gold))
    settings = every.signature().rpartition("|")[0]
    return TreeEvaluation(
        signature(settings, trees=trees),
        trees,
        {
            name: {figure: float(value) for figure, value in every.figures(total).items()}
            for name, total in sums.items()
        },
    )


def length_class(name: str) -> Parseval:
    """The metric for the sentences of a class; their statistics do not depend on it."""
    match = re.fullmatch(r"all|>(\d{1,9})|<=(\d{1,9})|>(\d{1,9}),<=(\d{1,9})", name)
    if match is None:
        raise UsageError(f"not a class of lengths: {name!r}; write all, <=40, >5 or >5,<=40")
    low, high = match[1] or match[3], match[2] or match[4]
    return Parseval(
        min_length=None if low is None else int(low) + 1,
        max_length=None if high is None else int(high),
    )


def _pairs(
    parses: FilePath | Iterable[Tree], gold: FilePath | Iterable[Tree]
) -> Iterator[tuple[Tree, Tree]]:
    for number, (parse, reference) in enumerate(zip_longest(_trees(parses), _trees(gold))):
        if parse is None or reference is None:
            short, path = ("parses", parses) if parse is None else ("gold trees", gold)
            raise FormatError(f"only {number} {short}; the other file has more", path=path_of(path))
        yield parse, reference


def _trees(source: FilePath | Iterable[Tree]) -> Iterable[Tree]:
    return read_trees(source) if isinstance(source, str | os.PathLike) else source
