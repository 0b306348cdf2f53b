"""`runoff evaluate` on files of clusters."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from helpers.command import runoff

from runoff.errors import FormatError, UsageError
from runoff.tasks.identity.evaluate import evaluate_clusters

PEOPLE = "id,name,person\nb,W. Li,li\na,Wei Li,li\nc,A. Li,\nd,Ann Li,ann\ne,Anna Li,ann\n"


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("people.csv").write_text(PEOPLE)
    Path("clusters.csv").write_text("id,cluster,confidence\na,1,1\nb,1,1\nc,1,1\nd,2,1\ne,3,1\n")
    Path("both.tsv").write_text("id\tcluster\tperson\na\t1\tx\nb\t1\tx\nd\t2\ty\ne\t3\ty\n")


@pytest.mark.parametrize(
    ("clusters", "gold"), [("clusters.csv", "people.csv::person"), ("both.tsv", "person")]
)
def test_the_column_may_be_in_either_file(clusters, gold):
    result = evaluate_clusters(clusters, gold)
    assert (result.records, result.clusters, result.gold_clusters) == (4, 3, 2)
    assert result.figures["pair-f1"] == pytest.approx(
        {"F1": 200 / 3, "precision": 100.0, "recall": 50.0}
    )
    assert result.figures["b-cubed"]["recall"] == 75


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("clusters.csv", "who"), "no column 'who'; the columns are: cluster, confidence"),
        (("clusters.csv", "people.csv::who"), "people.csv: no column 'who'"),
        (("both.tsv", "people.csv::person"), "both.tsv: has no record 'c', which the other file"),
        (("people.csv", "person"), "people.csv: no column 'cluster'"),
    ],
)
def test_what_does_not_fit_is_named(arguments, problem):
    with pytest.raises(FormatError) as caught:
        evaluate_clusters(*arguments)
    assert problem in str(caught.value)


def test_a_column_without_values_and_another_metric_are_errors():
    Path("none.csv").write_text("id,cluster,gold\na,1,\n")
    with pytest.raises(FormatError, match="no record has a value in the column 'gold'"):
        evaluate_clusters("none.csv", "gold")
    with pytest.raises(UsageError, match="unknown metric of clusters 'wer'"):
        evaluate_clusters("both.tsv", "person", "wer")


def test_the_verb_prints_both_metrics_or_one():
    said, _ = runoff("evaluate", "both.tsv", "--gold", "person")
    assert "pair-f1" in said
    assert "66.67" in said
    assert said.endswith("clusters: 3 found, 2 in gold\n")
    options = ("--gold", "person", "--metric", "b-cubed", "--json")
    assert list(json.loads(runoff("evaluate", "both.tsv", *options)[0])["figures"]) == ["b-cubed"]
    _, said = runoff("evaluate", "both.tsv", *options, "--against", "people.csv", status=2)
    assert "--against compares n-best lists and cannot be combined with --gold" in said
