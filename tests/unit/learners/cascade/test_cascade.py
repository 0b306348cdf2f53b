"""Cascades: who decides which list, what the next stage sees, and who saw what in training."""

import contextlib
import json
import random
from dataclasses import replace

import numpy as np
import pytest
from helpers.made.lists import made
from helpers.strategies.problems import problems
from helpers.user_rankers import Watched, lists_of
from hypothesis import given
from hypothesis import strategies as st
from twins import stacking as twin
from twins.ranking import candidates_of

import runoff as ro
from runoff.errors import UsageError
from runoff.fitting.run import Checkpoint, Run
from runoff.learners import LEARNERS, make_ranker
from runoff.learners.cascade.cascade import Cascade
from runoff.learners.cascade.stacking import RANKS, stacked
from runoff.learners.cascade.stage import Decider, Stage
from runoff.metrics import metric
from runoff.problem.build.build import build_problem
from runoff.tasks.ranking.demo import demo_lists


@pytest.fixture(scope="module")
def lists():
    """Training and test lists as problems."""
    reranker = ro.fit(demo_lists("train"), metric="wer", learner="base")
    space, extractors = reranker.space, reranker.extractors
    return [
        build_problem(demo_lists(name), extractors, metric=metric("wer"), space=space)[0]
        for name in ("train", "test")
    ]


@pytest.fixture
def _fakes(monkeypatch):
    monkeypatch.setitem(LEARNERS, "gate", "helpers.user_rankers:Gate")
    monkeypatch.setitem(LEARNERS, "watched", "helpers.user_rankers:Watched")
    Watched.log.clear()


@given(problems(), st.data(), st.booleans())
def test_stacked_features(problem, data, with_scores):
    n = problem.n_candidates
    scores = np.array(data.draw(st.lists(st.integers(0, 3), min_size=n, max_size=n)), dtype=float)
    more = stacked(problem, scores, with_scores=with_scores)
    found = [c for i in range(more.n_lists) for c, _ in candidates_of(more, i)]
    expected = twin.stacked(problem, scores.tolist(), RANKS, with_scores)
    assert found == expected
    assert (more.feature_values is None) == (problem.feature_values is None and not with_scores)
    assert more.n_features == problem.n_features + len(RANKS) + with_scores


@given(problems(), st.data())
def test_some_candidates_of_a_problem(problem, data):
    n = problem.n_candidates
    mask = np.array(data.draw(st.lists(st.booleans(), min_size=n, max_size=n)), dtype=bool)
    fewer = problem.keep(mask)
    kept = iter(mask.tolist())
    for number in range(problem.n_lists):
        expected = [c for c in candidates_of(problem, number) if next(kept)]
        assert candidates_of(fewer, number) == expected
    assert fewer.qualities.tolist() == problem.qualities[mask].tolist()
    assert fewer.native is not None


@given(st.lists(st.integers(0, 9), max_size=12), st.integers(0, 8), st.integers(-1, 10))
def test_a_list_is_decided_by_the_share_of_smaller_margins(margins, eighths, margin):
    stage = Stage(make_ranker("base"))
    stage.measure(np.array([*margins, np.inf], dtype=float), eighths / 8)
    share = sum(m < margin for m in margins) / len(margins) if margins else 1.0
    assert (margin > stage.cut) == (share >= eighths / 8) or margin < 0


def test_confident_lists_are_decided_at_once(lists):
    train, test = lists
    cascade = Cascade(thresholds=(0.4,)).fit(train)
    assert cascade.record_["share of training lists decided"][0]["decided"] == pytest.approx(
        0.6, abs=0.01
    )
    first = cascade.stages_[0].ranker.scores(test)
    sure = (test.margins(first) > cascade.stages_[0].cut)[test.owners]
    assert 0 < sure.sum() < len(sure)
    scores = cascade.scores(test)
    assert scores[sure].tolist() == (first / cascade.stages_[0].scale)[sure].tolist()
    seen = stacked(test, first / cascade.stages_[0].scale, with_scores=True)
    second = cascade.stages_[1].ranker.scores(seen) / cascade.stages_[1].scale
    assert scores[~sure].tolist() == second[~sure].tolist()


@pytest.mark.parametrize(("threshold", "stage"), [(0.0, 0), (1.0, 1)])
def test_thresholds_at_the_ends(lists, threshold, stage):
    train, _ = lists
    cascade = Cascade(thresholds=(threshold,)).fit(train)
    first = cascade.stages_[0].ranker.scores(train)
    beyond = train.margins(first) > cascade.stages_[0].cut
    assert beyond.all() == (stage == 0)


@pytest.mark.usefixtures("_fakes")
def test_training_scores_come_from_rankers_that_never_saw_the_list(lists):
    train, test = lists
    Cascade(stages=("watched", "perceptron"), folds=4).fit(train, test)
    fits = [entry for entry in Watched.log if entry[0] == "fit"]
    assert len(fits) == 5
    assert all(dev == lists_of(test) for _, _, dev in fits)
    scored = [entry[1:] for entry in Watched.log if entry[0] == "scores"]
    honest = [(own, seen) for own, seen in scored if own != lists_of(train)]
    assert frozenset().union(*(seen for _, seen in honest)) == lists_of(train)
    assert all(not own & seen for own, seen in honest)
    assert [seen for own, seen in scored if own == lists_of(train)] == [lists_of(test)]


@pytest.mark.usefixtures("_fakes")
def test_a_stage_without_values_sees_places_only(lists):
    train, test = lists
    cascade = Cascade(stages=("perceptron", "watched")).fit(train)
    assert len(cascade.stages_[1].ranker.weights_) == train.n_features + len(RANKS)
    assert np.isfinite(cascade.scores(test)).all()


@pytest.mark.usefixtures("_fakes")
def test_a_decider_passes_on_what_it_keeps(lists):
    train, test = lists
    cascade = Cascade(stages=("gate", "perceptron"), options="stage1.beam=0.5").fit(train)
    gate = cascade.stages_[0].ranker
    assert isinstance(gate, Decider)
    assert not isinstance(cascade.stages_[1].ranker, Decider)
    kept, scores = gate.decide(test), cascade.scores(test)
    counts = np.bincount(test.owners[kept], minlength=test.n_lists)
    assert (counts == 1).any()
    assert (counts > 1).any()
    for number in range(test.n_lists):
        own = test.owners == number
        if not kept[own].all():
            assert scores[own & kept].min() > scores[own & ~kept].max()
        order = np.argsort(-test.logprobs[own & ~kept], kind="stable")
        assert (np.diff(scores[own & ~kept][order]) <= 0).all()  # discarded ones in their order
    seen = stacked(test, gate.scores(test) / cascade.stages_[0].scale, with_scores=True)
    undecided = kept & (counts > 1)[test.owners]
    second = cascade.stages_[1].ranker.scores(seen) / cascade.stages_[1].scale
    assert scores[undecided].tolist() == second[undecided].tolist()


def test_three_stages_are_saved_and_loaded(tmp_path):
    train, test = demo_lists("train"), demo_lists("test")
    options = {
        "stages": "base,voted-perceptron,perceptron",
        "thresholds": "0.9,0.2",
        "options": "stage2.epochs=2 stage3.epochs=3",
        "folds": "3",
    }
    reranker = ro.fit(train, dev=test, metric="wer", learner="cascade", options=options)
    reranker.save(tmp_path / "m")
    loaded = ro.load(tmp_path / "m")
    assert loaded.ranker == reranker.ranker
    assert loaded.ranker.record_ == reranker.ranker.record_
    assert loaded.rerank(test) == reranker.rerank(test)
    turned = random.Random(5).sample(train, len(train))
    ro.fit(turned, dev=test, metric="wer", learner="cascade", options=options).save(
        tmp_path / "again"
    )
    assert (tmp_path / "again").read_bytes() == (tmp_path / "m").read_bytes()
    figures = ro.evaluate(loaded.rerank(test), "wer").figures
    assert figures["picked"]["WER"] < 0.5 * figures["base"]["WER"]


class Broken(Exception):
    """Stands for a process that is killed."""


@pytest.mark.usefixtures("_fakes")
def test_finished_parts_are_not_fitted_again(lists, tmp_path):
    train, _ = lists
    checkpoint = Checkpoint(tmp_path / "checkpoint", "this", seconds=0.0)

    def broken_off(step):
        if step.stage.startswith("stage 2: perceptron") and step.done == 2:
            raise Broken

    stages = ("watched", "perceptron")
    with contextlib.suppress(Broken):
        Cascade(stages=stages).fit(train, run=Run(progress=broken_off, checkpoint=checkpoint))
    assert len(Watched.log) == 11  # six fits, and five folds scored
    Watched.lists_ = frozenset()
    Watched.log.clear()
    again = Run(checkpoint=Checkpoint(tmp_path / "checkpoint", "this"))
    resumed = Cascade(stages=stages).fit(train, run=again)
    assert {entry[0] for entry in Watched.log} == {"scores"}
    whole = Cascade(stages=stages).fit(train)
    assert resumed.record_ == whole.record_
    assert {k: a.tobytes() for k, a in resumed.arrays().items()} == {
        k: a.tobytes() for k, a in whole.arrays().items()
    }


def test_tables_without_rows_come_back(tmp_path):
    """Boosting does no rounds where all candidates are alike; its curve is empty, but there."""
    lists = [[(1.0, -1.0, {0: 1.0}), (1.0, -2.0, {0: 1.0})]] * 4
    problem = replace(made(*lists, n_features=1), feature_values=None)

    def fit(**run):
        return Cascade(stages=("exp-loss", "perceptron"), folds=2).fit(problem, run=Run(**run))

    def broken_off(step):
        if step.stage.startswith("stage 2: perceptron"):
            raise Broken

    path = tmp_path / "checkpoint"
    with contextlib.suppress(Broken):
        fit(progress=broken_off, checkpoint=Checkpoint(path, "this", seconds=0.0))
    resumed, whole = fit(checkpoint=Checkpoint(path, "this")), fit()
    assert any(rows == [] for rows in whole.record_.values())
    assert json.dumps(resumed.record_) == json.dumps(whole.record_)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"stages": "perceptron"}, "needs at least two stages, not 1"),
        ({"stages": "perceptron,perceptrn"}, "unknown learner 'perceptrn'"),
        ({"thresholds": "0.5,0.5"}, "one or 1 shares between 0 and 1, not 0.5, 0.5"),
        ({"thresholds": "1.5"}, "shares between 0 and 1"),
        ({"folds": 1}, "folds must be at least 2"),
        ({"options": "epochs=3"}, "must have the form stage1.name=value, not 'epochs=3'"),
        ({"options": "stage3.epochs=3"}, "must have the form stage1.name=value"),
        ({"options": "stage1.rounds=3"}, "unknown option of perceptron 'rounds'"),
    ],
)
def test_errors(options, message):
    with pytest.raises(UsageError, match=message):
        ro.fit(demo_lists("train")[:9], metric="wer", learner="cascade", options=options)
