"""A feature set for taggings that mark phrases: the right-branching tree of the phrases.

The input of a list are words, or pairs of a word and its part of speech; outputs are tags in any
scheme of `runoff.data.schemes`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runoff.data import schemes
from runoff.data.flat_tree import escape_brackets
from runoff.data.nbest import Candidate, NBest
from runoff.data.numbering import Numbering, offsets_of
from runoff.data.schemes import ENDS, LEFT, OUTSIDE, RIGHT, STARTS, UNTYPED, split_tag
from runoff.data.tree import Tree
from runoff.features.tagged_input import tags_of, words_and_tags
from runoff.features.trees import tree_maker
from runoff.problem.batch_features import CandidateError
from runoff.problem.trees import ReadTrees

MOST_WORDS = 65_000
"""Of a sentence; depths of nodes have 16 bits."""


def read_chunk_trees(lists: Sequence[NBest]) -> ReadTrees:
    """The trees of many lists at once, without a tree being made: time is that of a few passages.

    A word begins a phrase or does not, so it is two nodes or three, and its depth is the number of
    phrases up to it.
    """
    taggings = _Taggings()
    for number, nbest in enumerate(lists):
        taggings.add(number, nbest)
    return taggings.read()


@tree_maker(lexical=False, read=read_chunk_trees)
def chunk_tree(input: Any, candidate: Candidate) -> Tree:
    """The tree of the candidate's phrases, each the parent of the next one.

    References
    ----------
    Kudo, Suzuki and Isozaki (2005), section 5.2 and Figure 4.

    Examples
    --------
    >>> print(chunk_tree([["we", "PRP"], ["voted", "VBD"]], Candidate(["B-NP", "B-VP"])))
    (<left> (NP (PRP we) (VP (VBD voted) (<right>))))
    """
    words, tags = words_and_tags(input)
    tokens = [(word, tag) if tag else word for word, tag in zip(words, tags, strict=True)]
    return schemes.chunk_tree(tokens, tags_of(candidate.output, len(words)))


class _TagNumbering(Numbering):
    """Numbers of tags, which are checked when they are first met."""

    def __missing__(self, text: str) -> int:
        split_tag(text)
        return super().__missing__(text)


class _Taggings:
    """The words of all candidates, laid end to end: their symbols, and the tags they get."""

    def __init__(self) -> None:
        self.symbols, self.tags = Numbering(), _TagNumbering()
        self.words: list[int] = []
        self.classes: list[int] = []  # -1 where a word has none
        self.tagging: list[int] = []
        self.sizes: list[int] = []

    def add(self, number: int, nbest: NBest) -> None:
        """Add the candidates of a list."""
        try:
            words, classes = words_and_tags(nbest.input)
            if len(words) > MOST_WORDS:
                raise ValueError(f"the sentence has more than {MOST_WORDS:,} words")
        except (TypeError, ValueError) as error:
            raise CandidateError(str(error), number, 0) from None
        size, symbols, tags = len(nbest), self.symbols, self.tags
        self.words += [symbols[word] for word in words] * size
        self.classes += [symbols[escape_brackets(one)] if one else -1 for one in classes] * size
        self.sizes += [len(words)] * size
        for place, candidate in enumerate(nbest.candidates):
            try:
                self.tagging += map(tags.__getitem__, tags_of(candidate.output, len(words)))
            except (AttributeError, TypeError, ValueError) as error:
                raise CandidateError(str(error), number, place) from None

    def read(self) -> ReadTrees:
        """All trees."""
        sizes = np.array(self.sizes, dtype=np.int64)
        tagging = np.array(self.tagging, dtype=np.int64)
        classes = np.array(self.classes, dtype=np.int64)
        bounds = offsets_of(sizes)
        begins, kinds = self._phrases(tagging, bounds[:-1][sizes > 0])
        phrases = offsets_of(begins.astype(np.int64))  # begun before each word
        owners = np.repeat(np.arange(len(sizes)), sizes)
        depths = phrases[1:] - phrases[bounds[owners]]
        has_class = classes >= 0
        nodes = begins + 1 + has_class  # of each word
        node_offsets = offsets_of(nodes)
        ends = node_offsets[1:] + 2 * owners + 1  # each tree has a left and a right node as well
        counts = np.diff(node_offsets[bounds]) + 2
        last = np.cumsum(counts) - 1
        labels = np.empty(counts.sum(), dtype=np.uint32)
        levels = np.empty(len(labels), dtype=np.uint16)

        def put(places: NDArray[Any], symbols: Any, at: Any) -> None:
            labels[places], levels[places] = symbols, at

        put(last - counts + 1, self.symbols[LEFT], 0)
        put(last, self.symbols[RIGHT], phrases[bounds[1:]] - phrases[bounds[:-1]] + 1)
        put((ends - nodes)[begins], kinds[begins], depths[begins])
        put((ends - 2)[has_class], classes[has_class], depths[has_class] + 1)
        put(ends - 1, np.array(self.words, dtype=np.uint32), depths + 1 + has_class)
        return list(self.symbols), counts, labels, levels

    def _phrases(
        self, tagging: NDArray[np.int64], firsts: NDArray[np.int64]
    ) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
        """Whether each word begins a phrase, and the symbol of the phrase's type."""
        split = [split_tag(tag) for tag in self.tags]
        names = [
            self.symbols[OUTSIDE if prefix == OUTSIDE else escape_brackets(kind) or UNTYPED]
            for prefix, kind in split
        ]
        kinds = np.array(names, dtype=np.int64)[tagging]
        outside, starts, stops = (
            np.array([prefix in some for prefix, _ in split], dtype=np.bool_)[tagging]
            for some in ({OUTSIDE}, STARTS, ENDS)
        )
        begins = outside | starts
        begins[1:] |= (kinds[1:] != kinds[:-1]) | outside[:-1] | stops[:-1]
        begins[firsts] = True
        return begins, kinds
