"""Metrics of whole orders: against scikit-learn and by hand, in evaluate and in fit."""

import numpy as np
import pytest

import runoff as ro
from runoff.data.duplicates import cut, merged
from runoff.errors import FormatError, UsageError
from runoff.metrics.orders import OrderMetric, ndcg


def test_ndcg_is_that_of_scikit_learn():
    metrics = pytest.importorskip("sklearn.metrics")
    random = np.random.default_rng(0)
    for k in (1, 3, 10):
        for _ in range(50):
            grades = random.integers(0, 4, size=6).astype(float)
            if not grades.any():
                continue
            scores = -np.arange(6.0)
            expected = metrics.ndcg_score([np.exp2(grades) - 1], [scores], k=k)
            assert ndcg(grades, k) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("name", "grades", "value"),
    [
        ("ndcg", [0, 0], 0.0),
        ("map", [1, 0, 2], (1 + 2 / 3) / 2),
        ("map@1", [0, 1], 0.0),
        ("map", [0, 0], 0.0),
        ("mrr", [0, 0, 1], 1 / 3),
        ("mrr@2", [0, 0, 1], 0.0),
        ("hit@1", [1, 0], 1.0),
        ("hit@3", [0, 0, 0, 1], 0.0),
    ],
)
def test_figures_by_hand(name, grades, value):
    assert OrderMetric.named(name).of_order(np.array(grades)) == pytest.approx(value)


def test_names_are_checked():
    assert OrderMetric.named("wer") is None
    for wrong in ("ndcg@0", "ndcg@x"):
        with pytest.raises(UsageError, match="choose from: .*ndcg@K"):
            ro.metric(wrong)
    with pytest.raises(UsageError, match="hit needs a number"):
        ro.metric("hit")


def lists(n=30, seed=0):
    """Graded lists without outputs, whose first feature tells the grade, and the second nothing."""
    random = np.random.default_rng(seed)
    made = []
    for number in range(n):
        grades = random.integers(0, 3, size=5)
        made.append(
            ro.NBest(number, None, [
                ro.Candidate(quality=float(g), features={
                    "told": float(g) + random.normal() / 10, "noise": random.normal()})
                for g in grades
            ])
        )  # fmt: skip
    return made


def test_evaluation_of_orders_says_that_there_is_no_base_system():
    given = lists()
    reranker = ro.fit(given, dev=lists(seed=1), metric="ndcg@3", features=["given"])
    reranked = list(ro.rerank(reranker, given))
    result = ro.evaluate(reranked, "ndcg@3")
    assert list(result.figures) == ["file order", "picked", "oracle"]
    values = {name: row["NDCG@3"] for name, row in result.figures.items()}
    assert values["file order"] < values["picked"] <= values["oracle"] <= 1.0
    assert values["picked"] > 0.95
    assert result.comparisons[0].p_value < 0.05
    same = ro.evaluate(reranked, "ndcg@3", against=reranked)
    assert same.figures["other"] == same.figures["picked"]
    assert list(ro.evaluate(given, "mrr").figures) == ["file order", "oracle"]
    assert "winner  candidate " in str(ro.why(reranker, given[0], over=1))


def test_lists_with_outputs_have_a_base_system_and_need_grades():
    one = ro.NBest("a", None, [ro.Candidate("x", -1.0, 0.0), ro.Candidate("y", -2.0, 1.0)])
    assert ro.evaluate([one], "mrr").figures["base"] == {"MRR": 0.5}
    with pytest.raises(FormatError, match="list 'b' has a candidate without quality"):
        ro.evaluate([one, ro.NBest("b", None, [ro.Candidate("x")])], "mrr")


def test_files_of_queries_beside_a_file_are_read(tmp_path):
    path = tmp_path / "rank.train"
    path.write_text("1 1:0.5 2:1\n0 1:0.25\n2 2:3\n")
    with pytest.raises(FormatError, match="expected `target qid:N"):
        list(ro.read_nbest(path))
    (tmp_path / "rank.train.query").write_text("2\n1\n")
    assert [[c.quality for c in n.candidates] for n in ro.read_nbest(path)] == [[1.0, 0.0], [2.0]]
    (tmp_path / "rank.train.query").write_text("2\n")
    with pytest.raises(
        FormatError, match="rank.train:3: has more lines than the file beside counts"
    ):
        list(ro.read_nbest(path))


def test_equal_outputs_are_merged_and_lists_cut():
    heard = [ro.Candidate("a", -2.0), ro.Candidate("b", -1.5), ro.Candidate("a", -1.0)]
    given = [ro.NBest(1, None, heard)]
    (best,), (summed,) = merged(given, "best"), merged(given, "sum")
    assert [(c.output, c.logprob) for c in best.candidates] == [("a", -1.0), ("b", -1.5)]
    assert summed.candidates[0].logprob == pytest.approx(np.log(np.exp(-2.0) + np.exp(-1.0)))
    assert [c.output for c in next(cut(given, 2)).candidates] == ["b", "a"]
    with pytest.raises(UsageError, match="unknown way to merge 'worst'"):
        list(merged(given, "worst"))
    with pytest.raises(FormatError, match="equal outputs with and without logprob"):
        list(merged([ro.NBest(1, None, [*heard, ro.Candidate("a")])], "sum"))


def test_convert_merges_and_cuts(tmp_path):
    from helpers.command import runoff

    (tmp_path / "a.tsv").write_text("-2\ta\n-1.5\tb\n-1\ta\n-3\tc\n")
    runoff("convert", "a.tsv", "b.tsv", "--merge", "best", "--n", "2", cwd=tmp_path)
    assert (tmp_path / "b.tsv").read_text() == "-1.0\ta\n-1.5\tb\n\n"
