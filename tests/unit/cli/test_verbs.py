"""The command line as a user meets it: real processes, real files, exit statuses."""

import json
import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from helpers.command import COMMAND, runoff

import runoff as ro
from runoff.tasks.ranking.demo import demo_lists


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("cli")
    ro.write_nbest(demo_lists("train"), folder / "train.jsonl")
    ro.write_nbest(demo_lists("test"), folder / "test.jsonl")
    how = ["--metric", "wer", "--learner", "perceptron", "--no-cache"]
    runoff("fit", folder / "train.jsonl", "-o", folder / "m.runoff", *how)
    return folder


def test_the_whole_way(folder, tmp_path):
    out, errors = runoff("check", folder / "train.jsonl")
    assert out == "220 lists, 2,131 candidates, 0 problems\n"
    assert errors == ""
    out, _ = runoff("inspect", folder / "test.jsonl", "--metric", "wer", "--json")
    by_n = json.loads(out)["by_n"]
    assert by_n[-1]["oracle"]["WER"] <= by_n[-1]["one_best"]["WER"]
    ranked = tmp_path / "ranked.jsonl"
    out, errors = runoff("rerank", folder / "m.runoff", folder / "test.jsonl", "-o", ranked)
    assert (out, errors) == ("", "")
    out, _ = runoff("evaluate", ranked, "--metric", "wer", "--json")
    figures = json.loads(out)["figures"]
    assert figures["picked"]["WER"] < figures["base"]["WER"]
    out, _ = runoff("why", folder / "m.runoff", folder / "test.jsonl", "--id", "u221", "--json")
    reasons = json.loads(out)
    total = sum(term["contribution"] for term in reasons["terms"])
    assert total == pytest.approx(reasons["difference"], rel=1e-9)


def test_lists_flow_through_pipes(folder):
    data = (folder / "test.jsonl").read_bytes()
    out, _ = runoff("rerank", folder / "m.runoff", stdin=data)
    ranked = [json.loads(line) for line in out.splitlines()]
    assert len(ranked) == 80
    assert all("score" in c and "rank" in c for nbest in ranked for c in nbest["candidates"])
    out, _ = runoff("evaluate", "-", "--metric", "wer", "--json", stdin=out.encode())
    assert json.loads(out)["lists"] == 80
    out, _ = runoff("convert", "-", "-", "--to", "tsv", stdin=data)
    assert out.count("\n\n") == 80


def test_unsure_lists_stay_as_they_are(folder, tmp_path):
    model, lists = tmp_path / "m", folder / "test.jsonl"
    runoff("fit", folder / "train.jsonl", "--dev", lists, "-o", model, "--metric", "wer")
    outputs = [runoff("rerank", model, lists, "--abstain", 0.9, "-j", n)[0] for n in (1, 2)]
    assert outputs[0] == outputs[1]
    ranked = [json.loads(line) for line in outputs[0].splitlines()]
    stayed = [nbest["confidence"] < 0.9 for nbest in ranked]
    assert 0 < sum(stayed) < 80
    for nbest, kept in zip(ranked, stayed, strict=True):
        places = [c["rank"] for c in nbest["candidates"]]
        scores = [c["score"] for c in nbest["candidates"]]
        assert places == sorted(places) if kept else scores == sorted(scores, reverse=True)


def test_reports_for_people(folder):
    for arguments in (
        ["inspect", folder / "test.jsonl", "--metric", "wer"],
        ["inspect", folder / "m.runoff", "--top", "5"],
        ["evaluate", folder / "test.jsonl", "--metric", "wer"],
        ["why", folder / "m.runoff", folder / "test.jsonl", "--id", "u230"],
        ["why", folder / "m.runoff", folder / "test.jsonl", "--id", "u230", "--flip"],
        ["demo"],
    ):
        out, errors = runoff(*arguments)
        assert "│" in out
        assert "\x1b" not in out  # no colours in a pipe
        assert errors == ""


def test_inspect_draws_models_and_prints_them(folder, tmp_path):
    model, plot = folder / "m.runoff", tmp_path / "plot.svg"
    out, errors = runoff("inspect", model, "--plot", plot, "--top", "1")
    assert "Mistakes in training" in plot.read_text()
    assert out.count("largest weights") == 1
    assert errors == ""
    out, _ = runoff("inspect", model, model, folder / "test.jsonl", "--json")
    assert [next(iter(json.loads(line))) for line in out.splitlines()] == ["kind", "kind", "lists"]


def test_json_of_every_report(folder, tmp_path):
    lists, model = folder / "test.jsonl", folder / "m.runoff"
    for arguments in (
        ["check", lists],
        ["inspect", lists],
        ["inspect", model],
        ["evaluate", lists, "--metric", "wer"],
        ["why", model, lists, "--id", "u230"],
        ["why", model, lists, "--id", "u230", "--flip"],
        ["fit", lists, "-o", tmp_path / "m", "--metric", "wer"],
        ["demo"],
    ):
        json.loads(runoff(*arguments, "--json")[0])


def test_same_seed_same_bytes(folder, tmp_path):
    lines = (folder / "train.jsonl").read_text().splitlines(keepends=True)
    turned = tmp_path / "turned.jsonl"
    turned.write_text("".join(reversed(lines)))
    made = []
    for file, jobs in ((folder / "train.jsonl", 1), (turned, 1), (turned, 2)):
        model = tmp_path / "m.runoff"
        runoff("fit", file, "-o", model, "--metric", "wer", "-j", jobs, "--no-cache")
        made.append(model.read_bytes())
    assert made[0] == made[1] == made[2]


def test_binned_features_from_fit_to_why(folder, tmp_path):
    lists, model = folder / "test.jsonl", tmp_path / "m.runoff"
    binary = ["--thresholds", "1,2", "--bins", "5"]
    runoff("fit", folder / "train.jsonl", "-o", model, "--metric", "wer", *binary)
    out, _ = runoff("why", model, lists, "--id", "u230", "--json")
    terms = [term for term in json.loads(out)["terms"] if term["feature"] != "log-probability"]
    assert any(">=0." in term["feature"] for term in terms)
    assert {term["winner"] for term in terms} | {term["rival"] for term in terms} == {0, 1}


def test_problems_make_check_fail(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text('{"candidates": [{"output": "x", "logprob": NaN}]}\n')
    out, _ = runoff("check", path, status=1)
    assert out.splitlines()[0] == f"{path}:1: candidates[0].logprob: not a finite number: nan"
    out, _ = runoff("check", path, "--json", status=1)
    assert json.loads(out)["problems"][0]["key"] == "candidates[0].logprob"


def test_remarks_do_not_make_check_fail(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text(
        '{"candidates": [{"output": "x", "logprob": 1}, {"output": "x", "logprob": 2}]}\n'
    )
    assert runoff("check", path)[0].splitlines() == [
        f"{path}:1: candidates[0].logprob: 1 is positive, which no log-probability is "
        "(2 candidates)",
        f"{path}:1: candidates[1].output: the same as candidates[0] (1 candidate)",
        "1 list, 2 candidates, 0 problems, 2 remarks",
    ]
    found = json.loads(runoff("check", path, "--json")[0])
    assert found["problems"] == []
    assert [one["candidates"] for one in found["remarks"]] == [2, 1]


def test_convert_says_what_is_lost_on_stderr(folder, tmp_path):
    out, errors = runoff("convert", folder / "test.jsonl", tmp_path / "a.moses")
    assert out == ""
    assert "cannot hold the gold of 80 lists" in errors
    refs = tmp_path / "refs.txt"
    refs.write_text("".join(f"{nbest.gold}\n" for nbest in demo_lists("test")))
    runoff("convert", tmp_path / "a.moses", tmp_path / "a.jsonl", "--gold", refs)
    gold = [nbest.gold for nbest in ro.read_nbest(tmp_path / "a.jsonl")]
    assert gold == [nbest.gold for nbest in demo_lists("test")]


LISTS = "{folder}/test.jsonl"
MODEL = "{folder}/m.runoff"


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["check", "none.jsonl"], 2, "error: none.jsonl: no such file"),
        (["check", "."], 2, "error: .: is a directory, not a file"),
        (["inspect", "none"], 2, "no such file"),
        (["rerank", LISTS, LISTS], 2, "not a model file"),
        (["rerank", "none", LISTS], 2, "none: no such file"),
        (["rerank", ".", LISTS], 2, ".: is a directory"),
        (["rerank", MODEL, LISTS, "--abstain", "0.5"], 2, "Hint: fit it with development lists"),
        (["rerank", MODEL, LISTS, "--abstain", "2"], 2, "between 0 and 1, not 2"),
        (["why", MODEL, LISTS, "--id", "u9"], 2, "no list with the id or number 'u9'"),
        (["why", MODEL, LISTS, "--id", "u230", "--flip", "--over", "1"], 2, "looks at all rivals"),
        (["fit", LISTS, "-o", "m", "--metric", "were"], 2, "Hint: did you mean 'wer'?"),
        (
            ["fit", LISTS, "-o", "m", "--learner", "x"],
            2,
            "unknown learner 'x'; choose from: auto, base",
        ),
        (["fit", LISTS, "-o", "m", "--metric", "wer", "-O", "round=3"], 2, "did you mean 'rounds'"),
        (["fit", LISTS, "-o", "m", "--metric", "wer", "-O", "epochs"], 2, "written KEY=VALUE"),
        (["fit", LISTS, "-o", "m", "--metric", "wer", "--thresholds", "2,1"], 2, "rising whole"),
        (["fit", LISTS, "-o", "m", "--metric", "wer", "--thresholds", "x"], 2, "whole numbers"),
        (
            ["fit", LISTS, "-o", "m", "--metric", "wer", "--bins", "-1"],
            2,
            "bins must be at least 0",
        ),
        (
            ["fit", LISTS, "-o", "m", "--metric", "wer", "--seed", "-1"],
            2,
            "seed must be at least 0",
        ),
        (["evaluate", LISTS, "--metric", "wer", "--against", LISTS, "--seed", "-1"], 2, "a seed"),
        (["inspect", MODEL, "--top", "-1"], 2, "--top"),
        (["inspect", MODEL, "--plot", "a.gif"], 2, "must end in .svg, .png or .pdf, not 'a.gif'"),
        (["inspect", LISTS, "--plot", "a.svg"], 2, "test.jsonl: not a model file"),
        (["inspect", MODEL, "--plot", "no/such/a.svg"], 2, "no such folder"),
        (["fit", LISTS, "-o", "no/such/m", "--metric", "wer"], 2, "no such folder"),
        (["fit", LISTS, "-o", "m"], 1, "quality"),
        (["evaluate", LISTS, "--metric", "nowhere:f"], 2, "nowhere"),
        (["evaluate", LISTS, "--metric", "parseval"], 1, "list 'u221': gold"),
        (
            ["convert", LISTS, "a.xyz", "--to", "xyz"],
            2,
            "unknown format 'xyz'; choose from: best, bllip",
        ),
        (["fly"], 2, "No such command 'fly'"),
        (["fit", LISTS], 2, "Missing option"),
    ],
)
def test_errors_are_one_sentence(folder, tmp_path, arguments, status, message):
    arguments = [part.format(folder=folder) for part in arguments]
    out, errors = runoff(*arguments, status=status, cwd=tmp_path)
    assert out == ""
    assert message in errors
    assert list(tmp_path.iterdir()) == [] or list(tmp_path.iterdir()) == [tmp_path / "cache"]


def test_a_full_disk_leaves_nothing_behind(folder, tmp_path):
    """A limit on file size stands in for the full disk, and /dev/full for a full stdout."""
    ranked = tmp_path / "ranked.jsonl"
    ranked.write_text("what was there\n")

    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))

    model, lists = folder / "m.runoff", folder / "test.jsonl"
    _, errors = runoff("rerank", model, lists, "-o", ranked, status=1, preexec_fn=limit)
    assert "error: " in errors
    assert "file too large" in errors
    assert ranked.read_text() == "what was there\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["ranked.jsonl"]
    with Path("/dev/full").open("wb") as full:
        result = subprocess.run(
            [*COMMAND, "rerank", model, lists], stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert result.returncode == 1
    assert result.stderr == b"error: no space left on device\n"


def test_a_reader_that_goes_away_is_no_error(folder):
    model, lists = folder / "m.runoff", folder / "test.jsonl"
    process = subprocess.Popen(
        [*COMMAND, "rerank", model, lists], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    process.stdout.close()
    assert process.stderr.read() == b""
    assert process.wait() == 0


@pytest.mark.parametrize("verb", ["fit", "rerank"])
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_an_interrupt_is_answered(folder, tmp_path, verb, jobs):
    """The lists come from a pipe that never ends; SIGINT ends the command, nothing is written."""
    target = tmp_path / "out"
    metric = ["--metric", "wer"] if verb == "fit" else []
    arguments = {"fit": ["fit", "-"], "rerank": ["rerank", folder / "m.runoff", "-"]}[verb]
    process = subprocess.Popen(
        [*COMMAND, *map(str, arguments), "-o", str(target), "-j", jobs, *metric],
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    process.stdin.write((folder / "train.jsonl").read_bytes())
    process.stdin.flush()
    time.sleep(2)  # long enough to be inside the work; any moment will do
    os.killpg(process.pid, signal.SIGINT)
    assert process.wait(timeout=60) == 130
    assert process.stderr.read().decode().endswith("error: interrupted\n")
    assert list(tmp_path.iterdir()) == []


WHILE_A_MODULE_IS_READ = """
class Finder:
    def find_spec(self, name, path, target=None):
        if name == "runoff.cli.app":
            signal.raise_signal(signal.SIGINT)

sys.meta_path.insert(0, Finder())
"""
BEFORE_A_VERB_BEGINS = """
from runoff.cli.app import Verbs

def make_context(*given, make=Verbs.make_context, **named):
    signal.raise_signal(signal.SIGINT)
    return make(*given, **named)

Verbs.make_context = make_context
"""
AT_THE_END = "threading._register_atexit(signal.raise_signal, signal.SIGINT)"


@pytest.mark.parametrize(
    ("moment", "status", "said"),
    [
        (WHILE_A_MODULE_IS_READ, 130, "error: interrupted\n"),
        (BEFORE_A_VERB_BEGINS, 130, "error: interrupted\n"),
        (AT_THE_END, 0, ""),
    ],
)
def test_an_interrupt_at_an_awkward_moment(moment, status, said):
    script = f"import signal, sys, threading\nfrom runoff.cli import main\n{moment}\nmain()"
    command = [sys.executable, "-c", script, "demo"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (result.returncode, result.stderr) == (status, said)
