"""Runoff's learners as an estimator of scikit-learn: `fit(X, y, qid=...)`, as XGBoost has it.

It needs scikit-learn and scipy (`pip install 'runoff[sklearn]'`). Rows are candidates, `y` is how
good each is, `qid` the list that it is in. What is learned is only the order within lists.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runoff.errors import import_extra
from runoff.learners import make_ranker
from runoff.learners.base import Ranker as Learner
from runoff.problem.problem import RankingProblem

_base = import_extra("sklearn.base", "sklearn")
_checks = import_extra("sklearn.utils.validation", "sklearn")
_sparse = import_extra("scipy.sparse", "sklearn")


class Ranker(_base.BaseEstimator):  # type: ignore[misc, name-defined]
    """An estimator that ranks the rows of each list.

    Parameters
    ----------
    learner : one of `runoff.learners.LEARNERS` that takes features.
    options : of the learner, such as `{"epochs": 20}`.
    seed : for a learner that draws at random.

    Attributes
    ----------
    ranker_ : the fitted learner.
    n_features_in_ : number of columns of `X`.
    relative_ : whether the score of a row depends on the others of its list, as it does where ranks
        in the list are features.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 0.5], [0.0, 2.0]])
    >>> ranker = Ranker().fit(X, [0, 1, 0, 1], qid=[1, 1, 2, 2])
    >>> ranker.predict(X, qid=[1, 1, 2, 2]).argsort()[-1]
    np.int64(3)
    """

    def __init__(
        self,
        learner: str = "auto",
        options: Mapping[str, Any] | None = None,
        seed: int = 0,
    ) -> None:
        self.learner = learner
        self.options = options
        self.seed = seed

    def fit(self, X: Any, y: Any, qid: Any = None) -> Ranker:
        """Learn from rows with qualities; rows of a list need not be neighbours.

        Parameters
        ----------
        qid : the list of each row; without it, all rows are one list.
        """
        X, y = _checks.validate_data(
            self, X, y, accept_sparse="csr", y_numeric=True, dtype=np.float64
        )
        order, offsets = _grouped(qid, X.shape[0])
        ranker: Learner = make_ranker(self.learner, self.options, seed=self.seed)
        ranker.check()
        problem = _problem(X[order], offsets, np.asarray(y, dtype=np.float64)[order])
        ranker.fit(problem)
        alone = replace(problem, list_offsets=np.arange(len(order) + 1))
        self.relative_ = not np.array_equal(ranker.scores(problem), ranker.scores(alone))
        self._one_list = qid is None
        self.ranker_ = ranker
        return self

    def predict(self, X: Any, qid: Any = None) -> NDArray[np.float64]:
        """A score for each row; within a list, the highest is the pick.

        Parameters
        ----------
        qid : the list of each row, which is needed if `relative_`; a ranker that was fitted to
            one list takes all rows as one.
        """
        _checks.check_is_fitted(self)
        X = _checks.validate_data(self, X, accept_sparse="csr", dtype=np.float64, reset=False)
        if qid is None and self.relative_ and not self._one_list:
            raise ValueError("predict needs qid: this ranker compares each row with its list")
        order, offsets = _grouped(qid, X.shape[0])
        scores = np.empty(len(order))
        scores[order] = self.ranker_.scores(_problem(X[order], offsets, None))
        return scores

    def score(self, X: Any, y: Any, qid: Any = None) -> float:
        """The mean quality of the picks, as a share of the way from the worst to the best row.

        Lists whose rows are all as good as each other do not count.
        """
        scores, y = self.predict(X, qid), np.asarray(y, dtype=np.float64)
        order, offsets = _grouped(qid, len(scores))
        shares = []
        for first, last in pairwise(offsets):
            rows = order[first:last]
            low, high = y[rows].min(), y[rows].max()
            if low < high:
                picked = y[rows[np.argmax(scores[rows])]]
                shares.append((picked - low) / (high - low))
        return float(np.mean(shares)) if shares else 1.0

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.target_tags.required = True
        return tags


def _grouped(qid: Any, rows: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The rows in the order of their lists, and where each list begins."""
    if qid is None:
        return np.arange(rows), np.array([0, rows])
    given = np.asarray(qid)
    if given.shape != (rows,):
        raise ValueError(f"qid must have one value for each of {rows} rows, not {given.shape}")
    order = np.argsort(given, kind="stable")
    _, sizes = np.unique(given, return_counts=True)
    return order, np.concatenate([[0], np.cumsum(sizes)])


def _problem(X: Any, offsets: Any, y: Any) -> RankingProblem:
    """The matrix as rankers see it: no base system, so no log-probabilities."""
    matrix = _sparse.csr_matrix(X)
    matrix.sort_indices()
    matrix.eliminate_zeros()
    return RankingProblem(
        list_offsets=np.asarray(offsets, dtype=np.int64),
        feature_offsets=matrix.indptr.astype(np.int64),
        feature_ids=matrix.indices.astype(np.uint32),
        feature_values=matrix.data.astype(np.float64),
        logprobs=np.zeros(matrix.shape[0]),
        qualities=y,
        n_features=matrix.shape[1],
        given_logprobs=False,
    )
