"""`runoff reproduce`: real processes, real files."""

import json

import pytest
from helpers.command import runoff
from helpers.made.recipe import write_journal, write_recipe

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
        "english",
        "kudo-2005-chunking",
        "kudo-2005-craft",
        "van-den-bosch-2006",
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
