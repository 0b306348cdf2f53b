"""Inputs are never overwritten, by whatever name they are called."""

import os
import subprocess

import pytest
from helpers.command import COMMAND, runoff
from helpers.made.tasks import MADE

import runoff as ro
from runoff.errors import UsageError
from runoff.tasks.ranking.convert import convert
from runoff.tasks.ranking.demo import demo_lists

CODE = "def f(input, candidate):\n    return [candidate.output]\n"
RECIPE = """
task = "tagging"
what = "nothing"
metric = "accuracy"
[data]
name = "none"
source = "nowhere"
train = ["a"]
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    ro.write_nbest(demo_lists("test")[:9], "x.jsonl")
    ro.write_nbest(demo_lists("test")[9:15], "dev.jsonl")
    ro.fit("x.jsonl", metric="wer").save("m.runoff")
    (tmp_path / "text.txt").write_text("We won ___ .\n")
    (tmp_path / "code.py").write_text(CODE)
    os.link("x.jsonl", "hard.jsonl")
    (tmp_path / "soft.jsonl").symlink_to("x.jsonl")
    return tmp_path


WER = ["--metric", "wer", "--no-cache"]


@pytest.mark.parametrize(
    "arguments",
    [
        ["fit", "x.jsonl", "-o", "x.jsonl", *WER],
        ["fit", "x.jsonl", "-o", "./x.jsonl", *WER],
        ["fit", "x.jsonl", "-o", "hard.jsonl", *WER],
        ["fit", "soft.jsonl", "-o", "x.jsonl", *WER],
        ["fit", "x.jsonl", "--dev", "dev.jsonl", "-o", "dev.jsonl", *WER],
        ["fit", "x.jsonl", "--features", "code:f", "-o", "code.py", *WER],
        ["rerank", "m.runoff", "x.jsonl", "-o", "x.jsonl"],
        ["rerank", "m.runoff", "x.jsonl", "-o", "m.runoff"],
        ["convert", "x.jsonl", "soft.jsonl"],
        ["convert", "x.jsonl", "text.txt", "--gold", "text.txt", "--to", "jsonl"],
        ["tag", "text.txt", "-o", "text.txt"],
        ["parse", "text.txt", "-o", "text.txt"],
        ["parse", "text.txt", "--svg", "."],
        ["propose", "chunking", "--crfsuite", "m.runoff", "-o", "m.runoff"],
        ["train", "tagging", "text.txt", "-o", "text.txt"],
        ["train", "words", "code.py", "--dev", "text.txt", "-o", "text.txt"],
        ["train", "words", "text.txt", "-o", "text.txt"],
    ],
)
def test_a_command_writes_to_none_of_its_inputs(folder, arguments):
    if "--svg" in arguments:
        (folder / "text.txt").rename("1.svg")
        arguments = ["1.svg" if one == "text.txt" else one for one in arguments]
    before = {path: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    _, errors = runoff(*arguments, status=2)
    assert "would be read and overwritten" in errors
    assert {path: path.read_bytes() for path in before} == before
    assert {path for path in folder.iterdir() if path.is_file()} == set(before)


def test_streams_are_files_too(folder):
    before = (folder / "x.jsonl").read_bytes()
    for command, stdin, stdout in (
        (["rerank", "m.runoff", "-o", "x.jsonl"], "x.jsonl", "out"),
        (["rerank", "m.runoff", "x.jsonl"], os.devnull, "x.jsonl"),
    ):
        with (folder / stdin).open("rb") as given, (folder / stdout).open("ab") as out:
            result = subprocess.run(
                [*COMMAND, *command], stdin=given, stdout=out, stderr=subprocess.PIPE, check=False
            )
        assert result.returncode == 2
        assert b"would be read and overwritten" in result.stderr
        assert (folder / "x.jsonl").read_bytes() == before


def test_the_checkpoint_of_a_fit_is_no_input(folder):
    """It would be removed at the end."""
    (folder / "x.jsonl").rename("m.checkpoint")
    _, errors = runoff("fit", "m.checkpoint", "-o", "m", *WER, status=2)
    assert "m.checkpoint would be read and overwritten" in errors
    with pytest.raises(UsageError, match="read and overwritten"):
        ro.fit("m.checkpoint", metric="wer", checkpoint="m.checkpoint")
    assert (folder / "m.checkpoint").exists()


def test_from_python(folder):
    with pytest.raises(UsageError, match="read and overwritten"):
        convert("x.jsonl", "hard.jsonl")
    train, _ = MADE["tagging"].write(folder)
    (folder / "work").mkdir()
    train.rename("work/tagger.checkpoint")
    with pytest.raises(UsageError, match="read and overwritten"):
        ro.train("tagging", "work/tagger.checkpoint", work="work", **MADE["tagging"].options)
    ro.write_nbest(list(ro.read_nbest("x.jsonl")), "x.jsonl")  # later, what was read may be written


def test_a_corpus_of_a_recipe_is_not_overwritten(folder):
    recipe = RECIPE.replace("tagging", "chunking").replace("accuracy", "chunk-f1")
    (folder / "r.toml").write_text(recipe.replace('train = ["a"]', 'train = ["a"]\ntest = ["a"]'))
    MADE["chunking"].write(folder)[0].rename("a")
    before = (folder / "a").read_bytes()
    for target in ("a", "r.toml"):
        _, errors = runoff("reproduce", "r.toml", "--data", ".", "-o", target, status=2)
        assert f"{target} would be read and overwritten" in errors
    assert (folder / "a").read_bytes() == before


def test_what_was_written_before_is_replaced(folder):
    for _ in range(2):
        runoff("fit", "x.jsonl", "-o", "m.runoff", *WER)
        runoff("rerank", "m.runoff", "x.jsonl", "-o", "ranked.jsonl")
