"""Source trees as arrays of symbols: labels and words numbered together."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from runoff import _native
from runoff.data.flat_tree import Flat, brackets_of, child_nodes
from runoff.data.numbering import Numbering, Numbers, offsets_of
from runoff.data.tree import Tree
from runoff.errors import FormatError
from runoff.store.strings import UNKNOWN, StringTable

TOPS = ("", "TOP", "ROOT", "S1")
"""Labels of roots that say nothing: such a root is left out."""

ANY_LABEL = "*"
"""The label of rules for a word whose own label was never seen with it."""

_EMPTY = re.compile(r"\(\s*[^\s()]*\s*\)")

Offsets = NDArray[np.int64]


class Parse(NamedTuple):
    """A tree in Penn brackets, and the logarithm of its probability."""

    tree: str
    logprob: float = 0.0


Parses = Sequence[Parse]
"""The parses of a sentence, the best first."""


def label_symbol(label: str) -> str:
    """A label as a symbol: no word begins with a space."""
    return f" {label}"


class SourceTrees(NamedTuple):
    """Trees end to end, nodes in preorder; nodes without others below them are words.

    Parameters
    ----------
    symbols : of nodes, as numbers.
    depths : of nodes; 0 in a root.
    words : the words of each tree.
    """

    offsets: Offsets
    symbols: Numbers
    depths: NDArray[np.uint16]
    words: list[list[str]]

    @property
    def word_offsets(self) -> Offsets:
        """Where the words of each tree begin among all words."""
        return offsets_of([len(own) for own in self.words])


class _Numbers(Protocol):
    def __call__(self, symbols: Sequence[str]) -> Numbers: ...


def new_symbols(numbering: Numbering) -> _Numbers:
    """Numbers of symbols, new ones for those that are not known."""
    return lambda symbols: numbering.numbers(symbols)


def known_symbols(table: StringTable) -> _Numbers:
    """Numbers of symbols; those that are not in a table have numbers after it."""

    def numbers(symbols: Sequence[str]) -> Numbers:
        found = table.numbers(symbols)
        unknown = np.flatnonzero(found == UNKNOWN)
        found[unknown] = len(table) + np.arange(len(unknown), dtype=np.uint32)
        return found

    return numbers


def binarised(tree: str) -> str:
    """A tree whose nodes have two children at most, so that rules may take some of a node's.

    The second child and all after it are below a node of their own, and so on; `~` marks its label.

    Examples
    --------
    >>> binarised("(NP (DT the) (JJ old) (JJ red) (NN car))")
    '(NP (DT the) (NP~ (JJ old) (NP~ (JJ red) (NN car))))'
    """
    flat = Tree.parse(tree).flat()
    above = {
        child: parent
        for parent, own in enumerate(child_nodes(flat))
        for child in own[1:-1]
        if isinstance(child, int)
    }
    rows: list[tuple[str, int, int, int]] = []
    places: list[int] = []  # of the first row of each node
    for node, (label, end, start, stop) in enumerate(zip(*flat[:4], strict=True)):
        places.append(len(rows))
        if node in above:
            parent = above[node]
            rows.append((f"{flat.labels[parent]}~", flat.ends[parent], start, flat.stops[parent]))
        rows.append((label, end, start, stop))
    places.append(len(rows))
    labels, ends, starts, stops = zip(*rows, strict=True)
    return brackets_of(Flat(labels, tuple(places[end] for end in ends), starts, stops, flat.words))


def lacks_words(tree: str) -> bool:
    """Whether a label of a tree in brackets has no words below it; a tree of no words may.

    Examples
    --------
    >>> lacks_words("(S (NP) (NN vote))"), lacks_words("(TOP)")
    (True, False)
    """
    return bool(_EMPTY.search(tree)) and not _EMPTY.fullmatch(tree.strip())


def source_trees(trees: Sequence[str], numbers: _Numbers, *, cased: bool) -> SourceTrees:
    """Trees in brackets as arrays; words are lower-cased unless they are `cased`.

    A tree without words has no nodes.

    Raises
    ------
    FormatError : brackets that are not one tree, or with nothing between them.

    Examples
    --------
    >>> found = source_trees(["(TOP (NP (DT The) (NN vote)))"], new_symbols(Numbering([""])),
    ...                      cased=False)
    >>> found.depths.tolist(), found.words
    ([0, 1, 2, 1, 2], [['the', 'vote']])
    """
    for number, tree in enumerate(trees, 1):
        if lacks_words(tree):
            raise FormatError(f"tree {number:,} has a label without words")
    try:
        texts = [tree.encode("utf-8", "surrogatepass") for tree in trees]
        names, counts, labels, depths = _native.read_trees(texts, None)
    except ValueError as error:
        raise FormatError(str(error)) from None
    if not len(labels):
        return SourceTrees(offsets_of([0] * len(trees)), labels, depths, [[] for _ in trees])
    owners = np.repeat(np.arange(len(counts)), counts)
    starts = np.cumsum(counts) - counts
    kept = _kept(names, counts, labels, depths, owners, starts)
    below = np.zeros(len(counts), np.int64)
    below[~kept[starts]] = 1
    owners, labels = owners[kept], labels[kept]
    depths = (depths[kept] - below[owners]).astype(np.uint16)
    is_word = np.ones(len(labels), bool)
    is_word[:-1] = (depths[1:] <= depths[:-1]) | (owners[1:] != owners[:-1])
    kinds, places = np.unique(labels.astype(np.int64) * 2 + is_word, return_inverse=True)
    shown = [names[kind // 2] for kind in kinds.tolist()]
    symbols = [
        (name if cased else name.lower()) if kind % 2 else label_symbol(name)
        for name, kind in zip(shown, kinds.tolist(), strict=True)
    ]
    given: Numbers = numbers(symbols)[places]
    words = [symbols[place] for place in places[is_word].tolist()]
    ends = offsets_of(np.bincount(owners[is_word], minlength=len(trees))).tolist()
    return SourceTrees(
        offsets_of(np.bincount(owners, minlength=len(trees))),
        np.ascontiguousarray(given, dtype=np.uint32),
        depths,
        [words[first:last] for first, last in pairwise(ends)],
    )


def _kept(
    names: Sequence[str],
    counts: NDArray[np.int64],
    labels: Numbers,
    depths: NDArray[np.uint16],
    owners: NDArray[np.int64],
    starts: NDArray[np.int64],
) -> NDArray[np.bool_]:
    """All nodes but those of trees without words, and roots that say nothing above one node."""
    kept = np.repeat(counts > 1, counts)
    tops = np.array([name in TOPS for name in names])
    single = np.bincount(owners[depths == 1], minlength=len(counts)) == 1
    kept[starts[tops[labels[starts]] & single & (counts > 2)]] = False
    return kept


def check_words(tree: str, words: Sequence[str], given: Sequence[str], line: int) -> None:
    """Raise an error unless the words of a tree are those of its text."""
    if list(words) != list(given):
        place = next(
            (i for i, (a, b) in enumerate(zip(words, given, strict=False)) if a != b),
            min(len(words), len(given)),
        )
        theirs = given[place] if place < len(given) else "nothing"
        ours = words[place] if place < len(words) else "nothing"
        raise FormatError(
            f"the tree does not match its text: word {place + 1} is {ours}, not {theirs}", line=line
        )
