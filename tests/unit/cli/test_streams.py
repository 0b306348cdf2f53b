"""Standard streams that are closed, full, gone or poor in letters: real processes."""

import os
import subprocess
from pathlib import Path

import pytest
from helpers.command import COMMAND, runoff

import runoff as ro
from runoff.tasks.ranking.demo import demo_lists

SHELL = " ".join(COMMAND)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("streams")
    lists = demo_lists("test")
    ro.write_nbest(lists, folder / "test.jsonl")
    ro.fit(lists, metric="wer").save(folder / "m.runoff")
    return folder


def shell(script, folder, **variables):
    """Run a script in which `runoff` is the command; its status, stdout and stderr."""
    result = subprocess.run(
        ["bash", "-c", f'runoff() {{ {SHELL} "$@"; }}; set -o pipefail; {script}'],
        capture_output=True,
        check=False,
        cwd=folder,
        env={**os.environ, **variables},
    )
    errors = result.stderr.decode()
    assert "Traceback" not in errors
    assert "Exception" not in errors
    return result.returncode, result.stdout.decode(), errors


@pytest.mark.parametrize(
    ("script", "status", "said"),
    [
        ("runoff check - <&-", 2, "error: -: bad file descriptor\n"),
        ("runoff tag <&-", 2, "error: -: bad file descriptor\n"),
        ("runoff check test.jsonl <&-", 0, ""),
        ("runoff check test.jsonl >&-", 1, "error: bad file descriptor\n"),
        ("runoff rerank m.runoff test.jsonl >&-", 1, "error: bad file descriptor\n"),
        ("runoff --help >&-", 1, "error: bad file descriptor\n"),
        ("runoff fly 2>&-", 2, ""),
        ("runoff --version >/dev/full", 1, "error: no space left on device\n"),
        ("runoff --help >/dev/full", 1, "error: no space left on device\n"),
        ("runoff check test.jsonl >/dev/full", 1, "error: no space left on device\n"),
        ("runoff inspect m.runoff --json >/dev/full", 1, "error: no space left on device\n"),
        ("runoff fly 2>/dev/full", 2, ""),
        ("runoff --help | head -0", 0, ""),
        ("runoff inspect m.runoff | head -0", 0, ""),
        ("runoff inspect m.runoff --json | head -0", 0, ""),
        ("runoff rerank m.runoff test.jsonl | head -0", 0, ""),
    ],
)
def test_streams_that_are_closed_full_or_gone(folder, script, status, said):
    found, _, errors = shell(script, folder)
    assert (found, errors) == (status, said)


def test_an_ascii_terminal(folder, tmp_path):
    lists = tmp_path / "wön.jsonl"
    ro.write_nbest([ro.NBest("wön", None, [ro.Candidate("wön", -1.0), ro.Candidate("won")])], lists)
    for arguments in (
        f"inspect {lists}",
        f"why m.runoff {lists} --id 1 --top 3",
        "inspect m.runoff --top 1",
        "fit --help",
    ):
        status, out, errors = shell(f"runoff {arguments}", folder, PYTHONIOENCODING="ascii")
        assert (status, errors) == (0, "") if "why" not in arguments else status in (0, 2)
        assert out.isascii()
    assert "\\xf6" in shell(f"runoff check {lists}", folder, PYTHONIOENCODING="ascii")[1]


def test_trees_on_an_ascii_terminal(folder):
    script = "echo 'We wön .' | runoff parse --draw"
    status, out, errors = shell(script, folder, PYTHONIOENCODING="ascii")
    assert (status, errors) == (0, "")
    assert "|" in out
    assert "w\\xf6n" in out


def test_models_that_are_not_files(folder, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for given, said in (("pipe", "is a pipe or a device"), (".", "is a directory")):
        for arguments in (
            ["rerank", given, folder / "test.jsonl"],
            ["translate", given],
            ["propose", "chunking", "--crfsuite", given],
        ):
            _, errors = runoff(*arguments, stdin="", status=2, cwd=tmp_path, timeout=60)
            assert f"error: {given}: {said}" in errors


def test_text_may_come_from_a_pipe_with_a_name(folder):
    """Nothing is taken out of the pipe to see whether it is a model."""
    status, out, _ = shell("runoff tag <(echo 'We won.')", folder)
    assert status == 0
    assert [line.partition("\t")[0] for line in out.split("\n") if line] == ["We", "won", "."]
    status, out, _ = shell("runoff inspect <(cat test.jsonl)", folder)
    assert (status, "80" in out) == (0, True)


def test_links_that_go_in_a_circle(folder, tmp_path):
    Path(tmp_path / "loop").symlink_to("loop")
    _, errors = runoff("convert", folder / "test.jsonl", tmp_path / "loop", status=2)
    assert errors == f"error: {tmp_path}/loop: too many levels of symbolic links\n"
