"""Tables of how a classifier is trained, on trees that are made up."""

import pytest
from helpers.made.trees import made_trees

from runoff.engine import ALONE
from runoff.tasks.parsing.classification import training_tables as training

FIGURES = training.TrainingFigures(
    atoms="base",
    smallest=0.5,
    seconds={"sample": 1.0, "build tree": 3.0},
    figures={"trees": 2316, "splits a tree": 40.8, "times as long without samples": 100},
)


@pytest.fixture(scope="module")
def tables():
    found = training.training_tables(
        made_trees(40), FIGURES, {0.9: 81.0}, {"profile": "Table 2"}, ALONE
    )
    return {
        name: table
        for name, table in zip(("curve", "profile", "shape", "cost"), found, strict=True)
    }


def column(table, key, value):
    return {row[key]: row[value] for row in table.rows}


def test_weight_is_lost_by_sampling_and_trees_add_up(tables):
    rows = tables["curve"].rows
    assert [row["lambda"] for row in rows] == sorted((row["lambda"] for row in rows), reverse=True)
    assert all(0 < row["weight lost %"] < 100 for row in rows)
    assert [row["trees"] for row in rows] == sorted({row["trees"] for row in rows})
    assert {row["F1"] for row in rows} <= {None, 81.0}


def test_a_profile_adds_up_and_stands_beside_the_papers(tables):
    assert tables["profile"].title == "Table 2: CPU seconds of an iteration of the NP classifier"
    ours, theirs = (
        column(tables["profile"], "step", "ours"),
        column(tables["profile"], "step", "paper %"),
    )
    assert list(ours) == [*training.STEPS, "all"]
    assert ours.pop("all") == pytest.approx(sum(ours.values()))
    assert (theirs["sample"], theirs["build tree"], theirs["extraction"]) == (25.0, 75.0, None)


def test_figures_of_the_ensemble_are_those_of_the_last_lambda(tables):
    ours, theirs = (column(tables["shape"], "figure", whose) for whose in ("ours", "paper"))
    last = tables["curve"].rows[-1]
    assert (ours["trees"], ours["leaves"]) == (last["trees"], last["leaves"])
    assert ours["splits a tree"] == pytest.approx(ours["leaves"] / ours["trees"] - 1)
    assert (theirs["trees"], theirs["splits a tree"], theirs["leaves"]) == (2316, 40.8, None)
    assert ours["sentences"] == 40


def test_extraction_at_every_node_is_the_dearest(tables):
    sampled, held, extracted = (row["seconds"] for row in tables["cost"].rows)
    assert extracted >= held >= 0
    assert tables["cost"].rows[2]["paper"] == 100
    assert sampled >= 0
