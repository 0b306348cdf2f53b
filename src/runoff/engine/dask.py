"""The engine of a Dask cluster.

Dask itself tries a job again whose worker is lost, three times by default
(`distributed.scheduler.allowed-failures`).
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Sequence
from concurrent.futures import Future
from functools import lru_cache
from typing import Any

from runoff.engine.jobs import Answer, Packed, answer, future_result
from runoff.errors import UsageError, import_extra

JOBS_PER_THREAD = 3
BETWEEN_LOOKS = 1.0
"""Seconds between two looks how many workers there are."""


class Dask:
    """The workers of the cluster of a scheduler."""

    tries = 1
    elsewhere = True

    def __init__(self, address: str) -> None:
        self._distributed = import_extra("distributed", "dask")
        self._client = _client(address)
        self._executor = self._client.get_executor(pure=False)
        self._sent: Any = None
        self._looked, self._threads = -BETWEEN_LOOKS, 1

    def room(self) -> int:
        """Some jobs per thread of the workers; workers may come and go."""
        if time.monotonic() - self._looked > BETWEEN_LOOKS:
            self._threads = max(sum(self._client.nthreads().values()), 1)
            self._looked = time.monotonic()
        return JOBS_PER_THREAD * self._threads

    def submit(self, packed: Packed, item: Any) -> Future[Answer]:
        """Give out a job; the function goes to each worker once, and again if that is lost."""
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Sending large graph")
            if self._sent is None:
                self._sent = self._client.submit(_same, packed, key=f"runoff-{packed.key}")
            return self._executor.submit(answer, self._sent, item)  # type: ignore[no-any-return]

    def result(self, job: Future[Answer]) -> Answer:
        """The answer to a job."""
        return future_result(job, (self._distributed.KilledWorker,))

    def close(self, jobs: Sequence[Future[Answer]]) -> None:
        """Call back the jobs that nobody has begun; the connection is kept."""
        for job in jobs:
            job.cancel()
        self._executor.shutdown(wait=False)


def _same(packed: Packed) -> Packed:
    """A task of the scheduler that holds a function."""
    return packed


@lru_cache(maxsize=1)
def _connected(address: str) -> Any:
    distributed = import_extra("distributed", "dask")
    try:
        return distributed.Client(address, set_as_default=False, name="runoff")
    except OSError as error:
        raise UsageError(
            f"no Dask scheduler answers at {address}: {error}",
            hint="`dask scheduler` prints its address when it starts",
        ) from None


def _client(address: str) -> Any:
    """A connection to a scheduler, that of an earlier call if it still holds."""
    client = _connected(address)
    if client.status != "running":
        _connected.cache_clear()
        client = _connected(address)
    return client
