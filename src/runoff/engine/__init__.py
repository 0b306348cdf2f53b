"""Where work runs: one value, the engine, that is passed to everything that can be parallel."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass
from importlib import import_module
from itertools import islice
from typing import NamedTuple, TypeAlias, TypeVar

from runoff.errors import UsageError, unknown_choice

Item = TypeVar("Item")
Result = TypeVar("Result")

ENGINES = {"processes": "runoff.engine.processes:run"}
"""What runs jobs, by name: functions of a number of workers, a function and items."""


class Step(NamedTuple):
    """How far a stage of the work has come; `total` is None where nobody knows it."""

    stage: str
    done: int
    total: int | None
    figures: dict[str, float]


Progress = Callable[[Step], None]
"""Who is told of progress."""


@dataclass(frozen=True)
class Engine:
    """The number and kind of workers that share the work, and a callback for progress.

    Workers are processes where a job is Python's, and threads where native code works by itself;
    there are never more than `workers` of them at work. What comes out does not depend on them.

    Parameters
    ----------
    workers : how many; 0 is one per core.
    kind : what runs jobs, one of `ENGINES`.
    progress : told how far the work has come.

    Examples
    --------
    >>> list(Engine().map(abs, [-1, 2, -3]))
    [1, 2, 3]
    >>> Engine.parse("processes:4").threads
    4
    """

    workers: int = 1
    kind: str = "processes"
    progress: Progress | None = None

    @classmethod
    def parse(cls, text: str) -> Engine:
        """The engine that a string names: `4`, `processes` or `processes:4`."""
        kind, colon, number = ("processes", ":", text) if text.isdigit() else text.partition(":")
        if kind not in ENGINES:
            raise unknown_choice("engine", kind, ENGINES)
        if colon and not number.isdigit():
            raise UsageError(f"expected a number of workers, or e.g. {kind}:4, not {text!r}")
        return cls(int(number) if colon else 0, kind)

    @classmethod
    def of(cls, given: AnyEngine) -> Engine:
        """The engine of what users give: an engine, its string, or a number of workers."""
        if isinstance(given, Engine):
            return given
        if isinstance(given, str):
            return cls.parse(given)
        if given < 0:
            raise UsageError(f"the number of workers must be at least 0, not {given}")
        return cls(given)

    @property
    def threads(self) -> int:
        """How many threads native code may use."""
        return self.workers or os.cpu_count() or 1

    def map(
        self, function: Callable[[Item], Result], items: Iterable[Item]
    ) -> Generator[Result, None, None]:
        """The results of a function for every item, in order, as a stream.

        Items are taken a few at a time. An exception in a worker arrives with its own type and
        message. Close the stream to end what is not finished, most simply with
        `contextlib.closing`.
        """
        if self.threads == 1:
            yield from map(function, items)
            return
        module, _, name = ENGINES[self.kind].partition(":")
        yield from getattr(import_module(module), name)(self.threads, function, items)

    def tell(self, stage: str, done: int = 1, total: int | None = 1) -> None:
        """Report the progress of a stage of the work: 0 of 1 is begun, 1 of 1 done."""
        if self.progress is not None:
            self.progress(Step(stage, done, total, {}))

    def counted(
        self, stage: str, items: Iterable[Item], total: int | None, every: int = 64
    ) -> Iterator[Item]:
        """The items, unchanged, while reporting how many have passed."""
        for done, item in enumerate(items, 1):
            if done % every == 0 or done == total:
                self.tell(stage, done, total)
            yield item


AnyEngine: TypeAlias = Engine | str | int
"""What functions that spread work are given: an engine, its text, or a number of workers."""

ALONE = Engine()
"""One worker, and nobody to tell."""


def chunked(
    items: Iterable[Item], size: int, together: Callable[[Item], object] | None = None
) -> Iterator[list[Item]]:
    """Consecutive runs of at most `size` items.

    Parameters
    ----------
    together : neighbours for which this is the same, and not None, stay in one run, however long.

    Examples
    --------
    >>> list(chunked("abcde", 2))
    [['a', 'b'], ['c', 'd'], ['e']]
    >>> list(chunked("abbbcd", 2, str))
    [['a', 'b', 'b', 'b'], ['c', 'd']]
    """
    if together is None:
        iterator = iter(items)
        while chunk := list(islice(iterator, size)):
            yield chunk
        return
    chunk, last = [], None
    for item in items:
        key = together(item)
        if len(chunk) >= size and (key is None or key != last):
            yield chunk
            chunk = []
        chunk.append(item)
        last = key
    if chunk:
        yield chunk
