"""What a ranker has learned, by name, as its model file holds it."""

from __future__ import annotations

import re

from runoff.learners.boosting.subtrees import SubtreeBoost
from runoff.problem.space import FeatureSpace
from runoff.store.file import Arrays


def ranker_weights(arrays: Arrays) -> list[tuple[str, float]]:
    """The weights of a ranker by name, that of the log-probability first, if it has some."""
    if "weights" not in arrays or "names" not in arrays:
        return []
    values, names = arrays["weights"], FeatureSpace.from_arrays(arrays).names
    if SubtreeBoost.saved_in(arrays):
        ranker = SubtreeBoost().restore(arrays, len(names))
        values, names = ranker.weights(), ranker.weight_names(names)
    weights = [(name, float(value)) for name, value in zip(names, values, strict=True)]
    if "logprob_weight" in arrays:
        weights.insert(0, ("log-probability", float(arrays["logprob_weight"][0])))
    return weights


def has_token(name: str, wanted: str | None) -> bool:
    """Whether a name has a token, as `in` is one of `(PP(in)(NP))` and of `bigram: in the`."""
    return wanted is None or wanted in re.split(r"[\s()]+", name)
