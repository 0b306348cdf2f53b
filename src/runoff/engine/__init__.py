"""Where work runs: one value, the engine, that is passed to everything that can be parallel."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Executor
from contextlib import closing
from dataclasses import dataclass
from importlib import import_module
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, TypeVar

from runoff.engine.threads import threaded
from runoff.errors import UsageError, unknown_choice

if TYPE_CHECKING:
    from runoff.engine.jobs import Done, Workers

Item = TypeVar("Item")
Result = TypeVar("Result")

ENGINES = {
    "processes": "runoff.engine.processes:Processes",
    "dask": "runoff.engine.dask:Dask",
    "ray": "runoff.engine.ray:Ray",
    "executor": "runoff.engine.executor:OfExecutor",
}
"""What runs jobs, by name: classes that meet the protocol `runoff.engine.jobs.Workers`."""

SECONDS_PER_CHUNK = 2.0
"""How long a worker shall take for a chunk of items: far longer than sending it takes."""

LARGEST_CHUNK = 1 << 13
FASTEST_GROWTH = 4.0


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
    on one machine there are never more than `workers` of them at work. What comes out does not
    depend on them.

    Parameters
    ----------
    workers : how many; 0 is one per core. A cluster has as many as it has.
    kind : what runs jobs, one of `ENGINES`.
    progress : told how far the work has come.
    address : of a cluster.
    executor : of `concurrent.futures`, for the kind `executor`.

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
    address: str = ""
    executor: Executor | None = None

    @classmethod
    def parse(cls, text: str) -> Engine:
        """The engine that a string names.

        `4`, `processes`, `processes:4`, `dask://HOST:PORT`, `dask+tls://HOST:PORT`,
        `ray://HOST:PORT` or `ray:auto`.
        """
        kind, colon, number = ("processes", ":", text) if text.isdigit() else text.partition(":")
        if kind in ("dask", "dask+tls", "ray") and (number == "auto" or number.startswith("//")):
            return _of_address(kind, number)
        if kind not in NAMED:
            raise unknown_choice("engine", kind, NAMED)
        if kind != "processes":
            raise UsageError(
                f"expected an address, e.g. {kind}://HOST:PORT, not {text!r}",
                hint="ray:auto is the cluster that this machine is part of",
            )
        if colon and not number.isdigit():
            raise UsageError(f"expected a number of workers, or e.g. {kind}:4, not {text!r}")
        return cls(int(number) if colon else 0, kind)

    @classmethod
    def of(cls, given: AnyEngine) -> Engine:
        """The engine of what users give; see `AnyEngine`."""
        if isinstance(given, Engine):
            return given
        if isinstance(given, str):
            return cls.parse(given)
        if isinstance(given, Executor):
            return cls(kind="executor", executor=given)
        if given < 0:
            raise UsageError(f"the number of workers must be at least 0, not {given}")
        return cls(given)

    @property
    def threads(self) -> int:
        """How many threads native code may use on this machine."""
        return self.workers or os.cpu_count() or 1

    @property
    def alone(self) -> bool:
        """Whether all work is done in this process, one job after the other."""
        return self.kind == "processes" and self.threads == 1

    def map(
        self, function: Callable[[Item], Result], items: Iterable[Item]
    ) -> Generator[Result, None, None]:
        """The results of a function for every item, in order, as a stream.

        Items are taken a few at a time. An exception in a worker arrives with its own type and
        message. Close the stream to end what is not finished, most simply with
        `contextlib.closing`.
        """
        if self.alone:
            yield from map(function, items)
            return
        with closing(self._run(function, items)) as results:
            for done in results:
                yield done.value

    def stream(
        self,
        function: Callable[[list[Item]], list[Result]],
        items: Iterable[Item],
        *,
        size: int,
        together: Callable[[Item], object] | None = None,
        nearby: Callable[[list[Item]], list[Result]] | None = None,
        native: bool = False,
    ) -> Generator[Result, None, None]:
        """The results of a function of several items, for all items, in order, as a stream.

        What it gives for an item must not depend on the others that it is given along with.

        Parameters
        ----------
        size : how many items are given at once, at first; workers get so many that they are busy
            for about `SECONDS_PER_CHUNK`.
        together : neighbours for which this is the same, and not None, are given at once.
        nearby : the function as it is called where no worker is needed, which is also where all
            items are one chunk; by default the same.
        native : whether native code does most of the work, so that on this machine threads do
            instead of processes; chunks then keep their size.
        """
        if native and self.kind == "processes" and not self.alone:
            with closing(threaded(function, chunked(items, size, together), self.threads)) as made:
                yield from chain.from_iterable(made)
            return
        pace = _Pace(size)
        chunks = chunked(items, pace, together)
        if self.kind == "processes":
            first = list(islice(chunks, 1 if self.alone else 2))
            chunks = chain(first, chunks)
            if self.alone or len(first) < 2:
                for chunk in chunks:
                    yield from (nearby or function)(chunk)
                return
        with closing(self._run(function, chunks)) as results:
            for done in results:
                pace.took(len(done.item), done.seconds)
                yield from done.value

    def _run(
        self, function: Callable[[Any], Any], items: Iterable[Any]
    ) -> Generator[Done, None, None]:
        from runoff.engine.jobs import run

        return run(self._staff(), function, items)

    def _staff(self) -> Workers:
        module, _, name = ENGINES[self.kind].partition(":")
        given = self.executor or self.address or self.threads
        workers: Workers = getattr(import_module(module), name)(given)
        return workers

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


AnyEngine: TypeAlias = Engine | Executor | str | int
"""What functions that spread work are given: an engine, its text, a number of workers, or an
executor of `concurrent.futures`."""

NAMED = ("processes", "dask", "dask+tls", "ray")
"""What engines are called in strings."""


def _of_address(kind: str, rest: str) -> Engine:
    """The engine of a cluster; an address of Ray is as Ray has it."""
    host, _, port = rest.removeprefix("//").rpartition(":")
    if rest != "auto" and not (host and port.isdigit()):
        raise UsageError(f"expected an address, e.g. {kind}://HOST:PORT, not '{kind}:{rest}'")
    if kind == "ray":
        return Engine(0, "ray", address=rest if rest == "auto" else f"ray:{rest}")
    if rest == "auto":
        raise UsageError("Dask needs an address, e.g. dask://HOST:PORT")
    return Engine(0, "dask", address=f"{'tls' if kind == 'dask+tls' else 'tcp'}:{rest}")


ALONE = Engine()
"""One worker, and nobody to tell."""


class _Pace:
    """The size of chunks, which follows how long workers take for them."""

    def __init__(self, size: int) -> None:
        self._size = float(size)

    def __call__(self) -> int:
        return max(1, min(int(self._size), LARGEST_CHUNK))

    def took(self, items: int, seconds: float) -> None:
        """Learn how long a chunk took; sizes grow by a few times at most."""
        wanted = items * min(SECONDS_PER_CHUNK / max(seconds, 1e-6), FASTEST_GROWTH)
        self._size = min(wanted, self._size * FASTEST_GROWTH)


def chunked(
    items: Iterable[Item],
    size: int | Callable[[], int],
    together: Callable[[Item], object] | None = None,
) -> Iterator[list[Item]]:
    """Consecutive runs of at most `size` items, which may change from run to run.

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
    number = size if callable(size) else lambda: size
    if together is None:
        iterator = iter(items)
        while chunk := list(islice(iterator, number())):
            yield chunk
        return
    chunk, last = [], None
    for item in items:
        key = together(item)
        if len(chunk) >= number() and (key is None or key != last):
            yield chunk
            chunk = []
        chunk.append(item)
        last = key
    if chunk:
        yield chunk
