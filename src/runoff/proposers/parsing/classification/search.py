"""The classifiers of labels at work: the search for the cheapest trees of tagged sentences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from runoff import _native
from runoff.data.nbest import Candidate
from runoff.data.tree import Tree
from runoff.data.treebank.prepare import kept_words
from runoff.learners.decision_trees.ensemble import Ensemble
from runoff.proposers.parsing.classification.atom_sets import atom_names, atoms_of
from runoff.proposers.parsing.classification.items import ItemNames
from runoff.proposers.parsing.classification.jobs import STRATEGIES, StateOptions
from runoff.proposers.parsing.classification.reasons import InferenceReason, inference_reasons
from runoff.proposers.parsing.classification.trees import TaggedPiece
from runoff.proposers.parsing.long_sentences import Piece, flat_tree


class SearchFigures(NamedTuple):
    """A search: inferences that were scored, whether its parse is proven best, and was greedy."""

    explored: int
    proven: bool
    greedy: bool


class ClassifiedSearch:
    """Finds the trees whose constituents the classifiers find least costly.

    Parameters
    ----------
    word_tags : see `PreparedTreebank`.
    ensembles : the classifier of each phrase label.
    explore : inferences after which a search that has a tree ends; the taggings of a sentence
        share them.
    outer : whether outermost punctuation is parsed.
    taggings : how many of the likeliest taggings of a sentence are parsed.
    """

    def __init__(
        self,
        names: ItemNames,
        word_tags: NDArray[np.uint16],
        ensembles: Sequence[Ensemble],
        options: StateOptions,
        explore: int,
        outer: bool,
        taggings: int,
    ) -> None:
        columns = [(one.offsets, one.atoms, one.yes, one.values) for one in ensembles]
        strategy = STRATEGIES.index(options.strategy)
        self.native = _native.ClassificationParser(
            atoms_of(names, options.atoms), columns, strategy, options.max_children
        )
        self.names, self.word_tags, self.ensembles = names, word_tags, list(ensembles)
        self.options, self.explore, self.outer, self.taggings = options, explore, outer, taggings

    def parse(self, pieces: Sequence[Piece], n: int, threads: int) -> list[list[Candidate]]:
        """At most n trees of each sentence, with the log-probability of their tags and minus cost.

        A tree is never likelier than its tags, so most taggings need not be looked at.
        """
        rows = [self._taggings(piece) for piece in pieces]
        best = self._lists([row[:1] for row in rows], n, threads)
        rest = [
            [one for one in row[1:] if len(found) < n or one.logprob > (found[-1].logprob or 0.0)]
            for row, found in zip(rows, best, strict=True)
        ]
        both = zip(best, self._lists(rest, n, threads), strict=True)
        return [sorted(one + more, key=_cost)[:n] for one, more in both]

    @property
    def _share(self) -> int:
        """Inferences that the search with one tagging may score."""
        return max(1, self.explore // self.taggings)

    def _taggings(self, piece: Piece) -> list[TaggedPiece]:
        return TaggedPiece.likeliest(piece, self.taggings, self.names, self.word_tags, self.outer)

    def _lists(
        self, rows: Sequence[Sequence[TaggedPiece]], n: int, threads: int
    ) -> list[list[Candidate]]:
        """For each row, at most n trees of each of its taggings."""
        most = n + n // 2 if self.outer and n > 1 else n  # some differ in outer punctuation alone
        every = [one for row in rows for one in row if one.kept]
        found = iter(self._search(every, most, self._share, threads))

        def trees(one: TaggedPiece) -> list[Candidate]:
            if not one.kept:
                return [flat_tree(Piece(tuple(one.words), None))]
            return self._candidates(one, next(found)[0])[:n]

        return [[tree for one in row for tree in trees(one)] for row in rows]

    def figures(self, trees: Sequence[Tree], threads: int = 1) -> list[SearchFigures]:
        """How the search for the best parse of each tree's tagged words went."""
        pieces = [
            TaggedPiece(tree.words, tags, kept_words(tags, self.outer))
            for tree in trees
            for tags in [[node.label for node in tree.preterminals()]]
        ]
        return [
            SearchFigures(explored, parses[0][1], greedy)
            for parses, explored, greedy in self._search(pieces, 1, self.explore, threads)
        ]

    def why(self, piece: Piece) -> list[InferenceReason]:
        """The constituents of the best tree of a sentence with reasons, the least certain first."""
        taggings = self._taggings(piece)
        firsts = [trees[0] for trees in self._lists([[one] for one in taggings], 1, 1)]
        best = min(range(len(firsts)), key=lambda n: _cost(firsts[n]))
        atoms = atom_names(self.names, self.options.atoms)
        return inference_reasons(
            self.native,
            taggings[best],
            self.names,
            self.ensembles,
            atoms,
            self._share,
        )

    def _search(
        self, pieces: Sequence[TaggedPiece], n: int, explore: int, threads: int
    ) -> list[Any]:
        names = self.names
        sizes = np.cumsum([0, *(len(one.kept) for one in pieces)]).astype(np.int64)
        words = [names.word(one.words[place]) for one in pieces for place in one.kept]
        tags = [names.tag(one.tags[place]) for one in pieces for place in one.kept]
        numbers = np.array(words, dtype=np.uint32), np.array(tags, dtype=np.uint16)
        return self.native.parse(sizes, *numbers, n, explore, threads)

    def _candidates(self, piece: TaggedPiece, parses: Sequence[Any]) -> list[Candidate]:
        made = dict[str, Candidate]()
        for cost, proven, forced, items in parses:
            tree = piece.tree((self.names.labels[row[0]], row[1], row[2]) for row in items)
            flags = {"unproven": not proven, "forced": forced}
            extra = {name: True for name, holds in flags.items() if holds}
            logprob = piece.logprob - cost
            made.setdefault(str(tree), Candidate(str(tree), logprob, extra=extra))
        return list(made.values())


def _cost(one: Candidate) -> float:
    return -(one.logprob or 0.0)
