"""Parallel execution: a map over processes whose results come back in order."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from runoff.errors import UsageError

Item = TypeVar("Item")
Result = TypeVar("Result")
Mapper = Callable[[Callable[[Any], Any], Iterable[Any]], Iterator[Any]]


@contextmanager
def mapper(jobs: int = 1) -> Iterator[Mapper]:
    """A `map` over so many processes, whose workers end with the block.

    One job is a plain `map` in this process. Items are taken only as fast as workers finish, so a
    stream stays a stream. An exception in a worker arrives with its own type and message.

    Parameters
    ----------
    jobs : number of processes; 0 for one per core.

    Examples
    --------
    >>> with mapper() as run:
    ...     list(run(abs, [-1, 2, -3]))
    [1, 2, 3]
    """
    if jobs < 0:
        raise UsageError(f"the number of jobs must not be negative, as {jobs} is")
    jobs = jobs or os.cpu_count() or 1
    if jobs == 1:
        yield map
        return
    import joblib
    from joblib.externals.loky import get_reusable_executor

    # Small batches keep results flowing; the caller chunks its items.
    parallel = joblib.Parallel(
        n_jobs=jobs, backend="loky", return_as="generator", batch_size=1, pre_dispatch="2*n_jobs"
    )

    def run(function: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
        results: Iterator[Result] = parallel(joblib.delayed(function)(item) for item in items)
        return results

    try:
        yield run
    except BaseException:
        get_reusable_executor().shutdown(wait=False, kill_workers=True)
        raise
