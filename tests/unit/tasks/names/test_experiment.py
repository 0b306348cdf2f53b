"""Recipes of names: carried out like those of chunks, with and without types."""

import json

import pytest
from helpers.command import runoff
from helpers.made.chinese import sentences as chinese

from runoff.data.sentence import Sentence
from runoff.data.tagged import write_tagged
from runoff.recipes.recipe import recipe_file
from runoff.tasks.reproduce import experiment

RECIPE = """
task = "names"
what = "names of a few people"
metric = "chunk-f1"

[data]
name = "made"
source = "tests/unit/recipes/test_names.py"
train = ["seen.tsv"]
dev = ["seen.tsv"]
test = ["others.tsv"]

[plan]
boundaries = true
folds = 2
n = 5

[figures]
tables = { types = "Figure 5" }
types.any = { f1 = 87.6, base = 85.3 }

[variants.typed]
plan.boundaries = false
"""


def sentences(names):
    return [
        Sentence((first, name, verb), gold=("O", "B-PER", "O"))
        for first in ("Then", "Now")
        for name in names
        for verb in ("won", "lost")
    ]


@pytest.fixture
def folder(tmp_path):
    write_tagged(sentences(["Ann", "Bob", "Eve", "Kim"]), tmp_path / "seen.tsv")
    write_tagged(sentences(["Zoe", "Bob"]), tmp_path / "others.tsv")
    (tmp_path / "made.toml").write_text(RECIPE)
    return tmp_path


def test_a_recipe_is_carried_out(folder):
    setting = ("--data", folder, "--work", folder / "work", "-o", folder / "model")
    printed, _ = runoff("reproduce", folder / "made.toml", *setting, "--json")
    overall, rankers, types, _ = json.loads(printed)["tables"]
    rows = {(row["plan"], row[""]): row["ours"] for row in overall["rows"]}
    assert rows["main", "reranked"] == rows["typed", "reranked"] == 100
    assert 0 < rankers["rows"][0]["p"] <= 1
    assert rankers["rows"][0]["features, ours"] is None  # a kernel has none
    assert types["title"].startswith("Figure 5: ")
    (row,) = types["rows"]
    assert (row["type"], row["F1, ours"]) == ("any", 100)
    assert row["error reduction, paper"] == pytest.approx(15.65, abs=0.01)
    printed, _ = runoff("inspect", folder / "model")
    assert "development sentences" in printed
    printed, _ = runoff("names", folder / "model", "--inline", "--tokenized", stdin="Now Eve won")
    assert printed == "Now [Eve] won\n"


def test_a_paper_with_precision_and_recall_has_them_beside_ours(folder):
    shipped = recipe_file("collins-duffy-2002-names").read_text()
    figures = shipped[shipped.index("[figures]") : shipped.index("[variants")]
    text = RECIPE[: RECIPE.index("[figures]")] + figures + RECIPE[RECIPE.index("[variants") :]
    (folder / "made.toml").write_text(text)
    setting = ("--data", folder, "--work", folder / "work")
    printed, _ = runoff("reproduce", folder / "made.toml", *setting, "--json")
    models, _ = json.loads(printed)["tables"]
    assert models["title"].startswith("Figure 5: ")
    columns = ("P, paper", "R, paper", "F1, paper")
    rows = {(row["plan"], row[""]): row for row in models["rows"]}
    paper = {key: [row[name] for name in columns] for key, row in rows.items()}
    assert paper["main", "base"] == [84.4, 86.3, 85.3]
    assert paper["main", "reranked"] == [86.1, 89.1, 87.6]
    assert paper["main", "error reduction"] == pytest.approx([10.9, 20.4, 15.6], abs=0.05)
    assert paper["main", "oracle"] == paper["typed", "reranked"] == [None, None, None]
    assert rows["main", "reranked"]["P, ours"] == rows["typed", "reranked"]["R, ours"] == 100


def test_the_shipped_recipe_is_section_6_2_of_the_paper():
    shipped = experiment("collins-duffy-2002-names")
    plan, averaged = shipped.plans["voted"], shipped.plans["averaged"]
    assert next(iter(shipped.plans)) == "voted"
    assert (plan.n, plan.folds, plan.boundaries, plan.tagger_settings["beam"]) == (20, 5, True, 20)
    assert plan.options == {"form": "voted", "beta": 0.2, "lam": 0.5, "epochs": 1, "chunks": 1}
    assert averaged.options == {**plan.options, "form": "averaged"}
    assert not shipped.figures["averaged"].models


STAGED = """
[variants.documents]
plan.train = ["chinese.tsv#0:2"]
plan.test = ["chinese.tsv"]
plan.boundaries = false
plan.tagger = "hmm"
plan.units = "characters"
plan.learner = "maxent"
plan.stages = "structure,coreference"

[variants.clusters]
plan.train = ["chinese.tsv#0:2"]
plan.test = ["chinese.tsv"]
plan.related = ["chinese.tsv#1:3"]
plan.boundaries = false
plan.tagger = "hmm"
plan.units = "characters"
plan.learner = "p-norm-push"
plan.options.rounds = 3
plan.options.p = 4.0
plan.last_options.p = 16.0
plan.stages = "structure,coreference+clusters"
plan.cluster_below = 99.0
figures.time = [3.2, 10.0]
"""


def test_variants_have_stages_and_documents_of_their_own(folder):
    write_tagged(chinese(), folder / "chinese.tsv")
    (folder / "made.toml").write_text(RECIPE[: RECIPE.index("[variants.typed]")] + STAGED)
    setting = ("--data", folder, "--work", folder / "work")
    printed, _ = runoff("reproduce", folder / "made.toml", *setting, "--json")
    *_, time, clusters = json.loads(printed)["tables"]
    rows = {row["plan"]: row for row in time["rows"]}
    assert set(rows) == {"documents", "clusters"}
    assert rows["clusters"]["training, hours, paper"] == 3.2
    assert rows["clusters"]["training, CPU s, ours"] > 0
    assert 1 <= rows["documents"]["candidates of a list"] <= 5
    (row,) = clusters["rows"]
    assert (row["plan"], row["clusters of several"]) == ("clusters", 1)
    assert row["better"] + row["worse"] <= 1


def test_parts_of_files_are_documents(folder):
    (folder / "made.toml").write_text(RECIPE.replace("n = 5", 'n = 5\ntest = ["seen.tsv#1-3"]'))
    _, errors = runoff("reproduce", folder / "made.toml", "--data", folder, status=2)
    assert "documents are given as seen.tsv#9:20, not seen.tsv#1-3" in errors


def test_the_recipes_of_stages_have_the_plans_of_the_paper():
    shipped = experiment("ji-2006")
    assert len(shipped.plans) == 6
    assert {plan.stages for plan in shipped.plans.values()} == {
        "structure+relations+events,coreference"
    }
    push = shipped.plans["p-norm push, p2 = 16"]
    assert push.options["p"] == 4
    assert push.last_plan.options["p"] == 16
    assert shipped.figures["MaxEnt-Rank, single"].models["reranked"].f1 == 89.9
    assert len(experiment("ji-2006-documents").plans) == 8
    assert len(experiment("ji-2006-english").plans) == 6
