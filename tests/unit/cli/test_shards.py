import json
import subprocess
import sys
from contextlib import suppress

import pytest
from helpers.made.models import make_model
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

import runoff as ro
from runoff.cli.app import app
from runoff.data.shards.parts import FilePart, shard_of
from runoff.errors import FormatError


def command(*arguments, status=0):
    """What a command prints; its exit status is checked."""
    result = CliRunner().invoke(app, [str(one) for one in arguments])
    assert result.exit_code == status, result.output
    return result.output


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A reranker and lists in a plain, a packed and an empty file."""
    folder = tmp_path_factory.mktemp("shards")
    heard = [ro.Candidate("ice cream", -4.0), ro.Candidate("I scream", -4.2)]
    lists = [ro.NBest(f"s{n}", None, heard, gold="I scream") for n in range(50)]
    ro.fit(lists, metric="wer").save(folder / "m.runoff")
    ro.write_nbest(lists[:30], folder / "a.jsonl")
    ro.write_nbest(lists[30:45], folder / "b.jsonl.gz")
    ro.write_nbest(lists[45:], folder / "c.jsonl")
    return folder


TEXT = "We won. They\nlost.\n\nA vote\n was held.\n\n\nIt ended. \n\nNobody came.\n"


@given(
    st.integers(1, 12), st.sampled_from(["lines", "paragraphs"]), st.text("ab\n \r", max_size=40)
)
def test_parts_lie_end_to_end(tmp_path_factory, shards, cut, text):
    path = tmp_path_factory.getbasetemp() / "text"
    path.write_bytes(text.encode())
    parts = [
        part.open().read()
        for shard in range(1, shards + 1)
        for part in shard_of([(str(path), cut)], shard, shards)
    ]
    assert b"".join(parts) == text.encode()
    full = [part.decode() for part in parts if part]
    ends = "\n" if cut == "lines" else ("\n\n", "\n\r\n", " \n", "\r\n")
    assert all(part.endswith(ends) for part in full[:-1])


def test_a_part_is_opened_like_a_file_and_says_where_it_begins(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text('{"candidates": ["a"]}\n{"candidates": []}\n')
    part = FilePart(str(path), 22, 100, "lines")
    with pytest.raises(FormatError, match=r"^from byte 22 of .*a.jsonl:1: candidates: must not"):
        list(ro.read_nbest(part))


@pytest.mark.parametrize("shards", [1, 3, 7])
def test_shards_of_lists_are_what_one_command_writes(folder, tmp_path, shards):
    files = folder / "m.runoff", folder / "?.jsonl*"
    command("rerank", *files, "-o", tmp_path / "whole.jsonl")
    for shard in range(1, shards + 1):
        command("rerank", *files, "-o", tmp_path / "out", f"--shard={shard}/{shards}")
    command("gather", tmp_path / "out", "-o", tmp_path / "gathered.jsonl")
    assert (tmp_path / "gathered.jsonl").read_bytes() == (tmp_path / "whole.jsonl").read_bytes()


HOW = [[], ["--json"], ["--inline"], ["--tokenized", "--json"], ["--lines", "--json"]]


@pytest.mark.parametrize("how", HOW, ids="".join)
def test_shards_of_text_are_what_one_command_writes(tmp_path, how):
    """Numbers, sentences and offsets count from the beginning of a file, in whatever part."""
    model, texts = make_model("tagging", tmp_path), tmp_path / "texts"
    texts.mkdir()
    (texts / "a.txt").write_text(TEXT * 3)
    (texts / "b.txt").write_text("Ñu won.\n\nThey – lost.\n\n" * 9)
    in_shards("tag", model, texts, *how, folder=tmp_path, shards=5)


def in_shards(verb, *words, folder, shards):
    """Compare what shards of a command gather to with what the command writes."""
    command(*verb.split(), *words, "-o", folder / "whole")
    for shard in range(shards, 0, -1):
        command(*verb.split(), *words, "-o", folder / "out", "--shard", f"{shard}/{shards}")
    command("gather", folder / "out", "-o", folder / "gathered")
    assert (folder / "gathered").read_bytes() == (folder / "whole").read_bytes()


@pytest.mark.parametrize("how", [["--json"], ["--tagged", "--json"]], ids="".join)
def test_shards_of_taggings_are_what_one_command_writes(tmp_path, how):
    model, text = make_model("chunking", tmp_path), tmp_path / "text.txt"
    text.write_text("We PRP\nwon VBD\n\n" * 6 if "--tagged" in how else TEXT * 3)
    in_shards("chunk", model, text, *how, folder=tmp_path, shards=4)


def test_shards_of_predictions_are_what_one_command_writes(tmp_path):
    model, text = make_model("words", tmp_path), tmp_path / "text.txt"
    text.write_text("we\nthey have\n\nthe vote\n" * 4)
    in_shards("predict", model, text, "--next", "--json", folder=tmp_path, shards=3)


def test_a_text_with_blanks_is_not_cut(tmp_path):
    """Words of other lines are the context of a blank."""
    model, text = make_model("words", tmp_path), tmp_path / "text.txt"
    text.write_text("we ___\nthem\n" * 4)
    in_shards("predict", model, text, folder=tmp_path, shards=3)


def test_shards_of_converted_lists_are_what_one_command_writes(folder, tmp_path):
    command("convert", folder / "a.jsonl", tmp_path / "whole.txt")
    for shard in (1, 2):
        parts = f"{tmp_path}/out/*.txt"
        command("convert", folder / "a.jsonl", parts, "--to", "best", "--shard", f"{shard}/2")
    command("gather", tmp_path / "out", "-o", tmp_path / "gathered")
    assert (tmp_path / "gathered").read_bytes() == (tmp_path / "whole.txt").read_bytes()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["rerank", "m.runoff", "a.jsonl", "--audit", "x"], "--audit cannot be combined"),
        (["rerank", "m.runoff", "a.jsonl", "--why"], "--why cannot be combined"),
        (["rerank", "m.runoff", "a.jsonl", "--to", "moses"], "jsonl or best, whose files"),
        (["rerank", "m.runoff", "missing.jsonl"], "missing.jsonl: no such file"),
    ],
)
def test_what_shards_cannot_do(folder, words, said, monkeypatch):
    monkeypatch.chdir(folder)
    assert said in command(*words, "-o", "o", "--shard", "1/2", status=2)
    assert not (folder / "o").exists()


def test_shards_that_are_killed_are_started_again(folder, tmp_path):
    """At whatever moment: while it starts, while it writes, or not at all."""
    asked = ["rerank", str(folder / "m.runoff"), str(folder / "a.jsonl"), "-o", str(tmp_path / "o")]
    command(*asked[:-1], tmp_path / "whole.jsonl")
    for shard, seconds in [
        (1, 0.05),
        (2, 0.3),
        (3, 0.5),
        (1, 0.4),
        (2, None),
        (3, None),
        (1, None),
    ]:
        words = [sys.executable, "-m", "runoff", *asked, "--shard", f"{shard}/3"]
        with subprocess.Popen(words, stderr=subprocess.DEVNULL) as started:
            with suppress(subprocess.TimeoutExpired):
                assert started.wait(seconds) == 0
            started.kill()
    command("gather", tmp_path / "o", "-o", tmp_path / "gathered.jsonl")
    assert (tmp_path / "gathered.jsonl").read_bytes() == (tmp_path / "whole.jsonl").read_bytes()
    assert {path.suffix for path in (tmp_path / "o").iterdir()} == {".jsonl", ".done"}


def test_missing_shards_are_named_with_their_commands(folder, tmp_path):
    asked = ["rerank", folder / "m.runoff", folder / "a.jsonl", "-o", f"{tmp_path}/out/*.jsonl.gz"]
    for shard in (1, 3):
        command(*asked, "--shard", f"{shard}/3")
    found = json.loads(command("gather", tmp_path / "out", "--json", status=1))
    assert (found["shards"], found["missing"]) == (3, [2])
    (missing,) = found["commands"]
    assert missing.startswith("runoff rerank ")
    assert missing.endswith("*.jsonl.gz' --shard 2/3")
    assert missing in command("gather", tmp_path / "out", status=1)
    (tmp_path / "out" / "part-00001-of-00003.jsonl.gz").unlink()
    assert json.loads(command("gather", tmp_path / "out", "--json", status=1))["missing"] == [1, 2]
    command(*asked, "--shard", "1/3")
    command(*asked, "--shard", "2/3")
    command("gather", tmp_path / "out", "-o", tmp_path / "all.jsonl")
    assert (tmp_path / "all.jsonl").read_text().count("\n") == 30


def test_a_shard_that_is_done_is_not_made_again(folder, tmp_path):
    asked = ["rerank", folder / "m.runoff", folder / "a.jsonl", "-o", tmp_path / "out"]
    command(*asked, "--shard", "1/2")
    part = tmp_path / "out" / "part-00001-of-00002.jsonl"
    before = part.stat().st_mtime_ns
    assert "done already" in command(*asked, "--shard", "1/2")
    assert part.stat().st_mtime_ns == before
    part.write_bytes(part.read_bytes()[:-1])
    command(*asked, "--shard", "1/2")
    assert part.read_bytes().endswith(b"\n")


def test_shards_of_different_commands_are_not_laid_together(folder, tmp_path):
    asked = ["rerank", folder / "m.runoff", "-o", tmp_path / "out"]
    command(*asked, folder / "a.jsonl", "--shard", "1/2")
    command(*asked, folder / "c.jsonl", "--shard", "2/2")
    assert "differ in command" in command("gather", tmp_path / "out", status=2)


def test_a_damaged_shard_is_found(folder, tmp_path):
    asked = ["rerank", folder / "m.runoff", folder / "a.jsonl", "-o", tmp_path / "out"]
    command(*asked, "--shard", "1/1")
    part = tmp_path / "out" / "part-00001-of-00001.jsonl"
    part.write_bytes(part.read_bytes().replace(b"cream", b"dream"))
    said = command("gather", tmp_path / "out", "-o", tmp_path / "all.jsonl", status=2)
    assert "is not what its mark says" in said
    assert not (tmp_path / "all.jsonl").exists()


@pytest.mark.parametrize(
    ("how", "said"),
    [
        (["--shard", "0/3", "-o", "out"], "expected a shard such as 17/1000"),
        (["--shard", "4/3", "-o", "out"], "expected a shard such as 17/1000"),
        (["--shard", "1/3"], "--shard needs a folder to write to"),
        (["--shard", "1/3", "-o", "a.jsonl"], "--shard needs a folder to write to"),
    ],
)
def test_shards_that_make_no_sense(folder, how, said, monkeypatch):
    monkeypatch.chdir(folder)
    assert said in command("rerank", "m.runoff", "a.jsonl", *how, status=2)
    assert "which stdin is not" in command(
        "rerank", "m.runoff", "--shard", "1/2", "-o", "o", status=2
    )
