"""How sure an expert must be before it suspects a word, and how well it then does."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from runoff.problem.problem import Floats, Integers
from runoff.tasks.proofing.model import STEPS


def log_probabilities(ids: NDArray[np.int32], weights: NDArray[np.int16]) -> Floats:
    """Logarithms of the probabilities of a set's words; shape (occurrences, words)."""
    with_none = np.vstack([weights, np.zeros((1, weights.shape[1]), dtype=np.int16)])
    scores = np.zeros((len(ids), weights.shape[1] + 1))
    for column in ids.T:  # -1 is the row of zeros
        scores[:, 1:] += with_none[column]
    scores /= STEPS
    logs: Floats = scores - np.logaddexp.reduce(scores, axis=1, keepdims=True)
    return logs


def margins(logs: Floats, there: Integers) -> Floats:
    """How much better the best other word is than the one that is there."""
    rows = np.arange(len(logs))
    others = logs.copy()
    others[rows, there] = -np.inf
    best: Floats = others.max(axis=1) - logs[rows, there]
    return best


def choose_thresholds(logs: Floats, classes: Integers, rate: float) -> tuple[float, ...]:
    """By word, the margin that at most a share of its right occurrences exceeds.

    Where there are too few occurrences to see such a share, the probabilities are believed for the
    rest of the way: odds of right words fall as the margin grows.

    Examples
    --------
    >>> logs = np.log(np.array([[0.9, 0.1], [0.4, 0.6], [0.2, 0.8]]))
    >>> [round(t, 2) for t in choose_thresholds(logs, np.array([0, 0, 1]), 0.5)]
    [0.0, 0.69]
    """
    found = []
    for word in range(logs.shape[1]):
        own = classes == word
        seen = np.sort(margins(logs[own], classes[own]))[::-1]
        reached = float(seen[int(rate * len(seen))]) if len(seen) else 0.0
        unseen = float(np.log(1 / (rate * max(len(seen), 1))))
        found.append(max(reached, 0.0) + max(unseen, 0.0))
    return tuple(found)


def judge(logs: Floats, classes: Integers, thresholds: Sequence[float]) -> dict[str, float]:
    """How well an expert does: where words are right, and where each is replaced by the others."""
    limits = np.array(thresholds)
    right = margins(logs, classes)
    planted, found = 0, 0
    for there in range(logs.shape[1]):
        other = classes != there
        wrong = np.full(int(other.sum()), there)
        suspected = margins(logs[other], wrong) > limits[there]
        planted += len(wrong)
        found += int((suspected & (logs[other].argmax(axis=1) == classes[other])).sum())
    return {
        "held out": len(classes),
        "accuracy": float((right < 0).mean()),
        "false alarms": float((right > limits[classes]).mean()),
        "errors found": found / max(planted, 1),
    }
