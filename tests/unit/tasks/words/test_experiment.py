"""The recipe of Van den Bosch (2006) on text of ours."""

import math

import pytest
from helpers.made.text import TEXT

from runoff.errors import FormatError, UsageError
from runoff.recipes.experiment import Setting
from runoff.tasks.reproduce import experiment
from runoff.tasks.words.experiment import Plan
from runoff.tasks.words.tables import Figures, Point, tables

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
coverage = { other = { words = 7, grams = { unigrams = 90.5, bigrams = 80.5 } } }
tenfold = { "held out" = 8.5 }
more_windows = 9_000
more_data = [{ words = ["than", "then"], chosen = { other = 90.0 } }]

[[figures.points]]
windows = 500
nodes = 250
branching = 3.5
accuracy = { "held out" = 50.0 }
speed = { other = 100 }
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "train").write_text(TEXT * 10)
    (tmp_path / "other.tok.txt").write_text("Then we count more votes than they did .\n")
    (tmp_path / "mine.toml").write_text(RECIPE)
    return tmp_path


@pytest.fixture
def outcome(folder):
    setting = Setting(data=folder, work=folder / "work", plot=folder / "plots")
    return experiment(folder / "mine.toml").run(setting)


def ours(table):
    return [row for row in table.rows if row["figures"] == "ours (minutes)"]


def theirs(table):
    return [row for row in table.rows if row["figures"] == "paper (elsewhere)"]


def test_every_table_and_figure_of_the_paper(outcome):
    titles = [table.title.partition(":")[0] for table in outcome.tables]
    assert titles == [
        "Table 1",
        "Figure 1",
        "Section 3.1",
        "Figure 2",
        "Figure 3, expert",
        "Figure 3, all words",
        "Table 2",
        "Table 3",
    ]
    assert [file.name for file in outcome.plots] == ["sizes.svg"]
    drawn = outcome.plots[0].read_text()
    assert "words to learn from" in drawn
    assert "words predicted per CPU second" in drawn
    assert "mathdefault" not in drawn  # powers of ten are written out


def test_coverage(outcome):
    rows = {(row["text"], row["figures"]): row for row in outcome.tables[0].rows}
    other = rows["other", "ours (minutes), of tokens"]  # `Then` was never seen
    assert (other["words"], round(other["unigrams"], 1)) == (9, round(800 / 9, 1))
    assert rows["held out", "ours (minutes), of types"]["8-grams"] == 100
    assert rows["other", "paper (elsewhere)"] == {
        "text": "other",
        "figures": "paper (elsewhere)",
        "words": 7,
        "unigrams": 90.5,
        "bigrams": 80.5,
        "8-grams": None,
    }


def test_accuracy_nodes_and_speed_by_size(outcome):
    _, sizes, tenfold, speeds, *_ = outcome.tables
    total = len((TEXT * 10).split()) - 150
    assert [row["windows"] for row in ours(sizes)] == [100, 400, 1000, total]
    last = ours(sizes)[-1]
    assert last["held out"] > 98  # the same sentences come again and again
    assert last["branching"] == pytest.approx(math.sqrt(math.sqrt(last["nodes"])))
    assert sorted(last["features"].split()) == ["+1", "+2", "-1", "-2"]
    (paper,) = theirs(sizes)
    assert {"windows": 500, "per window": 0.5, "branching": 3.5}.items() <= paper.items()
    assert theirs(tenfold)[0]["held out"] == 8.5
    assert [row["windows"] for row in ours(speeds)] == [100, 400, 1000, total]
    assert ours(speeds)[-1]["held out"] > 0
    assert theirs(speeds)[0]["other"] == 100


def test_sets_of_words(outcome):
    *_, experts, everything, same, more = outcome.tables
    assert [row["windows"] for row in theirs(experts)] == [9_000]
    assert theirs(experts)[0]["other"] == 90.0
    assert theirs(everything) == []
    assert ours(experts)[-1]["commonest"] in ("than", "then")
    than = next(row for row in same.rows if row["words"] == "than, then")
    assert than["tested, ours"] == 11
    assert than["all words, ours"] == than["expert, ours"] == 100.0
    than = next(row for row in more.rows if row["words"] == "than, then")
    assert (than["other, paper"], than["other, ours"]) == (90.0, 50.0)  # `Then` was never seen


def test_points_are_kept_and_the_model_is_saved(folder, outcome):
    outcome.model.save(folder / "m")
    kept = {file: file.stat().st_mtime_ns for file in (folder / "work").iterdir()}
    again = experiment(folder / "mine.toml").run(Setting(data=folder, work=folder / "work"))
    assert again.tables == outcome.tables
    assert kept == {file: file.stat().st_mtime_ns for file in (folder / "work").iterdir()}


def test_the_gain_of_ten_times_more_text_begins_where_curves_settle():
    shares = {1_000: 50.0, 50_000: 10.0, 500_000: 16.0, 5_000_000: 22.0}
    points = [Point(windows=n, accuracy={"held out": share}) for n, share in shares.items()]
    found = tables({}, points, Figures(), "minutes")[2]
    assert ours(found)[0]["held out"] == pytest.approx(6.0)


def test_text_in_a_column_and_tests_without_the_words_of_a_set(folder):
    lines = (folder / "train").read_text().splitlines()
    (folder / "train").write_text("".join(f"7\tTRAIN\t{line}\n" for line in lines))
    (folder / "other.tok.txt").write_text("nothing of the set\n")
    recipe = RECIPE.replace("left = 2", "column = 3\nleft = 2")
    (folder / "mine.toml").write_text(recipe)
    setting = Setting(data=folder, work=folder / "work", plot=folder / "plots")
    found = experiment(folder / "mine.toml").run(setting)
    assert found.model.training["words"] == len((TEXT * 10).split()) - 150
    (expert,) = [one for one in found.tables if one.title.startswith("Figure 3, expert")]
    assert ours(expert)[-1]["other"] is None
    assert "all words: held out" in found.plots[0].read_text()
    assert "all words: other" not in found.plots[0].read_text()


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
    assert sizes[:3] == [1_000, 2_000, 3_000]
    assert sizes[-3:] == [1_000_000, 2_000_000, 2_500_000]


def test_a_test_without_words_is_an_error(folder):
    (folder / "other.tok.txt").write_text("\n")
    with pytest.raises(FormatError, match=r"other.tok.txt: there are no words to measure by"):
        experiment(folder / "mine.toml").run(Setting(data=folder, work=folder / "work"))
