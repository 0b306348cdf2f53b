"""Features of what changed, for systems that correct or rewrite: spelling, OCR, speech.

Where the input is a text: which characters a candidate inserts, deletes, substitutes or swaps, how
much remains at both ends, and whether only capitals, apostrophes, spaces or hyphens differ; the
beginnings and ends of a candidate that is one word. Where there are words: those that differ from
the base system's favourite. The features are native (`change_features.cpp` in
`cpp/runoff/features`); raise `REVISION` when one of them changes, so that no cache serves features
of before.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runoff import _native
from runoff.data.nbest import NBest
from runoff.features.extract import encoded_by, whole_list
from runoff.problem.batch_features import BatchFeatures

REVISION = 1

NONE = (1 << 32) - 1
"""The favourite of a list without a base system, or without texts."""


def _encode(
    lists: Sequence[NBest], thresholds: Sequence[int], *, keep_all: bool = False
) -> BatchFeatures:
    asked = np.array(thresholds or [1], dtype=np.int64)
    columns = _native.change_features(
        [[_cased(c.output) or (b"", b"") for c in nbest.candidates] for nbest in lists],
        [_cased(nbest.input) for nbest in lists],
        [_favourite(nbest) for nbest in lists],
        asked,
        keep_all,
    )
    return BatchFeatures.of_native(columns, len(asked))


def _cased(value: Any) -> tuple[bytes, bytes] | None:
    """A text as native code reads it, and the same in small letters."""
    if not isinstance(value, str):
        return None
    return value.encode("utf-8", "surrogatepass"), value.lower().encode("utf-8", "surrogatepass")


def _favourite(nbest: NBest) -> int:
    """The place of the base system's first choice, if it is a text."""
    if not nbest.candidates:
        return NONE
    first = nbest.base_order()[0]
    return first if isinstance(nbest.candidates[first].output, str) else NONE


@encoded_by(_encode)
@whole_list
def changes(nbest: NBest) -> list[dict[str, float]]:
    """Features of what every candidate changed.

    Examples
    --------
    >>> from runoff.data.nbest import Candidate
    >>> (found,) = changes(NBest(None, "recieve", [Candidate("receive")]))
    >>> found["edits: swap"], found["edit: ie -> ei"], found["common beginning"]
    (1.0, 1.0, 3.0)
    """
    return _encode([nbest], (), keep_all=True).mappings()
