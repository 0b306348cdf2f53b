"""`runoff train words`, `predict`, `train proofing` and `proof`: real processes, real files."""

import gzip
import json

import pytest
from helpers.command import runoff
from helpers.made.text import TEXT


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("words")
    (folder / "text").write_text(TEXT * 8)
    (folder / "sets").write_text("than, then\ntheir, there\n")
    files = ["text", "-o", "m", "--dev", "text"]
    out, errors = runoff("train", "words", *files, cwd=folder)
    assert "100.00%" in out
    assert errors == ""
    options = ["--sets", folder / "sets", "--false-alarms", 0.2, "-o", folder / "experts"]
    out, _ = runoff("train", "proofing", folder / "text", *options)
    assert "their, there" in out or "there, their" in out
    return folder


def test_blanks_are_filled(folder):
    text = "the new list is longer ____ the old one ."
    out, _ = runoff("predict", folder / "m", "--n", 2, stdin=text)
    lines = out.splitlines()
    assert lines[0] == "the new list is longer ___ the old one ."
    assert lines[1].split()[1] == "than"
    out, _ = runoff("predict", folder / "m", "--all", "--json", "--n", 3, stdin="nobody knew more")
    lists = [json.loads(line) for line in out.splitlines()]
    assert [nbest["gold"] for nbest in lists] == ["nobody", "knew", "more"]
    assert all(c["logprob"] <= 0 for nbest in lists for c in nbest["candidates"])


def test_suspects_are_shown_and_fixed(folder, tmp_path):
    wrong = "The new list is longer then the old one .\n"
    (tmp_path / "a.txt").write_text(wrong)
    options = ["a.txt", "--model", folder / "experts"]
    out, errors = runoff("proof", *options, cwd=tmp_path, status=1)
    assert out.startswith("a.txt:1:24: then -> than (")
    assert "1 word to look at" in errors
    out, _ = runoff("proof", *options, "--json", cwd=tmp_path, status=1)
    assert {"file": "a.txt", "line": 1, "column": 24, "suggestion": "than"}.items() <= json.loads(
        out
    ).items()
    runoff("proof", *options, "--fix", cwd=tmp_path)
    assert (tmp_path / "a.txt").read_text() == wrong.replace("then", "than")
    assert runoff("proof", *options, cwd=tmp_path) == ("", "")


def test_the_shipped_model_works_out_of_the_box():
    right = "There is no doubt that their house is larger than ours, and then some.\n"
    assert runoff("proof", "-", stdin=right) == ("", "")
    out, _ = runoff("proof", stdin="She was much taller then her brother.\n", status=1)
    assert "then -> than" in out


def test_a_model_tells_of_its_experts(folder):
    out, _ = runoff("inspect", folder / "experts")
    assert "errors found" in out
    assert "thresholds" not in out
    experts = json.loads(runoff("inspect", folder / "experts", "--json")[0])["header"]["experts"]
    assert [len(one["thresholds"]) for one in experts] == [2, 2]


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["predict", "MODEL", "--next", "--all"], "choose one of"),
        (["train", "words", "nowhere.txt", "-o", "m"], "no such file"),
        (["proof", "--model", "MODEL", "-"], "holds a words model; a confusables model is needed"),
    ],
)
def test_mistakes_are_one_sentence(folder, arguments, problem, tmp_path):
    names = {"MODEL": folder / "m"}
    _, errors = runoff(*(names.get(a, a) for a in arguments), status=2, stdin="", cwd=tmp_path)
    assert problem in errors
    assert not (tmp_path / "m").exists()


def test_a_line_that_is_too_long_is_skipped(folder, tmp_path):
    (tmp_path / "a.gz").write_bytes(gzip.compress(bytes((1 << 26) + 1) + b"\nthe new list\n", 1))
    out, errors = runoff("predict", folder / "m", "--next", "a.gz", "--json", cwd=tmp_path)
    assert [json.loads(line)["input"] for line in out.splitlines()] == ["___", "the new list ___"]
    problem = "a.gz:1: a line of more than 67,108,864 bytes; it is skipped"
    assert errors == f"warning: {problem}\n1 line skipped\n"


def test_a_file_that_is_too_long_is_skipped(folder, tmp_path):
    (tmp_path / "a.gz").write_bytes(gzip.compress(bytes((1 << 24) + 1), 1))
    (tmp_path / "b.txt").write_text("The new list is longer then the old one .\n")
    options = ("--model", folder / "experts")
    out, errors = runoff("proof", *options, "a.gz", "b.txt", cwd=tmp_path, status=1)
    assert out.startswith("b.txt:1:24: then -> than (")
    problem = "a.gz: a file of more than 16,777,216 bytes; it is skipped"
    assert errors == f"warning: {problem}\n1 file skipped\n1 word to look at\n"
