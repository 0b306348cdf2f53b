"""The search among partial candidates, and its error model, by their definitions."""

import math
from statistics import NormalDist

import numpy as np

from runoff.search.partial_candidates.smoothing import WIDTH


def smoothed(seen, completion, score, target, width=WIDTH):
    """Mean and deviation of an error by the sums of eq. 14 to 16; the score is normalised."""
    kept = seen.completion < 1
    u, raw = seen.completion[kept], seen.scores[kept, target]
    scale = raw.std() or 1.0
    f = (raw - raw.mean()) / scale
    errors = (seen.finals[kept, target] - raw) / scale
    weights = np.ones(len(u))
    for values, own in ((u, completion), (f, score)):
        if np.ptp(values) > 0:
            weights = weights * np.exp(-0.5 * ((values - own) / (width * np.ptp(values))) ** 2)
    mean = float((weights * errors).sum() / weights.sum())
    variance = float((weights * (errors - mean) ** 2).sum() / weights.sum())
    return mean, math.sqrt(variance)


def search(sequences, targets, errors, epsilon):
    """Place of the winner and pieces read, without a queue: each step looks at all candidates."""
    states = {place: [target.start() for target in targets] for place in range(len(sequences))}
    depth = dict.fromkeys(states, 0)
    expected = {}
    pieces = 0

    def read(place):
        nonlocal pieces
        pieces += 1
        piece, last = sequences[place][depth[place]], depth[place] + 1 == len(sequences[place])
        both = [t.read(s, piece, last) for t, s in zip(targets, states[place], strict=True)]
        states[place] = [one[0] for one in both]
        depth[place] += 1
        u = depth[place] / len(sequences[place])
        expected[place] = errors.expected(u, [one[1] for one in both])

    def complete(place):
        return depth[place] == len(sequences[place])

    def eta(place):
        mean, variance = expected[place]
        return mean + (NormalDist().inv_cdf(1 - epsilon) * math.sqrt(variance) if variance else 0)

    for place in states:
        read(place)
    while True:
        done = [place for place in states if complete(place)]
        best = max((expected[place][0] for place in done), default=-math.inf)
        rest = [place for place in states if not complete(place) and eta(place) > best]
        if not rest:
            return min(p for p in done if expected[p][0] == best), pieces
        read(max(rest, key=lambda place: (eta(place), -place)))
