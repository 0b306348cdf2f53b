import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
import warnings
from contextlib import closing
from pathlib import Path

import pytest

from runoff.engine import Engine
from runoff.engine.processes import _interrupts_held
from runoff.errors import FormatError, UsageError


def double(n):
    return 2 * n


def fail(n):
    if n == 3:
        raise FormatError("broken", path="a.jsonl", line=n, key="logprob", hint="mend it")
    return n


@pytest.mark.parametrize("jobs", [1, 2])
def test_results_come_in_order(jobs):
    assert list(Engine(jobs).map(double, range(50))) == list(range(0, 100, 2))


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_exception_keeps_its_type_and_message(jobs):
    with pytest.raises(FormatError, match="^a.jsonl:3: logprob: broken\n\nHint: mend it$"):
        list(Engine(jobs).map(fail, range(10)))


def test_items_are_taken_as_needed():
    taken = []

    def items():
        for n in range(1000):
            taken.append(n)
            yield n

    with closing(Engine(2).map(double, items())) as results:
        assert next(results) == 0
        assert len(taken) < 100


def test_items_are_read_in_the_callers_thread():
    """A pipe that never ends must be waited for where an interrupt can end the waiting."""
    readers = set()

    def items():
        for n in range(100):
            readers.add(threading.get_ident())
            yield n

    assert list(Engine(2).map(double, items())) == list(range(0, 200, 2))
    assert readers == {threading.get_ident()}


def blocked(n):
    return signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, [])


def test_interrupts_are_for_the_caller_alone():
    """Neither workers nor the threads that serve them may take what the caller waits for."""
    assert list(Engine(2).map(blocked, range(4))) == [True] * 4
    assert not blocked(0)


def test_an_interrupt_waits_whatever_thread_takes_it():
    """Python interrupts the main thread for a signal that any other thread took."""
    done = threading.Event()
    other = threading.Thread(target=done.wait)
    other.start()
    steps = []
    try:
        with pytest.raises(KeyboardInterrupt), _interrupts_held():
            signal.pthread_kill(other.ident, signal.SIGINT)
            time.sleep(0.05)
            steps.append("not interrupted")
    finally:
        done.set()
        other.join()
    assert steps == ["not interrupted"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_leaving_early_is_quiet(capfd):
    for stop in range(5):
        with closing(Engine(2).map(double, range(50))) as results:
            assert next(result for result in results if result >= stop) >= stop
    assert capfd.readouterr() == ("", "")


def test_an_engine_is_named_by_a_number_or_a_text():
    assert Engine.of(2) == Engine.of("2") == Engine.of("processes:2") == Engine(2)
    assert Engine.of("processes") == Engine(0)
    assert Engine(0).threads == os.cpu_count()
    assert Engine.of("dask+tls://head:8786") == Engine(0, "dask", address="tls://head:8786")
    assert Engine.of("ray://head:10001").address == "ray://head:10001"
    assert Engine.of("ray:auto").address == "auto"
    for wrong, said in [
        (-1, "the number of workers must be at least 0, not -1"),
        (
            "procesess:2",
            "unknown engine 'procesess'; choose from: dask, dask\\+tls, processes, ray",
        ),
        ("dask:4", "expected an address, e.g. dask://HOST:PORT, not 'dask:4'"),
        ("ray://head", "expected an address, e.g. ray://HOST:PORT, not 'ray://head'"),
        ("dask:auto", "Dask needs an address"),
        ("processes:two", "expected a number of workers, or e.g. processes:4, not 'processes:two'"),
    ]:
        with pytest.raises(UsageError, match=said):
            Engine.of(wrong)


def test_who_is_told_hears_of_every_stage():
    steps = []
    engine = Engine(progress=steps.append)
    engine.tell("tree", 0)
    assert list(engine.counted("lists", "abcde", 5, every=2)) == list("abcde")
    assert [(one.stage, one.done, one.total) for one in steps] == [
        ("tree", 0, 1), ("lists", 2, 5), ("lists", 4, 5), ("lists", 5, 5)
    ]  # fmt: skip


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_interrupt_ends_everything(jobs, tmp_path):
    """The process ends soon after SIGINT and leaves no worker behind; it says when it has begun."""
    script = tmp_path / "long.py"
    script.write_text(
        textwrap.dedent(
            f"""
            import os, pathlib, time
            from contextlib import closing
            from runoff.engine import Engine

            def work(n):
                pathlib.Path({str(tmp_path)!r}, f"{{os.getpid()}}.pid").touch()
                time.sleep(600)

            if __name__ == "__main__":
                with closing(Engine({jobs}).map(work, range(4))) as results:
                    list(results)
            """
        )
    )
    process = subprocess.Popen([sys.executable, script], stderr=subprocess.PIPE)
    while not list(tmp_path.glob("*.pid")):
        assert process.poll() is None, process.stderr.read().decode()
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode != 0
    assert b"KeyboardInterrupt" in errors
    for file in tmp_path.glob("*.pid"):
        assert not _running(int(file.stem))


def _running(pid):
    for _ in range(200):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return False
        time.sleep(0.05)
    return True


def test_a_worker_that_ends_while_idle_is_no_error():
    """loky warns in a thread of its own, whose death would leave the caller waiting."""
    assert list(Engine(2).map(abs, [-1])) == [1]  # the workers were started under other filters
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert list(Engine(2).map(abs, [-1])) == [1]
        warnings.warn("A worker stopped while some jobs were given to the executor.", stacklevel=1)
        with pytest.raises(UserWarning, match="another"):
            warnings.warn("another", stacklevel=1)


def alive(pid):
    """Whether a process runs; one that has ended and waits for its parent does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks into /proc")
def test_workers_end_when_their_parent_was_killed():
    program = """
        import os, time
        from runoff.engine import Engine

        def work(n):
            print(os.getpid(), flush=True)
            time.sleep(600)

        list(Engine(2).map(work, range(2)))
    """
    process = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(program)], stdout=subprocess.PIPE, text=True
    )
    workers = [int(process.stdout.readline()) for _ in range(2)]
    assert all(map(alive, workers))
    process.kill()
    process.wait()
    deadline = time.monotonic() + 30
    while any(map(alive, workers)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(map(alive, workers))
