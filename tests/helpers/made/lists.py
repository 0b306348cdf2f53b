"""Ranking problems and lists written out by hand, for tests of learners."""

from itertools import accumulate

import numpy as np

import runoff as ro
from runoff.problem.problem import RankingProblem


def made(*lists, n_features):
    """A problem of lists of candidates, each (quality, log-probability, {feature: value})."""
    candidates = [candidate for own in lists for candidate in own]
    rows = [sorted(features.items()) for _, _, features in candidates]
    return RankingProblem(
        list_offsets=np.array([0, *accumulate(map(len, lists))], dtype=np.int64),
        feature_offsets=np.array([0, *accumulate(map(len, rows))], dtype=np.int64),
        feature_ids=np.array([k for row in rows for k, _ in row], dtype=np.uint32),
        feature_values=np.array([v for row in rows for _, v in row], dtype=float),
        logprobs=np.array([logprob for _, logprob, _ in candidates], dtype=float),
        qualities=np.array([quality for quality, _, _ in candidates], dtype=float),
        n_features=n_features,
    )


def random_lists(n_lists, n, n_features, seed, noise=0.5):
    """Lists whose quality is a linear function of binary features, and some noise."""
    random = np.random.default_rng(seed)
    true = np.random.default_rng(n_features).normal(size=n_features)
    lists = []
    for _ in range(n_lists):
        has = random.random((n, n_features)) < 0.4
        qualities = np.round(has @ true + noise * random.normal(size=n), 1)
        logprobs = 0.3 * qualities + random.normal(size=n)
        lists.append(
            [
                (quality, logprob, dict.fromkeys(np.flatnonzero(row).tolist(), 1.0))
                for quality, logprob, row in zip(qualities, logprobs, has, strict=True)
            ]
        )
    return made(*lists, n_features=n_features)


HIGH = "(S (NP we) (VP (V saw) (NP it) (PP (P {0}) (NP them))))"
LOW = "(S (NP we) (VP (V saw) (NP (NP it) (PP (P {0}) (NP them)))))"


def attachments(n=8):
    """Of `of` and `in`, one belongs to the noun and one to the verb; the base prefers the verb."""
    lists = []
    for number in range(n):
        word, right = ("in", HIGH) if number % 2 else ("of", LOW)
        candidates = [
            ro.Candidate(HIGH.format(word), -1.0),
            ro.Candidate(LOW.format(word), -1.5),
        ]
        lists.append(ro.NBest(number, None, candidates, gold=right.format(word)))
    return lists
