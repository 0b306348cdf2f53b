"""`runoff train tagging` and `runoff tag`: real processes, real files."""

import gzip
import json

import pytest
from helpers.command import runoff
from helpers.made.sentences import TAGGED

from runoff.data.tagged import read_tagged, write_tagged

TEXT = "they vote .\n\nthe council closes the school .\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tagging")
    write_tagged(TAGGED, folder / "train.tsv")
    options = ["--min-count", 1, "--prior", "1,10", "--dev", folder / "train.tsv"]
    files = [folder / "train.tsv", "-o", folder / "m.tagger"]
    out, errors = runoff("train", "tagging", *files, *options)
    assert "100.00%" in out
    assert errors == ""
    return folder


def test_text_becomes_columns_that_can_be_read_again(folder, tmp_path):
    model = folder / "m.tagger"
    out, errors = runoff("tag", model, "--tokenized", stdin=TEXT)
    assert out == (
        "they\tPRP\nvote\tVBP\n.\t.\n\n\n"
        "the\tDT\ncouncil\tNN\ncloses\tVBZ\nthe\tDT\nschool\tNN\n.\t.\n\n"
    )
    assert errors == ""
    (tmp_path / "tagged.tsv").write_text(out)
    assert len(list(read_tagged(tmp_path / "tagged.tsv"))) == 2
    again, _ = runoff("tag", model, "--columns", tmp_path / "tagged.tsv")
    assert again == out.replace("\n\n\n", "\n\n")


def test_lines_and_lists(folder, tmp_path):
    model = folder / "m.tagger"
    (tmp_path / "text").write_text(TEXT)
    out, _ = runoff("tag", model, tmp_path / "text", tmp_path / "text", "--inline", "--tokenized")
    one = "they/PRP vote/VBP ./.\n\nthe/DT council/NN closes/VBZ the/DT school/NN ./.\n"
    assert out == one * 2
    options = ["--tokenized", "--n", 3, "--json"]
    lists = [runoff("tag", model, *options, "-j", j, stdin=TEXT)[0] for j in (1, 2)]
    assert lists[0] == lists[1]
    decoded = [json.loads(line) for line in lists[0].splitlines()]
    assert [len(nbest["candidates"]) for nbest in decoded] == [3, 1, 3]
    assert decoded[0]["input"] == ["they", "vote", "."]
    out, _ = runoff(
        "tag",
        model,
        "--n",
        3,
        stdin=TEXT,
    )
    assert len(out.splitlines()[0].split("\t")) == 4
    runoff("tag", model, "-o", tmp_path / "out.gz", stdin=TEXT)
    assert gzip.decompress((tmp_path / "out.gz").read_bytes()).startswith(b"they\tPRP\n")


def test_raw_text_is_cut_into_sentences_and_words(folder):
    text = "They vote. The council\ncloses the school."
    out, _ = runoff("tag", folder / "m.tagger", "--inline", stdin=text)
    assert out == "They/PRP vote/VBP ./.\nThe/DT council/NN closes/VBZ the/DT school/NN ./.\n"


def test_odd_text_gets_an_answer(folder):
    text = "\n \t \n" + "vote " * 1000 + "\n\x00\x1b[31m \x7f\n!?! ... --\n投票 голос 😀\n"
    out, _ = runoff("tag", folder / "m.tagger", "--tokenized", "--inline", stdin=text)
    lines = out.split("\n")[:-1]
    assert [len(line.split(" ")) if line else 0 for line in lines] == [0, 0, 1000, 2, 3, 3]


def test_the_same_file_is_written_again_and_seen_through(folder, tmp_path):
    options = ["--min-count", 1, "--prior", "1,10", "--dev", folder / "train.tsv", "-j", 2]
    files = [folder / "train.tsv", "-o", tmp_path / "m.tagger"]
    out, _ = runoff("train", "tagging", *files, *options, "--json")
    assert json.loads(out)["dev"]["accuracy"] == 1.0
    assert (tmp_path / "m.tagger").read_bytes() == (folder / "m.tagger").read_bytes()
    out, _ = runoff("inspect", tmp_path / "m.tagger", "--json", "--top", 3)
    assert json.loads(out)["kind"] == "tagger"
    assert len(json.loads(out)["weights"]) == 3
    assert "largest weights" in runoff("inspect", tmp_path / "m.tagger")[0]


def test_treebanks_are_learned_from(tmp_path):
    (tmp_path / "votes.mrg").write_text("(S (NP (PRP they)) (VP (VBP vote)))\n" * 3)
    runoff("train", "tagging", tmp_path / "votes.mrg", "-o", tmp_path / "m")
    assert runoff("tag", tmp_path / "m", "--inline", stdin="they vote")[0] == "they/PRP vote/VBP\n"


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["train", "tagging", "nowhere.tsv", "-o", "m"], "nowhere.tsv: no such file"),
        (["train", "tagging", "EMPTY", "-o", "m"], "no sentences"),
        (["train", "tagging", "TRAIN", "-o", "m", "--prior", "x"], "--prior takes numbers"),
        (["train", "tagging", "TRAIN", "-o", "m", "--prior", "1,2"], "development"),
        (["train", "tagging", "TRAIN", "-o", "m", "--column", 5], "column 5"),
        (["tag", "nowhere.runoff"], "no such file"),
        (["tag", "MODEL", "nowhere.txt"], "no such file"),
        (["tag", "MODEL", "--inline", "--n", 2], "--inline"),
        (["tag", "MODEL", "--inline", "--json"], "--inline"),
        (["tag", "MODEL", "--tokenized", "--columns"], "choose one of"),
    ],
)
def test_mistakes_are_one_sentence(folder, tmp_path, arguments, problem, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").write_text("\n")
    names = {"TRAIN": folder / "train.tsv", "MODEL": folder / "m.tagger", "EMPTY": "empty"}
    _, errors = runoff(*(names.get(a, a) for a in arguments), status=2)
    assert problem in errors
    assert not (tmp_path / "m").exists()
