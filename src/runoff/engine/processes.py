"""The engine of processes on this machine."""

from __future__ import annotations

import os
import signal
import threading
import time
import warnings
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import Any

from runoff.engine.jobs import Answer, Packed, WorkerLostError, answer

JOBS_PER_WORKER = 2
"""Jobs under way per worker: one at work and one in waiting."""

PATIENCE = 0.5
"""Seconds that are waited for loky to pass on what it was given, before its workers are ended."""

IDLE = 60
"""Seconds after which a worker without a job ends. On a busy machine its next job may take long."""

BETWEEN_LOOKS = 0.2
"""Seconds between two looks of a worker whether its parent is still there."""


class Processes:
    """Worker processes, each with jobs of its own, so that a dead one is known by its first job.

    Those of an earlier call are used again.
    """

    tries = 2
    elsewhere = False

    def __init__(self, workers: int) -> None:
        # An idle worker may end just as it is given work. loky then starts another one, and warns;
        # where warnings are errors, that would end loky's thread, and the caller would wait
        # forever. Each time, since the filters may be others than when the workers were started.
        warnings.filterwarnings("ignore", "A worker stopped while some jobs", UserWarning)
        self._workers = [_IDLE.pop() if _IDLE else _Worker() for _ in range(workers)]

    def room(self) -> int:
        """Two jobs per worker."""
        return JOBS_PER_WORKER * len(self._workers)

    def submit(self, packed: Packed, item: Any) -> _Job:
        """Give a job to the worker that has the fewest."""
        worker = min(self._workers, key=_Worker.load)
        job = _Job(worker, packed, item)
        worker.take(job)
        return job

    def result(self, job: _Job) -> Answer:
        """The answer; of a worker that died, the first of its jobs is lost."""
        while True:
            if job.lost:
                raise WorkerLostError
            try:
                return job.future.result()
            except BrokenProcessPool:
                job.worker.revive()

    def close(self, jobs: Sequence[_Job]) -> None:
        """End the workers at once if they have jobs, whatever they are doing."""
        with _interrupts_held():
            for worker in self._workers:
                if worker.load():
                    worker.kill()
                else:
                    worker.jobs.clear()
                    _IDLE.append(worker)


class _Job:
    """A job, and the worker that has it."""

    def __init__(self, worker: _Worker, packed: Packed, item: Any) -> None:
        self.worker, self.packed, self.item = worker, packed, item
        self.future: Future[Answer]
        self.lost = False


class _Worker:
    """A process that takes jobs one after the other, and its successors if it dies."""

    def __init__(self) -> None:
        self._executor = _executor()
        self.jobs: list[_Job] = []

    def load(self) -> int:
        """How many of its jobs are not finished."""
        return sum(not job.future.done() for job in self.jobs)

    def take(self, job: _Job) -> None:
        """Add a job after all others."""
        self.jobs = [one for one in self.jobs if not _answered(one)]
        try:
            job.future = self._submit(job)
        except BrokenProcessPool:
            self.revive()
            job.future = self._submit(job)
        self.jobs.append(job)

    def _submit(self, job: _Job) -> Future[Answer]:
        with _interrupts_held():
            return self._executor.submit(answer, job.packed, job.item)  # type: ignore[no-any-return]

    def revive(self) -> None:
        """Start another process; the job that the dead one was at work on is lost."""
        left = [job for job in self.jobs if not _answered(job)]
        with _interrupts_held():
            self._executor.shutdown(wait=True)
            self._executor = _executor()
        if left:
            left[0].lost = True
        self.jobs = left[1:]
        for job in self.jobs:
            job.future = self._submit(job)

    def kill(self) -> None:
        """End the process."""
        # loky stumbles, aloud, over jobs that its thread has not passed on yet: that takes a moment
        futures = [job.future for job in self.jobs]
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline and not all(f.running() or f.done() for f in futures):
            time.sleep(0.001)
        self._executor.shutdown(wait=True, kill_workers=True)


def _answered(job: _Job) -> bool:
    return job.future.done() and not isinstance(job.future.exception(), BrokenProcessPool)


_IDLE: list[_Worker] = []
"""Workers without jobs; their processes end after a while, and are started again when needed."""


def _executor() -> Any:
    """An executor of one process."""
    from multiprocessing import resource_tracker as python_tracker

    from joblib.externals.loky import ProcessPoolExecutor
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
    with _interrupts_held():
        return ProcessPoolExecutor(
            max_workers=1, timeout=IDLE, initializer=_end_with, initargs=(os.getpid(),)
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
