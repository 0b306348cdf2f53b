"""Steps that the training of every reranked system has."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from os import PathLike
from tempfile import TemporaryDirectory
from typing import TypeVar

from runoff.data.files import FilePath
from runoff.engine import Engine
from runoff.pipeline.plan import RankerPlan
from runoff.pipeline.work_folder import StepResult, WorkFolder
from runoff.tasks.ranking.reranker import Reranker

Example = TypeVar("Example")


def ranker_step(
    plan: RankerPlan,
    lists: StepResult,
    dev: StepResult | None,
    metric: str,
    *revision: int,
    work: WorkFolder,
    engine: Engine,
    name: str = "ranker",
) -> Reranker:
    """The ranker of lists, as a step of a larger training, made now or earlier."""
    how = (plan.extractors, plan.learner, sorted(plan.ranker_options.items()), plan.seed)
    cut = (plan.min_lists, tuple(plan.thresholds), plan.bins, plan.choose_by_sum, *revision)
    made = work.step(name, ".runoff", lists.key, dev and dev.key, how, cut)
    if not made.done:
        plan.fit(
            lists.path,
            None if dev is None else dev.path,
            metric,
            engine=engine,
            cache=work.folder,
            checkpoint=made.checkpoint,
        ).save(made.path)
    return Reranker.load(made.path)


def examples(
    given: FilePath | Iterable[FilePath | Example],
    read: Callable[[FilePath], Iterable[Example]],
) -> list[Example]:
    """The examples of a file, of several files, or those that are given themselves.

    Examples
    --------
    >>> examples([1, 2], read=len), examples("ab", read=list)
    ([1, 2], ['a', 'b'])
    """
    if isinstance(given, str | PathLike):
        return list(read(given))
    found: list[Example] = []
    for one in given:
        found.extend(read(one) if isinstance(one, str | PathLike) else [one])
    return found


@contextmanager
def work_folder(folder: FilePath | None) -> Iterator[WorkFolder]:
    """The folder that was named, or one that goes away with the work."""
    if folder is not None:
        yield WorkFolder(folder)
        return
    with TemporaryDirectory(prefix="runoff-") as made:
        yield WorkFolder(made)
