"""Training a parser with its reranker, from a treebank to a model, step by step."""

from __future__ import annotations

from collections.abc import Iterable

from runoff.data.files import FilePath
from runoff.data.tree import Tree
from runoff.engine import ALONE, AnyEngine, Engine
from runoff.errors import UsageError
from runoff.pipeline.steps import work_folder
from runoff.tasks.parsing.corpus import read_parts
from runoff.tasks.parsing.model import ParsingModel
from runoff.tasks.parsing.plan import Plan
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
        return training.run(read_parts(train), read_parts(dev)).model
