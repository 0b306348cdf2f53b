"""The one loop over all engines: items go out as jobs, results come back in order."""

from __future__ import annotations

import copy
import hashlib
import sys
import time
import traceback
from collections import deque
from collections.abc import Callable, Generator, Iterable, Sequence
from concurrent.futures import Future
from functools import cache, lru_cache
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from runoff.engine.reference import contents_sent
from runoff.errors import RunoffError

SHOWN = 60
"""Characters of an item that an error about it shows."""


class WorkerLostError(Exception):
    """The worker that was at work on a job has ended without an answer."""


class Packed(NamedTuple):
    """A function as bytes, named by their hash, so that a worker unpacks it once.

    Parameters
    ----------
    release : what the sender runs, see `release`; empty where workers cannot differ.
    """

    key: str
    data: bytes
    release: str


class Answer(NamedTuple):
    """What came of a job: a value, or an error and where it arose; and how many seconds it took."""

    value: Any
    error: Exception | None = None
    trace: str = ""
    seconds: float = 0.0


class Workers(Protocol):
    """What runs jobs; the contract of every engine, see `tests/contract/test_engines.py`."""

    tries: int
    """How often a job is given out whose worker is lost; 1 where the workers try again alone."""

    elsewhere: bool
    """Whether workers may see other files, and have another Runoff."""

    def room(self) -> int:
        """How many jobs may be under way; it may change as workers come and go."""
        ...

    def submit(self, packed: Packed, item: Any) -> Any:
        """Give out `answer(packed, item)` as a job."""
        ...

    def result(self, job: Any) -> Answer:
        """The answer to a job, which is waited for; `WorkerLostError` if there will be none."""
        ...

    def close(self, jobs: Sequence[Any]) -> None:
        """End the jobs that nobody waits for any more."""
        ...


class Done(NamedTuple):
    """The result of an item, and how many seconds a worker took for it."""

    item: Any
    value: Any
    seconds: float


class _Job(NamedTuple):
    item: Any
    handle: Any
    tries: int


def run(
    workers: Workers,
    function: Callable[[Any], Any],
    items: Iterable[Any],
) -> Generator[Done, None, None]:
    """Results in order, while as many jobs are under way as there is room for.

    Items are read here, in the caller's thread, where an interrupt ends the waiting for a pipe.
    An error of the function arrives with its type and message. A job whose worker was lost is
    tried again; if that worker is lost too, the error names the item that did it.
    """
    packed = _packed(function, elsewhere=workers.elsewhere)
    pending: deque[_Job] = deque()
    iterator = iter(items)
    try:
        while True:
            for item in islice(iterator, max(workers.room() - len(pending), not pending)):
                pending.append(_Job(item, workers.submit(packed, item), 1))
            if not pending:
                return
            job = pending[0]
            try:
                answer = workers.result(job.handle)
            except WorkerLostError:
                if job.tries >= workers.tries:
                    raise _lost(_culprit(workers, packed, job.item)) from None
                again = workers.submit(packed, job.item)
                pending[0] = _Job(job.item, again, job.tries + 1)
                continue
            pending.popleft()
            if answer.error is not None:
                raise answer.error from _RemoteError(answer.trace)
            yield Done(job.item, answer.value, answer.seconds)
    finally:
        workers.close([job.handle for job in pending])


def answer(packed: Packed, item: Any) -> Answer:
    """What a worker answers to a job."""
    began = time.monotonic()
    try:
        value = _unpacked(packed)(item)
    except Exception as error:
        trace = "".join(traceback.format_exception(error))
        return Answer(None, _sendable(error), trace)
    return Answer(value, seconds=time.monotonic() - began)


class _RemoteError(Exception):
    """Where in a worker an error arose; the cause of that error."""

    def __str__(self) -> str:
        return f"\n{self.args[0]}"


def _sendable(error: Exception) -> Exception:
    """The error, or one that says the same if it cannot be made again from its arguments."""
    try:
        copy.copy(error)
    except Exception:
        return RunoffError(f"{type(error).__name__}: {error}")
    return error


def _packed(function: Callable[[Any], Any], *, elsewhere: bool) -> Packed:
    from joblib.externals.loky import cloudpickle_wrapper as cloudpickle

    with contents_sent(elsewhere):
        data = cloudpickle.dumps(function)
    key = hashlib.blake2b(data, digest_size=16).hexdigest()
    return Packed(key, data, release() if elsewhere else "")


def _unpacked(packed: Packed) -> Callable[[Any], Any]:
    if packed.release and packed.release != release():
        raise RunoffError(
            f"a worker runs {release()}, but this is {packed.release}",
            hint="install the same version of Runoff, built alike, everywhere",
        )
    return _unpacked_once(packed.key, _Unhashed(packed.data))


class _Unhashed:
    """Bytes that a cache does not look at, since their key says it all."""

    def __init__(self, data: bytes) -> None:
        self.data = data

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Unhashed)

    def __hash__(self) -> int:
        return 0


@lru_cache(maxsize=4)
def _unpacked_once(key: str, given: _Unhashed) -> Callable[[Any], Any]:
    from joblib.externals.loky import cloudpickle_wrapper as cloudpickle

    return cloudpickle.loads(given.data)  # type: ignore[no-any-return]


@cache
def release() -> str:
    """What runs here: the versions of Runoff and Python, and a hash of the native code."""
    import runoff
    from runoff import _native

    native = hashlib.blake2b(Path(_native.__file__).read_bytes(), digest_size=4).hexdigest()
    python = ".".join(map(str, sys.version_info[:2]))
    return f"Runoff {runoff.__version__} on Python {python} with native code {native}"


def _culprit(workers: Workers, packed: Packed, item: Any) -> str:
    """The name of the item that ends its worker; those of a chunk are tried one by one."""
    if isinstance(item, list) and len(item) > 1:
        for one in item:
            try:
                workers.result(workers.submit(packed, [one]))
            except WorkerLostError:
                return described(one)
    return described(item)


def described(item: Any) -> str:
    """An item as an error names it: by its id if it has one.

    Examples
    --------
    >>> from runoff.data.nbest import NBest
    >>> described(NBest("u17")), described([NBest("u17"), NBest("u18")]), described("we vote")
    ("'u17'", "'u17' to 'u18'", "'we vote'")
    """
    if isinstance(item, list) and item:
        first, last = described(item[0]), described(item[-1])
        return first if first == last else f"{first} to {last}"
    named = getattr(item, "id", None)
    if named is None:
        words = getattr(item, "words", None)
        named = item if words is None else " ".join(words)
    text = repr(named)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"


def _lost(name: str) -> RunoffError:
    return RunoffError(
        f"a worker was killed whenever it was at work on {name}, most likely because memory ran "
        "out",
        hint="use fewer workers, or leave that item out",
    )


def future_result(future: Future[Answer], lost: tuple[type[BaseException], ...]) -> Answer:
    """The answer of a future; errors of a kind say that its worker is lost."""
    try:
        return future.result()
    except lost as error:
        raise WorkerLostError(str(error)) from None
