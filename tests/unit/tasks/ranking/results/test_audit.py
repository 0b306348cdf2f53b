"""Records of decisions, and walks through the lists that matter."""

import json

import pytest
from helpers.command import runoff

import runoff as ro
from runoff.tasks.ranking.results.audit import marked


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("audit")
    texts = ["they need to bye it", "they need to buy it", "they knead to buy it"]
    heard = [ro.Candidate(text, -1.0 - place) for place, text in enumerate(texts)]
    lists = [ro.NBest(f"u{i}", None, heard, texts[1]) for i in range(6)]
    ro.fit(lists, dev=lists, metric="wer").save(folder / "m")
    lists[4] = ro.NBest("u4", None, heard, texts[0])
    lists[5] = ro.NBest("u5", None, heard[:1], texts[0])
    ro.write_nbest(lists, folder / "a.jsonl")
    return folder


def test_every_decision_has_a_line_that_adds_up(folder):
    runoff("rerank", "m", "a.jsonl", "--audit", "audit.jsonl", "-o", "b.jsonl", cwd=folder)
    runoff("rerank", "m", "a.jsonl", "-o", "plain.jsonl", cwd=folder)
    assert (folder / "b.jsonl").read_bytes() == (folder / "plain.jsonl").read_bytes()
    lines = [json.loads(line) for line in (folder / "audit.jsonl").read_text().splitlines()]
    assert [line["list"] for line in lines] == [1, 2, 3, 4, 5, 6]
    for line in lines[:5]:
        assert (line["winner"], line["before"]) == ("they need to buy it", 1)
        total = sum(line["reasons"].values()) + line.get("rest", 0.0)
        assert total == pytest.approx(line["difference"])
        assert 0 <= line["confidence"] <= 1
    assert "reasons" not in lines[5]
    assert len({line["model"] for line in lines}) == 1
    runoff("rerank", "m", "a.jsonl", "--audit", "x", "--abstain", "0.5", status=2, cwd=folder)


def test_lists_that_matter_are_shown_with_their_differences(folder):
    changed = runoff("why", "m", "a.jsonl", "--changed", "--lists", "2", cwd=folder)[0]
    assert changed.count("they need to [-bye-] {+buy+} it") == 2
    assert "list 1, id u0" in changed
    worse = runoff("why", "m", "a.jsonl", "--worse", "--metric", "wer", "--json", cwd=folder)[0]
    assert [json.loads(line)["id"] for line in worse.splitlines()] == ["u4"]
    unsure = runoff("why", "m", "a.jsonl", "--unsure", "--json", cwd=folder)[0]
    assert len(unsure.splitlines()) == 5
    for wrong in ((), ("--changed", "--worse"), ("--id", "u1", "--unsure")):
        runoff("why", "m", "a.jsonl", *wrong, status=2, cwd=folder)


def test_words_that_come_and_go_are_marked():
    assert marked("a b", "a b c") == "a b {+c+}"
    assert marked("a b c", "c") == "[-a b-] c"
    assert marked(["B", "O"], ["B", "I"]) == "B [-O-] {+I+}"
