"""The estimator of scikit-learn: its own checks, sparse matrices, cross-validation by lists."""

import numpy as np
import pytest

pytest.importorskip("sklearn")
sparse = pytest.importorskip("scipy.sparse")

from sklearn.base import clone  # noqa: E402
from sklearn.model_selection import GroupKFold, cross_val_score  # noqa: E402
from sklearn.utils.estimator_checks import check_estimator  # noqa: E402

from runoff.errors import UsageError  # noqa: E402
from runoff.sklearn import Ranker  # noqa: E402

EXPECTED_FAILURES: dict[str, str] = {}
"""Checks of scikit-learn that need not pass, and why; none so far."""


@pytest.mark.filterwarnings("ignore")
def test_the_checks_of_scikit_learn():
    check_estimator(Ranker(), expected_failed_checks=EXPECTED_FAILURES, on_skip=None)


@pytest.fixture
def data():
    random = np.random.default_rng(1)
    X = random.normal(size=(200, 5))
    qid = np.repeat(np.arange(40), 5)
    y = X @ [1.0, -2.0, 0.0, 0.5, 0.0] + 3.0 * qid  # only what differs within a list counts
    return X, y, qid


@pytest.mark.parametrize("learner", ["auto", "lambdamart", "maxent", "maxent-rank", "perceptron"])
def test_it_learns_the_order_within_lists(data, learner):
    X, y, qid = data
    ranker = Ranker(learner).fit(X, y, qid=qid)
    assert ranker.score(X, y, qid) > 0.95
    dense, thin = ranker.predict(X, qid), ranker.predict(sparse.csr_matrix(X), qid)
    assert np.array_equal(dense, thin)


def test_rows_of_a_list_need_not_be_neighbours(data):
    X, y, qid = data
    order = np.random.default_rng(2).permutation(len(y))
    mixed = np.argsort(qid[order], kind="stable")
    one = Ranker().fit(X[order], y[order], qid=qid[order])
    other = Ranker().fit(X[order][mixed], y[order][mixed], qid=qid[order][mixed])
    assert np.array_equal(one.predict(X, qid)[order], one.predict(X[order], qid[order]))
    assert np.array_equal(one.predict(X, qid), other.predict(X, qid))


def test_only_a_ranker_that_compares_rows_needs_lists_to_predict(data):
    X, y, qid = data
    trees, linear = (Ranker(name).fit(X, y, qid=qid) for name in ("lambdamart", "maxent"))
    assert trees.relative_
    assert not linear.relative_
    with pytest.raises(ValueError, match="predict needs qid"):
        trees.predict(X)
    assert np.array_equal(linear.predict(X), linear.predict(X, qid))


def test_it_is_cloned_and_cross_validated_by_lists(data):
    import sklearn

    X, y, qid = data
    ranker = Ranker("perceptron", {"epochs": 3}, seed=7)
    assert clone(ranker).get_params() == ranker.get_params()
    with sklearn.config_context(enable_metadata_routing=True):
        routed = ranker.set_fit_request(qid=True).set_score_request(qid=True)
        scores = cross_val_score(
            routed, X, y, cv=GroupKFold(4).set_split_request(groups=True)
            if hasattr(GroupKFold, "set_split_request") else GroupKFold(4),
            params={"qid": qid, "groups": qid},
        )  # fmt: skip
    assert len(scores) == 4
    assert scores.min() > 0.8


def test_wrong_arguments_are_errors(data):
    X, y, _ = data
    with pytest.raises(ValueError, match="qid must have one value for each of 200 rows"):
        Ranker().fit(X, y, qid=[1, 2])
    with pytest.raises(UsageError, match="unknown learner 'perceptrn'"):
        Ranker("perceptrn").fit(X, y)
