"""The score of a linear ranker, feature by feature as they come."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise

import numpy as np

from runoff.data.numbering import offsets_of
from runoff.problem.batch_features import fingerprints
from runoff.problem.extractor import PieceFeatures
from runoff.problem.problem import Floats
from runoff.problem.space import FeatureSpace


class SourceWeights:
    """What each source of a feature space adds to the score of a linear ranker, by its value.

    Thresholds and bins make several features of one source, each of which counts from a value on.
    """

    def __init__(self, space: FeatureSpace, weights: Floats) -> None:
        self.space, self.made = space, space.made
        self.weights = weights[self.made.ids]
        self._known: dict[str, list[tuple[float, float]]] = {}

    def of(self, name: str) -> list[tuple[float, float]]:
        """Cut points and weights of a source; a cut point of nan is a weight times the value."""
        found = self._known.get(name)
        if found is None:
            source = int(self.space.find(fingerprints([name])[0])[0])
            own = slice(0, 0) if source < 0 else slice(*self.made.offsets[source : source + 2])
            pairs = zip(self.made.cuts[own].tolist(), self.weights[own].tolist(), strict=True)
            found = self._known[name] = list(pairs)
        return found

    def stream(self, pieces: Iterable[Iterable[str] | Mapping[str, float]]) -> Iterator[float]:
        """What each piece adds to the score, as a stream: nothing is extracted ahead."""
        values: dict[str, float] = {}
        for piece in pieces:
            items = piece.items() if isinstance(piece, Mapping) else ((name, 1.0) for name in piece)
            added = 0.0
            for name, value in items:
                for cut, weight in self.of(name):
                    if cut != cut:
                        added += weight * value
                        continue
                    before = values.get(name, 0.0)
                    added += weight * (float(before + value >= cut) - float(before >= cut))
                values[name] = values.get(name, 0.0) + value
            yield added

    def of_arrays(self, found: PieceFeatures) -> list[list[float]]:
        """What each piece of every candidate of a list adds to the score."""
        sources = self.space.find(found.keys)[found.ids]
        pieces = np.repeat(np.arange(len(found.counts)), found.counts)
        owners = np.repeat(np.arange(len(found.pieces)), found.pieces)[pieces]
        order = np.lexsort((pieces, sources, owners))
        order = order[sources[order] >= 0]
        sources, pieces, values = sources[order], pieces[order], found.values[order]
        sums = np.cumsum(values)
        first = np.flatnonzero(
            (np.diff(sources, prepend=-1) != 0) | (np.diff(owners[order], prepend=-1) != 0)
        )
        starts = np.repeat(sums[first] - values[first], np.diff(first, append=len(values)))
        after = sums - starts
        sizes = np.diff(self.made.offsets)[sources]
        entry = np.repeat(np.arange(len(sources)), sizes)
        place = np.arange(len(entry)) - np.repeat(offsets_of(sizes)[:-1], sizes)
        place += np.repeat(self.made.offsets[:-1][sources], sizes)
        cuts, end = self.made.cuts[place], after[entry]
        reached = (end >= cuts).astype(float) - (end - values[entry] >= cuts)
        added = self.weights[place] * np.where(np.isnan(cuts), values[entry], reached)
        totals = np.bincount(pieces[entry], added, len(found.counts)).tolist()
        return [totals[a:b] for a, b in pairwise(offsets_of(found.pieces).tolist())]
