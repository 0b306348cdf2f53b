"""Trees as columns, nodes in preorder: what `Tree` views, and what native code reads."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple


class Span(NamedTuple):
    """The words `[start, end)` of a sentence."""

    start: int
    end: int


class Flat(NamedTuple):
    """A whole tree as columns, one entry per bracketed node in preorder, and its words.

    `ends[i]` is the first node after node i's subtree; node i covers the words
    `[starts[i], stops[i])`. A word is a child of the innermost node that covers it.
    """

    labels: tuple[str, ...]
    ends: tuple[int, ...]
    starts: tuple[int, ...]
    stops: tuple[int, ...]
    words: tuple[str, ...]


def is_preterminal(flat: Flat, node: int) -> bool:
    """Whether a node of a flat tree has one word and no bracketed child."""
    return flat.ends[node] == node + 1 and flat.stops[node] == flat.starts[node] + 1


def child_nodes(flat: Flat) -> Iterator[list[int | str]]:
    """For every node in preorder its children: numbers of nodes, and words."""
    for parent, end in enumerate(flat.ends):
        children: list[int | str] = []
        node, word = parent + 1, flat.starts[parent]
        while node < end:
            children.extend(flat.words[word : flat.starts[node]])
            children.append(node)
            node, word = flat.ends[node], flat.stops[node]
        children.extend(flat.words[word : flat.stops[parent]])
        yield children


def brackets_of(flat: Flat) -> str:
    """One line of Penn brackets; no recursion, so depth does not matter."""
    pieces: list[str] = []
    open_nodes: list[int] = []
    word = 0

    def words_until(stop: int) -> None:
        nonlocal word
        for text in flat.words[word:stop]:
            pieces.append(" " + escape_brackets(text))
        word = stop

    for node, label in enumerate(flat.labels):
        while open_nodes and flat.ends[open_nodes[-1]] <= node:
            words_until(flat.stops[open_nodes.pop()])
            pieces.append(")")
        words_until(flat.starts[node])
        pieces.append(f" ({label}")
        open_nodes.append(node)
    while open_nodes:
        words_until(flat.stops[open_nodes.pop()])
        pieces.append(")")
    return "".join(pieces)[1:]


_WHITESPACE = frozenset(" \t\n\r\v\f")
_ESCAPES = str.maketrans({"(": "-LRB-", ")": "-RRB-"})


def escape_brackets(word: str) -> str:
    """A word as trees are written: round brackets become `-LRB-` and `-RRB-`."""
    return word.translate(_ESCAPES)


def unescape_brackets(word: str) -> str:
    """A word as it was before `escape_brackets`."""
    return word.replace("-LRB-", "(").replace("-RRB-", ")")


class FlatBuilder:
    """Grows a flat tree by opening nodes, adding words and closing nodes."""

    def __init__(self) -> None:
        self.labels: list[str] = []
        self.ends: list[int] = []
        self.starts: list[int] = []
        self.stops: list[int] = []
        self.words: list[str] = []
        self._open: list[int] = []

    def open(self, label: str) -> None:
        """Begin a node."""
        self._open.append(len(self.labels))
        self.labels.append(checked_text(label, "label"))
        self.ends.append(0)
        self.starts.append(len(self.words))
        self.stops.append(0)

    def word(self, word: str) -> None:
        """Add a word to the node that is open."""
        node = self._open[-1]
        if not self.labels[node] and node + 1 == len(self.labels):
            raise ValueError("a node without a label cannot begin with a word")
        word = checked_text(word, "word")
        if "RB" in word:  # `-LRB-` is a bracket wherever it comes from: trees read as written
            word = unescape_brackets(escape_brackets(word))
        self.words.append(word)

    def close(self) -> None:
        """End the node that is open."""
        node = self._open.pop()
        self.ends[node], self.stops[node] = len(self.labels), len(self.words)

    def splice(self, flat: Flat) -> None:
        """Add a whole tree to the node that is open."""
        node, word = len(self.labels), len(self.words)
        self.labels.extend(flat.labels)
        self.ends.extend(end + node for end in flat.ends)
        self.starts.extend(start + word for start in flat.starts)
        self.stops.extend(stop + word for stop in flat.stops)
        self.words.extend(flat.words)

    def flat(self) -> Flat:
        """What was built, as columns."""
        return Flat(
            tuple(self.labels),
            tuple(self.ends),
            tuple(self.starts),
            tuple(self.stops),
            tuple(self.words),
        )


def checked_text(text: str, what: str) -> str:
    """A label or word, if brackets can hold it; `what` says which it is."""
    if not isinstance(text, str):
        raise TypeError(f"a {what} is text, not {type(text).__name__}")
    if not _WHITESPACE.isdisjoint(text) or (what == "label" and ("(" in text or ")" in text)):
        raise ValueError(f"whitespace or a bracket in the {what} {text!r}")
    if what == "word" and not text:
        raise ValueError("a word cannot be empty")
    if not text.isascii() and any("\ud800" <= c <= "\udfff" for c in text):
        raise ValueError(f"the {what} {text!r} cannot be written as UTF-8")
    return text
