"""What every learner must do (STYLE 2.3), over every learner there is."""

from dataclasses import replace
from functools import partial
from itertools import combinations, pairwise, permutations

import numpy as np
import pytest
from helpers.resuming import file_bytes, whole_and_resumed
from helpers.strategies.problems import kept_labels, problems, take_trees, with_trees
from hypothesis import given, settings
from hypothesis import strategies as st

from runoff.errors import ModelError, NotFittedError, UsageError
from runoff.fitting.run import Run
from runoff.learners import LEARNERS, make_ranker
from runoff.problem.problem import RankingProblem
from runoff.problem.space import FeatureSpace
from runoff.problem.trees import Trees
from runoff.tasks.ranking.calibration import Calibration

pytestmark = pytest.mark.parametrize("name", sorted(LEARNERS))

OPTIONS = {  # of learners that would find nothing in a few small lists
    "subtree-boost": {"frequency": 1, "rounds": 20, "search_rounds": 2, "cache_rounds": 3}
}

NONSENSE = {  # options that no lists can make sense of
    "auto": [{"prior": "3,1"}, {"folds": 1}, {"rounds": -1}, {"judged": 0}, {"budget": -1.0}],
    "boosted-trees": [{"decay": 1.0}, {"smallest": 0.0}, {"per_sample": 0}, {"split_gain": -1.0}],
    "cascade": [{"stages": "perceptron"}, {"folds": 1}, {"options": "stage2.epochs=0"}],
    "exp-loss": [{"rounds": 0}, {"smoothing": 0.0}],
    "lambdamart": [{"rounds": 0}, {"leaves": 1}, {"rate": 0.0}, {"columns": 1.5}, {"seed": -1}],
    "least-squares": [{"iterations": 0}, {"prior": 0.0}],
    "log-loss": [{"rounds": 0}, {"smoothing": ()}],
    "maxent": [{"penalty": "l0"}, {"targets": "none"}, {"cost": -1.0}, {"prior": 0.0}],
    "maxent-rank": [{"sampling": "triples"}, {"d1": 0.2}, {"beta": -1}, {"beam": 1.0}],
    "mert": [{"starts": 0}, {"passes": 0}, {"seed": -1}],
    "p-norm-push": [{"p": 0.5}, {"rounds": 0}, {"lowest": -0.1}],
    "perceptron": [{"epochs": 0}, {"seed": -1}],
    "subtree-boost": [{"size": 65}, {"wide": 3}, {"loss": "hinge"}, {"refit": 0.0}],
    "svm-rank": [{"cost": 0.0}, {"subsets": 0}, {"monsters": -1.0}, {"seed": -1}],
    "tagging-kernel": [{"form": "mean"}, {"lam": 0.0}, {"chunks": -1}],
    "tree-kernel": [{"beta": -1.0}, {"lam": 1.5}, {"epochs": 0}],
    "voted-perceptron": [{"epochs": 0}, {"seed": 1 << 32}],
}
CHOICES = {  # of which development lists choose one
    "cascade": {"stages": "base,maxent", "options": "stage2.prior=1,2"},
    "exp-loss": {"smoothing": "0.001,0.002"},
    "least-squares": {"prior": "1,2"},
    "log-loss": {"smoothing": "0.001,0.002"},
    "maxent": {"prior": "1,2"},
    "maxent-rank": {"prior": "1,2"},
    "subtree-boost": {"refit": "1,2"},
}


UNEXPLAINED = ("cascade", "svm-rank", "voted-perceptron")


def suited(name, problem):
    """The problem as the learner takes it."""
    ranker = make_ranker(name)
    if ranker.takes_trees:
        return with_trees(problem, problem.n_candidates)
    return problem if ranker.takes_values else replace(problem, feature_values=None)


def make(name):
    return make_ranker(name, OPTIONS.get(name))


def explainable(name):
    """One whose scores are sums: votes of kernels are explained by their mean."""
    return make_ranker(
        name, {"form": "averaged"} if name.endswith("-kernel") else OPTIONS.get(name)
    )


def fit(name, problem, dev=None):
    return make(name).fit(problem, dev)


def bytes_of(ranker):
    return {key: array.tobytes() for key, array in ranker.arrays().items()}


def test_checking_raises_nothing_and_learns_nothing(name):
    ranker = make(name)
    before = dict(vars(ranker))
    ranker.check()
    ranker.check(with_dev=False)
    assert vars(ranker) == before


def test_options_that_make_no_sense_are_refused_before_anything_is_read(name):
    for options in NONSENSE.get(name, []):
        ranker = make_ranker(name, options)
        with pytest.raises(UsageError) as checked:
            ranker.check()
        with pytest.raises(UsageError) as fitted:
            ranker.fit(None)
        assert str(fitted.value) == str(checked.value)
    assert name == "base" or NONSENSE[name]


def test_without_development_lists_there_is_no_choice(name):
    if name in CHOICES:
        ranker = make_ranker(name, CHOICES[name])
        ranker.check()
        with pytest.raises(UsageError, match="development lists"):
            ranker.check(with_dev=False)
        with pytest.raises(UsageError, match="development lists"):
            ranker.fit(None)


@given(problem=problems())
@settings(max_examples=25)
def test_fitting_twice_gives_the_same_bytes(name, problem):
    problem = suited(name, problem)
    assert bytes_of(fit(name, problem, problem)) == bytes_of(fit(name, problem, problem))


@given(problem=problems(), random=st.randoms(use_true_random=False))
@settings(max_examples=25)
def test_the_order_of_candidates_does_not_change_scores(name, problem, random):
    problem = suited(name, problem)
    ranker = fit(name, problem)
    order = []
    for first, last in zip(problem.list_offsets, problem.list_offsets[1:], strict=False):
        own = list(range(first, last))
        random.shuffle(own)
        order += own
    counts = np.diff(problem.feature_offsets)[order] if order else np.zeros(0, dtype=np.int64)
    places = [np.arange(*problem.feature_offsets[j : j + 2]) for j in order]
    places = np.concatenate([np.zeros(0, dtype=np.int64), *places])
    values = problem.feature_values
    moved = replace(
        problem,
        feature_offsets=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
        feature_ids=problem.feature_ids[places],
        feature_values=None if values is None else values[places],
        logprobs=problem.logprobs[order],
        qualities=problem.qualities[order],
        trees=take_trees(problem.trees, order),
    )
    assert ranker.scores(moved).tolist() == ranker.scores(problem)[order].tolist()


@given(problem=problems())
@settings(max_examples=25)
def test_terms_sum_to_the_difference_of_scores(name, problem):
    problem = suited(name, problem)
    ranker = explainable(name).fit(problem)
    names = [f"f{number}" for number in range(problem.n_features)]
    if name in UNEXPLAINED:
        with pytest.raises(UsageError, match="cannot be explained by named terms"):
            ranker.terms(problem, names)
        return
    terms, scores = ranker.terms(problem, names), ranker.scores(problem)
    for first, last in pairwise(problem.list_offsets.tolist()):
        for winner, rival in combinations(range(first, last), 2):
            total = sum(term.contribution for term in terms.between(winner, rival))
            assert total == pytest.approx(scores[winner] - scores[rival], rel=1e-9, abs=1e-9)
    assert terms.note is None


@given(problem=problems(max_lists=3))
@settings(max_examples=10)
def test_terms_of_a_list_do_not_depend_on_other_lists(name, problem):
    problem = suited(name, problem)
    if name in UNEXPLAINED:
        return
    ranker, names = make(name).fit(problem), [f"f{n}" for n in range(problem.n_features)]
    terms = ranker.terms(problem, names)
    for number, (first, last) in enumerate(pairwise(problem.list_offsets.tolist())):
        alone = ranker.terms(problem.only(number), names)
        for winner, rival in permutations(range(last - first), 2):
            assert alone.between(winner, rival) == terms.between(first + winner, first + rival)


@given(problem=problems())
@settings(max_examples=10)
def test_weights_have_names(name, problem):
    problem = suited(name, problem)
    ranker = fit(name, problem)
    weights = ranker.named_weights([f"f{number}" for number in range(problem.n_features)])
    has_one_vector = name not in (*UNEXPLAINED, "lambdamart") and not name.endswith("-kernel")
    assert (weights is not None) == has_one_vector
    if weights is not None:
        assert weights.logprob == ranker.logprob_weight_
        assert [weight for _, weight in weights.features] == ranker.weights().tolist()


@given(problem=problems())
@settings(max_examples=25)
def test_scores_do_not_read_qualities(name, problem):
    problem = suited(name, problem)
    ranker = fit(name, problem)
    blind = replace(problem, qualities=None)
    assert ranker.scores(blind).tolist() == ranker.scores(problem).tolist()


@pytest.mark.parametrize("sizes", [[0], [1], [0, 1, 0], [3]])
def test_empty_single_and_equal_candidates(name, sizes):
    n = sum(sizes)
    problem = RankingProblem(
        list_offsets=np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
        feature_offsets=np.arange(n + 1, dtype=np.int64),
        feature_ids=np.zeros(n, dtype=np.uint32),
        feature_values=None,
        logprobs=np.zeros(n),
        qualities=np.ones(n),
        n_features=1,
        trees=Trees.of([[("a", 0)]] * n, ["a"]),
    )
    scores = fit(name, problem, problem).scores(problem)
    assert np.isfinite(scores).all()
    assert len(set(scores.tolist())) <= 1


@given(problem=problems())
@settings(max_examples=25)
def test_saved_and_restored_scores_are_identical(name, problem):
    problem = suited(name, problem)
    ranker = fit(name, problem)
    other = make(name).restore(ranker.arrays(), problem.n_features)
    assert other.scores(problem).tobytes() == ranker.scores(problem).tobytes()


@given(problem=problems())
@settings(max_examples=25)
def test_unused_features_can_be_left_out(name, problem):
    problem = suited(name, problem)
    ranker = fit(name, problem)
    scores = ranker.scores(problem)
    kept = ranker.features_used()
    places = np.isin(problem.feature_ids, kept)
    owners = np.repeat(np.arange(problem.n_candidates), np.diff(problem.feature_offsets))[places]
    counts = np.bincount(owners, minlength=problem.n_candidates)
    values = problem.feature_values
    smaller = replace(
        problem,
        feature_offsets=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
        feature_ids=np.searchsorted(kept, problem.feature_ids[places]).astype(np.uint32),
        feature_values=None if values is None else values[places],
        n_features=len(kept),
        trees=kept_labels(problem.trees, kept),
    )
    assert ranker.restrict(kept).scores(smaller).tolist() == scores.tolist()


def test_scores_before_fitting_are_an_error(name):
    problem = RankingProblem(
        np.array([0]), np.array([0]), np.zeros(0, np.uint32), None, np.zeros(0), None, 0
    )
    with pytest.raises(NotFittedError):
        make_ranker(name).scores(problem)


@given(problem=problems(max_lists=2))
@settings(max_examples=10)
def test_broken_arrays_are_refused(name, problem):
    problem = suited(name, problem)
    arrays = fit(name, problem).arrays()
    for key, array in arrays.items():
        absurd = np.nan if array.dtype.kind == "f" else np.iinfo(array.dtype).max
        broken = [array.astype(np.float16)]
        broken += [array[:-1], np.full_like(array, absurd)] if len(array) else []
        for one in broken:
            with pytest.raises(ModelError):
                make(name).restore({**arrays, key: one}, problem.n_features)
        with pytest.raises(ModelError):
            make(name).restore({k: v for k, v in arrays.items() if k != key}, 6)


@given(problem=problems(max_lists=4), data=st.data())
@settings(max_examples=15)
def test_a_fit_that_was_broken_off_goes_on_to_the_same_bytes(name, problem, data, tmp_path_factory):
    problem = suited(name, problem)
    folder = tmp_path_factory.mktemp("fit")
    both = whole_and_resumed(partial(make, name), problem, data, folder / "checkpoint")
    whole, resumed = (file_bytes(one, problem.n_features, folder / "model") for one in both)
    assert resumed == whole


@given(problem=problems())
@settings(max_examples=15)
def test_threads_do_not_change_the_bytes(name, problem):
    problem = suited(name, problem)
    one = make(name).fit(problem, problem, run=Run(threads=1))
    three = make(name).fit(problem, problem, run=Run(threads=3))
    assert bytes_of(one) == bytes_of(three)


@given(problem=problems(max_lists=2))
@settings(max_examples=3)
def test_a_model_file_has_room_for_the_arrays_beside_those_of_the_features(name, problem):
    problem = suited(name, problem)
    beside = FeatureSpace([]).arrays() | Calibration.fit(np.ones(1), np.ones(1, bool)).arrays()
    assert not fit(name, problem).arrays().keys() & beside.keys()
