"""What holds for every engine: the same results, errors and endings, wherever jobs run."""

import importlib.util
import multiprocessing
import os
import subprocess
import sys
import time
import warnings
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from pathlib import Path

import pytest
from helpers import jobs
from helpers.made.tasks import MADE

import runoff as ro
from runoff.engine import Engine
from runoff.engine import jobs as engine_jobs
from runoff.engine.reference import SHARED
from runoff.errors import FormatError, RunoffError, UsageError

TESTS = Path(__file__).parents[1]


@contextmanager
def local_processes():
    yield Engine.of("processes:2")


@contextmanager
def executor():
    with ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as pool:
        yield Engine.of(pool)


@contextmanager
def dask(folder):
    """A scheduler and two workers, which are started again when they are killed."""
    file = folder / "scheduler.json"
    env = {
        **os.environ,
        "PYTHONPATH": str(TESTS),
        "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "1",
    }
    common = ["--scheduler-file", file, "--no-dashboard"]
    with ExitStack() as stack:
        for program in (
            ["scheduler", "--host", "127.0.0.1", "--port", "0", *common],
            ["worker", "--nworkers", "2", "--nthreads", "1", "--memory-limit", "0",
             "--local-directory", folder, *common],
        ):  # fmt: skip
            with (folder / f"{program[0]}.log").open("wb") as log:
                command = [sys.executable, "-m", "dask", *map(str, program)]
                started = subprocess.Popen(command, stdout=log, stderr=log, env=env, cwd=folder)
            stack.callback(started.wait)
            stack.callback(started.terminate)
            while not file.exists():
                assert started.poll() is None
                time.sleep(0.05)
        from runoff.data.formats.json_text import decode_json

        address = decode_json(file.read_bytes(), file, 1)["address"]
        engine = Engine.of(address.replace("tcp", "dask"))
        yield engine
        from runoff.engine import dask as module

        module._connected(engine.address).close()
        module._connected.cache_clear()


@contextmanager
def ray():
    import ray

    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = str(TESTS)
    try:
        try:
            ray.init(
                "local",
                num_cpus=2,
                include_dashboard=False,
                log_to_driver=False,
                object_store_memory=100 << 20,
            )
        except Exception as error:  # it says no more than that; a busy machine is enough
            pytest.skip(f"Ray does not start here: {error}")
        yield Engine.of("ray:auto")
    finally:
        ray.shutdown()
        if before is None:
            del os.environ["PYTHONPATH"]
        else:
            os.environ["PYTHONPATH"] = before


def installed(name, package):
    missing = importlib.util.find_spec(package) is None
    reason = f"the package {package!r} is not installed"
    return pytest.param(name, marks=pytest.mark.skipif(missing, reason=reason))


@pytest.fixture(
    scope="module",
    params=["processes", "executor", installed("dask", "distributed"), installed("ray", "ray")],
)
def engine(request, tmp_path_factory):
    started = {
        "processes": local_processes,
        "executor": executor,
        "dask": partial(dask, tmp_path_factory.mktemp("dask")),
        "ray": ray,
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with started[request.param]() as found:
            yield found


@pytest.fixture(autouse=True)
def _quiet():
    """Clusters warn of much that is not ours."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@pytest.fixture(scope="module")
def lists():
    heard = [ro.Candidate("ice cream", -4.0), ro.Candidate("I scream", -4.2)]
    return [ro.NBest(f"s{n}", None, heard, gold="I scream") for n in range(40)]


@pytest.fixture(scope="module")
def reranker(lists):
    """One whose features are Python's, so that processes extract them, not threads."""
    return ro.fit(lists, metric="wer", dev=lists, features=[jobs.words], min_lists=1)


def test_results_come_in_order(engine):
    assert list(engine.map(jobs.double, range(30))) == list(range(0, 60, 2))
    assert list(engine.map(lambda n: n + 1, [])) == []


def test_an_exception_keeps_its_type_and_message(engine):
    with pytest.raises(FormatError, match="^a.jsonl:3: logprob: broken\n\nHint: mend it$") as found:
        list(engine.map(jobs.fail, range(10)))
    assert "in fail" in str(found.value.__cause__)
    with pytest.raises(RunoffError, match="^OwnError: 1 and 2$"):
        list(engine.map(jobs.fail_in_an_own_way, [1]))


def test_leaving_early_and_interrupts_leave_a_working_engine(engine):
    with closing(engine.map(jobs.double, range(1000))) as results:
        assert next(results) == 0

    def interrupted():
        yield from range(9)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        list(engine.map(jobs.double, interrupted()))
    assert list(engine.map(jobs.double, [4])) == [8]


def test_a_model_is_loaded_once_per_worker(engine, reranker):
    seen = list(engine.map(partial(jobs.pid_and_model, reranker.reference()), range(12)))
    models = Counter(pid for pid, _ in {(pid, model) for pid, model, _ in seen})
    assert set(models.values()) == {1}
    assert all(training == reranker.training for *_, training in seen)


def test_reranking_gives_what_one_process_gives(engine, reranker, lists):
    assert list(ro.rerank(reranker, lists * 8, engine=engine)) == reranker.rerank(lists * 8)


def test_training_a_parser_gives_the_bytes_of_one_process(engine, tmp_path):
    made = MADE["parsing"]
    files = made.write(tmp_path)
    models = [
        ro.train("parsing", *files, work=tmp_path / name, engine=where, **made.options)
        for name, where in (("here", 1), ("there", engine))
    ]
    for name, model in zip(("here", "there"), models, strict=True):
        model.save(tmp_path / f"{name}.runoff")
    here, there = ((tmp_path / f"{name}.runoff").read_bytes() for name in ("here", "there"))
    assert here == there


def test_a_shared_folder_is_used(engine, reranker, lists, tmp_path, monkeypatch):
    monkeypatch.setenv(SHARED, str(tmp_path / "shared"))
    assert list(ro.rerank(reranker, lists * 2, engine=engine)) == reranker.rerank(lists * 2)
    (kept,) = (tmp_path / "shared").iterdir()
    assert kept.suffix == ".runoff"


def test_a_killed_worker_costs_its_job(engine, tmp_path):
    if engine.kind == "executor":
        pytest.skip("an executor that has lost a worker takes no more jobs")
    found = engine.map(partial(jobs.killed_once, str(tmp_path)), range(20))
    assert list(found) == list(range(20))
    assert (tmp_path / "killed").exists()


def test_an_item_that_kills_its_workers_is_named(engine, lists):
    if engine.kind == "executor":
        pytest.skip("an executor does not say whose job has killed its worker")
    with pytest.raises(RunoffError, match="a worker was killed whenever it was at work on 's17'"):
        list(engine.stream(jobs.poisoned, lists, size=2))
    assert list(engine.map(jobs.double, [4])) == [8]


def test_workers_of_another_release_are_refused(engine, monkeypatch):
    if engine.kind == "processes":
        pytest.skip("processes run what this one runs")
    monkeypatch.setattr(engine_jobs, "release", lambda: "Runoff 99")
    with pytest.raises(RunoffError, match="a worker runs Runoff .* native code .* is Runoff 99"):
        list(engine.map(jobs.double, [1, 2]))


def test_an_executor_that_breaks_is_one_sentence(lists):
    with executor() as engine, pytest.raises(RunoffError, match="the executor has lost a worker"):
        list(engine.stream(jobs.poisoned, lists, size=2))


@pytest.mark.skipif(importlib.util.find_spec("distributed") is None, reason="needs distributed")
def test_a_scheduler_that_does_not_answer_is_one_sentence(monkeypatch):
    import dask

    with (
        dask.config.set({"distributed.comm.timeouts.connect": "0.2s"}),
        pytest.raises(UsageError, match="no Dask scheduler answers at tcp://127.0.0.1:9:"),
    ):
        list(Engine.of("dask://127.0.0.1:9").map(jobs.double, [1]))
