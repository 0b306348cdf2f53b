"""Trees boosted by LambdaRank, against their twin and by hand."""

import numpy as np
import pytest
from twins.lambda_trees import best_split, slopes

from runoff.errors import ModelError
from runoff.learners.lambdamart.lambdamart import LambdaMart
from runoff.learners.lambdamart.trees import Binned, Trees
from runoff.problem.problem import RankingProblem


def dense_problem(values, qualities, sizes):
    """A problem whose candidates have all features."""
    n, k = values.shape
    return RankingProblem(
        list_offsets=np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
        feature_offsets=np.arange(0, n * k + 1, k),
        feature_ids=np.tile(np.arange(k, dtype=np.uint32), n),
        feature_values=values.ravel(),
        logprobs=np.zeros(n),
        qualities=qualities,
        n_features=k,
    )


def drawn(lists=40, size=5, seed=0):
    random = np.random.default_rng(seed)
    values = random.normal(0, 1, (lists * size, 3))
    qualities = np.abs(values[:, 0] - 0.3) + random.normal(0, 0.1, len(values))
    return dense_problem(values, qualities, [size] * lists)


def test_the_first_tree_is_the_twins_and_its_values_are_newton_steps():
    problem = drawn(lists=8)
    whole = LambdaMart(rounds=1, leaves=2, lists=1.0, columns=1.0, least_rows=4).fit(problem)
    rows = np.concatenate(whole.views_.columns(problem), axis=1)
    spread = np.mean([np.ptp(own) for own in np.split(problem.qualities, 8)])
    first, second = slopes(problem.list_offsets, problem.qualities / spread, np.zeros(40), 10)
    _, low = best_split(rows, first, second, 1.0, 4)
    expected = np.where(
        low,
        -0.1 * first[low].sum() / (second[low].sum() + 1),
        -0.1 * first[~low].sum() / (second[~low].sum() + 1),
    )
    assert whole.scores(problem) == pytest.approx(expected)


def test_trees_learn_what_no_line_can():
    train, test = drawn(lists=150), drawn(seed=1)
    ranker = LambdaMart(rounds=40).fit(train)
    assert test.picks_are_best(ranker.scores(test)).mean() > 0.7
    assert test.picks_are_best(line(test)).mean() < 0.6


def line(problem):
    """The scores of the only feature that matters, taken as a line."""
    return problem.feature_values.reshape(-1, 3)[:, 0].copy()


def test_contributions_sum_to_the_scores_but_for_the_roots():
    problem = drawn()
    ranker = LambdaMart(rounds=5).fit(problem)
    rows = np.ascontiguousarray(np.concatenate(ranker.views_.columns(problem), axis=1))
    rest = ranker.scores(problem) - ranker.trees_.contributions(rows).sum(axis=1)
    assert rest == pytest.approx(ranker.trees_.values[ranker.trees_.offsets[:-1]].sum())


def test_cut_points_lie_between_values_and_are_at_most_63():
    cuts, bins = Binned.of(np.arange(1000.0)[:, np.newaxis])
    assert len(cuts[0]) == 63
    assert (cuts[0] % 1 == 0.5).all()
    assert bins[0].max() == 63
    assert np.bincount(bins[0]).max() < 20


@pytest.mark.parametrize(
    "change",
    [
        {"tree above": [5, 0, 0]},  # leads outside
        {"tree above": [1, 0, 0]},  # leads to the other child
        {"tree columns": [7, 0, 0]},
        {"tree offsets": [0, 2]},
    ],
)
def test_broken_trees_are_refused(change):
    arrays = {
        "tree width": np.array([3]),
        "tree offsets": np.array([0, 3]),
        "tree columns": np.zeros(3, dtype=np.uint32),
        "tree above": np.array([2, 0, 0], dtype=np.uint32),
        "tree cuts": np.zeros(3),
        "tree values": np.array([0.0, 1.0, 2.0]),
    }
    assert Trees.restore(arrays, 3).scores(np.array([[1.0, 0, 0]])).tolist() == [2.0]
    broken = {key: np.array(own, dtype=arrays[key].dtype) for key, own in change.items()}
    with pytest.raises(ModelError):
        Trees.restore(arrays | broken, 3)
