"""`runoff inspect` and `runoff check` on treebanks."""

import json

from helpers.command import runoff

TREES = """( (S (NP-SBJ-1 (PRP we)) (VP (VBD won) (NP (-NONE- *T*-1)))))
(TOP (S (NP (PRP they)) (VP (VP (VBD lost)))))
"""


def test_a_treebank_is_counted_and_drawn(tmp_path):
    (tmp_path / "my.mrg").write_text(TREES)
    out, _ = runoff("inspect", "my.mrg", "--json", cwd=tmp_path)
    found = json.loads(out)
    assert (found["trees"], found["words"], found["longest"], found["cleaned"]) == (2, 4, 2, 1)
    assert found["labels"] == {"S": 2, "NP": 2, "VP": 3}
    assert found["tags"] == {"PRP": 2, "VBD": 2}
    assert found["deepest"] == 5
    out, _ = runoff("inspect", "my.mrg", "--draw", 1, cwd=tmp_path)
    assert "4, 4 different" in out
    assert "*T*-1" in out
    assert "lost" not in out


def test_a_treebank_is_checked_and_cleaned(tmp_path):
    (tmp_path / "my.mrg").write_text(TREES)
    out, _ = runoff("check", "my.mrg", "--clean", "clean.mrg", cwd=tmp_path)
    assert "my.mrg: empty elements (1)" in out
    assert "my.mrg: phrases whose only child has the same label (1)" in out
    assert "2 trees, 4 words, 1 changed by cleaning" in out
    first = (tmp_path / "clean.mrg").read_text().splitlines()[0]
    assert first == "(TOP (S (NP (PRP we)) (VP (VBD won))))"
    assert "0 changed" in runoff("check", "clean.mrg", cwd=tmp_path)[0]


def test_a_broken_treebank(tmp_path):
    (tmp_path / "my.mrg").write_text("(S (NN a))\n(S (NN b)\n")
    out, _ = runoff("check", "my.mrg", "--clean", "clean.mrg", cwd=tmp_path, status=1)
    assert "my.mrg:" in out
    assert not (tmp_path / "clean.mrg").exists()
    (tmp_path / "a.jsonl").write_text('{"candidates": [{"output": "a"}]}\n')
    runoff("check", "a.jsonl", "--clean", "b.mrg", cwd=tmp_path, status=2)
