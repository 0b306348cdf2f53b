"""The default learner: what it chooses, on folds that documents keep together."""

from dataclasses import replace

import numpy as np
import pytest
from unit.learners.lambdamart.test_lambdamart import drawn

from runoff.data.nbest import Candidate, NBest
from runoff.learners.auto.auto import Auto
from runoff.learners.auto.members import clearly_better
from runoff.learners.auto.soft_targets import soft_targets
from runoff.learners.auto.terms import placed
from runoff.learners.folds import fold_numbers, held_out
from runoff.learners.lambdamart.lambdamart import LambdaMart
from runoff.learners.maxent.maxent import MaxEnt
from runoff.problem.problem import RankingProblem
from runoff.tasks.ranking.fit import fit


def test_trees_are_chosen_where_no_line_fits():
    ranker = Auto().fit(drawn(lists=150))
    tried = ranker.record_["tried on folds"]
    assert max(row["held-out quality"] for row in tried) > max(
        row["held-out quality"] for row in tried if not row["trees"]
    )
    assert ranker.trees_.n_trees == 60 * LambdaMart.bags


def test_a_line_is_chosen_where_it_fits():
    problem = drawn(lists=60)
    straight = replace(problem, qualities=problem.feature_values.reshape(-1, 3) @ [1.0, -2.0, 0.5])
    ranker = Auto().fit(straight)
    assert ranker.trees_.n_trees == 0
    assert straight.picks_are_best(ranker.scores(straight)).mean() > 0.95


def test_a_budget_that_is_spent_leaves_the_first_member():
    assert len(Auto(budget=1e-9).fit(drawn()).record_["tried on folds"]) == 1


def test_a_model_without_views_does_not_keep_them():
    lists = [
        NBest(i, None, [Candidate("a b", -i / 7), Candidate("c", -1.0)], gold="ca b"[i % 3 :][:1])
        for i in range(20)
    ]
    ranker = fit(lists, metric="exact", features="text").ranker
    assert not ranker.trees_.n_trees
    chosen = max(ranker.record_["tried on folds"], key=lambda row: row["held-out exact"])
    assert bool(len(ranker.views_.ids)) == bool(chosen["views"])


def test_a_sum_has_to_be_clearly_better():
    problem = replace(drawn(lists=4), qualities=np.tile([1.0, 0.0, 0.0, 0.0, 0.0], 4))
    right, wrong = np.tile([5.0, 4.0, 3.0, 2.0, 1.0], 4), np.tile([1.0, 2.0, 3.0, 4.0, 5.0], 4)
    once = np.concatenate([right[:5], wrong[5:]])
    assert not clearly_better(problem, once, wrong)  # 1 is not above the root of 1
    twice = np.concatenate([right[:10], wrong[10:]])
    assert clearly_better(problem, twice, wrong)
    assert not clearly_better(problem, wrong, twice)


def test_only_so_many_candidates_are_judged():
    ranker = Auto(judged=50).fit(drawn())
    assert (np.diff(ranker.held_out_.problem.list_offsets) > 0).sum() == 10


def test_lists_of_a_document_are_in_one_fold_and_folds_are_level():
    problem = replace(drawn(lists=40), documents=np.arange(40) // 4)
    folds = fold_numbers(problem, 5)
    assert all(len(set(folds[number : number + 4])) == 1 for number in range(0, 40, 4))
    assert np.bincount(folds).tolist() == [8] * 5


def test_folds_do_not_depend_on_the_order_of_lists():
    problem = drawn(lists=12)
    sizes = 5
    order = np.random.default_rng(1).permutation(12)
    rows = (order[:, np.newaxis] * sizes + np.arange(sizes)).ravel()
    moved = replace(
        problem,
        feature_values=problem.feature_values.reshape(-1, 3)[rows].ravel(),
        qualities=problem.qualities[rows],
    )
    assert fold_numbers(moved, 3).tolist() == fold_numbers(problem, 3)[order].tolist()


def test_folds_of_any_learner_score_lists_that_it_had_not_seen():
    problem = drawn(lists=30)
    ranker = MaxEnt().fit(problem)
    judged = held_out(ranker, problem, None, 5)
    assert judged.problem is problem
    assert not np.allclose(judged.scores, ranker.scores(problem))
    assert held_out(ranker, problem, None, 0) is None
    assert held_out(ranker, problem, problem, 5).scores.tolist() == ranker.scores(problem).tolist()


def test_confidence_needs_no_development_lists():
    lists = [
        NBest(i, None, [Candidate("a", -1.0), Candidate("b", -1.0 - i / 9)], gold="ab"[i % 3 == 0])
        for i in range(12)
    ]
    by_its_own = fit(lists, metric="exact", learner="auto").rerank(lists)
    assert all(0 < one.extra["confidence"] < 1 for one in by_its_own)
    assert "confidence" not in fit(lists, metric="exact", learner="maxent").rerank(lists)[0].extra
    by_folds = fit(lists, metric="exact", learner="maxent", folds=3).rerank(lists)
    assert all(0 < one.extra["confidence"] < 1 for one in by_folds)


def test_targets_are_shared_by_how_far_qualities_are_apart():
    problem = RankingProblem(
        list_offsets=np.array([0, 3, 5]),
        feature_offsets=np.zeros(6, dtype=np.int64),
        feature_ids=np.zeros(0, dtype=np.uint32),
        feature_values=None,
        logprobs=np.zeros(5),
        qualities=np.array([1.0, 0.0, 0.5, 2.0, 2.0]),
        n_features=0,
    )
    shares = np.exp([2.0, 0.0, 1.0])
    expected = [*(shares / shares.sum()), -1.0, -1.0]
    assert soft_targets(problem, sharpness=2.0) == pytest.approx(expected)


def test_ranks_in_words():
    assert [placed(k / 12, 13) for k in (0, 1, 2, 3, 6, 7, 12)] == [
        "largest",
        "2nd largest",
        "3rd largest",
        "4th largest",
        "7th largest",
        "6th smallest",
        "smallest",
    ]
