"""Training a parser on a toy treebank, its steps, its file, and what it makes of odd input."""

import json
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from helpers.made.trees import made_trees

import runoff as ro
from runoff.data.sentence import Sentence
from runoff.data.text.read import tagged_words
from runoff.data.tree import Tree, write_trees
from runoff.engine import Engine
from runoff.errors import FormatError, ModelError, UsageError
from runoff.pipeline.work_folder import WorkFolder
from runoff.problem.build.build import build_problem
from runoff.proposers.parsing import make_parser
from runoff.store.file import load, save
from runoff.tasks.inspect import inspect_model
from runoff.tasks.parsing import steps as training
from runoff.tasks.parsing.corpus import training_corpus
from runoff.tasks.parsing.model import ParsingModel
from runoff.tasks.parsing.train import Plan
from runoff.tasks.parsing.train import train as train_parsing
from runoff.tasks.tagging.train import train_tagger

SMALL = {"min_count": 1}
PLAN = {
    "n": 10,
    "folds": 3,
    "min_lists": 2,
    "options": {"iterations": 30},
    "tagger_options": {"prior": (10.0,), **SMALL},
    "parser_options": SMALL,
}
TEXT = "The mayor sees Ann with the telescope. The old council reads the plan of the school."


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("parsing")
    write_trees(made_trees(60), folder / "train.mrg")
    write_trees(made_trees(20, seed=1), folder / "dev.mrg")
    return folder


def train(folder, work, *, jobs=1, progress=None, **changes):
    plan = Plan(**{**PLAN, **changes})
    files = (folder / "train.mrg", folder / "dev.mrg")
    return train_parsing(*files, work=work, plan=plan, engine=Engine(jobs, progress=progress))


@pytest.fixture(scope="module")
def model(folder):
    return train(folder, folder / "work", attribution="made by a little grammar")


@pytest.fixture(scope="module")
def path(model, folder):
    model.save(folder / "m.runoff")
    return folder / "m.runoff"


def test_attachment_is_learned(model):
    with_tool, of_school = model.parse(TEXT)
    assert "(VP (VBZ sees) (NP (NNP Ann)) (PP" in str(with_tool)
    assert "(NP (NP (DT the) (NN plan)) (PP" in str(of_school)
    assert model.parse(with_tool.words) == with_tool


def test_what_was_learned_is_in_the_header(model):
    header = model.training
    assert (header["trees"], header["dev trees"], header["folds"]) == (60, 20, 3)
    assert header["attribution"] == "made by a little grammar"
    figures = header["dev"]["figures"]
    assert list(figures) == ["base", "reranked", "oracle"]
    f1 = [figures[row]["all"]["F1"] for row in figures]
    assert f1[0] <= f1[2] == max(f1)
    assert figures["base"]["<=40"]["sentences"] == 20 > figures["base"][">5"]["sentences"]


def test_every_fold_has_some_of_each_file_and_weights_repeat_trees(tmp_path):
    parts = {"a": made_trees(6), "b": made_trees(3, seed=4)}
    plan = Plan(folds=3, weights={"b": 2})
    corpus = training_corpus(parts, plan, WorkFolder(tmp_path))
    assert corpus.parts == ["a", "a", "b"] * 3
    assert corpus.trees[2::3] == parts["b"]
    assert corpus.times.tolist() == [1, 1, 2] * 3
    again = training_corpus(parts, replace(plan, weights={}), WorkFolder(tmp_path))
    assert again.hash == corpus.hash
    assert again.file.key != corpus.file.key
    with pytest.raises(
        UsageError, match="unknown part of the training trees 'c'; choose from: a, b"
    ):
        training_corpus(parts, replace(plan, weights={"c": 2}), WorkFolder(tmp_path))
    with pytest.raises(UsageError, match="the weight of b must be a whole number from 1, not 0.5"):
        replace(plan, weights={"b": 0.5})


def test_every_development_file_has_its_figures(folder, tmp_path):
    write_trees(made_trees(7, seed=2), tmp_path / "news.clean.mrg")
    write_trees([Tree.parse("(TOP (SU E_S))")], tmp_path / "marks.mrg")  # nothing, for --penn
    dev = [folder / "dev.mrg", tmp_path / "marks.mrg", tmp_path / "news.clean.mrg"]
    plan = Plan(**{**PLAN, "rerank": False, "penn": True})
    found = train_parsing(folder / "train.mrg", dev, plan=plan).training["dev"]
    parts = found["parts"]["base"]
    names = [f"{folder.name}/dev", f"{tmp_path.name}/news"]
    sizes = {name: figures["sentences"] for name, figures in parts.items()}
    assert sizes == {names[0]: 20, names[1]: 7}
    assert min(one["LR"] for one in parts.values()) <= found["figures"]["base"]["all"]["LR"]


def test_a_model_comes_back_from_its_file(model, path):
    other = ro.load(path)
    assert json.dumps(other.training) == json.dumps(model.training)
    sentences = [tree.words for tree in made_trees(30, seed=2)]
    assert list(other.lists(sentences, 5)) == list(model.lists(sentences, 5, engine=2))
    other.save(path.with_name("again"))
    assert path.with_name("again").read_bytes() == path.read_bytes()


def test_lists_have_scores_ranks_and_confidence(model):
    (nbest,) = model.lists([["Ann", "sees", "Bert", "with", "the", "telescope", "."]], None)
    assert 2 <= len(nbest) <= 10
    scores = [candidate.score for candidate in nbest.candidates]
    assert scores == sorted(scores, reverse=True)
    assert sorted(candidate.rank for candidate in nbest.candidates) == list(range(len(nbest)))
    assert 0 <= nbest.extra["confidence"] <= 1
    (best,) = model.lists([nbest.input])
    assert best.candidates == nbest.candidates[:1]
    reasons = model.why(nbest)
    assert reasons.winner == nbest.candidates[0]
    total = sum(term.contribution for term in reasons.terms)
    assert total == pytest.approx(reasons.difference)


def test_reasons_come_from_one_extraction(model, monkeypatch):
    sentence = ["Ann", "sees", "Bert", "with", "the", "telescope", "."]
    expected = model.why(next(model.lists([sentence], None)))
    sizes = []

    def counting(lists, *arguments, **options):
        sizes.append(len(lists))
        return build_problem(lists, *arguments, **options)

    monkeypatch.setattr("runoff.tasks.ranking.reranker.build_problem", counting)
    (nbest, reasons), (empty, nothing) = model.explained([sentence, []], 2)
    assert sizes == [1]
    assert (reasons.winner, reasons.terms) == (expected.winner, expected.terms)
    assert len(nbest) == 2
    assert nothing is None
    assert empty.input == []


def test_lists_stream(model):
    def endless():
        while True:
            yield ["Ann", "reads", "."]

    lists = model.lists(endless())
    assert [next(lists).id for _ in range(100)][-1] == 100


def test_given_tags_are_used(model):
    words = ["Ann", "sees", "Bert", "."]
    tags = ["NN", "VBZ", "NNP", "."]
    (nbest,) = model.lists([list(zip(words, tags, strict=True))])
    assert [leaf.label for leaf in ro.Tree.parse(nbest.candidates[0].output).preterminals()] == tags


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["."],
        ["THE", "MAYOR", "SEES", "ANN", "."],
        ["!", "?", "(", ")", "..."],
        ["这", "是", "句"],
        ["-LRB-", "Ann", "-RRB-"],
        ["the", "vote", "of"] * 100,
        ["x" * 5000],
        ["\x00", "a\x00b", "\x1b[31m", "\x85", "\u2028", "\xa0"],
    ],
    ids=lambda words: ascii(" ".join(words))[:20],
)
def test_anything_gets_a_tree_of_its_words(model, words):
    plain = [{"-LRB-": "(", "-RRB-": ")"}.get(word, word) for word in words]
    assert list(model.parse(words).words) == plain


@pytest.mark.parametrize("word", ["a b", "a\nb", " ", "\ud800", "\x0b", "\r"])
def test_what_no_tree_can_hold_is_replaced(model, word):
    (found, last) = model.parse(Sentence((word, "votes"))).words
    assert "\N{REPLACEMENT CHARACTER}" in found
    assert last == "votes"


def test_no_words_are_refused(model):
    for sentence in ("text", ["a", ""]):
        with pytest.raises(UsageError, match="list of words"):
            list(model.lists([sentence]))
    with pytest.raises(UsageError, match="'The vote is over.' is given as one word"):
        model.parse(["The vote is over.", "We won."])
    with pytest.raises(UsageError, match="n must be"):
        list(model.lists([["a"]], 0))
    assert model.parse(" \n\n ") == []


# Training, step by step


def test_jobs_do_not_change_the_bytes(folder, path, tmp_path):
    train(folder, tmp_path / "work", jobs=2, attribution="made by a little grammar").save(
        tmp_path / "m"
    )
    assert (tmp_path / "m").read_bytes() == path.read_bytes()


class Killed(Exception):
    """Stands for a process that is killed."""


def test_killed_in_every_stage_it_goes_on_to_the_same_bytes(folder, path, tmp_path):
    """Once in each: at its second step, or at its last."""
    killed = set()

    def train_on():
        steps = Counter()

        def killing(step):
            steps[step.stage] += 1
            late = steps[step.stage] == 2 or step.done == step.total
            if late and step.stage not in killed:
                killed.add(step.stage)
                raise Killed

        return train(folder, tmp_path, progress=killing, attribution="made by a little grammar")

    for _ in range(100):
        try:
            model = train_on()
            break
        except Killed:
            continue
    assert {"parser", "lists of training trees, by fold", "report"} <= killed
    assert any("maxent" in stage for stage in killed)
    model.save(tmp_path / "m")
    assert (tmp_path / "m").read_bytes() == path.read_bytes()


def made_by(folder, work, **changes):
    """The steps that are done again after a change."""
    before = {file.name for file in work.iterdir()}
    train(folder, work, **changes)
    made = {file.name for file in work.iterdir()} - before
    return {name.rpartition("-")[0] for name in made if not name.endswith(".problem")}


def test_the_ranker_hears_grammars_if_there_are_any():
    assert Plan(features=("parse",)).extractors == ("parse", "given")
    assert Plan(features=("given", "parse")).extractors == ("given", "parse")
    assert Plan(features=("parse",), grammars=0).extractors == ("parse",)
    with pytest.raises(UsageError, match="seed must be at least 0"):
        Plan(seed=-1)


def test_a_change_redoes_what_depends_on_it(folder, model):
    work = folder / "work"
    assert made_by(folder, work) == set()
    assert made_by(folder, work, options={"iterations": 20}) == {"ranker"}
    assert made_by(folder, work, attribution="nobody") == set()
    lists = {"dev-lists", "train-lists", "ranker"}
    assert made_by(folder, work, proposed=100) == lists | {"base"}
    assert made_by(folder, work, parser="pcfg") == lists | {"base"}
    assert made_by(folder, work, parser="pcfg", rerank=False) == {"dev-lists"}
    folds = {f"fold-{n}-{what}" for n in (1, 2) for what in ("tagger", "grammars")}
    assert made_by(folder, work, folds=2) == folds | {"train-lists", "ranker"}
    assert made_by(folder, work, grammars=0) == lists
    grammars = {"grammars", *(f"fold-{n}-grammars" for n in (1, 2, 3))}
    assert made_by(folder, work, grammars=1) == grammars | lists
    (folder / "news.txt").write_text("The mayor sees Ann. " * 9)
    taggers = {"clusters", "tagger", *(f"fold-{n}-tagger" for n in (1, 2, 3))}
    text = (str(folder / "news.txt"),)
    assert made_by(folder, work, text=text) == taggers | {"base"} | lists


def test_labels_are_those_of_penn_where_they_are_asked_for(tmp_path):
    titled = [
        Tree.parse(str(tree).replace("(TOP ", "(TOP (TITLE ") + ")") for tree in made_trees(9)
    ]
    write_trees(titled, tmp_path / "train.mrg")
    for penn, found in ((False, True), (True, False)):
        plan = Plan(**{**PLAN, "rerank": False, "penn": penn})
        made = train_parsing(tmp_path / "train.mrg", tmp_path / "train.mrg", plan=plan)
        assert ("TITLE" in str(made.parse(titled[0].words))) is found
        assert made.training["dev"]["figures"]["base"]["all"]["F1"] > 90


def test_lists_of_training_are_honest_files(folder, model):
    file = next((folder / "work").glob("train-lists-*.jsonl.gz"))
    lists = list(ro.read_nbest(file))
    assert [nbest.id for nbest in lists] == list(range(1, 61))
    golds = [str(tree) for tree in made_trees(60)]
    assert [nbest.gold for nbest in lists] == golds
    assert ro.evaluate(file, "parseval").lists == 60


def test_lists_of_a_fold_come_from_models_that_have_not_seen_it(folder, tmp_path):
    train(folder, tmp_path, grammars=0, folds=2)
    (file,) = tmp_path.glob("train-lists-*")
    trees, lists = made_trees(60), list(ro.read_nbest(file))
    tagged = [tagged_words(tree) for tree in trees[30:]]
    parser = make_parser("collins", SMALL)  # it knows the words of all trees, as folds do
    own = ParsingModel(
        train_tagger(tagged, options={"prior": (10.0,), **SMALL}),
        parser.fit_some(parser.encode(trees), np.arange(30, 60)),
        None,
        {},
        PLAN["n"],
    )
    found = own.lists([tree.words for tree in trees[:30]], None)
    assert [nbest.candidates for nbest in lists[:30]] == [nbest.candidates for nbest in found]


def test_without_a_ranker_the_favourite_of_the_parser_wins(folder, tmp_path):
    model = train(folder, folder / "work", parser="pcfg", rerank=False)
    assert list(model.training["dev"]["figures"]) == ["base", "oracle"]
    (nbest,) = model.lists([["Ann", "reads", "."]], 3)
    assert all(candidate.score is None for candidate in nbest.candidates)
    with pytest.raises(ro.RunoffError, match="no ranker"):
        model.why(nbest)
    with pytest.raises(ro.RunoffError, match="no ranker"):
        next(model.explained([nbest.input]))
    model.save(tmp_path / "m")
    assert list(ParsingModel.load(tmp_path / "m").lists([nbest.input], 3)) == [nbest]


def test_plans_that_make_no_sense_are_refused(folder, tmp_path):
    with pytest.raises(UsageError, match="unknown parser 'earley'"):
        Plan(parser="earley")
    with pytest.raises(UsageError, match="unknown option of the parser collins 'colour'"):
        Plan(parser_options={"colour": 1})
    with pytest.raises(UsageError, match="the parser collins: beam must be of the type float"):
        Plan(parser_options={"beam": "wide"})
    with pytest.raises(UsageError, match="unknown learner 'magic'"):
        Plan(learner="magic")
    with pytest.raises(UsageError, match="smoothing must be positive"):
        Plan(learner="log-loss", options={"smoothing": "-1"})
    with pytest.raises(UsageError, match="unknown feature set"):
        Plan(features=("magic",))
    with pytest.raises(UsageError, match="unknown option of the tagger 'colour'"):
        Plan(tagger_options={"colour": "red"})
    with pytest.raises(UsageError, match="2 candidates or more"):
        Plan(n=1)
    with pytest.raises(UsageError, match="folds must lie between 2 and the 60 trees"):
        train(folder, tmp_path, folds=61)
    (tmp_path / "none.mrg").write_text("( (X (-NONE- *)))")
    with pytest.raises(FormatError, match="no trees"):
        train_parsing(tmp_path / "none.mrg", folder / "dev.mrg", work=tmp_path / "work")


def test_a_later_revision_does_not_use_what_was_made_before(folder, model, monkeypatch):
    monkeypatch.setattr(training, "REVISION", training.REVISION + 1)
    assert "tagger" in made_by(folder, folder / "work", rerank=False)


def test_keys_depend_on_everything_they_are_given(tmp_path):
    work = WorkFolder(tmp_path / "new" / "folder")
    keys = {work.step(*what).key for what in (("a", "", 1), ("a", "", "1"), ("b", "", 1))}
    assert len(keys) == 3


# Files


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("n", 0),
        ("n", "many"),
        ("tagger", None),
        ("tagger", {}),
        ("parser", {"kind": "earley", "parameters": {}}),
        ("parser", {"kind": "collins", "parameters": {"colour": 1}}),
        ("parser", {"kind": "collins", "parameters": {"beam": None}}),
        ("parser", {"kind": "pcfg"}),
        ("ranker", {}),
        ("ranker", {"learner": "log-loss", "features": ["os:system"]}),
    ],
)
def test_a_broken_header_is_refused(path, tmp_path, key, value):
    _, header, arrays = load(path)
    save(tmp_path / "broken", "parser", {**header, key: value}, arrays)
    with pytest.raises(ModelError, match="broken: "):
        ParsingModel.load(tmp_path / "broken")


def test_every_array_is_needed_and_checked(path, tmp_path):
    _, header, arrays = load(path)
    for name in arrays:
        for broken in ({}, {name: np.full((2, 2), 0.5)}):
            others = {other: array for other, array in arrays.items() if other != name}
            save(tmp_path / "broken", "parser", header, others | broken)
            with pytest.raises(ModelError):
                ParsingModel.load(tmp_path / "broken")


def test_models_of_every_kind_are_loaded_by_one_door(model, path, tmp_path):
    model.tagger.save(tmp_path / "tagger")
    model.ranker.save(tmp_path / "ranker")
    kinds = [
        type(ro.load(file)).__name__ for file in (path, tmp_path / "tagger", tmp_path / "ranker")
    ]
    assert kinds == ["ParsingModel", "TaggingModel", "Reranker"]
    save(tmp_path / "checkpoint", "checkpoint", {}, {})
    with pytest.raises(ModelError, match="is a 'checkpoint' file, not a model that can be used"):
        ro.load(tmp_path / "checkpoint")


def test_inspecting_tells_the_parts(path):
    seen = inspect_model(path, top=3)
    assert seen.kind == "parser"
    assert set(seen.parts) == {"tagger", "parser", "grammars", "ranker"}
    assert all(size > 0 for size in seen.parts.values())
    assert seen.weights[0][0] == "log-probability"
