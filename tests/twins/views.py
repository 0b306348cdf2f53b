"""Views of a list's numbers, one list and column at a time."""

import numpy as np


def views(values):
    """The share of the others that are larger, and the distance from the mean in deviations."""
    n = len(values)
    ranks = [
        (sum(v > own for v in values) + (sum(v == own for v in values) - 1) / 2) / max(1, n - 1)
        for own in values
    ]
    deviation = np.std(values)
    flat = deviation <= 1e-12 * abs(np.mean(values))
    return ranks, [0.0 if flat else (own - np.mean(values)) / deviation for own in values]


def column(problem, number):
    """The values of a feature, of all candidates."""
    values = np.zeros(problem.n_candidates)
    for j in range(problem.n_candidates):
        for at in range(*problem.feature_offsets[j : j + 2]):
            if problem.feature_ids[at] == number:
                values[j] = problem.feature_values[at]
    return values
