"""The engine of a Ray cluster.

Jobs are plain remote functions, which Ray tries again if their worker is lost. Its pools of actors
are not used: one whose actor was killed gives the error back among the results.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from concurrent.futures import Future
from typing import Any, NamedTuple

from runoff.engine.jobs import Answer, Packed, answer, future_result
from runoff.errors import UsageError, import_extra

JOBS_PER_CPU = 3
RETRIES = 3
BETWEEN_LOOKS = 1.0
"""Seconds between two looks how many workers there are."""


class _Job(NamedTuple):
    reference: Any
    future: Future[Answer]


class Ray:
    """The workers of a cluster."""

    tries = 1
    elsewhere = True

    def __init__(self, address: str) -> None:
        self._ray = import_extra("ray", "ray")
        if not self._ray.is_initialized():
            _connect(self._ray, address)
        self._answer = self._ray.remote(max_retries=RETRIES)(answer)
        self._sent: Any = None
        self._looked, self._cpus = -BETWEEN_LOOKS, 1

    def room(self) -> int:
        """Some jobs per processor of the cluster, whose machines may come and go."""
        if time.monotonic() - self._looked > BETWEEN_LOOKS:
            self._cpus = max(int(self._ray.cluster_resources().get("CPU", 1)), 1)
            self._looked = time.monotonic()
        return JOBS_PER_CPU * self._cpus

    def submit(self, packed: Packed, item: Any) -> _Job:
        """Give out a job; the function goes to each machine once."""
        if self._sent is None:
            self._sent = self._ray.put(packed)
        reference = self._answer.remote(self._sent, item)
        return _Job(reference, reference.future())

    def result(self, job: _Job) -> Answer:
        """The answer to a job."""
        errors = self._ray.exceptions
        return future_result(
            job.future,
            (errors.WorkerCrashedError, errors.NodeDiedError, errors.OutOfMemoryError),
        )

    def close(self, jobs: Sequence[_Job]) -> None:
        """End the jobs that are left."""
        for job in jobs:
            self._ray.cancel(job.reference, force=True)


def _connect(ray: Any, address: str) -> None:
    try:
        ray.init(address=address, log_to_driver=False, configure_logging=False)
    except (ConnectionError, RuntimeError) as error:
        raise UsageError(
            f"no Ray cluster answers at {address}: {str(error).splitlines()[0]}",
            hint="`ray start --head` starts one on this machine; a cluster that asks for a token "
            "needs RAY_AUTH_MODE=token, here and on the workers",
        ) from None
