"""Fits that are killed or interrupted: real processes, real signals, the same bytes in the end."""

import json
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from helpers.strategies.problems import random_problem

import runoff as ro

COMMAND = [sys.executable, "-m", "runoff.cli"]
QUICK = ["--features", "given", "--no-cache"]
FIT = ["--learner", "exp-loss", *QUICK, "-O", "rounds=60000"]


@pytest.fixture(scope="module")
def lists(tmp_path_factory):
    """Lists with features, on which 60,000 rounds take a second or two."""
    path = tmp_path_factory.mktemp("long") / "train.jsonl"
    problem = random_problem(lists=150, candidates=10, n_features=80, seed=5)
    ro.write_nbest((nbest_of(problem, number) for number in range(problem.n_lists)), path)
    return path


def nbest_of(problem, number):
    candidates = []
    for j in range(*problem.list_offsets[number : number + 2]):
        ids = problem.feature_ids[slice(*problem.feature_offsets[j : j + 2])].tolist()
        logprob, quality = float(problem.logprobs[j]), float(problem.qualities[j])
        features = {f"f{k}": 1 for k in ids}
        candidates.append(ro.Candidate(None, logprob, quality=quality, features=features))
    return ro.NBest(number, None, candidates)


@pytest.fixture(scope="module")
def undisturbed(lists, tmp_path_factory):
    """The model that a fit without interruptions writes."""
    model = tmp_path_factory.mktemp("undisturbed") / "m.runoff"
    subprocess.run([*COMMAND, "fit", lists, "-o", model, *FIT], check=True, capture_output=True)
    return model.read_bytes()


@pytest.mark.parametrize("moment", [0.7, 1.2])
def test_ctrl_c_saves_and_the_same_command_goes_on(lists, undisturbed, tmp_path, moment):
    model = tmp_path / "m.runoff"
    command = [*COMMAND, "fit", lists, "-o", model, *FIT]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, start_new_session=True)
    time.sleep(moment)  # any moment will do: before the first round, too
    os.killpg(process.pid, signal.SIGINT)
    status = process.wait(timeout=60)
    errors = process.stderr.read().decode()
    if status == 130:  # it was not faster than the signal
        assert "interrupted" in errors
        assert not model.exists()
        checkpoint = tmp_path / "m.runoff.checkpoint"
        assert checkpoint.exists() == ("resumes from" in errors)
    subprocess.run(command, check=True, capture_output=True)
    assert model.read_bytes() == undisturbed
    assert list(tmp_path.iterdir()) == [model]


def test_a_killed_fit_goes_on_from_its_checkpoint(lists, undisturbed, tmp_path):
    """SIGKILL after each write of the checkpoint, until one run comes to the end."""
    model, checkpoint = tmp_path / "m.runoff", tmp_path / "m.runoff.checkpoint"
    command = [sys.executable, "-c", IMPATIENT, "fit", lists, "-o", model, *FIT]
    kills = 0
    while True:
        before = checkpoint.stat().st_mtime_ns if checkpoint.exists() else None
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        while process.poll() is None:
            now = checkpoint.stat().st_mtime_ns if checkpoint.exists() else None
            if now != before and kills < 3:
                process.kill()
                kills += 1
                break
            time.sleep(0.005)
        status = process.wait(timeout=60)
        assert status in (0, -signal.SIGKILL), process.stderr.read().decode()
        if status == 0:
            break
    assert kills == 3
    assert model.read_bytes() == undisturbed
    assert not checkpoint.exists()


IMPATIENT = """
import runoff.fitting.run as run
whole = run.Checkpoint.__init__
run.Checkpoint.__init__ = lambda self, path, key: whole(self, path, key, seconds=0.1)
from runoff.cli import main
main()
"""


def test_the_grid_is_the_same_on_two_threads(lists, tmp_path):
    for jobs in ("1", "2"):
        grid = ["-O", "smoothing=0.001,0.0025,0.01", "--dev", lists, "-j", jobs]
        options = [*grid, "--learner", "exp-loss", "--features", "given", "--no-cache"]
        arguments = ["fit", lists, "-o", tmp_path / jobs, *options, "-O", "rounds=500", "--json"]
        result = subprocess.run([*COMMAND, *arguments], check=True, capture_output=True)
    assert (tmp_path / "1").read_bytes() == (tmp_path / "2").read_bytes()
    record = json.loads(result.stdout)["record"]
    assert [row["smoothing"] for row in record["smoothing"]] == [0.001, 0.0025, 0.01]
    assert [(row["from"], row["to"]) for row in record["savings"]][:2] == [(1, 500), (1, 10)]
    best = max(row["dev quality"] for row in record["curve"])
    assert best == max(row["dev quality"] for row in record["smoothing"])


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (
            ["-O", "smoothing=0.001,0.002"],
            "several values of smoothing are compared on development",
        ),
        (["-O", "smoothing=0"], "smoothing must be positive"),
        (["-O", "smoothing=x"], "smoothing must be of the type list of numbers"),
        (["-O", "rounds=0"], "rounds must be at least 1"),
        (["-O", "weighted=maybe"], "weighted must be of the type bool"),
    ],
)
def test_options_that_make_no_sense(lists, tmp_path, options, sentence):
    arguments = ["fit", lists, "-o", tmp_path / "m", "--learner", "exp-loss", *QUICK]
    result = subprocess.run([*COMMAND, *arguments, *options], capture_output=True, check=False)
    assert result.returncode == 2
    assert sentence in result.stderr.decode()
    assert list(tmp_path.iterdir()) == []


def test_values_are_refused_by_name_with_the_remedy(tmp_path):
    candidates = [
        ro.Candidate(str(n), -float(n), quality=float(n), features={"length": 2.5 * n})
        for n in range(3)
    ]
    ro.write_nbest([ro.NBest(1, None, candidates)], tmp_path / "a.jsonl")
    arguments = ["fit", tmp_path / "a.jsonl", "-o", tmp_path / "m", "--learner", "exp-loss"]
    options = ["--features", "given", "--min-lists", "1", "--no-cache"]
    result = subprocess.run([*COMMAND, *arguments, *options], capture_output=True, check=False)
    assert result.returncode == 2
    errors = result.stderr.decode()
    assert "the feature 'length' has the value 2.5" in errors
    assert "--thresholds 1,2,4" in errors


def test_a_damaged_checkpoint_costs_only_time(lists, undisturbed, tmp_path):
    model = tmp_path / "m.runoff"
    (tmp_path / "m.runoff.checkpoint").write_bytes(np.arange(99).tobytes())
    subprocess.run([*COMMAND, "fit", lists, "-o", model, *FIT], check=True, capture_output=True)
    assert model.read_bytes() == undisturbed
