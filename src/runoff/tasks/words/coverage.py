"""How many n-grams of a test the training text has: Table 1 of Van den Bosch (2006)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from runoff.data.numbering import Numbers


class Covered(NamedTuple):
    """The share of a text's n-grams that another text has, by occurrence and by distinct n-gram."""

    tokens: float
    types: float


def coverage(train: Numbers, test: Numbers, longest: int) -> list[Covered]:
    """The shares of n-grams of the test that the training text has, for n from 1 to `longest`.

    A test of fewer words has no longer n-grams.
    An n-gram is a number, made from that of its first n - 1 words and its last word, so only
    places of the training text whose first n - 1 words match are looked at again.

    Examples
    --------
    >>> train, test = np.array([1, 2, 3, 4]), np.array([2, 3, 2, 5, 2, 3])
    >>> [tuple(round(share, 2) for share in one) for one in coverage(train, test, 2)]
    [(0.83, 0.67), (0.4, 0.25)]
    """
    symbols = 1 + max(int(text.max(initial=0)) for text in (train, test))
    places = np.arange(len(train))
    known = np.zeros(len(train), dtype=np.int64)
    own = np.zeros(len(test), dtype=np.int64)
    found = []
    for n in range(1, min(longest, len(test)) + 1):
        grams, own = np.unique(
            own[: len(test) - n + 1] * symbols + test[n - 1 :], return_inverse=True
        )
        inside = places < len(train) - n + 1
        places = places[inside]
        keys = known[inside] * symbols + train[places + n - 1]
        at = np.searchsorted(grams, keys)
        at[at == len(grams)] = 0
        same = grams[at] == keys
        places, known = places[same], at[same]
        seen = np.zeros(len(grams), dtype=np.bool_)
        seen[known] = True
        found.append(Covered(float(seen[own].mean()), float(seen.mean())))
    return found
