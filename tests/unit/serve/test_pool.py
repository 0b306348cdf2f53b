"""The pool: bounded, short work beside long work."""

import asyncio
import threading

import pytest

from runoff.serve.pool import BusyError, Pool


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


def test_an_answer_that_takes_too_long_is_given_up_and_its_thread_is_free_again():
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
