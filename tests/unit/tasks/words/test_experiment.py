"""The recipe of Van den Bosch (2006) on text of ours."""

import pytest
from helpers.made.text import TEXT

from runoff.errors import FormatError, UsageError
from runoff.recipes.experiment import Setting
from runoff.tasks.reproduce import experiment
from runoff.tasks.words.experiment import Plan

RECIPE = """
task = "words"
what = "words of a council"
metric = "accuracy"

[data]
name = "minutes"
source = "tests/helpers/made/text.py"
train = ["train"]
test = ["other.tok.txt"]

[plan]
left = 2
right = 2
held_out = 150
smallest = 100
multiples = [1, 4]
sets = [["than", "then"], ["their", "there"]]

[figures]
name = "elsewhere"
points = [{ windows = 500, nodes = 250, accuracy = { "held out" = 50.0 } }]
more_data = [{ words = ["than", "then"], chosen = { other = 90.0 } }]
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "train").write_text(TEXT * 10)
    (tmp_path / "other.tok.txt").write_text("Then we count more votes than they did .\n")
    (tmp_path / "mine.toml").write_text(RECIPE)
    return tmp_path


def test_sizes_sets_and_curves(folder):
    setting = Setting(data=folder, work=folder / "work", plot=folder / "plots")
    words = experiment(folder / "mine.toml")
    outcome = words.run(setting)
    sizes, same, more = outcome.tables
    ours = [row for row in sizes.rows if row["figures"] == "ours (minutes)"]
    total = len((TEXT * 10).split()) - 150
    assert [row["windows"] for row in ours] == [100, 400, 1000, total]
    assert ours[-1]["held out"] > 98  # the same sentences come again and again
    assert {"figures": "paper (elsewhere)", "windows": 500, "nodes a window": 0.5}.items() <= next(
        row for row in sizes.rows if row["windows"] == 500
    ).items()
    than = next(row for row in same.rows if row["words"] == "than, then")
    assert than["all words, ours"] == than["expert, ours"] == 100.0
    than = next(row for row in more.rows if row["words"] == "than, then")
    assert (than["other, paper"], than["other, ours"]) == (90.0, 50.0)  # `Then` was never seen
    assert [file.name for file in outcome.plots] == ["sizes.svg"]
    assert "words to learn from" in outcome.plots[0].read_text()
    outcome.model.save(folder / "m")
    kept = {file: file.stat().st_mtime_ns for file in (folder / "work").iterdir()}
    assert words.run(setting).tables == outcome.tables
    assert kept == {file: file.stat().st_mtime_ns for file in (folder / "work").iterdir()}


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"accuracy"', '"wer"', "unknown metric of words 'wer'"),
        ("held_out = 150", "held_out = 0", "at least 1"),
        ("left = 2\nright = 2", "left = 0\nright = 0", "1 to 1,023 words"),
        ("[plan]", "[variants.a]\nplan = {}\n[plan]", "variants: recipes of words have no such"),
    ],
)
def test_what_makes_no_sense_is_refused(folder, old, new, message):
    assert old in RECIPE
    (folder / "mine.toml").write_text(RECIPE.replace(old, new, 1))
    with pytest.raises((FormatError, UsageError), match=message):
        experiment(folder / "mine.toml")


def test_too_little_text_is_refused(folder):
    (folder / "train").write_text(TEXT)
    with pytest.raises(FormatError, match="no more than the 150 words"):
        experiment(folder / "mine.toml").run(Setting(data=folder, work=folder / "work"))


def test_the_sizes_of_the_paper():
    sizes = Plan().sizes(2_500_000)
    assert sizes[:3] == [10_000, 20_000, 30_000]
    assert sizes[-3:] == [1_000_000, 2_000_000, 2_500_000]


def test_a_test_without_words_is_an_error(folder):
    (folder / "other.tok.txt").write_text("\n")
    with pytest.raises(FormatError, match=r"other.tok.txt: there are no words to measure by"):
        experiment(folder / "mine.toml").run(Setting(data=folder, work=folder / "work"))
