import json

import pytest
from helpers.command import runoff
from helpers.made.chunks import far_apart

from runoff.data.tagged import write_tagged
from runoff.errors import FormatError, UsageError
from runoff.recipes.experiment import Setting
from runoff.tasks.reproduce import experiment
from runoff.tasks.tagging.tables import error_reduction

RECIPE = """
task = "chunking"
what = "chunks of a few sentences"
metric = "chunk-f1"

[data]
name = "made"
source = "tests/helpers/made/chunks.py"
train = ["votes.tsv"]
test = ["others.tsv"]

[plan]
folds = 2
n = 5
prior = [10.0]
order = 2

[figures]
tables = { overall = "Table 2" }
overall = { base = 93.76 }
published = { "eight voters" = 93.91 }
ms_per_sentence = 42
types.Overall = { precision = 94.11, recall = 94.13 }
types.NP = { precision = 94.45, f1 = 94.41, base = 90.0 }
subtrees = { having = "NP", weights = [[1.5, "(NP(VP))"]] }

[variants.subtrees]
plan = { learner = "subtree-boost", options = { rounds = 5, frequency = 2 } }
figures = { overall = { reranked = 94.12 }, features = 3000 }
"""


@pytest.fixture
def folder(tmp_path):
    write_tagged(far_apart(30), tmp_path / "votes.tsv")
    write_tagged(far_apart(20, seed=1), tmp_path / "others.tsv")
    (tmp_path / "made.toml").write_text(RECIPE)
    return tmp_path


def test_a_recipe_is_carried_out(folder):
    setting = ("--data", folder, "--work", folder / "work", "-o", folder / "model")
    printed, _ = runoff("reproduce", folder / "made.toml", *setting, "--json")
    first, rankers, second, others, third = json.loads(printed)["tables"]
    assert first["title"].startswith("Table 2: ")
    rows = {(row["plan"], row[""]): row for row in first["rows"]}
    assert rows["main", "base"]["paper"] == 93.76
    assert rows["main", "base"]["ours"] < 95
    assert rows["main", "reranked"]["ours"] == 100
    assert rows["subtrees", "reranked"] == {
        "plan": "subtrees",
        "": "reranked",
        "paper": 94.12,
        "ours": 100,
    }
    assert rows[None, "eight voters"] == {
        "plan": None,
        "": "eight voters",
        "paper": 93.91,
        "ours": None,
    }
    assert [row["plan"] for row in rankers["rows"]] == ["main", "subtrees"]
    assert rankers["rows"][0]["ms per sentence, paper"] == 42
    assert all(row["ms per sentence, ours"] > 0 for row in rankers["rows"])
    assert rankers["rows"][1]["features, paper"] == 3000
    assert 0 < rankers["rows"][1]["features, ours"] < 3000
    assert 0 < rankers["rows"][0]["p"] <= 1
    by_type = {row["type"]: row for row in second["rows"]}
    assert by_type.keys() >= {"NP", "SBAR", "VP"}
    assert by_type["NP"]["error reduction, paper"] == pytest.approx(44.1)
    assert by_type["NP"]["error reduction, ours"] is None  # there was nothing to correct
    assert by_type["SBAR"]["error reduction, ours"] == 100
    assert by_type["Overall"]["P, paper"] == 94.11
    assert by_type["Overall"]["R, ours"] == by_type["Overall"]["F1, ours"] == 100
    assert by_type["Overall"]["base, ours"] == rows["main", "base"]["ours"]
    assert others["title"] == "by type of chunk, subtrees"
    assert "F1, paper" not in others["rows"][0]
    assert third["rows"][0]["subtree, paper"] == "(NP(VP))"
    weights = [row["w, ours"] for row in third["rows"]]
    assert len(weights) == 8
    assert weights == sorted(weights, reverse=True)
    assert all("NP" in row["subtree, ours"] for row in third["rows"])
    printed, _ = runoff("chunk", folder / "model", "--inline", stdin="we wait.")
    assert printed.startswith("[NP we]")


def test_text_is_named_by_its_place_among_the_corpora(folder):
    (folder / "news").mkdir()
    text = "we wait for the very new city tax plans to pass . " * 3
    (folder / "news" / "plans.txt").write_text(text)
    recipe = RECIPE.replace("n = 5", 'n = 5\ntext = ["news/plans.txt"]\nrerank = false')
    recipe = recipe.partition("[variants")[0]
    (folder / "made.toml").write_text(recipe)
    setting = Setting(data=folder, work=folder / "work")
    model = experiment(folder / "made.toml").run(setting).model
    assert model.training["clusters"]["text"] == ["plans.txt"]
    (folder / "made.toml").write_text(recipe.replace("plans.txt", "others.txt"))
    with pytest.raises(FormatError, match=r"others.txt: no such file"):
        experiment(folder / "made.toml").run(setting)


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('metric = "chunk-f1"', 'metric = "wer"', "metric of chunking"),
        ('test = ["others.tsv"]', "", "data.test"),
        ("n = 5", "n = 1", "2 candidates or more"),
        ("n = 5", 'n = "many"', "plan.n"),
        ("n = 5", "m = 5", "unknown key 'm'"),
        ("[figures]", "[figures]\nother = 1", "unknown key 'other'"),
        ("[figures]", "[variants.main]\nplan = {}\n[figures]", "the label of the plan itself"),
        ("[figures]", '[wsj]\ntrain = ""\ndev = ""\ntest = ""\n[figures]', "no such part"),
    ],
)
def test_what_is_wrong_with_a_recipe_is_said(folder, old, new, problem):
    (folder / "made.toml").write_text(RECIPE.replace(old, new))
    with pytest.raises(FormatError, match=problem):
        experiment(folder / "made.toml")


def test_what_does_not_go_with_chunking_is_refused(folder):
    for given in ({"wsj": "wsj"}, {"plot": "plots"}):
        with pytest.raises(UsageError, match="neither --wsj nor --plot"):
            experiment(folder / "made.toml").run(Setting(data=folder, **given))


@pytest.mark.parametrize("name", ["conll-2000", "kudo-2005-chunking"])
def test_the_shipped_recipes_are_sound(name):
    shipped = experiment(name)
    assert shipped.figures[shipped.recipe.label].overall["reranked"] == 94.12


def test_error_reduction_of_the_paper():
    """Section 6.1: 19% for subordinate phrases."""
    figures = experiment("kudo-2005-chunking").figures["main"]
    assert error_reduction(figures.types["SBAR"]) == pytest.approx(19, abs=0.05)
