"""Honest training lists: each fold gets its candidates from a system that has not seen it."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from itertools import pairwise
from typing import Any, NamedTuple

from msgspec.structs import replace

from runoff.data.files import open_output
from runoff.data.nbest import NBest
from runoff.engine import Engine
from runoff.errors import UsageError
from runoff.pipeline.work_folder import StepResult


class Fold(NamedTuple):
    """A cross-validation fold of the training examples.

    Parameters
    ----------
    number : of the fold, from 1.
    inside : which examples are in it.
    lists : the file of its lists.
    """

    number: int
    inside: range
    lists: StepResult


def folds_of(size: int, folds: int) -> list[range]:
    """The examples of each fold: runs of neighbours, so that no document helps itself.

    Examples
    --------
    >>> folds_of(5, 2)
    [range(0, 2), range(2, 5)]
    """
    return [range(i * size // folds, (i + 1) * size // folds) for i in range(folds)]


def document_folds(documents: Sequence[str | None], folds: int) -> list[range]:
    """The examples of each fold, given each one's document: runs of whole documents.

    Where there are fewer documents than folds, or none, they are runs of examples.

    Examples
    --------
    >>> document_folds(["a", "a", "a", "b", "c", "c"], 2)
    [range(0, 3), range(3, 6)]
    """
    size = len(documents)
    starts = [i for i in range(size) if i == 0 or documents[i] != documents[i - 1]]
    if None in documents or len(starts) < folds:
        return folds_of(size, folds)
    cuts = [0]
    for i in range(1, folds):
        possible = starts[len(cuts) : len(starts) - folds + i + 1]
        later = [start for start in possible if start > cuts[-1]]
        cuts.append(min(later, key=lambda start: abs(start - i * size // folds)))
    return [range(a, b) for a, b in pairwise([*cuts, size])]


def check_folds(folds: int, size: int, what: str) -> None:
    """Raise an error if this many examples cannot be split into the folds."""
    if not 2 <= folds <= size:
        raise UsageError(f"folds must lie between 2 and the {size} {what}, not {folds}")


def jackknife(
    make: Callable[[Fold], None],
    folds: Sequence[Fold],
    joined: StepResult,
    *,
    engine: Engine,
    what: str,
) -> None:
    """Make the lists of every fold, as jobs of the engine, then one file of them.

    Folds whose lists are there already, from a run that was killed, are not made again.

    Parameters
    ----------
    make : writes the lists of a fold, by a system that learned from the other folds; it is called
        in a process of its own where the engine has several, so it carries files, not data.
    joined : the file of all lists, in the order of the examples, gzipped as those of the folds are.
    what : what the lists are of, for progress.
    """
    if not joined.done:
        _join(make, folds, joined, engine, what)
    for fold in folds:
        fold.lists.path.unlink(missing_ok=True)


def _join(
    make: Callable[[Fold], None],
    folds: Sequence[Fold],
    joined: StepResult,
    engine: Engine,
    what: str,
) -> None:
    unfinished = [fold for fold in folds if not fold.lists.done]
    with closing(engine.map(make, unfinished)) as made:
        stage = f"lists of {what}, by fold"
        for _ in engine.counted(stage, made, len(unfinished), every=1):
            pass
    with open_output(joined.path, zipped=False) as stream:  # gzip files laid end to end are one
        for fold in folds:
            with fold.lists.path.open("rb") as part:
                shutil.copyfileobj(part, stream)


def with_gold(lists: Iterable[NBest], gold: Iterable[Any], first: int = 1) -> Iterator[NBest]:
    """The lists with their references, numbered from `first`."""
    for number, (nbest, reference) in enumerate(zip(lists, gold, strict=True), first):
        yield replace(nbest, id=number, gold=reference)
