"""One regression tree by LambdaRank, every split tried on unbinned numbers."""

from itertools import pairwise

import numpy as np


def slopes(offsets, qualities, scores, top):
    """The first and second derivatives of the loss by each score."""
    first, second = np.zeros(len(scores)), np.zeros(len(scores))
    for a, b in pairwise(offsets):
        order = sorted(range(a, b), key=lambda j: -scores[j])
        ranks = {j: rank for rank, j in enumerate(order)}
        for i in range(a, b):
            for j in range(a, b):
                if qualities[i] > qualities[j] and min(ranks[i], ranks[j]) < top:
                    gap = abs(1 / np.log2(2 + ranks[i]) - 1 / np.log2(2 + ranks[j]))
                    weight = (qualities[i] - qualities[j]) * gap
                    wrong = 1 / (1 + np.exp(scores[i] - scores[j]))
                    first[i] -= weight * wrong
                    first[j] += weight * wrong
                    second[[i, j]] += weight * wrong * (1 - wrong)
    return first, second


def best_split(rows, first, second, l2, least):
    """The gain and the sides of the best split of all rows."""

    def saved(own):
        return first[own].sum() ** 2 / (second[own].sum() + l2)

    best = (0.0, None)
    for column in rows.T:
        values = np.unique(column)
        for cut in (values[:-1] + values[1:]) / 2:
            low = column <= cut
            if min(low.sum(), (~low).sum()) >= least:
                gain = saved(low) + saved(~low) - saved(np.ones(len(rows), dtype=bool))
                if gain > best[0] + 1e-9:
                    best = (gain, low)
    return best
