"""What a ranker has learned, by name, as its model file holds it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from runoff.learners.terms import LOGPROB
from runoff.store.file import Arrays
from runoff.tasks.ranking.restore import restored_ranker


def ranker_weights(header: dict[str, Any], arrays: Arrays) -> Iterator[tuple[str, float]]:
    """The weights of a ranker by name, that of the log-probability first, if it has some."""
    ranker, space = restored_ranker(header, arrays)
    weights = ranker.named_weights(space.names)
    if weights is not None:
        yield LOGPROB, weights.logprob
        yield from weights.features


def has_token(name: str, wanted: str | None) -> bool:
    """Whether a name has a token, as `in` is one of `(PP(in)(NP))` and of `bigram: in the`."""
    return wanted is None or wanted in re.split(r"[\s()]+", name)
