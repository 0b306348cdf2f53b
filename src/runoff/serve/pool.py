"""A bounded pool of threads: what is too much is turned away at once, never piled up."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from typing import TypeVar

from runoff._native import check_deadline, set_deadline

Answer = TypeVar("Answer")

NICE = 15
"""How far long work gives way to other work."""


class BusyError(Exception):
    """The pool and its queue are full."""


class Pool:
    """Runs work in threads, short and long work apart, so that short work never waits for long.

    Native code releases the interpreter's lock, so that threads work side by side. Long work has a
    low priority.

    Parameters
    ----------
    threads : how much short work runs at a time; long work has one thread more for itself.
    queue : how much work waits, of each kind.
    seconds : how long an answer is waited for. Work that has begun is stopped where Ctrl-C would
        stop it, the next time that native code polls, so its thread is soon free again.
    """

    def __init__(self, threads: int, queue: int, seconds: float) -> None:
        self._lanes = {
            False: ThreadPoolExecutor(threads, "runoff-short"),
            True: ThreadPoolExecutor(1, "runoff-long", initializer=_yield_to_others),
        }
        self._room = {False: threads + queue, True: 1 + queue}
        self._taken = {False: 0, True: 0}
        self._seconds = seconds

    async def run(self, work: Callable[[], Answer], *, long: bool = False) -> Answer:
        """The result of some work; raises `BusyError`, or `TimeoutError` if it takes too long."""
        if self._taken[long] >= self._room[long]:
            raise BusyError
        self._taken[long] += 1
        loop = asyncio.get_running_loop()
        ends = time.monotonic() + self._seconds
        future = self._lanes[long].submit(partial(_until, ends, work))

        def ended(_: Future[Answer]) -> None:
            if not loop.is_closed():
                loop.call_soon_threadsafe(self._free, long)

        future.add_done_callback(ended)
        async with asyncio.timeout(self._seconds):
            return await asyncio.wrap_future(future)

    def _free(self, long: bool) -> None:
        self._taken[long] -= 1

    def close(self) -> None:
        """Take no more work; what has begun is finished, what waits is not begun."""
        for lane in self._lanes.values():
            lane.shutdown(wait=False, cancel_futures=True)


def _yield_to_others() -> None:
    """Give this thread a low priority, where threads have one of their own."""
    if sys.platform == "linux":
        lower = min(19, os.getpriority(os.PRIO_PROCESS, 0) + NICE)
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), lower)


def _until(ends: float, work: Callable[[], Answer]) -> Answer:
    """The result of work of this thread, which must end at this time."""
    set_deadline(ends - time.monotonic())
    try:
        check_deadline()
        return work()
    finally:
        set_deadline(None)
