"""A general feature set for text: makes any text n-best list usable at once.

Lengths, n-grams, overlap with the input, agreement with the other candidates, base rank and
log-probability per word. Agreement rewards what many candidates say, as minimum Bayes risk
decoding does. The features are native (`text_features.cpp` in `cpp/runoff/features`); raise
`REVISION` when one of them changes, so that no cache serves features of before.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runoff import _native
from runoff.data.nbest import NBest
from runoff.features.extract import encoded_by, whole_list
from runoff.problem.batch_features import BatchFeatures, CandidateError

REVISION = 1

# Scripts without spaces between words are read character by character.
_UNSPACED = "\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_TOKEN = re.compile(f"[{_UNSPACED}]|[^\\s{_UNSPACED}]+")


def tokens(value: Any) -> list[str]:
    """Words of a text, characters of Chinese or Japanese, or the items of a list.

    Examples
    --------
    >>> tokens("it's 选举 day"), tokens(["B-NP", "O"]), tokens(None)
    (["it's", '选', '举', 'day'], ['B-NP', 'O'], [])
    """
    if isinstance(value, str):
        return _TOKEN.findall(value)
    if isinstance(value, list | tuple):
        return [str(item) for item in value]
    return []


def _encode(
    lists: Sequence[NBest], thresholds: Sequence[int], *, keep_all: bool = False
) -> BatchFeatures:
    asked = np.array(thresholds or [1], dtype=np.int64)
    columns, is_count = _native.text_features(
        [[_utf8(c.output) for c in nbest.candidates] for nbest in lists],
        [_utf8(nbest.input) for nbest in lists],
        _logprobs(lists),
        np.array([rank for nbest in lists for rank in nbest.base_ranks()], dtype=np.int64),
        asked,
        keep_all,
    )
    features = BatchFeatures.of_native(columns, len(asked))
    return features._replace(is_count=is_count.astype(np.bool_))


def _utf8(value: Any) -> bytes:
    """A text as native code reads it; a list has a byte 255, which texts never have, per item."""
    if isinstance(value, str):
        return value.encode("utf-8", "surrogatepass")
    if isinstance(value, list | tuple):
        return b"".join([b"\xff" + _utf8(str(item)) for item in value])
    return b""


def _logprobs(lists: Sequence[NBest]) -> NDArray[np.float64]:
    """The log-probability of every candidate, and not a number where there is none."""
    given = [c.logprob for nbest in lists for c in nbest.candidates]
    if None in given:
        given = [math.nan if one is None else one for one in given]
    found = np.array(given, dtype=np.float64)
    if not np.isfinite(found).all():
        _check_finite(lists)
    return found


def _check_finite(lists: Sequence[NBest]) -> None:
    """Raise an error if a log-probability is not finite; there need not be one."""
    for list_index, nbest in enumerate(lists):
        for index, candidate in enumerate(nbest.candidates):
            logprob = candidate.logprob
            if logprob is not None and not math.isfinite(logprob):
                message = f"feature 'logprob per word' is {logprob}"
                raise CandidateError(message, list_index, index)


@encoded_by(_encode)
@whole_list
def text(nbest: NBest) -> list[dict[str, float]]:
    """Features of every candidate's text.

    Examples
    --------
    >>> from runoff.data.nbest import Candidate
    >>> first, second = text(NBest(candidates=[Candidate("a vote"), Candidate("a boat")]))
    >>> first["number of words"], first["agreement of words"], first["word: vote"]
    (2.0, 0.5, 1.0)
    """
    return _encode([nbest], (), keep_all=True).mappings()
