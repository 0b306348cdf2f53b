"""The features of translations: sums of what native code counts of each block, under names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from runoff.errors import unknown_choice

Floats = NDArray[np.float64]

RAW = 16
"""How many numbers native code gives of a block; see `phrase_options.hpp`."""

_BORDER, _INSIDE, _DISTANCE = 7, 8, 9

RULE, PARSE = 8, 10
"""Raw features of translations by trees: rules given their label, and the parse."""

COPIED_WORDS = 6
"""The raw feature that counts copied words."""

COPYING = 1.0
"""What a copied word costs more; it is not tuned, since most sentences have none."""


@dataclass(frozen=True)
class FeatureSet:
    """Named features, each a sum of raw ones, and weights to begin with, which sum to 1."""

    sums: Mapping[str, tuple[int, ...]]
    start: tuple[float, ...]

    @property
    def names(self) -> list[str]:
        """The names of the features."""
        return list(self.sums)

    def values(self, raw: Floats) -> Floats:
        """Named features from raw ones, in the last axis."""
        return np.stack([raw[..., list(own)].sum(axis=-1) for own in self.sums.values()], axis=-1)

    def raw_weights(self, weights: Floats) -> Floats:
        """The weights of raw features; those that no name has are 0, but copying costs something.

        Examples
        --------
        >>> FEATURES["tillmann"].raw_weights(np.arange(1.0, 8.0))[[0, 6, 7, 8, 15]]
        array([ 1., -1.,  2.,  3.,  5.])
        """
        found = np.zeros(RAW)
        found[COPIED_WORDS] = -COPYING
        for own, weight in zip(self.sums.values(), weights.tolist(), strict=True):
            found[list(own)] = weight
        return found


FEATURES = {
    "standard": FeatureSet(
        {
            "block given source": (0,),
            "block given target": (1,),
            "words given source": (2,),
            "words given target": (3,),
            "language model": (_BORDER, _INSIDE),
            "words": (4,),
            "blocks": (5,),
            "distance": (_DISTANCE,),
            "before monotone": (10,),
            "before swap": (11,),
            "before other": (12,),
            "after monotone": (13,),
            "after swap": (14,),
            "after other": (15,),
        },
        (0.05, 0.05, 0.05, 0.05, 0.15, 0.25, 0.05, 0.05, 0.05, 0.05, 0.05, 0.05, 0.05, 0.05),
    ),
    "tillmann": FeatureSet(
        {
            "block": (0,),
            "language model at the border": (_BORDER,),
            "language model inside": (_INSIDE,),
            "words given source": (2,),
            "leaving": (13, 14, 15),
            "entering": (10, 11, 12),
            "words": (4,),
        },
        (0.2, 0.15, 0.15, 0.1, 0.1, 0.1, 0.2),
    ),
    "tree": FeatureSet(
        {
            "target given source": (0,),
            "source given target": (1,),
            "target words given source": (2,),
            "source words given target": (3,),
            "rule given label": (RULE,),
            "language model": (_BORDER,),
            "words": (4,),
            "rules": (5,),
            "parse": (PARSE,),
            "variables": (11,),
            "inverted": (12,),
            "lexical": (13,),
        },
        (0.05, 0.05, 0.05, 0.05, 0.02, 0.2, 0.25, -0.02, 0.01, 0.01, 0.01, 0.01),
    ),
    "huang": FeatureSet(
        {"rule given label": (RULE,), "language model": (_BORDER,), "words": (4,)},
        (0.4, 0.4, 0.2),
    ),
}
"""Sets of features by name: what is usual today, and the seven of Tillmann (2006, section 5); for
trees, what is usual, and the three of Huang, Knight & Joshi (2006, equation 9)."""


def feature_set(name: str) -> FeatureSet:
    """A set of features by name."""
    if name not in FEATURES:
        raise unknown_choice("feature set", name, FEATURES)
    return FEATURES[name]
