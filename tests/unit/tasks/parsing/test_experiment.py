"""A recipe on a toy treebank: what is trained, what is kept, what the tables hold."""

import pytest
from helpers.made.recipe import RECIPE, write_journal, write_recipe
from msgspec.structs import replace

import runoff as ro
from runoff.errors import FormatError, MissingExtraError, UsageError
from runoff.learners import make_ranker
from runoff.recipes.experiment import Setting
from runoff.recipes.recipe import read_recipe, recipe_file
from runoff.tasks.parsing import experiment as parsing
from runoff.tasks.parsing.tables import Figures
from runoff.tasks.parsing.train import train as train_parsing
from runoff.tasks.ranking.subtree_tables import Subtrees
from runoff.tasks.reproduce import experiment


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("recipes")
    write_recipe(folder)
    return folder


@pytest.fixture(scope="module")
def outcome(folder):
    setting = Setting(data=folder, work=folder / "work", plot=folder / "plots")
    return experiment(folder / "mine.toml").run(setting)


def named(outcome, start):
    return next(table for table in outcome.tables if table.title.startswith(start))


def untimed(tables):
    """The rows of tables without what their making took."""
    rows = [row for table in tables for row in table.rows]
    return [{key: cell for key, cell in row.items() if key != "ms per sentence"} for row in rows]


def test_paper_and_ours_stand_side_by_side(outcome):
    rows = named(outcome, "Table 1: test trees, weighted").rows
    paper = [row for row in rows if row["figures"] == "paper (WSJ)"]
    assert [(row["words"], row["model"], row["LR"], row["F1"]) for row in paper] == [
        ("all", "base", 88.5, None)
    ]
    published = [row for row in rows if row["figures"] == "published (WSJ)"]
    assert [(row["words"], row["model"], row["LR"]) for row in published] == [
        ("all", "others 2000", 89.6)
    ]
    ours = [row for row in rows if row["figures"] == "ours (made)"]
    assert len(ours) == 12
    assert all(row["sentences"] == 20 for row in ours if row["words"] != ">5")
    assert {tuple(row) for row in rows} == {tuple(rows[0])}
    assert named(outcome, "test trees, unweighted")


def test_the_ranker_in_a_row(outcome):
    rows = named(outcome, "the ranker, on test trees").rows
    assert [(row["plan"], row["figures"]) for row in rows] == [
        ("weighted", "paper (WSJ)"),
        ("weighted", "ours (made)"),
        ("unweighted", "ours (made)"),
    ]
    assert (rows[0]["error reduction"], rows[0]["work"], rows[0]["p"]) == (13.0, 37.1, None)
    assert rows[1]["error reduction"] > 0
    assert rows[0]["ms per sentence"] == 55
    assert rows[1]["ms per sentence"] > 0
    assert 0 < rows[1]["p"] <= 1
    ranker = outcome.model.ranker.ranker
    assert rows[1]["features"] == len(ranker.features_used())
    best = max(ranker.record_["smoothing"], key=lambda row: row["dev quality"])
    assert (rows[1]["smoothing"], rows[1]["rounds"]) == (best["smoothing"], best["best round"])
    chosen = [row for row in ranker.record_["curve"] if row["smoothing"] == best["smoothing"]]
    assert rows[1]["work"] == chosen[-1]["work"]


def test_peaks_and_savings_are_joined(outcome):
    peaks = {row["smoothing"]: row for row in named(outcome, "best round N").rows}
    assert list(peaks) == [0.001, 0.0025, 0.00025]
    assert peaks[0.001]["weighted N, paper"] == 19
    assert peaks[0.001]["unweighted score, paper"] == 100.5
    assert peaks[0.001]["weighted score, ours"] >= 100
    assert peaks[0.0025]["weighted score, ours"] is None
    assert "unweighted N, paper" not in peaks[0.001]
    savings = {(row["from"], row["to"]): row for row in named(outcome, "Savings").rows}
    assert savings[1, 10]["weighted, paper"] == 48.6
    assert savings[1, 20]["unweighted, ours"] > 0


def test_subtrees_are_boosted_as_the_shipped_recipe_says(folder, tmp_path):
    shipped, made = read_recipe(recipe_file("kudo-2005-craft")), read_recipe(folder / "mine.toml")
    small = {**made.plan, **shipped.plan, "n": 10, "folds": 3}
    few = {"rounds": 10, "frequency": 2}
    small["options"] = {**shipped.plan["options"], **few}
    wide = {**shipped.variants["wide"].plan["options"], **few}
    variants = {"wide": replace(shipped.variants["wide"], plan={"options": wide})}
    recipe = replace(shipped, data=made.data, plan=small, variants=variants)
    outcome = parsing.Experiment(recipe).run(Setting(data=folder, work=tmp_path))
    paper, ours, wide = named(outcome, "the ranker, on test trees").rows
    assert (paper["features"], paper["ms per sentence"]) == (8000, 55)
    assert ours["features"] < wide["features"]
    ranker = outcome.model.ranker
    assert [one.name for one in ranker.extractors] == ["lexical-tree"]
    assert ours["features"] == len(ranker.ranker.weights())
    rows = named(outcome, "Table 1: test trees, paper").rows
    assert {row["figures"] for row in rows} == {"paper (WSJ)", "published (WSJ)", "ours (made)"}
    assert {row["figures"] for row in named(outcome, "test trees, wide").rows} == {"ours (made)"}


def test_the_figures_of_kudo_stand_beside_the_plan_of_the_paper():
    """Kudo et al. (2005): section 5.1, and epsilon in a footnote of section 3.3."""
    shipped = experiment("kudo-2005-craft")
    plan = shipped.plans["paper"]
    assert (plan.parser, plan.grammars, plan.extractors) == ("collins", 0, ("lexical-tree",))
    ranker = make_ranker(plan.learner, plan.ranker_options)
    assert (ranker.size, ranker.frequency, ranker.smoothing) == (6, 10, 0.001)
    assert (ranker.loss, ranker.weighted, ranker.ties, ranker.refit) == ("exp", False, True, ())
    assert shipped.figures["paper"].trees["reranked"]["<=100"]["LR"] == 89.3
    others = [one for label, one in shipped.figures.items() if label != "paper"]
    assert all(one == Figures(subtrees=Subtrees(having="in")) for one in others)
    assert len(others) == 2


def test_curves_are_drawn(outcome, folder):
    assert outcome.plots == [folder / "plots" / name for name in ("curves.svg", "variants.svg")]
    curves, variants = (file.read_text() for file in outcome.plots)
    assert all(text in curves for text in ("smoothing 0.00025", "Work(n)", "Savings(n)"))
    assert all(text in variants for text in ("weighted", "unweighted"))


def test_the_shipped_recipe_follows_the_paper():
    shipped = experiment("collins-koo-2005")
    assert [plan.choose_by_sum for plan in shipped.plans.values()] == [True, True, False]
    assert [plan.choose_by_sum for plan in shipped.wsj_plans.values()] == [True, True, False]
    published = shipped.figures["weighted"].published
    assert [name for name in published if "<=40" in published[name]] == [
        "Charniak 1997",
        "Charniak 2000",
    ]
    small = experiment("collins-koo-2005-losses").plans
    assert [(plan.learner, plan.extractors, plan.choose_by_sum) for plan in small.values()] == [
        ("exp-loss", ("parse-small",), True),
        ("log-loss", ("parse-small",), True),
        ("exp-loss", ("parse",), True),
    ]


def test_the_development_trees_choose_as_the_plan_says(folder, tmp_path):
    """By the sum of Score, which here is another figure than F1 of the whole."""
    text = RECIPE.partition("[wsj]")[0].replace("n = 10", "n = 10\nchoose_by_sum = true")
    text += '[figures]\ntables = { losses = "Figure 2" }\n'
    text += "published.others.all = { LR = 90.0 }\n[variants.f1]\nplan.choose_by_sum = false\n"
    (tmp_path / "sum.toml").write_text(text)
    setting = Setting(data=folder, work=tmp_path / "work", plot=tmp_path / "plots")
    outcome = experiment(tmp_path / "sum.toml").run(setting)
    training = outcome.model.ranker.training
    assert training["choose_by_sum"]
    rows = {row["plan"]: row for row in named(outcome, "the ranker").rows}
    assert rows.keys() == {"weighted", "f1"}
    best = max(row["dev quality"] for row in outcome.model.ranker.ranker.record_["smoothing"])
    assert best > 100  # a sum over 20 trees of numbers of constituents, not a percentage
    assert [file.name for file in outcome.plots] == ["curves.svg", "variants.svg", "losses.svg"]
    assert "LogLoss: log(1 + exp(-z))" in outcome.plots[-1].read_text()
    rows = named(outcome, "test trees, weighted").rows
    assert [row["model"] for row in rows if row["figures"] == "published"] == ["others"]


def test_steps_are_shared_and_done_once(outcome, folder):
    names = [file.name.partition("-")[0] for file in (folder / "work").iterdir()]
    assert (names.count("base"), names.count("tagger"), names.count("ranker")) == (1, 1, 2)
    before = {file: file.stat().st_mtime_ns for file in (folder / "work").iterdir()}
    found = experiment(folder / "mine.toml")
    again = found.run(Setting(data=folder, work=folder / "work"))
    assert [table.title for table in again.tables] == [table.title for table in outcome.tables]
    assert untimed(again.tables) == untimed(outcome.tables)
    assert again.plots == []
    files = (folder / "train.mrg", folder / "dev.mrg")
    model = train_parsing(*files, work=folder / "work", plan=found.plans["weighted"])
    measured = again.model.training.pop("sentences per CPU second")
    assert list(measured) == ["base", "reranked"]
    assert model.training == again.model.training
    assert {file: file.stat().st_mtime_ns for file in (folder / "work").iterdir()} == before


def test_the_wall_street_journal_takes_the_place_of_the_data(tmp_path):
    text = RECIPE.partition("[variants")[0].replace("rounds = 20", "rounds = 5")
    (tmp_path / "mine.toml").write_text(text)
    journal = write_journal(tmp_path / "journal")
    found = experiment(tmp_path / "mine.toml")
    outcome = found.run(Setting(wsj=journal, work=tmp_path / "work"))
    training = outcome.model.training
    assert (training["trees"], training["dev trees"], training["folds"]) == (60, 3, 2)
    rows = named(outcome, "Table 1: test trees (").rows
    assert {row["figures"] for row in rows} == {"paper (WSJ)", "published (WSJ)", "ours (WSJ)"}
    assert {row["sentences"] for row in rows if row["words"] == "all"} == {None, 3}


def test_a_recipe_without_test_trees_or_paper_shows_ours_on_development_trees(folder, tmp_path):
    text = RECIPE.partition("[wsj]")[0].replace('test = ["test.mrg"]', "")
    (tmp_path / "mine.toml").write_text(text.replace("n = 10", "n = 10\nrerank = false"))
    found = experiment(tmp_path / "mine.toml")
    outcome = found.run(Setting(data=folder, work=folder / "work", plot=tmp_path / "plots"))
    (table,) = outcome.tables
    assert table.title.startswith("development trees (")
    assert {row["figures"] for row in table.rows} == {"ours (made)"}
    assert outcome.plots == []
    outcome.model.save(tmp_path / "m.runoff")
    assert ro.load(tmp_path / "m.runoff").parse(["Ann", "reads", "."])
    with pytest.raises(UsageError, match=r"no part \[wsj\]"):
        found.run(Setting(wsj=folder))


def test_what_is_not_there_is_said_with_where_to_get_it(folder, tmp_path, monkeypatch):
    found = experiment(folder / "mine.toml")
    with pytest.raises(UsageError, match="nothing does not exist(?s:.*)made/trees.py makes them"):
        found.run(Setting(data=tmp_path / "nothing", work=tmp_path / "work"))
    with pytest.raises(FormatError, match="train.mrg: no such file\n\nHint: tests/helpers/made"):
        found.run(Setting(data=tmp_path, work=tmp_path / "work"))
    with pytest.raises(FormatError, match="no such folder\n\nHint: .*LDC99T42"):
        found.run(Setting(wsj=tmp_path / "nothing", work=tmp_path / "work"))
    monkeypatch.setattr(parsing, "import_extra", _missing)
    with pytest.raises(MissingExtraError):
        found.run(Setting(data=folder, work=tmp_path / "work", plot=tmp_path))
    assert not (tmp_path / "work").exists()


def _missing(module, extra):
    raise MissingExtraError(f"{module} is not installed")


def test_a_test_without_trees_is_an_error(tmp_path):
    recipe = write_recipe(tmp_path)
    (tmp_path / "test.mrg").write_text("\n")
    with pytest.raises(FormatError, match="test.mrg: there is nothing to learn from"):
        experiment(recipe).run(Setting(data=tmp_path, work=tmp_path / "work"))


def test_the_kernels_recipe_is_section_6_1_of_the_paper():
    shipped = experiment("collins-duffy-2002")
    paper = {"form": "voted", "beta": 0.2, "lam": 0.5, "epochs": 1, "chunks": 6}
    assert next(iter(shipped.plans)) == "voted"
    assert shipped.plans["voted"].options == shipped.wsj_plans["voted"].options == paper
    assert shipped.figures["voted"].trees["reranked"]["<=100"]["LP"] == 88.9
    assert shipped.figures["voted"].published["Bod 2001"] == {"<=40": {"LR": 90.6, "LP": 90.8}}
    assert not shipped.figures["averaged"].trees
    normalised = {**paper, "beta": 0.01, "lam": 0.3, "normalised": True}
    assert shipped.plans["normalised"].options == normalised
