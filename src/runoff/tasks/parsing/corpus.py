"""The trees of a training: which file they are from, how often they count, in which order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from runoff.data.files import FilePath
from runoff.data.tree import Tree, write_trees
from runoff.data.treebank.clean import read_treebank, without_mixed_labels
from runoff.data.treebank.notation import penn_tree
from runoff.errors import unknown_choice
from runoff.pipeline.folds import folds_of
from runoff.pipeline.work_folder import StepResult, WorkFolder, hash_of
from runoff.tasks.parsing.plan import Plan

Parts: TypeAlias = Mapping[str, Sequence[Tree]]
"""Trees by the name of the file that they are from."""


class Corpus(NamedTuple):
    """The trees of a training, in its notation.

    Parameters
    ----------
    parts : the name of the file that each tree is from.
    times : how often each tree counts.
    hash : of the trees.
    file : of the trees; its key stands for them, and for how often they count.
    """

    trees: list[Tree]
    parts: list[str]
    times: NDArray[np.int64]
    hash: str
    file: StepResult


def part_name(file: FilePath) -> str:
    """What a file is called as a part: its folder's name and its own, without endings.

    Examples
    --------
    >>> part_name("data/mctb/law.clean.mrg.gz"), part_name("dev.mrg")
    ('mctb/law', 'dev')
    """
    *folders, name = Path(file).parts
    return "/".join([*folders[-1:], name.partition(".")[0]])


def read_parts(given: FilePath | Iterable[FilePath | Tree]) -> dict[str, list[Tree]]:
    """The trees of files and folders, or trees, which are a part without a name.

    Examples
    --------
    >>> read_parts([Tree.parse("(TOP (NN vote))")])
    {'': [Tree.parse('(TOP (NN vote))')]}
    """
    found = dict[str, list[Tree]]()
    for one in [given] if isinstance(given, str | PathLike) else given:
        if isinstance(one, Tree):
            found.setdefault("", []).append(one)
        else:
            found.setdefault(part_name(one), []).extend(read_treebank(one))
    return found


def training_corpus(parts: Parts, plan: Plan, work: WorkFolder) -> Corpus:
    """The trees to learn from, without annotation errors, in an order in which folds are alike.

    Raises
    ------
    UsageError : the plan has a weight for a part that there is not.
    """
    for part in plan.weights:
        if part not in parts:
            raise unknown_choice("part of the training trees", part, parts)
    noted = {part: in_notation(own, plan) for part, own in parts.items()}
    kept = set(map(id, without_mixed_labels([tree for own in noted.values() for tree in own])))
    good = {part: [tree for tree in own if id(tree) in kept] for part, own in noted.items()}
    cuts = {part: folds_of(len(own), plan.folds) for part, own in good.items()}
    spread = [
        (part, good[part][number])
        for fold in range(plan.folds)
        for part, folds in cuts.items()
        for number in folds[fold]
    ]
    return _corpus("train", spread, [plan.weights.get(part, 1) for part, _ in spread], work)


def measured_corpus(name: str, parts: Parts, plan: Plan, work: WorkFolder) -> Corpus:
    """The trees to choose by, or to test on."""
    found = [(part, tree) for part, own in parts.items() for tree in in_notation(own, plan)]
    return _corpus(name, found, [1] * len(found), work)


def in_notation(trees: Sequence[Tree], plan: Plan) -> list[Tree]:
    """The trees in the notation of the plan, those of which it leaves something."""
    if not plan.penn:
        return list(trees)
    return [noted for tree in trees if (noted := penn_tree(tree)) is not None]


def numbers_learned(times: NDArray[np.int64], apart: range = range(0)) -> NDArray[np.int64]:
    """The numbers of the trees to learn from, each as often as it counts, but for some.

    Examples
    --------
    >>> numbers_learned(np.array([1, 2, 1, 3]), apart=range(2, 3))
    array([0, 1, 1, 3, 3, 3])
    """
    numbers = np.repeat(np.arange(len(times), dtype=np.int64), times)
    return numbers[(numbers < apart.start) | (numbers >= apart.stop)]


def _corpus(
    name: str, found: Sequence[tuple[str, Tree]], times: Sequence[int], work: WorkFolder
) -> Corpus:
    trees = [tree for _, tree in found]
    seen = hash_of(map(str, trees))
    made = work.step(name, ".mrg.gz", seen, *([times] if set(times) != {1} else []))
    if not made.done:
        write_trees(trees, made.path)
    return Corpus(trees, [part for part, _ in found], np.array(times, dtype=np.int64), seen, made)
