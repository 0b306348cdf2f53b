"""A small recipe of our own, and the treebanks it names."""

from helpers.made.trees import made_trees

from runoff.data.tree import write_trees

RECIPE = """
task = "parsing"
what = "attachments of a little grammar"
paper = "nobody 2005"
metric = "parseval"
label = "weighted"

[data]
name = "made"
source = "tests/helpers/made/trees.py makes them"
train = ["train.mrg"]
dev = ["dev.mrg"]
test = ["test.mrg"]

[plan]
n = 10
folds = 3
min_lists = 2
features = ["parse"]
learner = "exp-loss"
options = { rounds = 20, smoothing = [0.001, 0.00025] }
tagger_options = { prior = [10.0], min_count = 1 }
parser_options = { min_count = 1 }

[wsj]
train = "train"
dev = "22"
test = "23"
plan = { folds = 2 }

[figures]
data = "WSJ"
tables = { trees = "Table 1" }
summary = { error_reduction = 13.0, work = 37.1, ms_per_sentence = 55 }
trees.base.all = { LR = 88.5, LP = 88.7 }
published."others 2000".all = { LR = 89.6, LP = 89.5 }
peaks = [[0.001, 101.5, 19], [0.0025, 101.6, 7]]
savings = [[1, 10, 48.6]]

[variants.unweighted]
plan.options.weighted = false
figures.peaks = [[0.001, 100.5]]
"""


def write_recipe(folder, text=RECIPE):
    """The recipe and its treebanks, as files."""
    for seed, (name, number) in enumerate((("train", 60), ("dev", 20), ("test", 20))):
        write_trees(made_trees(number, seed), folder / f"{name}.mrg")
    (folder / "mine.toml").write_text(text)
    return folder / "mine.toml"


def write_journal(folder):
    """A Wall Street Journal with three trees in each of its sections."""
    for section in range(25):
        place = folder / "wsj" / f"{section:02}"
        place.mkdir(parents=True)
        write_trees(made_trees(3, seed=section), place / f"wsj_{section:02}01.mrg")
    return folder
