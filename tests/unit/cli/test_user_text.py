"""Text of users is data: what is printed for people has no markup, emoji or escapes from it."""

import os
import re
import subprocess
from pathlib import Path

import pytest
from helpers.command import COMMAND, runoff

import runoff as ro

SOURCE = Path(ro.__file__).parent
ODD = ":smile: [bold]x[/bold] \x1b[31mred\x07 \x9b2J \u202eright [/]"
SEEN = ":smile: [bold]x[/bold] �[31mred"
NAME = ":100: [red] \x1b]0;title\x07.jsonl"
UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("odd")
    lists = [
        ro.NBest(
            f"{ODD} {number}",
            None,
            [ro.Candidate(ODD, -1.0), ro.Candidate(f"{ODD} a", -2.0), ro.Candidate(ODD, -3.0)],
            gold=f"{ODD} a",
        )
        for number in range(3)
    ]
    ro.write_nbest(lists, folder / NAME)
    ro.fit(lists, metric="wer").save(folder / f"{NAME}.runoff")
    return folder


@pytest.mark.parametrize(
    ("arguments", "status", "shown"),
    [
        (["inspect", NAME], 0, ":100: [red] "),
        (["inspect", f"{NAME}.runoff"], 0, ":100: [red] "),
        (["check", NAME], 0, ":100: [red] �]0;title�.jsonl:1: "),
        (["evaluate", NAME, "--metric", "wer", "--against", NAME], 0, ":100: [red] "),
        (["why", f"{NAME}.runoff", NAME, "--id", "1"], 0, SEEN),
        (["why", f"{NAME}.runoff", NAME, "--id", "1", "--flip"], 0, SEEN),
        (["fit", NAME, "-o", "m", "--metric", "wer", "--no-cache"], 0, "data"),
        (["rerank", NAME, NAME], 2, ":100: [red] �]0;title�.jsonl: not a model file"),
        (["check", f"{NAME}.none"], 2, ":100: [red] �]0;title�.jsonl.none: no such file"),
        (["why", f"{NAME}.runoff", NAME, "--id", ODD], 2, ":smile: [bold]x[/bold]"),
        ([ODD], 2, ":smile: [bold]x[/bold]"),
        (["inspect", NAME, "--top", ODD], 2, "--top"),
        (["inspect", b"\xff.jsonl"], 2, "�.jsonl: no such file"),
    ],
)
def test_nothing_is_interpreted(folder, arguments, status, shown):
    result = subprocess.run(
        [*COMMAND, *arguments],
        capture_output=True,
        check=False,
        cwd=folder,
        stdin=subprocess.DEVNULL,
    )
    printed = (result.stdout + result.stderr).decode()
    assert result.returncode == status, printed
    assert "Traceback" not in printed
    assert shown in printed
    assert not UNSAFE.search(printed)
    assert "😄" not in printed
    assert "💯" not in printed


def test_colours_of_a_terminal_are_ours(folder):
    """On a terminal there are escapes, but none of those that the text has."""
    leader, follower = os.openpty()
    process = subprocess.Popen(
        [*COMMAND, "why", f"{NAME}.runoff", NAME, "--id", "1"],
        stdout=follower,
        stdin=subprocess.DEVNULL,
        cwd=folder,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "200"},
    )
    os.close(follower)
    printed = b""
    while True:
        try:
            chunk = os.read(leader, 1 << 16)
        except OSError:  # the other end is closed
            break
        if not chunk:
            break
        printed += chunk
    os.close(leader)
    assert process.wait() == 0
    text = printed.decode()
    assert "\x1b[1;32m" in text
    assert "\x07" not in text
    assert "\x1b[31m" not in text
    assert SEEN in text


def test_all_consoles_are_terminals():
    """A console of another kind would interpret what it prints."""
    assert [path for path in SOURCE.rglob("*.py") if "Console(" in path.read_text()] == []


def test_programs_get_text_as_it_is(folder):
    out, _ = runoff("rerank", f"{NAME}.runoff", NAME, cwd=folder)
    assert r"\u001b[31mred\u0007" in out
    assert "\u202e" in out


def test_drawings_and_proofs(tmp_path):
    text = tmp_path / "odd.txt"
    text.write_text(f"{ODD} We voted their yesterday , and they won more then before .\n")
    out, _ = runoff("parse", "--draw", "--tokenized", text)
    assert ":smile:" in out
    assert not UNSAFE.search(out)
    result = subprocess.run([*COMMAND, "proof", text], capture_output=True, check=False)
    assert not UNSAFE.search((result.stdout + result.stderr).decode())
