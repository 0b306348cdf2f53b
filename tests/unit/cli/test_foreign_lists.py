"""Lists of other systems from the first command to the last: several files, maps, winners."""

import json

import pytest
from helpers.command import runoff

WORDS = ["ice cream", "I scream", "eyes cream"]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("a", "b"):
        rows = [
            {"q": f"{name}{i}", "tries": WORDS, "said": "I scream", "lp": [-1.0, -1.5, -2.0]}
            for i in range(3)
        ]
        (tmp_path / f"{name}.json").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return tmp_path


MAP = "input=q,output=tries,gold=said,logprob=lp"


def test_a_model_remembers_the_map_and_writes_winners(folder):
    how = ("--map", MAP, "--metric", "wer", "--no-cache")
    fitted = json.loads(runoff("fit", "a.json", "b.json", *how, "-o", "m", "--json")[0])
    assert (fitted["lists"], fitted["map"]) == (6, MAP)
    assert runoff("rerank", "m", "*.json", "--best") == ("I scream\n" * 6, "")
    runoff("rerank", "m", "a.json", "-o", "best.txt")
    assert (folder / "best.txt").read_text() == "I scream\n" * 3
    assert "winner  I scream" in runoff("why", "m", "a.json", "b.json", "--id", "5")[0]


def test_every_verb_takes_several_files_and_a_map(folder):
    how = ("*.json", "--map", MAP)
    assert "of 6 lists" in runoff("convert", "a.json", "b.json", "c.tsv", "--map", MAP)[1]
    assert runoff("check", *how)[0].count("3 lists, 9 candidates, 0 problems") == 2
    assert '"lists":6' in runoff("evaluate", *how, "--metric", "wer", "--json")[0]
    assert runoff("inspect", *how, "--json")[0].count('"lists":3') == 2


def test_refusals_name_keys_and_the_option(folder):
    refused = runoff("fit", "a.json", "-o", "m", status=2)[1]
    assert "no candidates among the keys q, tries, said, lp" in refused
    assert "--map output=KEY" in refused
    assert "--map output=KEY" in runoff("check", "a.json", status=1)[0]
    ending = runoff("convert", "a.json", "x.josnl", "--map", MAP, status=2)[1]
    assert "end the name in one of .jsonl" in ending
    runoff("fit", "a.json", "--map", MAP, "--metric", "wer", "-o", "m", "--no-cache")
    runoff("rerank", "m", "a.json", "--best", "--to", "tsv", status=2)
