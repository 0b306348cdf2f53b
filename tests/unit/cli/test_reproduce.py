"""`runoff reproduce`: real processes, real files."""

import json

import pytest
from helpers.command import runoff
from helpers.made.recipe import RECIPE, write_journal, write_recipe

import runoff as ro


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("reproduce")
    write_recipe(folder)
    return folder


def test_the_recipes_are_listed():
    out, errors = runoff("reproduce")
    assert "collins-koo-2005" in out
    assert errors == ""
    names = [one["name"] for one in json.loads(runoff("reproduce", "--json")[0])]
    assert names == [
        "collins-duffy-2002",
        "collins-duffy-2002-names",
        "collins-koo-2005",
        "collins-koo-2005-losses",
        "collins-koo-2005-rich",
        "conll-2000",
        "culotta-mccallum-2006-authors",
        "culotta-mccallum-2006-citations",
        "english",
        "english-chunks",
        "english-words",
        "ginter-2006",
        "ginter-2006-links",
        "huang-2006",
        "huang-2006-search",
        "ji-2006",
        "ji-2006-documents",
        "ji-2006-english",
        "kudo-2005-chunking",
        "kudo-2005-craft",
        "tillmann-2006",
        "tillmann-2006-blocks",
        "translation-multi30k",
        "translation-tatoeba",
        "trees-multi30k",
        "turian-melamed-2006",
        "turian-melamed-2006-lengths",
        "turian-melamed-2006-training",
        "van-den-bosch-2006",
        "van-den-bosch-2006-reuters",
    ]


def test_a_recipe_of_ones_own(folder):
    options = ("--data", folder, "--work", folder / "work")
    given = ("--plot", folder / "plots", "-o", folder / "m.runoff")
    out, errors = runoff("reproduce", folder / "mine.toml", *options, *given)
    assert errors == ""
    assert ro.load(folder / "m.runoff").parse(["Ann", "reads", "."])
    seen = json.loads(runoff("reproduce", folder / "mine.toml", *options, "--json", "-j", 2)[0])
    assert (seen["model"], seen["plots"]) == (None, [])
    assert all(f"{table['title']}\n" in out for table in seen["tables"])
    assert "paper (WSJ)" in out
    assert "0.00025" in out
    written = [folder / "m.runoff", *(folder / "plots").iterdir()]
    assert {f"written: {file}" for file in written} <= set(out.splitlines())


def test_a_small_run_is_marked_and_takes_little_of_the_data(folder, tmp_path):
    recipe = tmp_path / "little.toml"
    recipe.write_text((folder / "mine.toml").read_text() + LITTLE)
    options = ("--data", folder, "--work", tmp_path / "work", "--small")
    out, errors = runoff("reproduce", recipe, *options)
    assert errors == "a small run: it shows that everything works, its figures mean nothing\n"
    titles = [line for line in out.splitlines() if line[:1].isalpha()]
    assert titles
    assert all(line.startswith("small run: ") for line in titles)
    seen = json.loads(runoff("reproduce", recipe, *options, "--json")[0])
    assert seen["small"] is True
    rows = [row for table in seen["tables"] for row in table["rows"]]
    assert "ours (made, small)" in {row.get("figures") for row in rows}
    ours = [row for row in rows if row.get("figures") == "ours (made, small)"]
    assert {row["sentences"] for row in ours if row.get("words") == "all"} == {12}
    assert max(row.get("rounds") or 0 for row in rows) <= 5


LITTLE = """
[small]
items = 12
plan = { folds = 2, options.rounds = 5 }

[needs]
minutes = 2.5
memory = 0.2
"""


def test_what_a_recipe_needs_is_said_before_it_runs(folder, tmp_path):
    recipe = tmp_path / "little.toml"
    recipe.write_text((folder / "mine.toml").read_text() + LITTLE)
    _, errors = runoff("reproduce", recipe, "--data", tmp_path, status=2)
    assert errors.startswith("made: about 2.5 minutes on two cores, 0.2 GB of memory\n")


def test_a_recipe_is_shown_as_it_is_written(folder):
    assert runoff("reproduce", "--show", folder / "mine.toml")[0] == RECIPE
    shown = json.loads(runoff("reproduce", "english", "--show", "--json")[0])
    assert shown["data"]["name"] == "CRAFT, MASC, GUM and MCTB"


def test_the_list_says_which_data_are_found(tmp_path):
    rows = json.loads(runoff("reproduce", "--json", "--data", tmp_path)[0])
    assert {row["found"] for row in rows} == {False}
    english = next(row for row in rows if row["name"] == "english")
    shown = json.loads(runoff("reproduce", "english", "--show", "--json")[0])
    for file in (*shown["data"]["train"], *shown["data"]["dev"]):
        (tmp_path / file).parent.mkdir(exist_ok=True)
        (tmp_path / file).touch()
    rows = json.loads(runoff("reproduce", "--json", "--data", tmp_path)[0])
    found = [row["name"] for row in rows if row["found"]]
    assert found == [english["name"], "english-chunks"]  # they learn from the same trees


def test_the_wall_street_journal(folder, tmp_path):
    journal = write_journal(tmp_path / "journal")
    options = ("--wsj", journal, "--work", tmp_path / "work", "--json")
    seen = json.loads(runoff("reproduce", folder / "mine.toml", *options)[0])
    assert "ours (WSJ)" in {row["figures"] for row in seen["tables"][0]["rows"]}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nosuch"], "unknown recipe 'nosuch'; choose from: collins-duffy-2002,"),
        (["nosuch.toml"], "nosuch.toml: no such file"),
        (["english", "--data", "nosuch"], "nosuch does not exist"),
        (["english", "--data", "."], "https://github.com/UCDenver-ccp/CRAFT"),
        (["collins-koo-2005", "--wsj", "nosuch"], "https://catalog.ldc.upenn.edu/LDC99T42"),
        (["english", "--wsj", "."], "has no part [wsj]"),
        (["english", "-o", "nosuch/m.runoff"], "no such folder"),
    ],
)
def test_wrong_usage_is_one_sentence(tmp_path, arguments, message):
    _, errors = runoff("reproduce", *arguments, status=2, cwd=tmp_path)
    assert message in errors
    assert list(tmp_path.iterdir()) == []
