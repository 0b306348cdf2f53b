"""Trees: immutable, labelled, ordered; Penn brackets in and out.

A tree is stored flat, nodes in preorder, and every `Tree` is a view of one node of it. So a tree
may be as deep or as wide as it likes, spans and words cost nothing, and native code reads it
without walking objects.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias, overload

from runoff import _native
from runoff.data.files import FilePath, open_output, read_chunks
from runoff.data.flat_tree import (
    Flat,
    FlatBuilder,
    Span,
    brackets_of,
    checked_text,
    child_nodes,
    escape_brackets,
    is_preterminal,
)
from runoff.errors import FormatError, import_extra

if TYPE_CHECKING:
    import nltk
    from rich.console import Console, ConsoleOptions, RenderResult

Child: TypeAlias = "Tree | str"


class Tree:
    """A node with a label and children, which are trees or words.

    Parameters
    ----------
    label : the node's label; may be empty, as the outermost bracket of Penn files is.
    children : trees and words, in order.

    Examples
    --------
    >>> tree = Tree("NP", [Tree("DT", ["the"]), Tree("NN", ["vote"])])
    >>> print(tree)
    (NP (DT the) (NN vote))
    >>> tree.words, tree.children[1].span
    (('the', 'vote'), Span(start=1, end=2))
    >>> tree == Tree.parse("(NP (DT the) (NN vote))")
    True
    """

    __slots__ = ("_flat", "_node", "_starts")

    def __init__(self, label: str, children: Iterable[Child] = ()) -> None:
        self._flat = _join(checked_text(label, "label"), children)
        self._node = 0
        self._starts: tuple[int, ...] | None = None

    @classmethod
    def _view(cls, flat: Flat, node: int = 0, starts: tuple[int, ...] | None = None) -> Tree:
        tree = cls.__new__(cls)
        tree._flat, tree._node, tree._starts = flat, node, starts
        return tree

    @classmethod
    def parse(cls, text: str) -> Tree:
        """The one tree of a bracketed text.

        Examples
        --------
        >>> Tree.parse("(NP (-LRB- -LRB-) (NN vote) (-RRB- -RRB-))").words
        ('(', 'vote', ')')
        """
        trees = parse_trees(text)
        if len(trees) != 1:
            raise FormatError(f"expected one tree, found {len(trees)}")
        return trees[0]

    @property
    def label(self) -> str:
        """The node's label."""
        return self._flat.labels[self._node]

    @property
    def span(self) -> Span:
        """The words of the sentence that the node covers."""
        return Span(self._flat.starts[self._node], self._flat.stops[self._node])

    @property
    def words(self) -> tuple[str, ...]:
        """The words below the node, round brackets as themselves."""
        flat, node = self._flat, self._node
        return flat.words[flat.starts[node] : flat.stops[node]]

    @property
    def children(self) -> tuple[Child, ...]:
        """The node's children: trees, and words directly below it."""
        flat, children = self._flat, list[Child]()
        node, end, word = self._node + 1, flat.ends[self._node], flat.starts[self._node]
        while node < end:
            children.extend(flat.words[word : flat.starts[node]])
            children.append(Tree._view(flat, node, self._starts))
            node, word = flat.ends[node], flat.stops[node]
        children.extend(flat.words[word : flat.stops[self._node]])
        return tuple(children)

    @property
    def is_preterminal(self) -> bool:
        """Whether the node is a part-of-speech tag over one word."""
        return is_preterminal(self._flat, self._node)

    def nodes(self) -> Iterator[Tree]:
        """The node and everything below it, parents before children, left to right."""
        for node in range(self._node, self._flat.ends[self._node]):
            yield Tree._view(self._flat, node, self._starts)

    def leaves(self) -> list[str]:
        """The words below the node, as a list; `words` has them as a tuple."""
        return list(self.words)

    @overload
    def __getitem__(self, place: int) -> Child: ...

    @overload
    def __getitem__(self, place: slice) -> tuple[Child, ...]: ...

    @overload
    def __getitem__(self, place: tuple[int, ...]) -> Child: ...

    def __getitem__(self, place: int | slice | tuple[int, ...]) -> Child | tuple[Child, ...]:
        """A child, some of them, or what a path of places leads to.

        Examples
        --------
        >>> tree = Tree.parse("(S (NP (PRP we)) (VP (VBD won)))")
        >>> tree[-1].label, tree[0, 0, 0], len(tree)
        ('VP', 'we', 2)
        """
        if not isinstance(place, tuple):
            return self.children[place]
        node: Child = self
        for step in place:
            if isinstance(node, str):
                raise IndexError(f"the path {place} goes on below the word {node!r}")
            node = node.children[step]
        return node

    def __len__(self) -> int:
        """The number of children."""
        return len(self.children)

    def __bool__(self) -> bool:
        """A tree is never false, not even one without children."""
        return True

    def __iter__(self) -> Iterator[Child]:
        """The children."""
        return iter(self.children)

    def find(self, *labels: str) -> list[Tree]:
        """The nodes that have one of these labels, parents before children, left to right.

        Examples
        --------
        >>> tree = Tree.parse("(S (NP (PRP we)) (VP (VBD won) (NP (NN gold))))")
        >>> [" ".join(node.words) for node in tree.find("NP")]
        ['we', 'gold']
        """
        flat = self._flat
        return [
            Tree._view(flat, node, self._starts)
            for node in range(self._node, flat.ends[self._node])
            if flat.labels[node] in labels
        ]

    @property
    def offsets(self) -> Span | None:
        """Where the node is in the text that was parsed, in characters; None if there was none.

        Examples
        --------
        >>> tree = Tree.parse("(S (NP (PRP we)) (VP (VBD won)))").placed([10, 13])
        >>> tree.offsets, tree.find("VP")[0].offsets
        (Span(start=10, end=16), Span(start=13, end=16))
        """
        start, end = self.span
        if self._starts is None or start >= end:
            return None
        return Span(self._starts[start], self._starts[end - 1] + len(self._flat.words[end - 1]))

    def placed(self, starts: Sequence[int] | None) -> Tree:
        """The tree with the places where its words begin in a text."""
        if starts is not None and len(starts) != len(self.words):
            raise ValueError(f"{len(starts)} places for {len(self.words)} words")
        return Tree._view(self.flat(), 0, None if starts is None else tuple(starts))

    def preterminals(self) -> Iterator[Tree]:
        """The nodes that are part-of-speech tags, left to right."""
        return (node for node in self.nodes() if node.is_preterminal)

    def flat(self) -> Flat:
        """The node's subtree as columns, nodes and words counted from 0."""
        flat, node = self._flat, self._node
        if node == 0:
            return flat
        end, start = flat.ends[node], flat.starts[node]
        return Flat(
            flat.labels[node:end],
            tuple(other - node for other in flat.ends[node:end]),
            tuple(place - start for place in flat.starts[node:end]),
            tuple(place - start for place in flat.stops[node:end]),
            self.words,
        )

    def __eq__(self, other: object) -> bool:
        return self.flat() == other.flat() if isinstance(other, Tree) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.flat())

    def __reduce__(self) -> tuple[object, ...]:
        span = self.span
        starts = None if self._starts is None else self._starts[span.start : span.end]
        return _from_flat, (*self.flat(), starts)

    def __str__(self) -> str:
        return brackets_of(self.flat())

    def __repr__(self) -> str:
        return f"Tree.parse({str(self)!r})"

    def _repr_html_(self) -> str:
        return self.svg()

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        from runoff.data.treebank.draw import draw_rich

        yield draw_rich(self, options.max_width)

    def draw(self, width: int | None = None) -> str:
        """The tree as text for the terminal, at most `width` columns wide where that is possible.

        Examples
        --------
        >>> print(Tree.parse("(NP (DT the) (NN vote))").draw())
           NP
         ┌──┴──┐
        DT    NN
         │     │
        the  vote
        """
        from runoff.data.treebank.draw import draw_text

        return draw_text(self, width)

    def svg(self) -> str:
        """The tree as an SVG picture, which notebooks show by themselves."""
        from runoff.data.treebank.svg import draw_svg

        return draw_svg(self)

    @classmethod
    def from_nltk(cls, tree: nltk.Tree) -> Tree:
        """The tree that an `nltk.Tree` describes.

        Examples
        --------
        >>> import nltk
        >>> print(Tree.from_nltk(nltk.Tree("NP", [nltk.Tree("NN", ["votes"])])))
        (NP (NN votes))
        """
        if not hasattr(tree, "label"):
            raise TypeError(f"expected an nltk.Tree, not {type(tree).__name__}")
        builder = FlatBuilder()
        todo: list[Any] = [tree]
        while todo:
            item = todo.pop()
            if item is builder:  # stands for the end of a node
                builder.close()
            elif hasattr(item, "label"):
                builder.open(str(item.label()))
                todo.append(builder)
                todo.extend(reversed(item))
            else:
                builder.word(item)
        return cls._view(builder.flat())

    def to_nltk(self) -> nltk.Tree:
        """The tree as an `nltk.Tree` (needs the extra `nltk`).

        Round brackets in words become `-LRB-` and `-RRB-`, as in NLTK's own treebanks.
        """
        make = import_extra("nltk.tree", "nltk").Tree
        flat = self.flat()
        nodes = [make(label, []) for label in flat.labels]
        for node, children in zip(nodes, child_nodes(flat), strict=True):
            node.extend(nodes[c] if isinstance(c, int) else escape_brackets(c) for c in children)
        return nodes[0]


def parse_trees(text: str) -> list[Tree]:
    """All trees of a bracketed text.

    Examples
    --------
    >>> [tree.label for tree in parse_trees("(S (NN a))  (NP (NN b)) # said twice")]
    ['S', 'NP']
    """
    scanner = _native.BracketScanner()
    try:
        columns = scanner.feed(text.removeprefix("\ufeff").encode(errors="surrogatepass"))
        scanner.finish()
    except ValueError as error:
        raise FormatError(str(error), line=scanner.line) from None
    return [Tree._view(Flat(*tree)) for tree in columns]


def read_trees(path: FilePath) -> Iterator[Tree]:
    """The trees of a Penn-bracket file, one by one; plain or gzip, one or more lines per tree.

    Between trees, lines that start with `#`, `%`, `;` or `*` are comments. `-LRB-` and `-RRB-` in
    words become round brackets, and go back when a tree is written.

    Raises
    ------
    FormatError : an unbalanced bracket or stray text, with file and line.

    Examples
    --------
    >>> write_trees([Tree.parse("(NP (DT the) (NN vote))")], "votes.mrg")
    >>> [tree.words for tree in read_trees("votes.mrg")]
    [('the', 'vote')]
    """
    scanner = _native.BracketScanner()
    try:
        for chunk in read_chunks(path):
            for tree in scanner.feed(chunk):
                yield Tree._view(Flat(*tree))
        scanner.finish()
    except FormatError:
        raise
    except ValueError as error:
        raise FormatError(str(error), path=path, line=scanner.line) from None


def write_trees(trees: Iterable[Tree], path: FilePath) -> None:
    """Write trees to a file, one per line."""
    with open_output(path) as stream:
        for tree in trees:
            stream.write(f"{tree}\n".encode())


def _join(label: str, children: Iterable[Child]) -> Flat:
    if isinstance(children, str):
        raise TypeError(f"children are trees and words in a list, not the text {children!r}")
    builder = FlatBuilder()
    builder.open(label)
    for child in children:
        if isinstance(child, Tree):
            builder.splice(child.flat())
        else:
            builder.word(child)
    builder.close()
    return builder.flat()


def _from_flat(*given: Any) -> Tree:
    *columns, starts = given
    return Tree._view(Flat(*columns), 0, starts)
