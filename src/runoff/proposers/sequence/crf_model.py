"""What a conditional random field has learned: labels, which may be neighbours, and weights."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import pairwise
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from runoff import _native
from runoff.errors import ModelError, UsageError
from runoff.learners.clusters import WordClusters, restored_clusters, stored_clusters
from runoff.proposers.sequence.keyed_weights import STEPS, Feature, KeyedWeights
from runoff.proposers.sequence.tag_model import MOST_TAGS
from runoff.proposers.sequence.templates import native_atoms
from runoff.proposers.sequence.word_forms import FORMS, FormTable, look_at
from runoff.store.arrays import (
    pack_numbers,
    pack_signed,
    take_numbers,
    take_signed,
)
from runoff.store.file import Arrays, checking
from runoff.store.strings import pack_strings, take_strings

START = "start"
"""What features call the place before the first word."""


class Chain(NamedTuple):
    """Labels, and pairs of numbers of those that may be neighbours.

    The first of a pair stands before the second; `len(labels)` stands before the first word.
    """

    order: int
    labels: tuple[str, ...]
    pairs: tuple[tuple[int, int], ...]

    @classmethod
    def of(cls, order: int, sequences: Iterable[Sequence[str]]) -> Self:
        """What is seen in sequences; all neighbours where those would not make long sequences.

        Examples
        --------
        >>> Chain.of(1, [["B", "I", "O", "B"]]).pairs
        ((2, 0), (3, 0), (0, 1), (1, 2))
        """
        given = list(sequences)
        labels = tuple(sorted({label for one in given for label in one}))
        if not 0 < len(labels) <= MOST_TAGS:
            raise UsageError(f"a CRF learns from 1 to {MOST_TAGS:,} labels, not {len(labels):,}")
        number = {label: i for i, label in enumerate(labels)}
        start = len(labels)
        seen = {
            pair for one in given for pair in pairwise([start, *(number[label] for label in one)])
        }
        last = {start}
        for _ in range(start + 1):  # longer than there are labels: as long as one likes
            last = {b for a, b in seen if a in last}
        every = {(a, b) for a in range(start + 1) for b in range(start)}
        return cls(
            order, labels, tuple(sorted(seen if last else every, key=lambda pair: pair[::-1]))
        )

    def native(self) -> _native.CrfChain:
        """The chain in native code, which checks it."""
        pairs = np.array(self.pairs, dtype=np.uint16).reshape(-1)
        return _native.CrfChain(self.order, len(self.labels), pairs)

    def targets(self) -> list[str]:
        """The names of what attributes have weights for: labels, and with order 2 pairs of them."""
        names = [*self.labels, START]
        pairs = [f"{names[a]} {names[b]}" for a, b in self.pairs] if self.order == 2 else []
        return [*self.labels, *pairs]


@dataclass(eq=False)
class CrfModel:
    """Everything that labelling needs.

    Parameters
    ----------
    edges : weights of neighbouring states, in steps of 1/32.
    clusters : of words, if templates look at them.
    """

    chain: Chain
    known: KeyedWeights
    edges: NDArray[np.int64]
    clusters: WordClusters | None = None

    def __reduce__(self) -> tuple[object, ...]:  # for other processes: native code stays at home
        return CrfModel.from_arrays, (self.arrays(), self.chain.order)

    @cached_property
    def native(self) -> _native.Crf:
        """The model in native code, which checks it."""
        return _native.Crf(
            self.chain.native(),
            self.known.offsets,
            self.known.pair_targets.astype(np.uint32),
            self.known.weights / STEPS,
            self.edges / STEPS,
        )

    @cached_property
    def templates(self) -> _native.CrfTemplates:
        """The templates that find attributes."""
        keys = np.ascontiguousarray(self.known.keys).reshape(-1)
        return _native.CrfTemplates(native_atoms(self.known.templates), len(FORMS), keys)

    @cached_property
    def table(self) -> FormTable[tuple[str, str]]:
        """The words that were met, as native code takes them."""
        return FormTable(partial(look_at, self.clusters), self.known.numbers)

    def features(self) -> Iterator[Feature]:
        """The weights of attributes, by name."""
        return self.known.features(["", "*"], self.chain.targets())

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The model for a file."""
        return {
            **self.known.arrays(),
            **pack_strings("labels", self.chain.labels),
            "pairs before": pack_numbers([a for a, _ in self.chain.pairs]),
            "pairs behind": pack_numbers([b for _, b in self.chain.pairs]),
            "edges": pack_signed(self.edges),
            **stored_clusters(self.clusters),
        }

    @classmethod
    def from_arrays(cls, arrays: Arrays, order: int) -> Self:
        """The model that a file holds, checked."""
        with checking():
            labels = tuple(take_strings(arrays, "labels"))
            if len(set(labels)) < len(labels):
                raise ModelError("a label comes twice")
            before = take_numbers(arrays, "pairs before", below=len(labels) + 1)
            behind = take_numbers(arrays, "pairs behind", len(before), below=len(labels))
            pairs = tuple(zip(before.tolist(), behind.tolist(), strict=True))
            chain = Chain(order, labels, pairs)
            known = KeyedWeights.from_arrays(arrays, 0, chain.native().n_targets)
            edges = take_signed(arrays, "edges")
            model = cls(chain, known, edges, restored_clusters(arrays))
            _ = model.native, model.templates
        return model
