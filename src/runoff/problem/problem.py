"""A ranking problem: lists as a few arrays, which is all that rankers see."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runoff import _native
from runoff.data.files import FilePath
from runoff.data.offsets import offsets_of
from runoff.errors import ModelError
from runoff.problem.space import FeatureSpace
from runoff.problem.trees import Trees
from runoff.store.arrays import take
from runoff.store.file import checking, let_go, load, save

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
        """Where each feature occurs, going through the lists in this order."""
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
        """Sum of the qualities of what these scores pick (equation 21 of Collins & Koo 2005)."""
        places = self.picks(scores)
        chosen = self.list_offsets[:-1][places >= 0] + places[places >= 0]
        return float(self.known_qualities()[chosen].sum())

    def let_go(self) -> None:
        """Give back the memory of arrays that are mapped from a file; see `store.let_go`."""
        for _, array in self._columns():
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
        """The same lists with some of their candidates; a list may become empty."""
        counts = np.diff(self.feature_offsets)
        places = np.repeat(mask, counts)
        sizes = np.bincount(self.owners[mask], minlength=self.n_lists)
        values, qualities = self.feature_values, self.qualities
        return replace(
            self,
            list_offsets=offsets_of(sizes),
            feature_offsets=offsets_of(counts[mask]),
            feature_ids=self.feature_ids[places],
            feature_values=None if values is None else values[places],
            logprobs=self.logprobs[mask],
            qualities=None if qualities is None else qualities[mask],
            trees=None if self.trees is None else self.trees.keep(mask),
        )

    def only(self, number: int) -> RankingProblem:
        """One list alone."""
        first, last = self.list_offsets[number : number + 2].tolist()
        begin, end = self.feature_offsets[[first, last]].tolist()
        values, qualities = self.feature_values, self.qualities
        return replace(
            self,
            list_offsets=np.array([0, last - first]),
            feature_offsets=self.feature_offsets[first : last + 1] - begin,
            feature_ids=self.feature_ids[begin:end],
            feature_values=None if values is None else values[begin:end],
            logprobs=self.logprobs[first:last],
            qualities=None if qualities is None else qualities[first:last],
            trees=None if self.trees is None else self.trees.take(np.arange(first, last)),
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
        """A hash of all lists, whatever their order."""
        return hashlib.blake2b(b"".join(sorted(self.list_hashes)), digest_size=16).hexdigest()

    def _numbers(self) -> Iterator[int]:
        """Of the lists, giving back the memory of those before now and then."""
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

    def save(self, path: FilePath, space: FeatureSpace) -> None:
        """Write the problem and its feature space to one file."""
        header = {"lists": self.n_lists, "given_logprobs": self.given_logprobs}
        save(path, "problem", header, dict(self._columns()) | space.arrays())

    def _columns(self) -> Iterator[tuple[str, NDArray[Any]]]:
        for name in _COLUMNS:
            if name not in _TREES and getattr(self, name) is not None:
                yield name, getattr(self, name)
        if self.trees is not None:
            yield from zip(_TREES, self.trees, strict=True)

    @classmethod
    def load(cls, path: FilePath) -> tuple[RankingProblem, FeatureSpace]:
        """Open a problem file; its arrays stay on disk until they are read."""
        _, header, arrays = load(path, kind="problem")
        with checking(path):
            space = FeatureSpace.from_arrays(arrays)
            absent = {name for name in _OPTIONAL if name not in arrays}
            absent |= set() if any(name in arrays for name in _TREES) else set(_TREES)
            columns: dict[str, Any] = {
                name: None if name in absent else take(arrays, name, dtype, finite=False)
                for name, dtype in _COLUMNS.items()
            }
            given = header.get("given_logprobs") is True
            nodes = [columns.pop(name) for name in _TREES]
            try:
                trees = None if nodes[0] is None else Trees(*nodes)
                problem = cls(**columns, n_features=len(space), given_logprobs=given, trees=trees)
                _ = problem.native
                if trees is not None:
                    trees.check(len(space), len(problem.logprobs))
                if problem.qualities is not None:
                    problem.picks(problem.qualities)  # checks that there is one for each candidate
            except ValueError as error:
                raise ModelError(f"the ranking problem is broken: {error}") from None
        return problem, space


_COLUMNS = {
    "list_offsets": np.int64,
    "feature_offsets": np.int64,
    "feature_ids": np.uint32,
    "feature_values": np.float64,
    "logprobs": np.float64,
    "qualities": np.float64,
    "node_offsets": np.int64,
    "node_labels": np.uint32,
    "node_depths": np.uint16,
}
_TREES = ("node_offsets", "node_labels", "node_depths")
_OPTIONAL = ("feature_values", "qualities")
