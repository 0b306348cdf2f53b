"""Training a parser with its reranker, from a treebank to a model, step by step."""

from __future__ import annotations

from collections.abc import Iterable
from os import PathLike

from runoff.data.files import FilePath
from runoff.data.tree import Tree
from runoff.data.treebank.clean import read_treebank
from runoff.engine import ALONE, AnyEngine, Engine
from runoff.errors import UsageError
from runoff.pipeline.steps import examples, work_folder
from runoff.tasks.parsing.model import ParsingModel
from runoff.tasks.parsing.plan import Plan
from runoff.tasks.parsing.report import part_name
from runoff.tasks.parsing.steps import Training

__all__ = ["Plan", "train"]


def train(
    train: FilePath | Iterable[FilePath | Tree],
    dev: FilePath | Iterable[FilePath | Tree] | None = None,
    *,
    plan: Plan | None = None,
    work: FilePath | None = None,
    engine: AnyEngine = ALONE,
) -> ParsingModel:
    """A parser trained on a treebank.

    Parameters
    ----------
    train, dev : files or folders of trees, which are cleaned first, or trees; `dev` is required: it
        makes the choices and tells how well sentences are parsed.
    work : folder in which the results of the steps are kept: training that was killed resumes from
        there, and after a change only what depends on it is done again.
    """
    if dev is None:
        raise UsageError("a parser needs development trees, which choose its options")
    with work_folder(work) as folder:
        training = Training(folder, plan or Plan(), Engine.of(engine))
        return training.run(examples(train, read_treebank), *_with_names(dev)).model


def _with_names(given: FilePath | Iterable[FilePath | Tree]) -> tuple[list[Tree], list[str]]:
    """Trees, and the name of the file or folder that each is from; empty for a tree itself."""
    trees, names = list[Tree](), list[str]()
    for one in [given] if isinstance(given, str | PathLike) else given:
        if isinstance(one, Tree):
            own, name = [one], ""
        else:
            own, name = list(read_treebank(one)), part_name(one)
        trees += own
        names += [name] * len(own)
    return trees, names
