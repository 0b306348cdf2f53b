"""Why the parser by classification built a tree: the conjunctions that scored each constituent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from runoff import _native
from runoff.learners.decision_trees.ensemble import Conjunction, Ensemble
from runoff.proposers.parsing.classification.atoms import AtomNames
from runoff.proposers.parsing.classification.items import ItemNames
from runoff.proposers.parsing.classification.trees import TaggedPiece


class InferenceReason(NamedTuple):
    """A constituent of a tree, and why it was added.

    Parameters
    ----------
    words : those that it covers, without quotation marks and outermost punctuation.
    score : h, the sum of the terms; the cost is ln(1 + exp(-h)).
    terms : conjunctions in words and their values, the largest first.
    """

    label: str
    words: tuple[str, ...]
    score: float
    terms: list[tuple[str, float]]


def inference_reasons(
    parser: _native.ClassificationParser,
    piece: TaggedPiece,
    names: ItemNames,
    ensembles: Sequence[Ensemble],
    atoms: AtomNames,
    explore: int,
) -> list[InferenceReason]:
    """The constituents of the best tree of a sentence, the least certain first."""
    words = np.array([names.word(piece.words[place]) for place in piece.kept], dtype=np.uint32)
    tags = np.array([names.tag(piece.tags[place]) for place in piece.kept], dtype=np.uint16)
    offsets = np.array([0, len(words)], dtype=np.int64)
    ((parses, _, _),) = parser.parse(offsets, words, tags, 1, explore)
    items = sorted(parses[0][3], key=lambda item: item[3])  # as they were added
    leaves = parser.explain(words, tags, [item[:3] for item in items])
    found = []
    for (label, start, end, *_), nodes in zip(items, leaves, strict=True):
        ensemble = ensembles[label - len(names.tags)]
        terms = [
            (_conjunction(ensemble, node).named(atoms), ensemble.values[node]) for node in nodes
        ]
        terms.sort(key=lambda term: (-abs(term[1]), term[0]))
        covered = tuple(piece.words[place] for place in piece.kept[start:end])
        score = float(sum(ensemble.values[node] for node in nodes))
        found.append(InferenceReason(names.labels[label], covered, score, terms))
    return sorted(found, key=lambda one: one.score)


def _conjunction(ensemble: Ensemble, leaf: int) -> Conjunction:
    """The way from the root of its tree to a leaf."""
    root = int(ensemble.offsets[np.searchsorted(ensemble.offsets, leaf, side="right") - 1])
    path, node = list[tuple[int, bool]](), root
    while node != leaf:
        present = root + int(ensemble.yes[node]) <= leaf
        path.append((int(ensemble.atoms[node]), present))
        node = root + int(ensemble.yes[node]) if present else node + 1
    return Conjunction(tuple(path), float(ensemble.values[leaf]))
