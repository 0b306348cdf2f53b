import os
import stat

import pytest
from typer.testing import CliRunner

from runoff.cli.app import app
from runoff.data.bitext import SentencePair
from runoff.errors import RunoffError, UsageError
from runoff.proposers.translation.alignment import Aligner, aligned, eflomal_links

PAIRS = [
    SentencePair("the council counts votes".split(), "der Rat zählt Stimmen".split()),
    SentencePair("the council".split(), "der Rat".split()),
    SentencePair("votes".split(), "Stimmen".split()),
    SentencePair([], "leer".split()),
    SentencePair("empty".split(), []),
]


def test_words_that_meet_are_linked():
    found = aligned(PAIRS)
    assert found[:3] == [[(0, 0), (1, 1), (2, 2), (3, 3)], [(0, 0), (1, 1)], [(0, 0)]]
    assert found[3:] == [[], []]
    assert aligned([]) == []


def test_options_that_make_no_sense():
    for wrong in ({"diagonal": 0, "hmm": 0}, {"empty": 1.0}, {"alpha": 0}, {"symmetrise": "x"}):
        with pytest.raises(UsageError):
            Aligner(**wrong).align(PAIRS)
    with pytest.raises(UsageError, match="unknown aligner 'giza'"):
        aligned(PAIRS, "giza")


def program(folder, text, monkeypatch):
    path = folder / "eflomal-align"
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")


def test_eflomal_is_run_as_a_program(tmp_path, monkeypatch):
    """`eflomal-align -s SOURCE -t TARGET -f FORWARD -r BACKWARD --overwrite`."""
    program(tmp_path, 'printf "0-0 0-1\\n" > "$6"; printf "0-0 1-0\\n" > "$8"', monkeypatch)
    pairs = [SentencePair(["a", "b"], ["x", "y"])]
    assert eflomal_links(pairs, "intersection") == [[(0, 0)]]
    assert eflomal_links(pairs, "union") == [[(0, 0), (0, 1), (1, 0)]]


def test_eflomal_that_fails_or_is_missing(tmp_path, monkeypatch):
    program(tmp_path, "echo out of luck >&2; exit 3", monkeypatch)
    with pytest.raises(RunoffError, match="eflomal-align failed: out of luck"):
        eflomal_links(PAIRS)
    program(tmp_path, 'echo nonsense > "$6"; echo 0-0 > "$8"', monkeypatch)
    with pytest.raises(RunoffError, match="wrote something else than links"):
        eflomal_links(PAIRS)
    monkeypatch.setenv("PATH", "")
    with pytest.raises(RunoffError, match="eflomal-align is not on the path"):
        aligned(PAIRS, "eflomal")


def test_command(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "en").write_text("a vote\na list\n" + "x " * 501 + "\n")
    (tmp_path / "de").write_text("eine Stimme\neine Liste\ny\n")
    result = CliRunner().invoke(app, ["align", "en", "de", "-o", "links"])
    assert result.exit_code == 0, result.output
    assert "en:3: a sentence of more than 500 words; it is skipped" in result.stderr
    assert (tmp_path / "links").read_text() == "0-0 1-1\n0-0 1-1\n\n"
    again = CliRunner().invoke(app, ["align", "en", "de", "--links", "links"])
    assert again.stdout == "0-0 1-1\n0-0 1-1\n\n"
    (tmp_path / "links").write_text("0-0\n0-5\n\n")
    wrong = CliRunner().invoke(app, ["align", "en", "de", "--links", "links"])
    assert (wrong.exit_code, "links:2: the link 0-5 lies outside" in wrong.stderr) == (2, True)
    over = CliRunner().invoke(app, ["align", "en", "de", "-o", "en"])
    assert "would be read and overwritten" in over.stderr
