"""Looking into model files: their headers, their parts, and what they have learned."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from runoff.data.files import FilePath
from runoff.errors import ModelError
from runoff.fitting.record import record_in
from runoff.learners.terms import LOGPROB
from runoff.models import model_file
from runoff.report.tables import Table
from runoff.store.arrays import without_prefix
from runoff.store.file import Arrays, checking, load
from runoff.tasks import TASKS, Task, task_of
from runoff.tasks.ranking.partial.model import PartialModel
from runoff.tasks.ranking.reranker import KIND as RERANKER
from runoff.tasks.ranking.weights import has_token, ranker_weights

Weights = list[tuple[str, float]]


@dataclass
class ModelInspection:
    """The contents of a model file: its header, its arrays, and the largest weights.

    `parts` has the bytes of each part of a model that is made of several, `tables` how well it did.
    """

    kind: str
    header: dict[str, Any]
    arrays: dict[str, str]
    weights: Weights
    parts: dict[str, int] = field(default_factory=dict)
    tables: list[Table] = field(default_factory=list)


def inspect_model(path: FilePath, top: int = 20, having: str | None = None) -> ModelInspection:
    """The header of a model file and its largest weights; those of its ranker if it has one.

    Parameters
    ----------
    having : only weights of what has this in its name: a label or word of a subtree, a token of
        another feature; of a translator, also the blocks of this word.
    """
    kind, header, arrays = load(model_file(path))
    shapes = {name: f"{a.dtype}{list(a.shape)}" for name, a in sorted(arrays.items())}
    task = task_of(kind)
    names = getattr(task.model_class, "parts", ()) if task else ()
    parts = {name: own for name in names if (own := without_prefix(f"{name}.", arrays))}
    if not all(isinstance(header.get(name), dict) for name in parts):
        raise ModelError("the header is broken: it lacks a part that has arrays", path=path)
    record_in(header, path)
    with checking(path):
        named = [one for one in _weights(task, kind, header, arrays) if has_token(one[0], having)]
        about = _about(task, header, arrays, having, top)
    return ModelInspection(
        kind,
        header,
        shapes,
        _largest(named, top),
        {name: sum(a.nbytes for a in own.values()) for name, own in parts.items()},
        _error_model(path, header, arrays)
        if task is None
        else [*_summary(task, header, path), *about],
    )


def _about(
    task: Task | None, header: dict[str, Any], arrays: Arrays, having: str | None, top: int
) -> list[Table]:
    """What a task's models know of a word, or at all, if its report can tell."""
    known = None if task is None else getattr(task.module("report"), "about", None)
    tables: list[Table] = [] if known is None else known(having, header, arrays, top)
    return tables


def _error_model(path: FilePath, header: dict[str, Any], arrays: Arrays) -> list[Table]:
    """The calibration of the error model of a reranker, if it has one."""
    with checking(path):
        found = PartialModel.restore(header.get("partial"), arrays)
    return [] if found is None else [found.table()]


def _summary(task: Task, header: dict[str, Any], path: FilePath) -> list[Table]:
    broken = ModelError("the header is broken: its figures have another form", path=path)
    try:
        tables: list[Table] = task.module("report").summary(header)
    except (AttributeError, KeyError, TypeError, ValueError):
        raise broken from None
    if any(row.keys() != one.rows[0].keys() for one in tables for row in one.rows):
        raise broken
    return tables


def _weights(
    task: Task | None, kind: str, header: dict[str, Any], arrays: Arrays
) -> Iterable[tuple[str, float]]:
    own = None if task is None else getattr(task.module("report"), "weights", None)
    if own is not None:
        found: Weights = own(header, arrays)
        return found
    if kind == TASKS["tagging"].kind:
        return _tag_weights(arrays)
    if kind == RERANKER:
        return ranker_weights(header, arrays)
    ranker = header.get("ranker")
    return () if ranker is None else ranker_weights(ranker, without_prefix("ranker.", arrays))


def _largest(named: Weights, top: int) -> Weights:
    """The largest weights, that of the log-probability before them."""
    first = named[:1] if named and named[0][0] == LOGPROB else []
    return first + heapq.nsmallest(top, named[len(first) :], key=lambda one: -abs(one[1]))


def _tag_weights(arrays: Arrays) -> Iterator[tuple[str, float]]:
    from runoff.proposers.sequence.tag_model import TagModel

    for feature in TagModel.from_arrays(arrays).features():
        yield f"{feature.name}: {feature.tag}", feature.weight
