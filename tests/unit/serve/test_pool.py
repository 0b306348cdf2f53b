"""The pool: bounded, short work beside long work."""

import asyncio
import threading
import time

import pytest

from runoff._native import check_deadline
from runoff.serve.pool import BusyError, Pool, _until


def test_what_is_too_much_is_turned_away_at_once():
    async def run():
        pool, gate = Pool(1, 1, 60), threading.Event()
        waiting = [asyncio.ensure_future(pool.run(gate.wait)) for _ in range(2)]
        await asyncio.sleep(0)
        with pytest.raises(BusyError):
            await pool.run(gate.wait)
        gate.set()
        assert await asyncio.gather(*waiting) == [True, True]
        assert await pool.run(lambda: "again") == "again"
        pool.close()

    asyncio.run(run())


def test_short_work_does_not_wait_for_long_work():
    async def run():
        pool, gate = Pool(1, 4, 60), threading.Event()
        long = asyncio.ensure_future(pool.run(gate.wait, long=True))
        await asyncio.sleep(0)
        assert await pool.run(lambda: "short") == "short"
        gate.set()
        assert await long
        pool.close()

    asyncio.run(run())


def test_work_that_polls_is_stopped_and_its_thread_is_free_again():
    def endless():
        while True:
            check_deadline()

    async def run():
        pool = Pool(1, 1, 0.01)
        with pytest.raises(TimeoutError):
            await pool.run(endless)
        pool._seconds = 60
        assert await pool.run(lambda: "then") == "then"  # in the only thread
        pool.close()

    asyncio.run(run())


def test_work_whose_time_was_up_in_the_queue_is_never_begun():
    begun = []
    with pytest.raises(TimeoutError):
        _until(time.monotonic() - 1, lambda: begun.append(1))
    assert begun == []
    check_deadline()  # the next work of the thread has no deadline


def test_work_that_does_not_poll_is_given_up_and_its_thread_is_free_at_its_end():
    async def run():
        pool, gate = Pool(1, 0, 0.01), threading.Event()
        with pytest.raises(TimeoutError):
            await pool.run(gate.wait)
        with pytest.raises(BusyError):
            await pool.run(lambda: "now")
        gate.set()
        while True:
            try:
                assert await pool.run(lambda: "then") == "then"
                break
            except BusyError:
                await asyncio.sleep(0)
        pool.close()

    asyncio.run(run())
