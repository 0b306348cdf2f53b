"""A ranking problem: lists as a few arrays, which is all that rankers see."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runoff import _native
from runoff.data.numbering import offsets_of
from runoff.metrics.base import Metric, figure
from runoff.metrics.orders import OrderMetric
from runoff.problem.trees import Trees
from runoff.store.file import let_go

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

LISTS_BETWEEN = 512  # that are read before memory is given back


@dataclass(frozen=True, eq=False)
class RankingProblem:
    """Lists laid end to end, candidates in the order in which the lists hold them.

    Parameters
    ----------
    list_offsets : list i has the candidates `[list_offsets[i], list_offsets[i + 1])`.
    feature_offsets : likewise the features of each candidate; ids rise within a candidate.
    feature_ids, feature_values : sparse features; without values all are 1. A feature with the same
        value in every candidate of a list cannot change its order and is left out there.
    logprobs : the base system's numbers (`NBest.base_scores`).
    qualities : the metric's, or nothing where gold is not known.
    n_features : size of the feature space.
    given_logprobs : whether the lists gave log-probabilities, or only an order.
    trees : of candidates, where they are trees; the features of the space are their labels then.
    statistics : the metric's, of every candidate, shape (candidates, k); they add up over lists.
    metric : makes figures of summed statistics. It is not saved.
    data : a hash of the lists themselves (`ListsHash`), where somebody took it.
    documents : a number for the document of each list, where somebody took it.
    """

    list_offsets: Integers
    feature_offsets: Integers
    feature_ids: NDArray[np.uint32]
    feature_values: Floats | None
    logprobs: Floats
    qualities: Floats | None
    n_features: int
    given_logprobs: bool = True
    trees: Trees | None = None
    statistics: Floats | None = None
    metric: Metric | None = None
    data: str | None = None
    documents: Integers | None = None

    @property
    def n_lists(self) -> int:
        """How many lists there are."""
        return len(self.list_offsets) - 1

    @property
    def n_candidates(self) -> int:
        """How many candidates there are in all lists."""
        return len(self.logprobs)

    @cached_property
    def owners(self) -> Integers:
        """The list of each candidate."""
        return np.repeat(np.arange(self.n_lists), np.diff(self.list_offsets))

    def index(self, order: Integers, threads: int = 1) -> _native.FeatureIndex:
        """Where each feature occurs in some lists, going through them in this order."""
        return _native.FeatureIndex(self.native, order, self.let_go, threads)

    @cached_property
    def native(self) -> _native.Problem:
        """The arrays as native code takes them; checking them happens here, once."""
        return _native.Problem(
            self.list_offsets,
            self.feature_offsets,
            self.feature_ids,
            self.feature_values,
            self.logprobs,
            self.n_features,
            self.let_go,
        )

    def picks(self, scores: Floats) -> Integers:
        """The place of each list's highest score; ties keep the base order; -1 if empty."""
        places = np.empty(self.n_lists, dtype=np.int64)
        _native.argmax_lists(self.list_offsets, scores, self.logprobs, places)
        return places

    def best(self) -> Integers:
        """The place of each list's best candidate (x_i1 in Collins & Koo 2005).

        That is the one of highest quality; ties go to the higher log-probability, then to the
        lower place.
        """
        return self.picks(self.known_qualities())

    def known_qualities(self) -> Floats:
        """The qualities, or an error where the problem has none."""
        if self.qualities is None:
            raise ValueError("the lists have no qualities, which learning needs")
        return self.qualities

    def known_trees(self) -> Trees:
        """The trees, or an error where candidates are none."""
        if self.trees is None:
            raise ValueError("the lists have no trees, which the learner takes")
        return self.trees

    def picked_quality(self, scores: Floats) -> float:
        """How good what these scores pick is, as a whole; see `corpus_quality`."""
        if isinstance(self.metric, OrderMetric):
            return self._order_quality(scores, self.metric)
        picks = self.picks(scores)
        chosen = self.list_offsets[:-1][picks >= 0] + picks[picks >= 0]
        columns = np.ascontiguousarray(self.pick_statistics()[chosen].T)  # (k, lists)
        return float(self.corpus_quality(columns.sum(axis=1)))

    def _order_quality(self, scores: Floats, metric: OrderMetric) -> float:
        """The mean figure of the lists in the order of these scores; ties keep the base order."""
        order = np.lexsort((-self.logprobs, -scores, self.owners))
        grades = self.known_qualities()[order]
        bounds = self.list_offsets.tolist()
        values = [metric.of_order(grades[a:b]) for a, b in pairwise(bounds) if a < b]
        return float(np.mean(values)) if values else 0.0

    def pick_statistics(self) -> Floats:
        """What is summed over picks: the metric's statistics, or the qualities; (candidates, k)."""
        if self.metric is None or self.statistics is None:
            return self.known_qualities()[:, np.newaxis]
        return self.statistics

    def corpus_quality(self, totals: Floats) -> Floats:
        """How good picks are whose `pick_statistics` have these sums; (..., k) gives (...).

        That is the main figure of the metric, such as corpus BLEU, with a minus sign where less is
        better, such as the word error rate. Without a metric it is the sum of the qualities
        (equation 21 of Collins & Koo 2005).
        """
        if self.metric is None or self.statistics is None:
            return totals[..., 0]
        found = figure(self.metric, totals)
        return found if self.metric.higher_is_better else -found

    def let_go(self) -> None:
        """Give back the memory of arrays that are mapped from a file; see `store.let_go`."""
        for array in self.arrays().values():
            let_go(array)

    def picks_are_best(self, scores: Floats) -> NDArray[np.bool_]:
        """Whether these scores pick a candidate of the highest quality; so do empty lists."""
        picked, best, qualities = self.picks(scores), self.best(), self.known_qualities()
        result = picked < 0
        firsts = self.list_offsets[:-1][~result]
        result[~result] = qualities[firsts + picked[~result]] == qualities[firsts + best[~result]]
        return result

    def margins(self, scores: Floats) -> Floats:
        """Each list's highest score minus its second; infinite where there is no second."""
        sizes = np.diff(self.list_offsets)
        ranked = scores[np.lexsort((-scores, self.owners))]
        firsts = self.list_offsets[:-1][sizes > 1]
        result = np.full(self.n_lists, np.inf)
        result[sizes > 1] = ranked[firsts] - ranked[firsts + 1]
        return result

    def keep(self, mask: NDArray[np.bool_]) -> RankingProblem:
        """A problem of some of the candidates; a list may become empty."""
        counts = np.diff(self.feature_offsets)
        sizes = np.bincount(self.owners[mask], minlength=self.n_lists)
        offsets = offsets_of(sizes), offsets_of(counts[mask])
        return self._of(*offsets, np.flatnonzero(mask), np.repeat(mask, counts))

    def only(self, number: int) -> RankingProblem:
        """One list alone."""
        first, last = self.list_offsets[number : number + 2].tolist()
        begin, end = self.feature_offsets[[first, last]].tolist()
        offsets = np.array([0, last - first]), self.feature_offsets[first : last + 1] - begin
        return self._of(*offsets, np.arange(first, last), slice(begin, end))

    def _of(
        self,
        list_offsets: Integers,
        feature_offsets: Integers,
        candidates: Integers,
        entries: NDArray[np.bool_] | slice,
    ) -> RankingProblem:
        """The problem of some candidates, whose features are the given entries."""
        values, qualities, statistics = self.feature_values, self.qualities, self.statistics
        return replace(
            self,
            list_offsets=list_offsets,
            feature_offsets=feature_offsets,
            feature_ids=self.feature_ids[entries],
            feature_values=None if values is None else values[entries],
            logprobs=self.logprobs[candidates],
            qualities=None if qualities is None else qualities[candidates],
            trees=None if self.trees is None else self.trees.take(candidates),
            statistics=None if statistics is None else statistics[candidates],
            documents=None,
        )

    @cached_property
    def list_hashes(self) -> list[bytes]:
        """A hash of each list's content."""
        return [self._hash(number) for number in self._numbers()]

    def canonical_order(self) -> Integers:
        """The lists in an order that depends on their content alone, not on where they stand.

        Learners visit lists in this order, or in a shuffle of it, so that the order of a file
        leaves no trace in a model.
        """
        hashes = self.list_hashes
        return np.array(sorted(range(self.n_lists), key=hashes.__getitem__), dtype=np.int64)

    def fingerprint(self) -> str:
        """A hash of all lists as rankers see them, whatever their order."""
        return hashlib.blake2b(b"".join(sorted(self.list_hashes)), digest_size=16).hexdigest()

    def _numbers(self) -> Iterator[int]:
        """The numbers of the lists; memory of earlier ones is given back now and then."""
        for number in range(self.n_lists):
            if number % LISTS_BETWEEN == 0:
                self.let_go()
            yield number

    def _hash(self, number: int) -> bytes:
        first, last = self.list_offsets[number : number + 2]
        offsets = self.feature_offsets[first : last + 1]
        digest = hashlib.blake2b((offsets - offsets[0]).tobytes(), digest_size=16)
        digest.update(self.feature_ids[offsets[0] : offsets[-1]].tobytes())
        if self.feature_values is not None:
            digest.update(self.feature_values[offsets[0] : offsets[-1]].tobytes())
        digest.update(self.logprobs[first:last].tobytes())
        if self.qualities is not None:
            digest.update(self.qualities[first:last].tobytes())
        if self.trees is not None:
            nodes = self.trees.offsets[first : last + 1]
            digest.update((nodes - nodes[0]).tobytes())
            digest.update(self.trees.labels[nodes[0] : nodes[-1]].tobytes())
            digest.update(self.trees.depths[nodes[0] : nodes[-1]].tobytes())
        return digest.digest()

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The arrays by their names, trees as three of them; what a file keeps."""
        named = {name: getattr(self, name) for name in _ARRAYS}
        trees = {} if self.trees is None else dict(zip(TREE_ARRAYS, self.trees, strict=True))
        return {name: array for name, array in named.items() if array is not None} | trees


_ARRAYS = (
    *("list_offsets", "feature_offsets", "feature_ids", "feature_values"),
    *("logprobs", "qualities", "statistics", "documents"),
)
TREE_ARRAYS = ("node_offsets", "node_labels", "node_depths")
"""Names of the arrays of trees."""
