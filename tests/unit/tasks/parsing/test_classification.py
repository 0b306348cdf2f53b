"""Training the parser by classification: its steps, lists, file, and what it resumes from."""

import json
from itertools import product
from math import log

import pytest
from helpers.command import runoff
from helpers.made.trees import made_trees

from runoff.data.tree import Tree, read_trees, write_trees
from runoff.engine import Engine
from runoff.errors import UsageError
from runoff.proposers.parsing.base import Help
from runoff.proposers.parsing.classification import jobs
from runoff.proposers.parsing.classification.parser import ClassificationParser
from runoff.recipes.experiment import Setting
from runoff.tasks.parsing.model import ParsingModel
from runoff.tasks.parsing.steps import retagged
from runoff.tasks.parsing.train import Plan, train
from runoff.tasks.reproduce import experiment

PLAN = {
    "parser": "classification",
    "n": 5,
    "folds": 2,
    "grammars": 0,
    "min_lists": 2,
    "options": {"iterations": 20},
    "tagger_options": {"prior": (10.0,), "min_count": 1},
    "parser_options": {"decay": 0.5, "patience": 3},
}
TEXT = "The mayor sees Ann with the telescope. The old council reads the plan of the school."


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("classification")
    write_trees(made_trees(40), folder / "train.mrg")
    write_trees(made_trees(12, seed=1), folder / "dev.mrg")
    return folder


@pytest.fixture(scope="module")
def model(folder):
    files = folder / "train.mrg", folder / "dev.mrg"
    return train(*files, work=folder / "work", plan=Plan(**PLAN))


def test_it_learns_and_its_lists_are_reranked(model):
    figures = model.training["dev"]["figures"]
    assert figures["base"]["all"]["F1"] > 80
    assert list(figures) == ["base", "reranked", "oracle"]
    for tree, words in zip(model.parse(TEXT), TEXT.split(". "), strict=True):
        assert " ".join(tree.words).startswith(words.split()[0])
        assert tree.words[-1] == "."


def test_a_model_file_parses_the_same(model, folder):
    model.save(folder / "m.runoff")
    assert ParsingModel.load(folder / "m.runoff").parse(TEXT) == model.parse(TEXT)


def test_folds_take_the_lambda_that_development_trees_chose(model, folder):
    (base,) = (folder / "work").glob("base-*.runoff")
    found = ParsingModel.load(base).training["parser options"]
    assert found["penalty"] > ClassificationParser().penalty


def test_development_trees_get_the_tags_of_the_tagger(model):
    trees = made_trees(3, seed=2)
    for old, new in zip(trees, retagged(trees, model.tagger), strict=True):
        assert new.words == old.words
        tags = tuple(node.label for node in new.preterminals())
        assert tags == model.tagger.tag(old.words).tags
        assert [node.label for node in new.nodes() if not node.is_preterminal] == [
            node.label for node in old.nodes() if not node.is_preterminal
        ]


def bytes_of(parser):
    return {name: array.tobytes() for name, array in parser.arrays().items()}


def fitted(work=None, jobs=1, **options):
    parser = ClassificationParser(decay=0.5, **options)
    dev = made_trees(8, seed=1)
    return parser.fit(made_trees(20), Help(lambda: dev, work, Engine(jobs)))


@pytest.mark.parametrize("stop", [1, 3, 40])
def test_a_training_that_was_killed_resumes_to_the_same_bytes(tmp_path, monkeypatch, stop):
    offers = 0

    class Killed(jobs.Checkpoint):
        def offer(self, state):
            nonlocal offers
            self.seconds = 0.0
            super().offer(state)
            offers += 1
            if offers == stop:
                raise KeyboardInterrupt

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(jobs, "Checkpoint", Killed)
        fitted(tmp_path)
    assert bytes_of(fitted(tmp_path)) == bytes_of(fitted())


def test_labels_are_trained_alike_by_any_workers(tmp_path):
    assert bytes_of(fitted(jobs=2)) == bytes_of(fitted())


def test_the_record_has_the_whole_path_of_lambda():
    rows = fitted().rows_
    assert [row["lambda"] for row in rows] == sorted((r["lambda"] for r in rows), reverse=True)
    assert [row["active"] for row in rows] == sorted(row["active"] for row in rows)
    assert max(row["dev quality"] for row in rows) > 60


@pytest.mark.parametrize("strategy", ["r2l", "l2r", "bottom-up"])
@pytest.mark.parametrize("atoms", ["base", "kitchen-sink"])
def test_every_strategy_learns_its_trees(strategy, atoms):
    trees = made_trees(12)
    options = {"decay": 0.5, "penalty": 0.002, "balance": 1.0}
    parser = ClassificationParser(**options, strategy=strategy, atoms=atoms).fit(trees)
    assert parser.quality(trees) > 95


def test_odd_treebanks_are_learned_from():
    texts = ["(NN vote)", "(NP (NN vote))", "(X (. .))", "(FRAG (UH oh) (RARE (NN vote)))"]
    parser = ClassificationParser(decay=0.5).fit(map(Tree.parse, texts))
    for words in (["vote"], ["."], ["oh", "vote"], ["never", "seen"]):
        for found in parser.propose(words, 3):
            assert Tree.parse(found.output).words == tuple(words)


def test_every_parse_has_all_its_words():
    parser = fitted()
    words = '" the mayor , " she , sees " Ann " . "'.split()
    tags = ["``", "DT", "NN", ",", "''", "PRP", ",", "VBZ", "``", "NNP", "''", ".", "''"]
    choices = [((tag, 1.0),) for tag in tags]
    for found in parser.propose_all([words], 4, choices=[choices])[0]:
        tree = Tree.parse(found.output)
        assert tree.words == tuple(words)
        assert [node.label for node in tree.preterminals()] == tags
    long = words * 30
    found = parser.propose(long, 2)[0]
    assert Tree.parse(found.output).words == tuple(long)
    assert found.extra["pieces"] > 1


def test_reasons_add_up_to_the_scores_of_constituents():
    parser = fitted(atoms="kitchen-sink")
    words = "The old council reads the plan of the school .".split()
    reasons = parser.why(words)
    tree = Tree.parse(parser.propose(words, 1)[0].output)
    phrases = [node for node in tree.nodes() if not node.is_preterminal]
    assert sorted(one.label for one in reasons) == sorted(node.label for node in phrases)
    assert [one.score for one in reasons] == sorted(one.score for one in reasons)
    for one in reasons:
        assert sum(value for _, value in one.terms) == pytest.approx(one.score)
        assert all(" in " in text or "number of" in text for text, _ in one.terms)
    assert reasons[0].terms


def test_searches_say_whether_they_were_cut_short():
    trees = made_trees(5, seed=3)
    whole = fitted().search().figures(trees)
    assert all(one.proven for one in whole)
    cut = fitted(explore=1).search().figures(trees)
    assert all(one.greedy for one in cut)
    assert all(one.explored <= other.explored for one, other in zip(cut, whole, strict=True))


def test_options_of_the_parser_are_options_of_the_training():
    plan = Plan(parser="classification", strategy="l2r", max_children=7)
    assert plan.parser_settings == {"strategy": "l2r", "max_children": 7}
    with pytest.raises(UsageError, match="unknown strategy 'up'"):
        Plan(parser="classification", strategy="up")
    with pytest.raises(UsageError, match="strategy"):
        Plan(parser="collins", strategy="l2r")


def test_classifiers_may_see_punctuation_at_the_ends_of_sentences():
    """The full stop alone tells a sentence from a heading."""
    texts = ["(TOP (S (NP (NN vote)) (VP (NN counts)) (. .)))"] * 3
    texts += ["(TOP (HEADING (NP (NN vote)) (VP (NN counts))))"] * 3
    trees = [Tree.parse(text) for text in texts]
    found = {
        outer: ClassificationParser(decay=0.5, outer=outer).fit(trees).quality(trees)
        for outer in (False, True)
    }
    assert found[True] == 100 > found[False]


RECIPE = """
task = "parsing"
what = "strategies on made-up trees"
metric = "parseval"
label = "r2l"

[data]
name = "made"
source = "nowhere"
train = ["train.mrg"]
dev = ["dev.mrg"]
test = ["dev.mrg"]
longest = 9

[plan]
parser = "classification"
rerank = false
grammars = 0
n = 1
parser_options = { decay = 0.5, patience = 3 }
tagger_options = { prior = [10.0], min_count = 1 }

[figures]
data = "WSJ"
tables = { path = "Table 2", compared = "Table 4", steps = "Table 1", atoms = "Table 3" }
labels = { NP = 81.1 }
path = { penalty = 0.014, active = 14_000, F1 = 90.23 }

[variants.l2r]
plan = { strategy = "l2r" }

[variants.Collins]
plan = { parser = "collins" }
figures.data = "WSJ"
figures.trees.base.all = { F1 = 88.30 }
"""


def test_a_recipe_compares_parsers(folder):
    (folder / "mine.toml").write_text(RECIPE)
    outcome = experiment(folder / "mine.toml").run(Setting(data=folder, work=folder / "recipe"))
    path, labels, compared, steps, atoms = outcome.tables
    assert [(row["parser"], row["figures"], row["F1"] > 50) for row in path.rows] == [
        ("r2l", "paper (WSJ)", True), ("r2l", "ours (made)", True), ("l2r", "ours (made)", True)
    ]  # fmt: skip
    assert [(row["parser"], row["figures"]) for row in labels.rows] == [
        ("r2l", "paper (WSJ)"), ("r2l", "ours (made)"), ("l2r", "ours (made)"),
        ("Collins", "ours (made)"),
    ]  # fmt: skip
    assert labels.rows[0]["NP"] == 81.1
    assert all(50 < row["NP"] <= 100 for row in labels.rows)
    every = [row for row in compared.rows if row["words"] == "all"]
    assert [(row["parser"], row["figures"]) for row in every] == [
        ("r2l", "ours (made)"), ("l2r", "ours (made)"), ("Collins", "paper (WSJ)"),
        ("Collins", "ours (made)"),
    ]  # fmt: skip
    trees = read_trees(folder / "dev.mrg")
    assert every[0]["sentences"] == sum(len(tree.words) <= 9 for tree in trees)
    assert every[0]["p, against r2l"] is None
    assert 0 < every[3]["p, against r2l"] <= 1
    assert steps.rows[5]["training trees"] > 0
    assert {row["set"] for row in atoms.rows} == {"base", "kitchen-sink", "rich"}


def test_inspect_shows_the_classifiers_of_labels(folder):
    plan = {**PLAN, "rerank": False, "parser_options": {"decay": 0.5, "patience": 3}}
    train(folder / "train.mrg", folder / "dev.mrg", plan=Plan(**plan)).save(folder / "bare.runoff")
    out, _ = runoff("inspect", folder / "bare.runoff")
    assert "greedy parse is best" in out
    assert "conjunctions of the largest values" in out
    assert "parser record" not in out  # it is in tables
    out, _ = runoff("parse", folder / "bare.runoff", "--why", stdin=TEXT)
    assert out.count("tree  (TOP") == 2
    assert "conjunction" in out
    assert "score" in out
    out, _ = runoff("parse", folder / "bare.runoff", "--why", "--json", stdin=TEXT)
    for line in out.splitlines():
        reasons = json.loads(line)["why"]
        assert reasons == sorted(reasons, key=lambda one: one["score"])
        for one in reasons:
            assert sum(value for _, value in one["terms"]) == pytest.approx(one["score"])


@pytest.mark.parametrize("n", [1, 4])
def test_the_likeliest_taggings_of_a_sentence_are_parsed(n):
    """Each tagging by itself, all put together, is what one search over some of them finds."""
    parser = fitted(taggings=100)
    words = "Ann reads plans .".split()
    rows = [
        [("NNP", 1.0)],
        [("VBZ", 0.6), ("NNS", 0.4)],
        [("NNS", 0.7), ("VBZ", 0.3)],
        [(".", 1.0)],
    ]
    expected = []
    for tagging in product(*rows):
        logprob = sum(log(p) for _, p in tagging)
        for one in parser.propose(words, n, choices=[[(tag, 1.0)] for tag, _ in tagging]):
            expected.append((one.logprob + logprob, one.output))
    expected.sort(key=lambda one: -one[0])
    found = parser.propose(words, n, choices=rows)
    assert [one.output for one in found] == [output for _, output in expected[:n]]
    assert [one.logprob for one in found] == pytest.approx([p for p, _ in expected[:n]])
    reasons = parser.why(words, choices=rows)
    phrases = [node for node in Tree.parse(found[0].output).nodes() if not node.is_preterminal]
    assert sorted(one.label for one in reasons) == sorted(node.label for node in phrases)
    (one,) = fitted(taggings=1).propose(words, 1, choices=rows)
    tags = [node.label for node in Tree.parse(one.output).preterminals()]
    assert tags == ["NNP", "VBZ", "NNS", "."]
