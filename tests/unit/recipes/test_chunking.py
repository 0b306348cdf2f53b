import json

import pytest
from command import runoff
from made_chunks import CHUNKED

from runoff.data.tagged import write_tagged
from runoff.errors import FormatError, UsageError
from runoff.recipes.experiment import Setting
from runoff.recipes.reproduce import experiment

RECIPE = """
task = "chunking"
what = "chunks of a few sentences"
metric = "chunk-f1"

[data]
name = "made"
source = "tests/made_chunks.py"
train = ["votes.tsv"]
test = ["votes.tsv"]

[plan]
folds = 2
n = 5
crf_options = { prior = [10.0], order = 2 }

[figures]
overall = { base = 93.76 }
"""


@pytest.fixture
def folder(tmp_path):
    write_tagged(CHUNKED, tmp_path / "votes.tsv")
    (tmp_path / "made.toml").write_text(RECIPE)
    return tmp_path


def test_a_recipe_is_carried_out(folder):
    setting = ("--data", folder, "--work", folder / "work", "-o", folder / "model")
    printed, _ = runoff("reproduce", folder / "made.toml", *setting, "--json")
    first, second = json.loads(printed)["tables"]
    assert first["rows"][0] == {"": "base", "paper": 93.76, "ours": 100.0}
    assert {row["type"] for row in second["rows"]} >= {"NP", "SBAR", "VP"}
    printed, _ = runoff("chunk", folder / "model", "--inline", stdin="They voted.")
    assert printed.startswith("[NP They]")


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('metric = "chunk-f1"', 'metric = "wer"', "metric of chunking"),
        ('test = ["votes.tsv"]', "", "data.test"),
        ("n = 5", "n = 1", "2 taggings or more"),
        ("n = 5", 'n = "many"', "plan.n"),
        ("n = 5", "m = 5", "unknown key 'm'"),
        ("[figures]", "[figures]\nother = 1", "unknown key 'other'"),
        ("[figures]", "[variants.x]\nplan = {}\n[figures]", "no such part"),
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


def test_the_shipped_recipe_is_sound():
    assert experiment("conll-2000").figures.overall["reranked"] == 94.12
