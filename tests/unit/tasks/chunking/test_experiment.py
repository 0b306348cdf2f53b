import json

import pytest
from helpers.command import runoff
from helpers.made.chunks import far_apart

from runoff.data.tagged import write_tagged
from runoff.errors import FormatError, UsageError
from runoff.learners import make_ranker
from runoff.recipes.experiment import Setting
from runoff.tasks.ranking.subtree_tables import Subtrees
from runoff.tasks.reproduce import experiment
from runoff.tasks.tagging.tables import Figures, error_reduction

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
figures = { overall = { reranked = 94.12 }, features = 3000, subtrees.having = "VP" }
"""


@pytest.fixture
def folder(tmp_path):
    write_tagged(far_apart(30), tmp_path / "votes.tsv")
    write_tagged(far_apart(20, seed=1), tmp_path / "others.tsv")
    (tmp_path / "made.toml").write_text(RECIPE)
    return tmp_path


def test_a_recipe_is_carried_out(folder):
    setting = ("--data", folder, "--work", folder / "work", "-o", folder / "model")
    drawn = ("--plot", folder / "plots")
    printed, _ = runoff("reproduce", folder / "made.toml", *setting, *drawn, "--json")
    found = json.loads(printed)
    first, rankers, second, others, third, fourth = found["tables"]
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
    assert rows[None, "eight voters, published"] == {
        "plan": None,
        "": "eight voters, published",
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
    assert fourth["title"] == "what has VP, subtrees: highest and lowest weights"
    assert {tuple(row) for row in fourth["rows"]} == {("w, ours", "subtree, ours")}
    plots = [folder / "plots" / name for name in ("curves.svg", "variants.svg")]
    assert found["plots"] == list(map(str, plots))
    assert "Training loss" in plots[0].read_text()
    assert all(label in plots[1].read_text() for label in ("main", "subtrees"))
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
    with pytest.raises(UsageError, match="recipes of chunking take no --wsj"):
        experiment(folder / "made.toml").run(Setting(data=folder, wsj="wsj"))


def test_the_figures_of_the_paper_stand_beside_its_own_plan():
    """Kudo et al. (2005): section 5.2, and epsilon in a footnote of section 3.3."""
    shipped = experiment("kudo-2005-chunking")
    plan, figures = shipped.plans["paper"], shipped.figures["paper"]
    assert (plan.n, plan.folds, plan.learner, plan.extractors) == (
        20,
        5,
        "subtree-boost",
        ("chunk-tree",),
    )
    ranker = make_ranker(plan.learner, plan.ranker_options)
    assert (ranker.size, ranker.frequency, ranker.smoothing) == (6, 5, 0.001)
    assert (ranker.loss, ranker.weighted, ranker.ties, ranker.refit) == ("exp", False, True, ())
    assert figures.overall == {"base": 93.76, "reranked": 94.12}
    assert figures.types["Overall"].recall == 94.13
    assert len(figures.types) == 11
    others = [one for label, one in shipped.figures.items() if label != "paper"]
    assert others
    assert all(one == Figures(subtrees=Subtrees(having="SBAR")) for one in others)


def test_the_shipped_recipe_of_ours_has_published_figures_alone():
    figures = experiment("conll-2000").figures["subtrees"]
    assert sorted(figures.published.values()) == [93.76, 93.91, 94.12, 94.17]
    assert not figures.overall


def test_error_reduction_of_the_paper():
    """Section 6.1: 19% for subordinate phrases."""
    figures = experiment("kudo-2005-chunking").figures["paper"]
    assert error_reduction(figures.types["SBAR"]) == pytest.approx(19, abs=0.05)


def test_a_test_without_sentences_is_an_error(folder):
    """Development sentences do not take its place."""
    (folder / "others.tsv").write_text("\n")
    with pytest.raises(FormatError, match="others.tsv: there is nothing to learn from"):
        experiment(folder / "made.toml").run(Setting(data=folder, work=folder / "work"))
