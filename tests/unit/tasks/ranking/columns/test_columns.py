"""Features as a matrix, and the scores of programs as features."""

import sys

import numpy as np
import pytest
from helpers.command import runoff

import runoff as ro
from runoff.errors import FormatError, UsageError
from runoff.tasks.ranking.columns.extract import extract, write_columns
from runoff.tasks.ranking.columns.program import Answers, Program, scored_by

LISTS = [
    ro.NBest("a", "x", [ro.Candidate("b c", -1.0, 0.5, {"lm": 2.0}), ro.Candidate("c", -2.0, 1.0)]),
    ro.NBest("d", "y", [ro.Candidate("c c", -1.5, 0.0, {"lm": 3.0})]),
]


def matrix(columns):
    values, ids, offsets = columns.csr()
    dense = np.zeros((columns.problem.n_candidates, len(columns.names)))
    for row in range(len(dense)):
        place = slice(offsets[row], offsets[row + 1])
        dense[row, ids[place]] = values[place]
    return dense


def test_the_matrix_has_the_features_that_the_ranker_sees_and_the_logprob():
    columns = extract(LISTS, features=["given"])
    assert columns.names == ["lm", "logprob"]
    # the list of one has nothing to tell apart
    assert matrix(columns).tolist() == [[2.0, -1.0], [0.0, -2.0], [0.0, -1.5]]
    assert columns.problem.qualities.tolist() == [0.5, 1.0, 0.0]
    assert columns.ids == ["a", "d"]


def test_all_files_hold_the_same_numbers(tmp_path):
    sparse = pytest.importorskip("scipy.sparse")
    parquet = pytest.importorskip("pyarrow.parquet")
    columns = extract(LISTS)
    for name in ("a.svmlight", "a.npz", "a.parquet"):
        write_columns(columns, tmp_path / name)
    dense = matrix(columns)
    assert np.array_equal(sparse.load_npz(tmp_path / "a.npz").toarray(), dense)
    kept = np.load(tmp_path / "a.npz")
    assert kept["names"].tolist() == columns.names
    assert kept["qid"].tolist() == [0, 0, 1]
    table = parquet.read_table(tmp_path / "a.parquet").to_pydict()
    assert [table[name] for name in columns.names] == dense.T.tolist()
    assert table["quality"] == kept["quality"].tolist() == [0.5, 1.0, 0.0]
    read = [c for nbest in ro.read_nbest(tmp_path / "a.svmlight") for c in nbest.candidates]
    rows = [{n: v for n, v in zip(columns.names, row, strict=True) if v} for row in dense]
    assert [c.features for c in read] == rows
    with pytest.raises(UsageError, match=r"end in .svmlight, .npz, .parquet"):
        write_columns(columns, tmp_path / "a.csv")


def test_a_model_has_its_own_columns(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    ro.write_nbest(LISTS * 3, "a.jsonl")
    ro.fit("a.jsonl").save("m")
    assert "a.npz: 9 candidates, " in runoff("features", "a.jsonl", "-o", "a.npz")[1]
    runoff("features", "a.jsonl", "-o", "b.npz", "--model", "m")
    assert np.load("b.npz")["names"].tolist() == [*ro.load("m").space.names, "logprob"]
    runoff("features", "a.jsonl", "-o", "b.npz", "--model", "m", "--min-lists", "2", status=2)
    runoff("features", "a.jsonl", "-o", "b.xls", status=2)


COUNTING = """
import json, sys
for number, line in enumerate(sys.stdin):
    asked = json.loads(line)
    assert "gold" not in asked
    open("asked", "a").write(asked["output"] + "\\n")
    print(json.dumps({"score": len(asked["output"])}), flush=True)
"""


@pytest.fixture
def counting(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RUNOFF_CACHE", str(tmp_path / "cache"))
    (tmp_path / "count.py").write_text(COUNTING)
    ro.write_nbest(LISTS, "a.jsonl")
    return f"{sys.executable} count.py"


def test_a_program_scores_candidates_and_is_asked_once(counting, tmp_path):
    for _ in range(2):
        runoff("score", "a.jsonl", "--cmd", counting, "--name", "length", "-o", "b.jsonl")
        scored = [c.features["length"] for n in ro.read_nbest("b.jsonl") for c in n.candidates]
        assert scored == [3.0, 1.0, 3.0]
    assert (tmp_path / "asked").read_text().split("\n") == ["b c", "c", "c c", ""]
    runoff("score", "a.jsonl", "--cmd", counting, "--no-cache", "-o", "b.jsonl")
    assert len((tmp_path / "asked").read_text().split()) == 10


def test_one_scorer_has_to_be_chosen(counting):
    runoff("score", "a.jsonl", status=2)
    assert "choose one scorer" in runoff(
        "score", "a.jsonl", "--cmd", counting, "--prefixes", counting, status=2
    )[1]  # fmt: skip


def test_a_damaged_memory_is_asked_again(tmp_path):
    answers = Answers(tmp_path / "answers.jsonl")
    answers.add(b"a", 1.5)
    with (tmp_path / "answers.jsonl").open("a") as stream:
        stream.write('{"half a li')
    again = Answers(tmp_path / "answers.jsonl")
    assert (again.get(b"a"), again.get(b"b")) == (1.5, None)


def test_an_answer_that_is_no_number_is_quoted():
    with (
        Program("sed -u s/.*/perhaps/") as program,
        pytest.raises(FormatError, match="answered 'perhaps', which is no number, at 'b c' in"),
    ):
        list(scored_by(LISTS, program, "p"))
