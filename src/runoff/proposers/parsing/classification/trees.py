"""Treebanks and sentences as the parser by classification takes them, and trees from its items."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from heapq import nlargest
from math import log
from operator import itemgetter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from runoff.data.flat_tree import FlatBuilder
from runoff.data.tree import Tree
from runoff.data.treebank.prepare import RAISED, kept_words, prepare_tree, put_back
from runoff.errors import UsageError
from runoff.proposers.parsing.classification.items import Columns, ItemNames
from runoff.proposers.parsing.headed_trees import under_top
from runoff.proposers.parsing.long_sentences import Piece

_MARKS = {
    **dict.fromkeys(". ! ?".split(), "."),
    **dict.fromkeys(": ; -- - ...".split(), ":"),
    ",": ",",
    "``": "``",
    **dict.fromkeys(["''", '"'], "''"),
}
"""Tags of punctuation that prepared trees may have lost."""


class PreparedTreebank(NamedTuple):
    """Trees to learn from, prepared and encoded once for all folds.

    Parameters
    ----------
    places : the number of each tree among those that are left of them, or -1.
    word_tags : the commonest tag of each word; the last is that of rare words.
    """

    names: ItemNames
    columns: Columns
    places: NDArray[np.int64]
    word_tags: NDArray[np.uint16]

    @classmethod
    def of(cls, corpus: Iterable[Tree], outer: bool) -> PreparedTreebank:
        """The trees prepared, each below a TOP; `outer` is whether they keep outer punctuation."""
        places, trees = list[int](), list[Tree]()
        for tree in corpus:
            found = prepare_tree(tree, outer=outer)
            places.append(-1 if found is None else len(trees))
            if found is not None:
                topped = under_top(found)
                trees.append(found if _is_whole(found) else topped)
        if not trees:
            raise UsageError("a parser cannot learn from no trees")
        names = ItemNames.of(trees)
        numbers = np.array(places, dtype=np.int64)
        return cls(names, names.encode(trees), numbers, _word_tags(names, trees))

    def some(self, chosen: NDArray[np.int64]) -> Columns:
        """Some of the trees, in order."""
        places = self.places[chosen]
        offsets, *others = self.columns
        parts = [slice(offsets[n], offsets[n + 1]) for n in places[places >= 0].tolist()]
        if not parts:
            raise UsageError("a parser cannot learn from no trees")
        sizes = [part.stop - part.start for part in parts]
        columns = (np.concatenate([column[part] for part in parts]) for column in others)
        return Columns(np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64), *columns)


def _is_whole(tree: Tree) -> bool:
    """Whether a tree has one constituent below its top, and marks beside it."""
    children = [child for child in tree.children if isinstance(child, Tree)]
    phrases = [child for child in children if not child.is_preterminal]
    marks = [child for child in children if child.label in RAISED]
    return len(phrases) == 1 and len(phrases) + len(marks) == len(tree.children)


def _word_tags(names: ItemNames, trees: Iterable[Tree]) -> NDArray[np.uint16]:
    counts: dict[str, Counter[str]] = {}
    for tree in trees:
        for node in tree.preterminals():
            counts.setdefault(node.words[0].lower(), Counter())[node.label] += 1
    best = {word: min(seen, key=lambda tag: (-seen[tag], tag)) for word, seen in counts.items()}
    rare = Counter(best[word] for word, seen in counts.items() if seen.total() == 1)
    common = min(rare or Counter(best.values()), key=lambda tag: (-rare[tag], tag))
    tags = [*(best[word] for word in names.words), common]
    return np.array([names.tag(tag) for tag in tags], dtype=np.uint16)


class TaggedPiece(NamedTuple):
    """A sentence, or a piece of one, with one tag per word, and the words that are parsed.

    Parameters
    ----------
    logprob : of the tags, as the tagger has them.
    """

    words: Sequence[str]
    tags: Sequence[str]
    kept: list[int]
    logprob: float = 0.0

    @classmethod
    def likeliest(
        cls, piece: Piece, n: int, names: ItemNames, word_tags: NDArray[np.uint16], outer: bool
    ) -> list[TaggedPiece]:
        """The n likeliest taggings; a word of which nothing is known has its commonest tag."""
        best: list[tuple[float, tuple[str, ...]]] = [(0.0, ())]
        for place, word in enumerate(piece.words):
            row = piece.choices[place] if piece.choices else ()
            own = names.tags[word_tags[min(names.number(word), len(word_tags) - 1)]]
            known = [(log(max(p, 1e-300)), tag) for tag, p in row]
            known = known or [(0.0, _MARKS.get(word, own))]
            longer = ((before + p, (*tags, tag)) for before, tags in best for p, tag in known)
            best = nlargest(n, longer, key=itemgetter(0))
        return [cls(piece.words, tags, kept_words(tags, outer), p) for p, tags in best]

    def tree(self, items: Iterable[tuple[str, int, int]]) -> Tree:
        """The tree of constituents over the kept words, in preorder, with all words.

        Outermost punctuation is put where all is put that was left out, not where it was found.
        """
        builder, opened, done = FlatBuilder(), list[int](), 0
        inner = kept_words(self.tags)
        before = self.kept.index(inner[0])

        def leaves(end: int) -> None:
            nonlocal done
            for place in inner[done:end]:
                builder.open(self.tags[place])
                builder.word(self.words[place])
                builder.close()
            done = max(done, end)

        for label, *span in items:
            start, end = (min(max(place - before, 0), len(inner)) for place in span)
            if start == end:
                continue
            while opened and opened[-1] <= start:
                leaves(opened.pop())
                builder.close()
            leaves(start)
            builder.open(label)
            opened.append(end)
        while opened:
            leaves(opened.pop())
            builder.close()
        return put_back(Tree._view(builder.flat()), self.words, self.tags, inner)
