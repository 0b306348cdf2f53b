"""The features of a few lists as arrays: what a worker sends back."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

import numpy as np

from runoff.data.nbest import NBest
from runoff.errors import UsageError
from runoff.metrics.base import Metric
from runoff.metrics.measure import measure
from runoff.problem.batch_features import (
    BatchFeatures,
    CandidateError,
    JoinedNames,
    Keys,
    encode_mappings,
)
from runoff.problem.extractor import Extractor, extract_all, failure
from runoff.problem.problem import Floats, Integers


class ListBatch(NamedTuple):
    """Features under ids of the batch's own, and what else a problem needs of its lists."""

    features: BatchFeatures
    list_sizes: Integers
    logprobs: Floats
    qualities: Floats
    statistics: Floats  # (candidates, k); k is 0 without a metric
    has_logprobs: set[bool]


def extract_batch(
    numbered: tuple[int, Sequence[NBest]],
    *,
    extractors: Sequence[Extractor],
    metric: Metric | None,
    thresholds: Sequence[int],
) -> ListBatch:
    """Extract the features of some lists, and their qualities if there is a metric.

    `numbered` are the lists and the number of the first of them, for errors.
    """
    first, lists = numbered
    measured = None if metric is None else measure(lists, metric, first)
    sizes = [len(nbest) for nbest in lists]
    return ListBatch(
        features=_features(lists, first, extractors, thresholds),
        list_sizes=np.array(sizes, dtype=np.int64),
        logprobs=np.array([s for nbest in lists for s in nbest.base_scores()], dtype=np.float64),
        qualities=np.zeros(0) if measured is None else measured.qualities,
        statistics=np.zeros((sum(sizes), 0)) if measured is None else measured.statistics,
        has_logprobs={
            all(c.logprob is not None for c in nbest.candidates)
            for nbest in lists
            if nbest.candidates
        },
    )


def _features(
    lists: Sequence[NBest], first: int, extractors: Sequence[Extractor], thresholds: Sequence[int]
) -> BatchFeatures:
    """The features of all extractors; those that encode by themselves do so."""
    plain = [extractor for extractor in extractors if extractor.encode is None]
    hidden = [nbest.without_gold() for nbest in lists]
    parts = []
    if plain or len(extractors) == 0:
        named = list(extract_all(lists, plain, first))
        if len(plain) == len(extractors) or any(map(any, named)):
            parts.append(encode_mappings(named, thresholds))
    for extractor in extractors:
        if extractor.encode is not None:
            try:
                parts.append(extractor.encode(hidden, thresholds))
            except CandidateError as error:
                where = lists[error.list_index], first + error.list_index, error.candidate_index
                raise failure(extractor, *where, ValueError(error.message)) from None
    if len(parts) > len(extractors) - len(plain) and _shares_names(parts):
        # a list's own features have a name of ours: the slow way adds them up
        return encode_mappings(extract_all(lists, extractors, first), thresholds)
    return parts[0] if len(parts) == 1 else _joined(parts)


def _shares_names(parts: Sequence[BatchFeatures]) -> bool:
    """Whether the first part has a feature that another one has too."""
    return any(bool(np.isin(parts[0].keys, part.keys).any()) for part in parts[1:])


def _joined(parts: Sequence[BatchFeatures]) -> BatchFeatures:
    """Features of several sets, each candidate's one set after the other."""
    keys, checks = (np.concatenate([part[place] for part in parts]) for place in (0, 1))
    ends = accumulate((len(part.keys) for part in parts), initial=0)
    starts = np.fromiter(ends, dtype=np.int64, count=len(parts) + 1)
    names = JoinedNames([part.names for part in parts], starts)
    _check_names(keys, names)
    counts = [part.feature_counts for part in parts]
    numbers = np.arange(len(counts[0]))
    order = np.argsort(np.concatenate([np.repeat(numbers, own) for own in counts]), kind="stable")
    shifts = starts.astype(np.uint32)[:-1]
    ids = [part.ids + shift for part, shift in zip(parts, shifts, strict=True)]
    return BatchFeatures(
        keys,
        checks,
        names,
        np.concatenate([part.list_counts for part in parts]),
        np.concatenate([part.is_count for part in parts]),
        sum(counts[1:], counts[0]),
        np.concatenate(ids)[order],
        np.concatenate([part.values for part in parts])[order],
    )


def _check_names(keys: Keys, names: JoinedNames) -> None:
    """Raise an error if two sets have a feature of the same name."""
    ordered = np.sort(keys)
    if not (ordered[1:] == ordered[:-1]).any():
        return
    _, firsts = np.unique(keys, return_index=True)
    (name,) = names.at(np.setdiff1d(np.arange(len(keys)), firsts)[:1])
    raise UsageError(f"two feature sets have the feature {name!r}", hint="leave one of them out")
