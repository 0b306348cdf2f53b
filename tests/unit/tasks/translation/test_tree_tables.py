"""The tables of a translator by trees, and of one by phrases beside it."""

import pytest
from helpers.made.trees_to_strings import passives

from runoff.data.tree import Tree
from runoff.recipes.experiment import Setting
from runoff.recipes.recipe import read_recipe
from runoff.tasks.translation.experiment import Experiment

RECIPE = """
task = "translation"
what = "passive sentences"
metric = "bleu"
label = "trees"

[data]
name = "passives"
source = "the tests make them"
train = ["train.en", "train.zh"]
dev = ["dev.en", "dev.zh"]
test = ["test.en", "test.zh"]

[plan]
system = "tree"
tokenized = true
raw_source = true
order = 2
rounds = 2
n = 5
few = 4
k = 20
beside = true
rescored = [1, 10]
pops_tried = [1, 10]
parses_tried = [2]

[figures.table_1]
phrases = 25.5
"""


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tables")
    pairs = passives()
    for name, own in {"train": pairs[12:], "dev": pairs[:6], "test": pairs[6:12]}.items():
        source = [" ".join(Tree.parse(tree).words) for tree, _ in own]
        (folder / f"{name}.en").write_text("".join(f"{line}\n" for line in source))
        (folder / f"{name}.zh").write_text("".join(f"{line}\n" for _, line in own))
    (folder / "passives.toml").write_text(RECIPE)
    experiment = Experiment(read_recipe(folder / "passives.toml"))
    return experiment.run(Setting(data=folder, work=folder / "work")).tables


def of(tables, title):
    (found,) = [one for one in tables if one.title.startswith(title)]
    return found.rows


def test_both_systems_and_their_union_are_compared(tables):
    rows = {row["system"]: row for row in of(tables, "phrases and trees")}
    assert list(rows) == ["phrases", "trees", "both, reranked"]
    for row in rows.values():
        for other in ("phrases", "trees"):
            if row["system"] != other:
                difference = row["BLEU"] - rows[other]["BLEU"]
                assert row[f"over {other}"] == pytest.approx(difference)
                assert 0 < row[f"p, {other}"] <= 1
    assert rows["trees"]["BLEU"] > 50
    assert rows["trees"]["over phrases"] == -rows["phrases"]["over trees"]


def test_every_sentence_has_a_length(tables):
    rows = of(tables, "BLEU by words of the source")
    assert sum(row["sentences"] for row in rows) == 6
    assert [row["words"] for row in rows] == ["6 to 8"]


def test_table_1_has_the_systems_of_the_paper_tuned_both_ways(tables):
    rows = {row["system"]: row for row in of(tables, "Table 1")}
    assert list(rows) == [
        "phrases", "direct", "rescored", "cube pruning", "all features", "all features, 2 parses",
    ]  # fmt: skip
    assert rows["phrases"]["paper"] == 25.5
    for row in rows.values():
        assert 0 <= row["same sentences"] <= 100 >= row["test"] >= 0


def test_strings_among_derivations_are_fewer(tables):
    for row in of(tables, "Section 5.2"):
        assert 0 < row["their strings"] <= row["derivations"]
        assert row["k best strings"] >= row["their strings"]


def test_searches_have_a_row_for_each_size(tables):
    assert [row["k"] for row in of(tables, "rescoring by k")] == [1, 10]
    assert [row["pops"] for row in of(tables, "cube pruning by pops")] == [1, 10]
    assert [row["parses"] for row in of(tables, "cube pruning by parses")] == [2]
    assert of(tables, "rules by rank and height")[0]["height 2"] > 0
