"""Which features a space has: those that occur often enough, thresholds and bins applied."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from runoff.errors import UsageError, check_at_least
from runoff.problem.batch_features import fingerprints
from runoff.problem.build.bins import MAX_BINS, find_cuts
from runoff.problem.build.passes import (
    CountingPass,
    PassResult,
    encoded_blocks,
    with_features,
)
from runoff.problem.problem import Integers
from runoff.problem.space import FeatureSpace, cut_name, threshold_name


def check_cut_offs(min_lists: int, thresholds: Sequence[int], bins: int) -> None:
    """Raise an error for cut-offs that make no sense."""
    check_at_least(1, min_lists=min_lists)
    if list(thresholds) != sorted(set(thresholds)) or (thresholds and thresholds[0] != 1):
        given = ", ".join(map(str, thresholds))
        raise UsageError(f"thresholds must be rising whole numbers from 1, e.g. 1,2,4; not {given}")
    if not 0 <= bins <= MAX_BINS:
        raise UsageError(f"bins must lie between 0 and {MAX_BINS:,}, not {bins:,}")


def choose_features(
    first_pass: CountingPass,
    result: PassResult,
    min_lists: int,
    thresholds: Sequence[int],
    bins: int,
) -> FeatureSpace:
    """The space of what the first pass found; see `build_problem` for the cut-offs."""
    is_real = ~first_pass.is_count
    # often a few features of millions, so they are set apart instead of searched for twice
    binned = with_features(result, is_real) if bins else result
    cuts = find_cuts(binned.ids, binned.values, is_real, bins) if bins else {}
    ids = dict(zip(first_pass.names, first_pass.named, strict=True))
    chosen: dict[str, float] = {}  # names, and the cut points of bins
    others: dict[str, str] = {}  # names that are made, and of what
    for name, number in ids.items():
        enough = first_pass.list_counts[number] >= min_lists
        if bins and is_real[number]:
            made = {cut_name(name, cut): cut for cut in cuts.get(number, [])}
        elif thresholds and not is_real[number]:
            pairs = zip(thresholds, enough, strict=True)
            made = {threshold_name(name, t): math.nan for t, stays in pairs if stays}
        else:
            made = {name: math.nan} if enough[0] else {}
        others |= {one: name for one in made if one != name}
        chosen |= made
    _check_names(others, first_pass)
    names = sorted(chosen)
    real = {name for name, number in ids.items() if thresholds and is_real[number]}
    space = FeatureSpace(
        names,
        thresholds=thresholds,
        real=[n for n, name in enumerate(names) if name in real],
        cuts={n: chosen[name] for n, name in enumerate(names) if not math.isnan(chosen[name])},
    )
    return _without_rare_bins(space, first_pass, binned, min_lists) if cuts else space


def _check_names(made: Mapping[str, str], first_pass: CountingPass) -> None:
    """Raise an error if a feature that is made of another has the name of one that was found."""
    for one, seen in zip(made, first_pass.has_seen(list(made)), strict=True):
        if seen:
            raise UsageError(
                f"the feature {made[one]!r} becomes {one!r}, but there already is a feature of "
                "that name",
                hint="rename one of them",
            )


def source_numbers(first_pass: CountingPass, space: FeatureSpace) -> Integers:
    """Where the provisional ids are among the sources of a space, -1 where they are not."""
    sources = np.full(len(first_pass.table), -1, dtype=np.int64)
    sources[first_pass.named] = space.find(fingerprints(first_pass.names)[0])
    return sources


def _without_rare_bins(
    space: FeatureSpace, first_pass: CountingPass, result: PassResult, min_lists: int
) -> FeatureSpace:
    """The space without bins that tell the candidates of fewer lists apart.

    `result` needs no other features than those that have bins.
    """
    bins = np.array(sorted(space.cuts), dtype=np.int64)
    lists = np.repeat(np.arange(len(result.list_offsets) - 1), np.diff(result.list_offsets))
    counts = np.zeros(len(bins), dtype=np.int64)
    binned = space.restrict(bins)
    sources = source_numbers(first_pass, binned)
    for candidates, entries in encoded_blocks(result, binned, sources):
        keys = np.unique(np.repeat(lists[candidates], entries.counts) * len(bins) + entries.ids)
        counts += np.bincount(keys % len(bins), minlength=len(bins))
    rare = bins[counts < min_lists]
    return space.restrict(np.setdiff1d(np.arange(len(space)), rare))
