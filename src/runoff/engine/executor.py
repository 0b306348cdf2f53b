"""Any executor of `concurrent.futures` as an engine."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import contextmanager
from typing import Any

from runoff.engine.jobs import Answer, Packed, answer
from runoff.errors import RunoffError

JOBS_PER_WORKER = 3


class OfExecutor:
    """The workers of an executor, which stays open."""

    tries = 1
    elsewhere = True

    def __init__(self, executor: Executor) -> None:
        self._executor = executor

    def room(self) -> int:
        """Some jobs per worker, whose number executors of Python know."""
        return JOBS_PER_WORKER * (
            getattr(self._executor, "_max_workers", None) or os.cpu_count() or 1
        )

    def submit(self, packed: Packed, item: Any) -> Future[Answer]:
        """Give out a job."""
        with _told_if_broken():
            return self._executor.submit(answer, packed, item)

    def result(self, job: Future[Answer]) -> Answer:
        """The answer to a job."""
        with _told_if_broken():
            return job.result()

    def close(self, jobs: Sequence[Future[Answer]]) -> None:
        """Call back the jobs that nobody has begun."""
        for job in jobs:
            job.cancel()


@contextmanager
def _told_if_broken() -> Iterator[None]:
    """Turn the end of an executor, which does not say whose fault it is, into one sentence."""
    try:
        yield
    except BrokenExecutor:
        raise RunoffError(
            "the executor has lost a worker and takes no more jobs",
            hint="the engine processes:N tries such a job again and names the item",
        ) from None
