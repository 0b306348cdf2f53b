"""Which features a space has: those that occur often enough, thresholds and bins applied."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from runoff.errors import UsageError, check_at_least
from runoff.problem.build.batch_features import fingerprints
from runoff.problem.build.bins import MAX_BINS, cut_name, find_cuts
from runoff.problem.build.first_pass import Found, Provisional
from runoff.problem.build.second_pass import encoded_blocks, with_features
from runoff.problem.problem import Integers
from runoff.problem.space import FeatureSpace, threshold_name


def check_cut_offs(min_lists: int, thresholds: Sequence[int], bins: int) -> None:
    """Raise an error for cut-offs that make no sense."""
    check_at_least(1, min_lists=min_lists)
    if list(thresholds) != sorted(set(thresholds)) or (thresholds and thresholds[0] != 1):
        given = ", ".join(map(str, thresholds))
        raise UsageError(f"thresholds are rising whole numbers from 1, as 1, 2, 4; not {given}")
    if not 0 <= bins <= MAX_BINS:
        raise UsageError(f"bins must lie between 0 and {MAX_BINS:,}, not {bins:,}")


def choose_features(
    provisional: Provisional, found: Found, min_lists: int, thresholds: Sequence[int], bins: int
) -> FeatureSpace:
    """The space of what the first pass found; see `build_problem` for the cut-offs."""
    is_real = ~provisional.is_count
    # often a few features of millions, so they are set apart instead of searched for twice
    binned = with_features(found, is_real) if bins else found
    cuts = find_cuts(binned.ids, binned.values, is_real, bins) if bins else {}
    ids = dict(zip(provisional.names, provisional.named, strict=True))
    chosen: dict[str, float] = {}  # names, and the cut points of bins
    others: dict[str, str] = {}  # names that are made, and of what
    for name, number in ids.items():
        enough = provisional.list_counts[number] >= min_lists
        if bins and is_real[number]:
            made = {cut_name(name, cut): cut for cut in cuts.get(number, [])}
        elif thresholds and not is_real[number]:
            pairs = zip(thresholds, enough, strict=True)
            made = {threshold_name(name, t): math.nan for t, stays in pairs if stays}
        else:
            made = {name: math.nan} if enough[0] else {}
        others |= {one: name for one in made if one != name}
        chosen |= made
    _check_names(others, provisional)
    names = sorted(chosen)
    real = {name for name, number in ids.items() if thresholds and is_real[number]}
    space = FeatureSpace(
        names,
        thresholds=thresholds,
        real=[n for n, name in enumerate(names) if name in real],
        cuts={n: chosen[name] for n, name in enumerate(names) if not math.isnan(chosen[name])},
    )
    return _without_rare_bins(space, provisional, binned, min_lists) if cuts else space


def _check_names(made: Mapping[str, str], provisional: Provisional) -> None:
    """Complain if a feature that is made of another one is called as one that was found."""
    for one, seen in zip(made, provisional.has_seen(list(made)), strict=True):
        if seen:
            raise UsageError(
                f"the feature {made[one]!r} becomes {one!r}, and there is a feature of that name "
                "already",
                hint="rename one of them",
            )


def provisional_places(provisional: Provisional, space: FeatureSpace) -> Integers:
    """Where the provisional ids are among the sources of a space, -1 where they are not."""
    places = np.full(len(provisional.table), -1, dtype=np.int64)
    places[provisional.named] = space.find(fingerprints(provisional.names)[0])
    return places


def _without_rare_bins(
    space: FeatureSpace, provisional: Provisional, found: Found, min_lists: int
) -> FeatureSpace:
    """The space without bins that tell the candidates of fewer lists apart.

    `found` needs no other features than those that have bins.
    """
    bins = np.array(sorted(space.cuts), dtype=np.int64)
    lists = np.repeat(np.arange(len(found.list_offsets) - 1), np.diff(found.list_offsets))
    counts = np.zeros(len(bins), dtype=np.int64)
    binned = space.restrict(bins)
    places = provisional_places(provisional, binned)
    for candidates, entries in encoded_blocks(found, binned, places):
        keys = np.unique(np.repeat(lists[candidates], entries.counts) * len(bins) + entries.ids)
        counts += np.bincount(keys % len(bins), minlength=len(bins))
    rare = bins[counts < min_lists]
    return space.restrict(np.setdiff1d(np.arange(len(space)), rare))
