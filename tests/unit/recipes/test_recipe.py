"""Recipes are read strictly; what is wrong is said with file and key."""

import pytest
from helpers.made.recipe import RECIPE

from runoff.errors import FormatError, UsageError
from runoff.recipes.recipe import merged, read_recipe, recipe_file, shipped_recipes
from runoff.tasks.reproduce import experiment


def changed(tmp_path, old, new):
    assert old in RECIPE
    file = tmp_path / "mine.toml"
    file.write_text(RECIPE.replace(old, new, 1))
    return file


@pytest.mark.parametrize("name", shipped_recipes())
def test_shipped_recipes_can_be_run(name):
    recipe = read_recipe(recipe_file(name))
    assert recipe.what
    plans = experiment(name).plans
    assert next(iter(plans)) == recipe.label
    assert all(plan.attribution for plan in plans.values())


def test_the_recipe_of_the_paper():
    paper = experiment("collins-koo-2005")
    weighted, unweighted, ours = paper.plans.values()
    assert (weighted.features, weighted.learner, weighted.min_lists) == (("parse",), "exp-loss", 5)
    smoothing = [0.0001, 0.00025, 0.0005, 0.00075, 0.001, 0.0025, 0.005, 0.0075]
    assert weighted.options == {"rounds": 100_000, "smoothing": smoothing}
    assert unweighted.options == {**weighted.options, "weighted": False}
    assert (ours.options, ours.choose_by_sum) == (weighted.options, False)
    assert [plan.folds for plan in paper.wsj_plans.values()] == [18, 18, 18]
    assert [one.smoothing for one in paper.figures["weighted"].peaks] == smoothing
    assert [one.smoothing for one in paper.figures["unweighted"].peaks] == smoothing
    assert max(paper.figures["weighted"].peaks, key=lambda one: one.relative).best_round == 90_386


def test_recipes_share_their_lists():
    koo = ("collins-koo-2005", "collins-koo-2005-losses", "collins-koo-2005-rich")
    names = (*koo, "collins-duffy-2002")
    plans = [plan for name in names for plan in experiment(name).plans.values()]
    for key in ("parser", "n", "folds", "tagger_options", "parser_options"):
        assert len({repr(getattr(plan, key)) for plan in plans}) == 1


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("what = ", "wat = ", "mine.toml: unknown key 'wat'; choose from: .*did you mean 'what'"),
        ('what = "attachments of a little grammar"', "", "missing required field what"),
        ("train = [", "trian = [", "data: unknown key 'trian'.*did you mean 'train'"),
        ('train = ["train.mrg"]', "train = 3", "data.train: expected array, got int"),
        ("[plan]", "[plan", "mine.toml:15: expected ']'"),
        ("n = 10", "m = 10", "plan: unknown key 'm'"),
        ("folds = 3", 'folds = "3"', "plan.folds: expected int, got str"),
        ("rounds = 20", "round = 20", "plan: unknown option of exp-loss 'round'.*'rounds'"),
        ("min_count = 1 }\nparser", "min = 1 }\nparser", "plan: unknown option of the tagger"),
        ('"exp-loss"', '"exploss"', "plan: unknown learner 'exploss'"),
        ('["parse"]', '["pars"]', "plan: unknown feature set 'pars'"),
        ("{ folds = 2 }", "{ fold = 2 }", "wsj.plan: unknown key 'fold'"),
        ("options.weighted", "options.weigthed", "variants.unweighted.plan: unknown option"),
        (
            "[variants.unweighted]",
            "[variants.weighted]",
            "variants.weighted: is the label of the plan itself",
        ),
        ("error_reduction", "error", "figures.summary: unknown key 'error'"),
        ("trees.base.all", "trees.bas.all", "figures.trees: unknown key 'bas'"),
        ("LR = 88.5", "LRR = 88.5", "unknown key 'LRR'"),
        ("[[0.001, 100.5]]", "[[0.001]]", "variants.unweighted.figures.peaks.0.: expected array"),
        ('"parsing"', '"juggling"', "mine.toml: unknown task 'juggling'; choose from: "),
        ('"parseval"', '"wer"', "unknown metric of parsing 'wer'"),
    ],
)
def test_what_is_wrong_is_said_with_file_and_key(tmp_path, old, new, message):
    file = changed(tmp_path, old, new)
    with pytest.raises(FormatError, match=rf"(?s){message}") as error:
        experiment(file)
    assert str(error.value).startswith(str(file))


def test_files_that_are_no_recipes(tmp_path):
    (tmp_path / "a.toml").write_bytes(b'what = "\xff"')
    with pytest.raises(FormatError, match="a.toml: not UTF-8"):
        read_recipe(tmp_path / "a.toml")
    with pytest.raises(FormatError, match="b.toml: no such file"):
        experiment(tmp_path / "b.toml")
    with pytest.raises(UsageError, match="unknown recipe 'colins-koo-2005'.*\n\n.*did you mean"):
        recipe_file("colins-koo-2005")
    with pytest.raises(UsageError, match=r"whose name ends in \.toml"):
        recipe_file("mine")


def test_changes_go_into_tables_of_the_plan_and_replace_what_is_none():
    plan = {"features": ["parse"], "options": {"rounds": 9}}
    assert merged(plan, {"features": ["text"], "options": {"rounds": 8, "x": 1}, "n": 2}) == {
        "features": ["text"],
        "options": {"rounds": 8, "x": 1},
        "n": 2,
    }
    assert plan["options"] == {"rounds": 9}
