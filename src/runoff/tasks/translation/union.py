"""The lists of several translators made one, for learners to choose from.

A candidate has the score of each system, how surely its n-grams are in the translation if the
scores are probabilities (the features of minimum Bayes risk decoding; Tromble, Kumar, Och &
Macherey 2008), and the features that do not depend on the system.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from runoff.data.nbest import Candidate, NBest
from runoff.metrics.base import Floats

SHARED = ("language model", "words")
"""Features that all systems count alike."""

LONGEST = 4
"""Words of the longest n-grams that are compared."""

SHARPNESS = 10.0
"""By what scores are multiplied before they are logarithms of probabilities; the sizes of the
weights that give them sum to 1."""

LEAST = 1e-300
"""A probability whose logarithm is a number."""


def united(lists: Mapping[str, Sequence[NBest]]) -> list[NBest]:
    """The lists of systems by name, sentence by sentence, each text once.

    Examples
    --------
    >>> one = NBest(1, "a", [Candidate("x y", -1.0), Candidate("x", -2.0)])
    >>> other = NBest(1, "a", [Candidate("x", -3.0)])
    >>> (made,) = united({"one": [one], "other": [other]})
    >>> made.candidates[1].features["one"], made.candidates[0].features["not of other"]
    (-1.0, 1.0)
    """
    return [
        _united(dict(zip(lists, own, strict=True))) for own in zip(*lists.values(), strict=True)
    ]


def _united(lists: Mapping[str, NBest]) -> NBest:
    first = next(iter(lists.values()))
    known: dict[str, Candidate] = {}
    for nbest in lists.values():
        for one in nbest.candidates:
            known.setdefault(str(one.output), one)
    columns: dict[str, Floats] = {}
    certainty = np.zeros(len(known))
    for name, nbest in lists.items():
        own = {str(one.output): one.logprob or 0.0 for one in nbest.candidates}
        best, worst = max(own.values(), default=0.0), min(own.values(), default=0.0)
        scores = np.array([own.get(text, worst) for text in known]) - best
        missing = np.array([float(text not in own) for text in known])
        columns |= {name: scores, f"not of {name}": missing}
        mass = np.exp(SHARPNESS * scores) * (1 - missing)
        certainty += mass / max(float(mass.sum()), 1e-12) / len(lists)
    words = [text.split() for text in known]
    for n in range(1, LONGEST + 1):
        columns[f"agreement of {n}-grams"] = _agreement(words, certainty, n)
    for name in SHARED:
        columns[name] = np.array([(one.features or {}).get(name, 0.0) for one in known.values()])
    logs = np.log(np.maximum(certainty, LEAST)).tolist()
    candidates = [
        Candidate(text, logs[i], features={name: float(own[i]) for name, own in columns.items()})
        for i, text in enumerate(known)
    ]
    return NBest(first.id, first.input, candidates, first.gold)


def _agreement(words: Sequence[Sequence[str]], certainty: Floats, n: int) -> Floats:
    """The number of n-grams of each text that are expected in the translation."""
    grams = [{tuple(own[i : i + n]) for i in range(len(own) - n + 1)} for own in words]
    expected: Counter[tuple[str, ...]] = Counter()
    for own, sure in zip(grams, certainty.tolist(), strict=True):
        for gram in own:
            expected[gram] += sure
    return np.array([sum(expected[gram] for gram in own) for own in grams])
