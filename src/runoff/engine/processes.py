"""The engine of processes: a map over workers whose results come back in order."""

from __future__ import annotations

import os
import signal
import threading
import time
import warnings
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import islice
from typing import Any, TypeVar

from runoff.errors import RunoffError

ITEMS_PER_WORKER = 2
"""Items under way per worker: one at work and one in waiting, as many as loky passes on at once."""

PATIENCE = 0.5
"""Seconds that are waited for loky to pass on what it was given, before its workers are ended."""

BETWEEN_LOOKS = 0.2
"""Seconds between two looks of a worker whether its parent is still there."""

Item = TypeVar("Item")
Result = TypeVar("Result")


def run(
    workers: int, function: Callable[[Item], Result], items: Iterable[Item]
) -> Iterator[Result]:
    """Results in order, while at most `ITEMS_PER_WORKER` items per worker are under way.

    Items are read here, in the caller's thread. `joblib.Parallel` reads them in a thread of its
    own, where an interrupt has to wait for the next line of a pipe; so its executor is used alone.
    """
    executor = _executor(workers)
    iterator = iter(items)
    pending: deque[Future[Result]] = deque()
    try:
        while True:
            for item in islice(iterator, ITEMS_PER_WORKER * workers - len(pending)):
                with _interrupts_held():
                    pending.append(executor.submit(function, item))
            if not pending:
                return
            yield pending.popleft().result()
    except BrokenProcessPool:
        problem = "a worker process was killed, most likely because memory ran out"
        raise RunoffError(problem, hint="use fewer jobs (-j)") from None
    finally:
        if pending:
            with _interrupts_held():
                _kill(executor, pending)


def _executor(workers: int) -> Any:
    """Worker processes; those of an earlier call are used again."""
    from multiprocessing import resource_tracker as python_tracker

    from joblib.externals.loky import get_reusable_executor
    from joblib.externals.loky.backend import resource_tracker as loky_tracker

    # The processes that clean up behind workers are started first, since Python's lets SIGINT
    # through again when it starts. After an interrupt they may miss a semaphore that they were to
    # remove, which is not worth a word.
    before = os.environ.get("PYTHONWARNINGS")
    os.environ["PYTHONWARNINGS"] = f"{before or ''},ignore:resource_tracker:UserWarning".strip(",")
    try:
        python_tracker.ensure_running()
        loky_tracker.ensure_running()
    finally:
        del os.environ["PYTHONWARNINGS"]
        if before is not None:
            os.environ["PYTHONWARNINGS"] = before
    # An idle worker may end just as it is given work. loky then starts another one, and warns;
    # where warnings are errors, that would end loky's thread, and the caller would wait forever.
    warnings.filterwarnings("ignore", "A worker stopped while some jobs", UserWarning)
    with _interrupts_held():
        return get_reusable_executor(
            max_workers=workers, initializer=_end_with, initargs=(os.getpid(),)
        )


def _end_with(parent: int) -> None:
    """Let this worker end soon after its parent, if that is killed and cannot end it.

    The parent's death is not asked of the system (`PR_SET_PDEATHSIG`), which would mean that of the
    thread that started the worker.
    """

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(BETWEEN_LOOKS)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Let SIGINT wait while workers and loky's threads are started or ended.

    They inherit that they do not take it. So it never ends a worker with a traceback, never lands
    in a thread that sleeps on while this one waits for a pipe, and never leaves a task half given.

    A mask is not enough: another thread, such as one of numpy's, may take the signal, and Python
    then interrupts the main thread whatever its mask. So the main thread's handler waits as well.
    """
    handler = signal.getsignal(signal.SIGINT)
    ours = handler is not None and threading.current_thread() is threading.main_thread()
    held: list[int] = []
    if ours:
        signal.signal(signal.SIGINT, lambda number, frame: held.append(number))
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        if ours:
            signal.signal(signal.SIGINT, handler)
        if held:
            signal.raise_signal(signal.SIGINT)


def _kill(executor: Any, pending: Iterable[Future[Any]]) -> None:
    """End the workers at once, whatever they are doing."""
    # loky stumbles, aloud, over items that its thread has not passed on yet, which takes a moment
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline and not all(f.running() or f.done() for f in pending):
        time.sleep(0.001)
    executor.shutdown(wait=True, kill_workers=True)
