"""Reranking with candidates that are left unread: the same picks, at less cost."""

import json
import math
import random
import sys
from functools import cache

import pytest
from helpers.command import runoff

import runoff as ro
from runoff.errors import FormatError, ModelError, RunoffError, UsageError
from runoff.ngrams.estimate import estimate
from runoff.tasks.lm.model import LanguageModel
from runoff.tasks.lm.prefixes import LanguageModelScorer
from runoff.tasks.ranking.demo import demo_lists
from runoff.tasks.ranking.partial.model import PartialPlan, Reader
from runoff.tasks.ranking.partial.rerank import SEARCH, Budget, rerank_partial, was_searched
from runoff.tasks.ranking.partial.scorers import ProgramScorer, scored_whole, words_of

LABELS = ["Ss", "Os", "Dmc", "MVp", "Jp"]


def linkage_lists(seed, lists=12, candidates=10):
    """Lists of made-up linkages; short links are good ones."""
    chance = random.Random(seed)
    made = []
    for number in range(lists):
        words = [chance.choice("the cat dog saw ran of in".split()) for _ in range(7)]
        own = []
        for _ in range(candidates):
            links = sorted({(chance.randrange(w), w, chance.choice(LABELS)) for w in range(1, 8)})
            quality = -float(sum(right - left for left, right, _ in links))
            own.append(ro.Candidate([list(one) for one in links], chance.random(), quality))
        made.append(ro.NBest(number, words, own))
    return made


@cache
def links_reranker(thresholds=()):
    features = ["links"]
    how = {"thresholds": thresholds, "partial": PartialPlan()}
    return ro.fit(linkage_lists(1), features=features, learner="maxent", min_lists=1, **how)


@cache
def language_model():
    sentences = [[word for word in one.gold.split()] for one in demo_lists("train")]
    return LanguageModel(estimate(sentences, order=3).model, True, {})


@cache
def lm_reranker():
    scorer = LanguageModelScorer(language_model())
    lists = list(scored_whole(demo_lists("train")[:60], scorer, "lm"))
    plan = PartialPlan(scorer=scorer, feature="lm")
    return ro.fit(lists, metric="wer", learner="maxent", partial=plan), scorer


def firsts(lists):
    return [nbest.candidates[0].output for nbest in lists]


@pytest.mark.parametrize("thresholds", [(), (1, 2, 4)])
def test_without_risk_linkages_are_ranked_as_without_a_search(thresholds):
    reranker, lists = links_reranker(thresholds), linkage_lists(2)
    found = list(rerank_partial(reranker, lists, Budget(0.0)))
    assert firsts(found) == firsts(reranker.rerank(lists))
    assert all(one.extra[SEARCH]["missed"] == 0 for one in found)
    for ranked, own in zip(reranker.rerank(lists), found, strict=True):
        scores = {str(c.output): c.score for c in ranked.candidates}
        apart = [scores[str(c.output)] - c.score for c in own.candidates if c.score is not None]
        assert max(apart) - min(apart) < 1e-9  # all that a list shares is left out of problems


def test_texts_by_a_language_model_beside_a_ranker():
    reranker, scorer = lm_reranker()
    lists = demo_lists("test")[:40]
    full = reranker.rerank(scored_whole(lists, scorer, "lm"))
    exact = list(rerank_partial(reranker, lists, Budget(0.0), scorer))
    assert firsts(exact) == firsts(full)
    found = list(rerank_partial(reranker, lists, Budget(0.2), scorer))
    assert sum(map(str.__eq__, firsts(found), firsts(full))) >= 36
    steps = [sum(one.extra[SEARCH]["steps"] for one in some) for some in (found, exact)]
    assert steps[0] < 0.8 * steps[1]


def test_what_was_left_unread_is_told():
    reranker, scorer = lm_reranker()
    (found,) = rerank_partial(reranker, demo_lists("test")[:1], Budget(0.3), scorer)
    left = [one for one in found.candidates if one.score is None]
    assert left
    assert all(0 < one.extra["read"] < 1 for one in left)
    best = found.candidates[0].score
    assert all(one.extra["eta"] <= best + 1e-9 for one in left)
    assert [one.extra["eta"] for one in left] == sorted(
        (c.extra["eta"] for c in left), reverse=True
    )
    assert {c.rank for c in found.candidates} == set(range(len(found)))


@pytest.mark.parametrize("steps", [0, 5, 30])
def test_a_budget_of_steps_is_exact(steps):
    reranker, scorer = lm_reranker()
    nbest = demo_lists("test")[0]
    (found,) = rerank_partial(reranker, [nbest], Budget(0.0, steps=steps), scorer)
    assert found.extra[SEARCH]["steps"] == len(nbest) + steps
    assert found.extra[SEARCH]["same on every run"]


def test_parses_word_by_word_add_up_to_the_ranker():
    trees = [
        "(TOP (S (NP (PRP we)) (VP (VBD voted) (NP (NN today)))))",
        "(TOP (S (NP (PRP we)) (VP (VBD voted) (ADVP (NN today)))))",
        "(TOP (S (NP (PRP we)) (VP (VBD voted)) (NP (NN today))))",
    ]
    candidates = [ro.Candidate(tree, -float(place)) for place, tree in enumerate(trees)]
    lists = [ro.NBest(n, None, candidates, trees[n % 3]) for n in range(6)]
    for thresholds in ((), (1, 2)):
        reranker = ro.fit(lists, metric="parseval", features=["parse-rich"], learner="perceptron",
                          thresholds=thresholds, partial=PartialPlan())  # fmt: skip
        full = reranker.scores(lists[0])
        reader = Reader(reranker.ranker, reranker.space, reranker.extractors)
        sums = []
        for one in reader.reading(lists[0]).alone():
            while one.completion < 1:
                (one,) = one.advance()
            sums.append(sum(one.scores))
        assert [a - full[0] for a in full] == pytest.approx([a - sums[0] for a in sums])


def test_the_model_file_keeps_the_error_model(tmp_path):
    reranker, lists = links_reranker(), linkage_lists(3)
    file = tmp_path / "m.runoff"
    reranker.save(file)
    again = ro.load(file)
    found = [list(rerank_partial(one, lists, Budget(0.1))) for one in (reranker, again)]
    assert found[0] == found[1]
    assert [one.epsilon for one in again.partial.calibration] == [0.01, 0.05, 0.1, 0.2]
    header, arrays = reranker.stored()
    del arrays["partial.means"]
    with pytest.raises(ModelError, match="do not agree"):
        ro.Reranker.restored(header, arrays)


def test_errors_of_the_search_are_one_sentence():
    reranker, scorer = lm_reranker()
    lists = demo_lists("test")[:1]
    with pytest.raises(UsageError, match="no error model"):
        rerank_partial(ro.fit(demo_lists("train")[:9], metric="wer"), lists, Budget())
    with pytest.raises(UsageError, match="is for the feature 'lm' that --lm MODEL gives"):
        rerank_partial(reranker, lists, Budget())
    with pytest.raises(UsageError, match="is for the feature set 'links', not"):
        rerank_partial(links_reranker(), lists, Budget(), scorer)
    with pytest.raises(UsageError, match="can be read piece by piece: given, text, changes"):
        ro.fit(demo_lists("train")[:9], metric="wer", learner="maxent", partial=PartialPlan())
    with pytest.raises(UsageError, match="has no linear score"):
        ro.fit(demo_lists("train")[:9], metric="wer", learner="svm-rank",
               partial=PartialPlan(scorer=scorer, feature="lm"))  # fmt: skip
    with pytest.raises(UsageError, match="has no weight for the feature 'lm'"):
        ro.fit(demo_lists("train")[:9], metric="wer", learner="perceptron",
               partial=PartialPlan(scorer=scorer, feature="lm"))  # fmt: skip
    with pytest.raises(UsageError, match="a budget is a number of steps, or a time"):
        Budget.of(None, "soon")
    with pytest.raises(FormatError, match="expected a text or a list of words"):
        words_of({"a": 1})


LENGTH = "import sys,json\nfor l in sys.stdin: print(-len(json.loads(l)['prefix']), flush=True)"


def program(folder, text):
    path = folder / "scorer.py"
    path.write_text(text)
    return f"{sys.executable} {path}"


def test_a_program_scores_beginnings(tmp_path):
    with ProgramScorer(program(tmp_path, LENGTH)) as scorer:
        state, score = scorer.read(scorer.start(), "a", False)
        assert (score, scorer.read(state, "b", True)[1]) == (-1.0, -2.0)
        (made,) = scored_whole([ro.NBest(1, None, [ro.Candidate("a b c")])], scorer, "n")
        assert made.candidates[0].features == {"n": -3.0}


@pytest.mark.parametrize(
    ("text", "match"),
    [
        (
            "import sys; sys.stdin.readline(); sys.exit(3)",
            "the scorer ended by itself, twice, at 'a'",
        ),
        ("import time; time.sleep(100)", "the scorer took too long and was stopped, twice, at 'a'"),
        ("print('{', flush=True); input()", "answered '{', which is no number"),
        ("print('nan', flush=True); input()", "answered 'nan', which is no number"),
        ("print('[1]', flush=True); input()", "which is no number"),
    ],
)
def test_a_program_that_fails_is_one_sentence(tmp_path, text, match):
    with ProgramScorer(program(tmp_path, text), seconds=1.0) as scorer:
        with pytest.raises(RunoffError, match=match.replace("[", r"\[")):
            scorer.read(scorer.start(), "a", False)


FAILS_IN_MID_SENTENCE = """
import json, sys, time
for line in sys.stdin:
    asked = json.loads(line)
    if asked["id"] == "b" and len(asked["prefix"]) == 2:
        {fails}
    print(-len(asked["prefix"]), flush=True)
"""


@pytest.mark.parametrize(
    ("fails", "problem"),
    [("sys.exit(1)", "ended by itself"), ("time.sleep(100)", "took too long and was stopped")],
)
def test_a_program_that_fails_in_mid_sentence_loses_no_list_before(tmp_path, fails, problem):
    command = program(tmp_path, FAILS_IN_MID_SENTENCE.format(fails=fails))
    made = [ro.Candidate("we count the votes"), ro.Candidate("we count votes by hand")]
    lists = [ro.NBest(name, None, made) for name in "ab"]
    reranker, _ = lm_reranker()
    with ProgramScorer(command, seconds=1.0) as scorer:
        scorer.kind = "lm"  # its error model is that of a language model
        found = rerank_partial(reranker, lists, Budget(0.0), scorer)
        assert next(found).id == "a"
        with pytest.raises(RunoffError, match=f"{problem}, twice, at 'we count' in list 'b'"):
            next(found)


def test_a_program_that_does_not_read_is_stopped(tmp_path):
    with ProgramScorer(program(tmp_path, "import time; time.sleep(100)"), seconds=0.5) as scorer:
        scorer.begin(ro.NBest(1, "a" * 300_000, []))  # more than a pipe holds
        with pytest.raises(RunoffError, match="took too long and was stopped, twice"):
            scorer.read(scorer.start(), "a", False)


def test_a_program_that_dies_once_is_asked_again(tmp_path):
    mark = tmp_path / "died"
    name = repr(str(mark))
    text = f"import os,sys\nif not os.path.exists({name}): open({name},'w'); sys.exit()\n"
    with ProgramScorer(program(tmp_path, text + LENGTH)) as scorer:
        assert scorer.read(scorer.start(), "a", False)[1] == -1.0


def test_a_list_with_a_key_of_the_same_name_was_not_searched():
    assert not was_searched(ro.NBest(1, None, [], extra={SEARCH: "of the user"}))
    assert not was_searched(ro.NBest(1, None, [], extra={SEARCH: {"epsilon": 1}}))


def test_a_program_that_is_not_there_is_named():
    with pytest.raises(UsageError, match="there is no program 'no-such-scorer'"):
        ProgramScorer("no-such-scorer --fast")


def test_the_commands(tmp_path):
    ro.write_nbest(demo_lists("train")[:40], tmp_path / "train.jsonl")
    ro.write_nbest(demo_lists("test")[:3], tmp_path / "test.jsonl")
    command = program(tmp_path, LENGTH)
    scored, model = tmp_path / "scored.jsonl", tmp_path / "m.runoff"
    runoff("score", tmp_path / "train.jsonl", "--prefixes", command, "-o", scored)
    assert ro.read_nbest(scored).__next__().candidates[0].features["program"] < 0
    fit = ["fit", scored, "-o", model, "--metric", "wer", "--no-cache", "--partial"]
    _, errors = runoff(*fit, "--prefixes", command, status=2)
    assert "auto has no linear score" in errors
    fit += ["--learner", "perceptron"]
    runoff(*fit, "--prefixes", command, "--partial-lists", "20")
    search = ["rerank", model, tmp_path / "test.jsonl", "--prefixes", command]
    out, _ = runoff(*search, "--epsilon", "0.1", "--why")
    assert "share of steps" in out
    runoff(*search, "--budget", "10", "-o", tmp_path / "found.jsonl")
    out, _ = runoff("why", model, tmp_path / "found.jsonl", "--id", "1")
    assert "eta" in out
    asked = ["why", model, tmp_path / "found.jsonl", "--id", "1"]
    out, _ = runoff(*asked, "--json")
    assert json.loads(out) == json.loads((tmp_path / "found.jsonl").read_text().splitlines()[0])
    _, errors = runoff(*asked, "--flip", status=2)
    assert "need all scores, and this list was searched" in errors
    out, _ = runoff("inspect", model)
    assert "error model of program (program), learned from 20 lists" in out
    _, errors = runoff("inspect", model, "--draw", "1", status=2)
    assert "and this is a model" in errors
    runoff("inspect", model, "--plot", tmp_path / "maps.svg")
    assert "Calibration" in (tmp_path / "maps.svg").read_text()
    out, errors = runoff("rerank", model, tmp_path / "test.jsonl", "--epsilon", "0.1", status=2)
    assert "name the scorer that it was fitted with" in errors
    assert math.isfinite(ro.load(model).partial.errors.deviations.max())
