"""Trees and sentences as the parser by classification sees them, and its trees as users get them.

The steps are those of Turian and Melamed (2006), "Advances in discriminative parsing", Table 1. Of
a sentence without a tree, quotation marks and outermost punctuation are left out; `put_back` puts
them into the tree that was found for the rest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from runoff.data.flat_tree import Flat, FlatBuilder, child_nodes
from runoff.data.tree import Tree
from runoff.data.treebank.clean import EMPTY, clean_tree, plain_label

QUOTES = frozenset(["``", "''"])
RAISED = frozenset([",", ":", "."])
"""Punctuation that is raised, and left out at the edges of a sentence; brackets are not."""

STEPS = {
    "traces": "words removed as traces",
    "labels": "labels that lost function tags or indices",
    "particles": "PRT made ADVP",
    "quotes": "quotation marks removed",
    "raised": "punctuation marks raised",
    "outer": "outermost punctuation marks removed",
    "unaries": "unary projections to self removed",
}
"""What `prepare_tree` counts, in the order of the steps."""


def kept_words(tags: Sequence[str], outer: bool = False) -> list[int]:
    """The words of a sentence that are parsed: no quotation marks, no outermost punctuation.

    A sentence of nothing else is parsed as it is.

    Parameters
    ----------
    outer : whether outermost punctuation is parsed as well.

    Examples
    --------
    >>> kept_words(["``", "PRP", ",", "VBP", ".", "''"])
    [1, 2, 3]
    >>> kept_words(["``", "PRP", ",", "VBP", ".", "''"], outer=True)
    [1, 2, 3, 4]
    >>> kept_words(["."])
    [0]
    """
    inner, unquoted = _inner(tags, _unquoted(tags)), _unquoted(tags)
    return (unquoted if outer and inner else inner) or list(range(len(tags)))


def prepare_tree(
    tree: Tree, counts: Counter[str] | None = None, *, outer: bool = False
) -> Tree | None:
    """The tree that the parser learns; None if nothing but punctuation is in it.

    Parameters
    ----------
    tree : a tree of a treebank, cleaned or not.
    counts : increased by what each of `STEPS` did.
    outer : whether outermost punctuation is kept; it is raised to the top.

    Examples
    --------
    >>> tree = Tree.parse("(S (`` ``) (NP-SBJ (NP (PRP we))) (VP (VBP vote) (. .)))")
    >>> print(prepare_tree(tree))
    (TOP (S (NP (PRP we)) (VP (VBP vote))))
    >>> print(prepare_tree(tree, outer=True))
    (TOP (S (NP (PRP we)) (VP (VBP vote))) (. .))
    """
    counts = Counter() if counts is None else counts
    cleaned = clean_tree(tree)
    if cleaned is None:
        return None
    raw = tree.flat()
    counts["traces"] += len(raw.words) - len(cleaned.words)
    counts["labels"] += sum(plain_label(x) != x for x in raw.labels if x not in EMPTY)
    nodes = _Nodes(cleaned.flat())
    nodes.rename("PRT", "ADVP", counts)
    words = nodes.words()
    unquoted = _unquoted([nodes.labels[node] for node in words])
    nodes.remove(words, unquoted, "quotes", counts)
    nodes.raise_punctuation(counts)
    words = nodes.words()
    inner = _inner([nodes.labels[node] for node in words], range(len(words)))
    if not outer:
        nodes.remove(words, inner, "outer", counts)
    if not inner:
        return None
    nodes.undo_projections_to_self(counts)
    return nodes.tree()


def put_back(tree: Tree, words: Sequence[str], tags: Sequence[str], kept: Sequence[int]) -> Tree:
    """The tree of the kept words with all words of the sentence.

    A word inside comes below the lowest constituent that has words on both sides of it, and outer
    ones below that which is directly under the top.

    Examples
    --------
    >>> tree = Tree.parse("(TOP (S (NP (PRP we)) (VP (VBP vote))))")
    >>> print(put_back(tree, ["we", "``", "vote", "."], ["PRP", "``", "VBP", "."], [0, 2]))
    (TOP (S (NP (PRP we)) (`` ``) (VP (VBP vote)) (. .)))
    """
    flat = tree.flat()
    gaps: list[list[int]] = [[] for _ in range(len(kept) + 1)]
    places = set(kept)
    before = 0
    for word in range(len(words)):
        if word in places:
            before += 1
        else:
            gaps[before].append(word)
    owners = _owners(flat)
    builder = FlatBuilder()

    def fill(gap: int) -> None:
        for word in gaps[gap]:
            builder.open(tags[word])
            builder.word(words[word])
            builder.close()
        gaps[gap] = []

    def close() -> None:
        if opened.pop() == owners[-1]:
            fill(len(kept))
        builder.close()

    opened: list[int] = []
    for node, label in enumerate(flat.labels):
        while opened and flat.ends[opened[-1]] <= node:
            close()
        start = flat.starts[node]
        if opened and owners[start] == opened[-1]:
            fill(start)
        builder.open(label)
        opened.append(node)
        if flat.ends[node] == node + 1:
            builder.word(flat.words[start])
    while opened:
        close()
    return Tree._view(builder.flat())


def _owners(flat: Flat) -> list[int]:
    """For each gap between words, and both ends, the node whose child goes there."""
    size = len(flat.words)
    outer = 1 if len(flat.ends) > 1 and flat.ends[1] == flat.ends[0] > 2 else 0
    owners = [outer] * (size + 1)
    for node, (start, stop) in enumerate(zip(flat.starts, flat.stops, strict=True)):
        for gap in range(start + 1, stop):
            owners[gap] = node  # later nodes are lower ones
    return owners


def _unquoted(tags: Sequence[str]) -> list[int]:
    return [place for place, tag in enumerate(tags) if tag not in QUOTES]


def _inner(tags: Sequence[str], places: Sequence[int]) -> list[int]:
    """The places without punctuation before the first word and after the last."""
    real = [n for n, place in enumerate(places) if tags[place] not in RAISED]
    return list(places[real[0] : real[-1] + 1]) if real else []


class _Nodes:
    """A tree that changes: labels, parents and lists of children; node 0 is the top."""

    def __init__(self, flat: Flat) -> None:
        self.labels = list(flat.labels)
        self.texts = flat.words
        self.word_of: dict[int, int] = {}  # tags -> word
        self.above = [0] * len(flat.labels)
        self.below: list[list[int]] = []
        for node, row in enumerate(child_nodes(flat)):
            self.below.append([child for child in row if isinstance(child, int)])
            for child in self.below[-1]:
                self.above[child] = node
            if flat.ends[node] == node + 1:
                self.word_of[node] = flat.starts[node]

    def words(self) -> list[int]:
        """The tags, left to right."""
        return [node for node in self._preorder() if node in self.word_of]

    def _preorder(self) -> list[int]:
        found, todo = list[int](), [0]
        while todo:
            found.append(node := todo.pop())
            todo.extend(reversed(self.below[node]))
        return found

    def rename(self, old: str, new: str, counts: Counter[str]) -> None:
        """Give all constituents of a label another one."""
        for node, label in enumerate(self.labels):
            if label == old and node not in self.word_of:
                self.labels[node] = new
                counts["particles"] += 1

    def remove(
        self, words: Sequence[int], kept: Sequence[int], step: str, counts: Counter[str]
    ) -> None:
        """Take out tags, and constituents that are left without words."""
        gone = set(words) - {words[place] for place in kept}
        counts[step] += len(gone)
        for node in gone:
            self._take_out(node)

    def _take_out(self, node: int) -> None:
        while node and not self.below[node]:
            above = self.above[node]
            self.below[above].remove(node)
            node = above

    def raise_punctuation(self, counts: Counter[str]) -> None:
        """Move punctuation at the edges of constituents as high as it gets."""
        raised = set()
        for node in sorted(self._preorder(), reverse=True):  # what is below comes first
            row, above = self.below[node], self.above[node]
            for side in (0, -1):
                while node and row and self.labels[mark := row[side]] in RAISED:
                    if mark not in self.word_of:
                        break
                    row.pop(side)
                    siblings = self.below[above]
                    siblings.insert(siblings.index(node) - side, mark)
                    self.above[mark] = above
                    raised.add(mark)
            if node and not row and node not in self.word_of:
                self.below[above].remove(node)
        counts["raised"] += len(raised)

    def undo_projections_to_self(self, counts: Counter[str]) -> None:
        """Take out constituents of the same words and label as one above them."""
        todo = [0]
        while todo:
            lower = node = todo.pop()
            label = self.labels[node]
            while len(self.below[lower]) == 1 and self.below[lower][0] not in self.word_of:
                child = self.below[lower][0]
                if self.labels[child] == label:
                    self.below[lower] = self.below[child]
                    counts["unaries"] += 1
                else:
                    lower = child
            todo.extend(self.below[node])

    def tree(self) -> Tree:
        """The tree as it is now."""
        builder, todo = FlatBuilder(), [0]
        while todo:
            node = todo.pop()
            if node < 0:
                builder.close()
                continue
            builder.open(self.labels[node])
            if node in self.word_of:
                builder.word(self.texts[self.word_of[node]])
            todo.append(-1)
            todo.extend(reversed(self.below[node]))
        return Tree._view(builder.flat())
