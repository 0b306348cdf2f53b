"""Boosting over subtrees, from lists to a model that can be read."""

import pickle
from itertools import pairwise

import numpy as np
import pytest
from helpers.made.lists import attachments
from helpers.strategies.problems import forest_problem
from twins.boosting import freund_steps

import runoff as ro
from runoff.errors import ModelError, RunoffError, UsageError
from runoff.features.extract import EXTRACTORS, extractor
from runoff.features.trees import tree_maker
from runoff.fitting.record import FOR_PLOTS
from runoff.fitting.run import Run
from runoff.learners import make_ranker
from runoff.learners.boosting.logprob_weight import MOST, freund_weight
from runoff.learners.boosting.subtrees import SubtreeBoost
from runoff.learners.maxent.maxent import MaxEnt
from runoff.tasks.inspect import inspect_model


def fitted(lists, features="tree", **options):
    options = {"frequency": 2, "rounds": 6, **options}
    return ro.fit(
        lists, learner="subtree-boost", features=features, metric="exact", options=options
    )


@pytest.mark.parametrize("loss", ["exp", "log"])
@pytest.mark.parametrize("features", ["tree", "lexical-tree"])
def test_what_tells_attachments_apart_is_learned(features, loss):
    lists = attachments()
    model = fitted(lists, features, loss=loss)
    for nbest, ranked in zip(lists, model.rerank(lists), strict=True):
        assert ranked.candidates[0].output == nbest.gold
    names = dict(
        zip(model.ranker.weight_names(model.space.names), model.ranker.weights(), strict=True)
    )
    assert any("(of)" in name and weight > 0 for name, weight in names.items())


def test_reasons_are_subtrees_and_sum_to_the_difference():
    lists = attachments()
    model = fitted(lists)
    reasons = ro.why(model, lists[0])
    assert sum(term.contribution for term in reasons.terms) == pytest.approx(reasons.difference)
    names = {term.feature for term in reasons.terms} - {"log-probability"}
    assert names
    assert all(name.startswith("(") and name.endswith(")") for name in names)
    assert ro.flip(model, lists[0]).new_winner is not None


def test_a_saved_model_has_the_labels_of_its_subtrees_alone(tmp_path):
    lists = attachments()
    model = fitted(lists)
    model.save(tmp_path / "m.runoff")
    again = ro.load(tmp_path / "m.runoff")
    assert again.rerank(lists) == model.rerank(lists)
    assert pickle.loads(pickle.dumps(again)).rerank(lists) == model.rerank(lists)
    written = set("".join(again.ranker.weight_names(again.space.names)).replace("(", " ").split())
    assert set(again.space.names) == {label.rstrip(")") for label in written}


def test_weights_can_be_asked_for_by_label(tmp_path):
    model = fitted(attachments(), rounds=12)
    model.save(tmp_path / "m.runoff")
    everything = inspect_model(tmp_path / "m.runoff").weights
    found = inspect_model(tmp_path / "m.runoff", having="of").weights
    assert found == [(name, w) for name, w in everything if "(of)" in name]
    assert inspect_model(tmp_path / "m.runoff", having="f").weights == []
    sizes = [abs(weight) for _, weight in everything[1:]]
    assert sizes == sorted(sizes, reverse=True)


def test_words_that_no_training_list_had_are_unknown():
    model = fitted(attachments())
    other = [ro.Candidate("(S (NP we) (XX (of of)))", -1.0), ro.Candidate("(of)", -2.0)]
    assert len(model.scores(ro.NBest("new", None, other))) == 2


@pytest.mark.parametrize(
    ("output", "complaint"),
    [
        ("(S (NP we)", "the output is not a bracketed tree"),
        ("no tree", "the output is not a bracketed tree"),
        (7, "the output is not a bracketed tree"),
        ("(S) (S)", "expected one tree, found 2"),
    ],
)
def test_what_is_no_tree_is_named(output, complaint):
    lists = [*attachments(2), ro.NBest("bad", None, [ro.Candidate(output, -1.0)], gold="(S)")]
    with pytest.raises(
        RunoffError, match=r"extractor 'tree' failed on list 'bad', candidate 0"
    ) as e:
        fitted(lists)
    assert complaint in str(e.value)


def test_trees_can_be_made_by_a_function_of_ones_own():
    @extractor("letters")
    @tree_maker(lexical=False)
    def letters(input, candidate):
        return f"(word {' '.join(candidate.output)})"

    try:
        lists = [
            ro.NBest(i, None, [ro.Candidate("ab", -1.0), ro.Candidate("ba", -2.0)], gold="ba")
            for i in range(3)
        ]
        model = fitted(lists, "letters", rounds=1)
        assert model.ranker.weight_names(model.space.names) == ["(word(a)(b))"]
    finally:
        del EXTRACTORS["letters"]


@pytest.mark.parametrize(
    ("learner", "features", "complaint"),
    [
        ("subtree-boost", "text", "subtree-boost takes trees, and was given features"),
        ("perceptron", "tree", "perceptron takes features, and was given trees"),
        ("subtree-boost", ["tree", "text"], "trees do not go with other features: tree, text"),
    ],
)
def test_trees_and_features_are_not_mixed_up(learner, features, complaint):
    with pytest.raises(UsageError, match=complaint):
        ro.fit(attachments(), learner=learner, features=features, metric="exact")


def test_thresholds_are_refused():
    with pytest.raises(UsageError, match="thresholds and bins are for numbers"):
        ro.fit(
            attachments(),
            learner="subtree-boost",
            features="tree",
            metric="exact",
            thresholds=(1, 2),
        )


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"rounds": 0}, "rounds must be at least 1, not 0"),
        ({"frequency": 0}, "frequency must be at least 1, not 0"),
        ({"search_rounds": 0}, "search_rounds must be at least 1, not 0"),
        ({"cache_rounds": -1}, "cache_rounds must be at least 0, not -1"),
        ({"wide": -1}, "wide must be at least 0, not -1"),
        ({"wide": 5}, "wide is for subtrees whose weights are set by refit"),
        ({"size": 65}, "size must lie between 1 and 64, not 65"),
        ({"smoothing": 0.0}, "smoothing must be positive, not 0.0"),
        ({"loss": "hinge"}, "unknown loss 'hinge'; choose from: exp, log"),
        ({"loss": "log", "weighted": True}, "pairs have weights of their own under the loss exp"),
        ({"logprob_rule": "best"}, "unknown logprob_rule 'best'; choose from: freund, minimum"),
        ({"logprob_rule": "freund", "loss": "log"}, "freund is for the loss exp over unweighted"),
        ({"logprob_rule": "freund", "weighted": True}, "freund is for the loss exp over unweight"),
        ({"ties": True, "weighted": True}, "ties cannot be combined with weighted"),
        ({"refit": (0.0,)}, "prior must be positive, not 0.0"),
        ({"refit": (1.0, 2.0)}, "to choose between several priors, development lists are needed"),
        ({"refit": (1.0,), "penalty": "l3"}, "unknown penalty 'l3'; choose from: gaussian, l1"),
        ({"refit": (1.0,), "cost": -1.0}, "cost must be at least 0, not -1.0"),
    ],
)
def test_options_that_make_no_sense_are_refused(options, complaint):
    with pytest.raises(UsageError, match=complaint):
        make_ranker("subtree-boost", options).fit(forest_problem(1))


def test_candidates_as_good_as_the_best_one_form_pairs_on_request():
    problem = forest_problem(3, lists=20, candidates=6)
    worse, others = (SubtreeBoost(ties=ties)._start(problem)[1] for ties in (False, True))
    best = (problem.list_offsets[:-1] + problem.best())[problem.owners]
    is_other = best != np.arange(problem.n_candidates)
    is_worse = problem.qualities < problem.qualities[best]
    assert (is_other & ~is_worse).any()
    assert np.array_equal(np.isfinite(worse), is_worse)
    assert np.array_equal(np.isfinite(others), is_other)


def test_the_rule_of_freund_is_a_step_towards_the_minimum():
    problem = forest_problem(1, lists=20, candidates=6)
    ranker = SubtreeBoost(logprob_rule="freund", frequency=2, rounds=1).fit(problem)
    best = (problem.list_offsets[:-1] + problem.best())[problem.owners]
    worse = problem.qualities[best] > problem.qualities
    gaps = (problem.logprobs[best] - problem.logprobs)[worse].tolist()
    assert ranker.logprob_weight_ == pytest.approx(freund_steps(gaps, 1), rel=1e-12)
    minimum = SubtreeBoost(frequency=2, rounds=1).fit(problem).logprob_weight_
    assert freund_steps(gaps, 2000) == pytest.approx(minimum)


def test_the_rule_of_freund_at_its_limits():
    assert freund_weight(np.array([])) == freund_weight(np.zeros(3)) == 1.0
    assert freund_weight(np.array([2.0, 2.0])) == MOST


def test_development_lists_choose_the_round():
    problem, dev = forest_problem(1, lists=20, candidates=6), forest_problem(2, lists=20)
    ranker = SubtreeBoost(rounds=30, frequency=2, search_rounds=2, cache_rounds=4)
    ranker.fit(problem, dev)
    rows = ranker.record_["curve"]
    best = max(rows, key=lambda row: (row["dev quality"], -row["round"]))
    assert dev.picked_quality(ranker.scores(dev)) == pytest.approx(
        max(best["dev quality"], dev.picked_quality(dev.logprobs))
    )
    drawn = ranker.record_[FOR_PLOTS]
    assert (drawn[0]["round"], drawn[-1]["round"]) == (1, 30)
    assert {row["dev quality"] for row in rows} <= {row["dev quality"] for row in drawn}


def test_weights_can_be_set_again_all_at_once():
    problem, dev = forest_problem(1, lists=20, candidates=6), forest_problem(2, lists=20)
    given = {"rounds": 30, "frequency": 2, "search_rounds": 2, "cache_rounds": 4}
    chosen = SubtreeBoost(**given).fit(problem)
    ranker = SubtreeBoost(**given, refit=(0.5, 2.0), cost=1.0).fit(problem, dev)
    again = MaxEnt(prior=(0.5, 2.0), cost=1.0).fit(chosen.seen(problem), chosen.seen(dev))
    names = ["a", "b", "c"]
    assert ranker.weight_names(names) == chosen.weight_names(names)
    assert np.array_equal(ranker.weights(), again.weights())
    assert ranker.logprob_weight_ == again.logprob_weight_
    assert [row["prior"] for row in ranker.record_["prior"]] == [0.5, 2.0]
    assert not np.array_equal(ranker.weights(), chosen.weights())


def test_subtrees_that_no_round_chose_can_have_weights_too():
    problem = forest_problem(1, lists=20, candidates=6)
    given = {"rounds": 12, "frequency": 2, "search_rounds": 2, "cache_rounds": 4, "refit": (1.0,)}
    narrow, wide = SubtreeBoost(**given).fit(problem), SubtreeBoost(**given, wide=8).fit(problem)
    names = ["a", "b", "c"]
    assert set(narrow.weight_names(names)) < set(wide.weight_names(names))
    again = MaxEnt(prior=(1.0,)).fit(wide.seen(problem))
    assert again.weights() == pytest.approx(wide.weights(), abs=1e-6)
    few = SubtreeBoost(**given, wide=8, penalty="l1").fit(problem)
    assert set(few.weight_names(names)) < set(wide.weight_names(names))
    assert len(few.weights())


def test_searches_say_what_they_did():
    ranker = SubtreeBoost(rounds=20, frequency=1, search_rounds=2, cache_rounds=4)
    ranker.fit(forest_problem(1, lists=20, candidates=6))
    rows = ranker.record_["searches"]
    assert [row["round"] for row in rows] == [1, 2, 7, 8, 13, 14, 19, 20]
    assert all(row["visited"] > row["pruned"] > 0 for row in rows)
    assert all(a["cached"] <= b["cached"] for a, b in pairwise(rows))


def test_progress_is_reported():
    steps = []
    ranker = SubtreeBoost(rounds=12, frequency=1, search_rounds=2, cache_rounds=4)
    problem = forest_problem(1, lists=20, candidates=6)
    ranker.fit(problem, problem, run=Run(progress=steps.append))
    assert [step.done for step in steps][-1] == 12
    assert {"loss", "cached", "dev quality"} <= set(steps[0].figures)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"subtree_depths": np.array([0, 2], dtype=np.uint16)}, "depths of nodes are not those"),
        ({"subtree_labels": np.array([0, 9], dtype=np.uint32)}, "label of a node is out of range"),
        (
            {"subtree_labels": np.array([0, 3], dtype=np.uint32)},
            "a label of a subtree is not known",
        ),
        ({"subtree_offsets": np.array([0, 3], dtype=np.int64)}, "the subtrees are broken"),
        (
            {"subtree_offsets": np.array([0, 2, 2], dtype=np.int64)},
            r"'weights' must be .* of shape \(2\)",
        ),
        ({"subtree_offsets": np.array([], dtype=np.int64)}, r"'weights' must be .* of shape \(0\)"),
        ({"subtree_labels": np.array([0.0, 1.0])}, "'subtree_labels' must be uint32"),
        ({"weights": np.array([np.nan])}, "'weights' must be finite, but holds nan"),
    ],
)
def test_a_hostile_model_is_refused(change, complaint):
    arrays = {
        "weights": np.array([1.0]),
        "logprob_weight": np.array([1.0]),
        "subtree_offsets": np.array([0, 2], dtype=np.int64),
        "subtree_labels": np.array([0, 1], dtype=np.uint32),
        "subtree_depths": np.array([0, 1], dtype=np.uint16),
    }
    assert SubtreeBoost().restore(arrays, 3).weight_names(["a", "b", "c"]) == ["(a(b))"]
    with pytest.raises(ModelError, match=complaint):
        SubtreeBoost().restore(arrays | change, 3)


def test_a_subtree_deeper_than_any_that_is_learned_is_refused():
    arrays = {
        "weights": np.array([1.0]),
        "logprob_weight": np.array([1.0]),
        "subtree_offsets": np.array([0, 60_000], dtype=np.int64),
        "subtree_labels": np.zeros(60_000, dtype=np.uint32),
        "subtree_depths": np.arange(60_000, dtype=np.uint16),
    }
    with pytest.raises(ModelError, match="a subtree is empty or larger than 255 nodes"):
        SubtreeBoost().restore(arrays, 3)
