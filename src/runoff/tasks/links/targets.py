"""The target functions of Ginter, Mylläri & Salakoski (2006), section 3, word by word.

A piece of a linkage are the links that end at a word, see `runoff.features.links.linked_words`.
Shorter links and less nesting are better, so their means have a minus sign.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from typing import Any

from runoff.data.links import Link
from runoff.data.nbest import NBest
from runoff.features.links import linked_words, word_features, words_of
from runoff.search.partial_candidates.sequences import Reading, Target

Piece = tuple[Link, ...]


class Regressor:
    """The score of a linear ranker of the feature set `links`, over the words and links so far."""

    name = "regressor"

    def __init__(self, words: Sequence[str], weights: Mapping[str, float]) -> None:
        self.words = ["<wall>", *(word.lower() for word in words)]
        self.weights = weights

    def start(self) -> Any:
        """No links, and no score."""
        return (), (), 0.0

    def read(self, state: Any, piece: Piece, last: bool) -> tuple[Any, float]:
        """The score with the features of one more word."""
        lefts, ends = list(state[0]), list(state[1])
        get = self.weights.get
        score = state[2]
        for name in word_features(self.words, piece, lefts, ends):
            score += get(name, 0.0)
        return (tuple(lefts), tuple(ends), score), score


class MeanLength:
    """Minus the mean length of a link."""

    name = "mean length of links"

    def start(self) -> Any:
        """No links of no length."""
        return 0, 0

    def read(self, state: Any, piece: Piece, last: bool) -> tuple[Any, float]:
        """The mean with the links of one more word."""
        count = state[0] + len(piece)
        total = state[1] + sum(right - left for left, right, _ in piece)
        return (count, total), -total / max(count, 1)


class MeanNesting:
    """Minus the mean number of links that enclose a link."""

    name = "mean nesting"

    def start(self) -> Any:
        """No left ends, and no pair of links of which one encloses the other."""
        return (), 0

    def read(self, state: Any, piece: Piece, last: bool) -> tuple[Any, float]:
        """The mean with the links of one more word, which come from the nearest word first."""
        lefts, pairs = list(state[0]), state[1]
        for left, _, _ in piece:
            place = bisect_left(lefts, left)
            pairs += len(lefts) - place
            lefts.insert(place, left)
        return (tuple(lefts), pairs), -pairs / max(len(lefts), 1)


class LinksPerWord:
    """The mean number of links per word."""

    name = "links per word"

    def start(self) -> Any:
        """No words, and no links."""
        return 0, 0

    def read(self, state: Any, piece: Piece, last: bool) -> tuple[Any, float]:
        """The mean with one more word."""
        words, links = state[0] + 1, state[1] + len(piece)
        return (words, links), links / words


NAMES = [Regressor.name, MeanLength.name, MeanNesting.name, LinksPerWord.name]
"""Names of the four target functions, in the order of their scores."""


def reading(nbest: NBest, weights: Mapping[str, float]) -> Reading:
    """The linkages of a list, to be read word by word by the four target functions."""
    words = words_of(nbest.input)
    targets: list[Target] = [
        Regressor(words, weights),
        MeanLength(),
        MeanNesting(),
        LinksPerWord(),
    ]
    return Reading([linked_words(nbest.input, one) for one in nbest.candidates], targets)
