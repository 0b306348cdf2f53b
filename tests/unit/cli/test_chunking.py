import json

import pytest
from helpers.command import runoff
from helpers.made.chunks import CHUNKED, sentence

from runoff.data.tagged import write_tagged


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("chunking")
    write_tagged(CHUNKED, folder / "votes.tsv")
    train = ("train", "chunking", folder / "votes.tsv", "--dev", folder / "votes.tsv")
    options = ("--prior", "1,10", "--folds", "2", "--n", "5", "-o", folder / "model")
    printed, _ = runoff(*train, *options)
    assert "development sentences (chunk-f1" in printed
    assert "SBAR" in printed
    printed, _ = runoff(*train, *options, "--json")
    assert json.loads(printed)["dev"]["figures"]["oracle"]["F1"] == 100
    return folder


def test_raw_text_becomes_columns(folder):
    printed, _ = runoff("chunk", folder / "model", stdin="They voted on Monday. They closed.")
    first, second, _ = printed.split("\n\n")
    assert first.split("\n")[0] == "They\tPRP\tB-NP"
    assert len(second.split("\n")) == 3


def test_chunks_are_learned_and_measured_on_trees(tmp_path):
    file = tmp_path / "votes.mrg"
    file.write_text(
        "(S (NP (PRP They)) (VP (VBD voted) (PP (IN on) (NP (NNP Monday)))) (. .))\n"
        "(S (NP (DT the) (NML (NN tax) (NN vote))) (VP (VBD closed)) (. .))\n"
    )
    options = ("--prior", "10", "--no-rerank", "-o", tmp_path / "model")
    runoff("train", "chunking", file, "--dev", file, *options)
    printed, _ = runoff("chunk", tmp_path / "model", "--inline", stdin="The tax vote closed.")
    assert printed == "[NP The tax vote] [VP closed] .\n"
    page = tmp_path / "report.html"
    runoff("report", tmp_path / "model", "--gold", file, "-o", page)
    assert "100.00" in page.read_text()


def test_raw_text_is_cut_at_hyphens_as_the_training_sentences_are(folder, tmp_path):
    text = {"stdin": "The run-off closed."}
    printed, _ = runoff("chunk", folder / "model", **text)
    assert [line.split("\t")[0] for line in printed.split("\n")][1:4] == ["run", "-", "off"]
    seen = sentence("The/DT/B-NP run-off/NN/I-NP closed/VBD/B-VP ././O")
    write_tagged([*CHUNKED, seen], tmp_path / "votes.tsv")
    train = ("train", "chunking", tmp_path / "votes.tsv", "--prior", "10")
    runoff(*train, "--no-rerank", "-o", tmp_path / "model")
    printed, _ = runoff("chunk", tmp_path / "model", "--inline", **text)
    assert printed == "[NP The run-off] [VP closed] .\n"
    printed, _ = runoff("chunk", tmp_path / "model", "--tokenized", stdin="run - off\n")
    assert [line.split("\t")[0] for line in printed.split("\n")[:3]] == ["run", "-", "off"]


def test_tokenised_text_may_be_written_inline(folder):
    printed, _ = runoff(
        "chunk", folder / "model", "--tokenized", "--inline", stdin="They voted on Monday .\n\n"
    )
    assert printed == "[NP They] [VP voted] [PP on] [NP Monday] .\n\n"


def test_columns_have_gold_that_is_evaluated(folder):
    lists = folder / "lists.jsonl"
    command = ("chunk", folder / "model", "--tagged", folder / "votes.tsv")
    runoff(*command, "--n", "3", "--json", "-o", lists)
    rows = [json.loads(line) for line in lists.read_text().splitlines()]
    assert [row["gold"] for row in rows] == [list(s.gold) for s in CHUNKED]
    assert all(len(row["candidates"]) <= 3 for row in rows)
    printed, _ = runoff("evaluate", lists, "--metric", "chunk-f1", "--json")
    assert json.loads(printed)["figures"]["base"]["F1"] == 100
    printed, _ = runoff(*command, "--n", "2")
    assert printed.split("\n")[0].startswith("They\tPRP\tB-NP\t")


def test_reasons(folder):
    given = {"stdin": "They voted on Monday .\n"}
    command = ("chunk", folder / "model", "--tokenized", "--why")
    printed, _ = runoff(*command, **given)
    assert "winner  [NP They] [VP voted] [PP on] [NP Monday] ." in printed
    assert "difference of scores" in printed
    printed, _ = runoff(*command, "--json", **given)
    found = json.loads(printed)
    assert len(found["candidates"]) == 1
    assert found["why"]["terms"]
    printed, _ = runoff(*command, stdin="\n")
    assert "there was no other tagging to choose" in printed


def test_a_model_is_looked_into(folder):
    printed, _ = runoff("inspect", folder / "model", "--top", "2")
    assert "crf," in printed
    assert "by type" in printed
    assert "log-probability" in printed


@pytest.mark.parametrize(
    "options",
    [
        ("--tokenized", "--tagged"),
        ("--inline", "--json"),
        ("--inline", "--n", "2"),
        ("--why", "--n", "2"),
    ],
)
def test_options_that_do_not_go_together(folder, options):
    runoff("chunk", folder / "model", *options, stdin="They voted.", status=2)


def test_clusters_of_words_come_from_text(folder, tmp_path):
    (tmp_path / "a.txt").write_text("They voted on Friday. The board closed. " * 3)
    (tmp_path / "b.tsv").write_text("1\tThe council voted on Sunday.\n" * 3)
    train = ("train", "chunking", folder / "votes.tsv", "--prior", "10", "--no-rerank")
    text = ("--text", tmp_path / "a.txt", "--text", tmp_path / "b.tsv")
    printed, _ = runoff(*train, *text, "-o", tmp_path / "model", "--json")
    assert json.loads(printed)["clusters"]["text"] == ["a.txt", "b.tsv"]
    printed, _ = runoff("chunk", tmp_path / "model", "--inline", stdin="They voted on Sunday.")
    assert printed == "[NP They] [VP voted] [PP on] [NP Sunday] .\n"
    missing = ("--text", tmp_path / "c.txt", "-o", tmp_path / "other")
    _, errors = runoff(*train, *missing, status=2)
    assert "c.txt: no such file" in errors


def test_what_is_wrong_is_said(folder, tmp_path):
    (tmp_path / "words.txt").write_text("They\nvoted\n")
    _, errors = runoff("chunk", folder / "model", "--tagged", tmp_path / "words.txt", status=2)
    assert "words.txt:1: expected word_TAG or word/TAG, or one word and its tag per line" in errors
    train = ("train", "chunking", folder / "votes.tsv", "-o", tmp_path / "model")
    _, errors = runoff(*train, "--scheme", "bilou", status=2)
    assert "unknown scheme of a CRF 'bilou'" in errors
    _, errors = runoff(*train, "--prior", "1,x", status=2)
    assert "--prior takes numbers separated by commas" in errors
    _, errors = runoff(*train, "--prior", "1,2", "--no-rerank", status=2)
    assert "development" in errors
