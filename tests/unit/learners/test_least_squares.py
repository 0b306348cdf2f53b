"""Least squares against the closed form."""

import numpy as np
import pytest

from runoff.data.nbest import Candidate, NBest
from runoff.learners.least_squares.least_squares import LeastSquares
from runoff.learners.maxent.loss import spread_scales
from runoff.metrics import metric
from runoff.problem.build.build import build_problem
from runoff.problem.extractor import Extractor


def problem_of(seed, lists=20, candidates=5, features=4):
    rng = np.random.default_rng(seed)
    made = []
    for number in range(lists):
        own = [
            Candidate(
                "x",
                float(rng.normal()),
                float(rng.normal()),
                {f"f{k}": float(rng.normal()) for k in range(features)},
            )
            for _ in range(candidates)
        ]
        made.append(NBest(number, None, own))
    given = Extractor("given", lambda input, candidate: candidate.features)
    problem, _ = build_problem(made, [given], metric=metric("quality"))
    return problem, made


@pytest.mark.parametrize("prior", [0.1, 1.0, 10.0])
def test_it_is_ridge_regression_centred_in_each_list(prior):
    problem, lists = problem_of(1)
    ranker = LeastSquares(prior=(prior,)).fit(problem)
    rows = [[[*c.features.values(), c.logprob] for c in one.candidates] for one in lists]
    centred = np.concatenate([np.array(own) - np.mean(own, axis=0) for own in rows])
    wanted = np.concatenate(
        [np.array(q) - np.mean(q) for q in ([c.quality for c in one.candidates] for one in lists)]
    )
    scales = spread_scales(problem)
    x = centred / scales
    closed = np.linalg.solve(x.T @ x + np.eye(5) / prior**2, x.T @ wanted) / scales
    assert [*ranker.weights_, ranker.logprob_weight_] == pytest.approx(closed, rel=1e-5)
