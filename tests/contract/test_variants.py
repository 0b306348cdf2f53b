"""What the contract asks of a learner holds for its other parameters too."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from helpers.resuming import whole_and_resumed
from helpers.strategies.problems import problems, take_lists, with_trees
from hypothesis import given, settings
from hypothesis import strategies as st

from runoff.fitting.run import Run
from runoff.learners import make_ranker

VARIANTS = {
    "boosted-trees": {},
    "boosted-trees, sampled": {"sample": 4, "decay": 0.7, "per_sample": 2, "split_gain": 0.0},
    "maxent": {},
    "maxent, a choice of priors": {"prior": (0.5, 2.0)},
    "maxent, truncated": {"prior": (0.5, 2.0), "truncate": 0.1},
    "maxent, l1": {"penalty": "l1", "targets": "all"},
    "maxent-rank": {},
    "maxent-rank, single": {"sampling": "single", "prior": (1.0, 3.0)},
    "maxent-rank, guarded": {"beam": 0.1, "lowest": 0.1, "closest": 0.5, "closest_logprob": 0.5},
    "subtree-boost": {"frequency": 1, "rounds": 20, "search_rounds": 1, "cache_rounds": 2},
    "subtree-boost, log": {"frequency": 2, "rounds": 20, "search_rounds": 3, "loss": "log"},
    "subtree-boost, wide": {"frequency": 1, "rounds": 12, "refit": (0.5, 2.0), "wide": 5},
    "subtree-boost, few": {"frequency": 1, "rounds": 9, "refit": 1.0, "wide": 9, "penalty": "l1"},
    "subtree-boost, weighted": {"frequency": 1, "size": 2, "rounds": 20, "weighted": True},
    "svm-rank": {},
    "svm-rank, alone": {"subsets": 1, "monsters": 0.0},
    "p-norm-push": {"rounds": 10},
    "p-norm-push, RankBoost": {"p": 1.0, "rounds": 10, "beam": 0.2},
}

pytestmark = pytest.mark.parametrize("variant", VARIANTS)


def make(variant):
    return make_ranker(variant.partition(",")[0], VARIANTS[variant])


def suited(variant, problem):
    """The problem as the learner takes it."""
    ranker = make(variant)
    if ranker.takes_trees:
        return with_trees(problem, problem.n_lists)
    return problem if ranker.takes_values else replace(problem, feature_values=None)


def bytes_of(ranker):
    return {key: array.tobytes() for key, array in ranker.arrays().items()}


@given(problem=problems(), random=st.randoms(use_true_random=False))
@settings(max_examples=10)
def test_order_of_lists_and_threads_leave_no_trace(variant, problem, random):
    problem = suited(variant, problem)
    order = list(range(problem.n_lists))
    random.shuffle(order)
    other = take_lists(problem, order)
    one = make(variant).fit(problem, problem)
    three = make(variant).fit(other, problem, run=Run(threads=3))
    assert bytes_of(one) == bytes_of(three)


@given(problem=problems(), data=st.data())
@settings(max_examples=10)
def test_a_fit_that_was_broken_off_goes_on(variant, problem, data, tmp_path_factory):
    problem = suited(variant, problem)
    path = tmp_path_factory.mktemp("fit") / "checkpoint"
    whole, resumed = whole_and_resumed(partial(make, variant), problem, data, path)
    assert bytes_of(resumed) == bytes_of(whole)
    assert resumed.record_ == whole.record_


@given(problem=problems())
@settings(max_examples=10)
def test_saved_and_restored_scores_are_identical(variant, problem):
    problem = suited(variant, problem)
    ranker = make(variant).fit(problem, problem)
    other = make(variant).restore(ranker.arrays(), problem.n_features)
    assert other.scores(problem).tobytes() == ranker.scores(problem).tobytes()
    assert np.isfinite(ranker.scores(problem)).all()
