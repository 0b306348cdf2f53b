"""Trees drawn for the terminal with box characters.

Words stand on the bottom line with their tags above them, so that the sentence can be read.
Nothing here recurses, and every drawing is made in time linear in the tree.
"""

from __future__ import annotations

import shutil
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from runoff.data.flat_tree import Flat, child_nodes, is_preterminal
from runoff.data.text.printable import printable_line
from runoff.data.tree import Tree

if TYPE_CHECKING:
    from rich.text import Text

Kind: TypeAlias = Literal["label", "tag", "word", "line"]
Piece: TypeAlias = tuple[str, Kind]
Row: TypeAlias = list[tuple[int, str, Kind]]  # column, text, kind

NO_LABEL = "·"
MAX_LEVELS = 64
"""Deeper subtrees are written in brackets: their indentation alone would be quadratic."""

STYLES: dict[Kind, str] = {"label": "cyan", "tag": "green", "word": "bold", "line": "dim"}


def draw_text(tree: Tree, width: int | None = None) -> str:
    """The tree for a terminal: top-down if that fits in `width` columns, else indented.

    Without `width` the terminal's own is used, or 100 if there is no terminal. Lines of the
    indented drawing are never broken, so they may be longer.

    Examples
    --------
    >>> tree = Tree.parse("(S (NP (PRP We)) (VP (VBP vote)) (. .))")
    >>> print(draw_text(tree, 20))
           S
     ┌─────┼───┐
    NP    VP   │
     │     │   │
    PRP   VBP  .
     │     │   │
    We   vote  .
    >>> print(draw_text(tree, 8))
    S
    ├── NP
    │   └── PRP We
    ├── VP
    │   └── VBP vote
    └── . .
    """
    return "\n".join("".join(text for text, _ in line) for line in _lines(tree, width))


def draw_rich(tree: Tree, width: int | None = None) -> Text:
    """The tree as `draw_text` draws it, with styles for labels, tags, words and lines.

    Examples
    --------
    >>> drawing = draw_rich(Tree.parse("(NP (NN votes))"), 20)
    >>> drawing.plain == draw_text(Tree.parse("(NP (NN votes))"), 20)
    True
    """
    from rich.text import Text

    drawing = Text(overflow="fold")
    for number, line in enumerate(_lines(tree, width)):
        drawing.append("\n" if number else "")
        for text, kind in line:
            drawing.append(text, STYLES[kind] if text.strip() else "")
    return drawing


# What is drawn, whatever the medium


class Shape(NamedTuple):
    """The items of a drawing: the tree's nodes in preorder, then its words.

    A child's number is larger than its parent's. Level 0 is the top line.
    """

    texts: list[str]
    kinds: list[Kind]
    children: list[list[int]]
    levels: list[int]


def shape_of(flat: Flat) -> Shape:
    """What a drawing of a tree needs to know of it."""
    texts, children = list(flat.labels), list[list[int]]()
    for node_children in child_nodes(flat):
        children.append([])
        for child in node_children:
            if isinstance(child, int):
                children[-1].append(child)
            else:
                children[-1].append(len(texts))
                texts.append(child)
    nodes, words = len(flat.labels), len(flat.words)
    kinds: list[Kind] = ["tag" if is_preterminal(flat, n) else "label" for n in range(nodes)]
    kinds += ["word"] * words
    children += [[] for _ in range(words)]
    shown = [printable_line(text) or NO_LABEL for text in texts]
    return Shape(shown, kinds, children, _levels(kinds, children))


def _levels(kinds: list[Kind], children: list[list[int]]) -> list[int]:
    """Depth from the top for phrases; all words on the last level, all tags just above them."""
    levels = [0] * len(kinds)
    for item, below in enumerate(children):
        for child in below:
            levels[child] = levels[item] + 1
    deepest = max(level for level, kind in zip(levels, kinds, strict=True) if kind != "word")
    bottom: dict[Kind, int] = {"tag": deepest, "word": deepest + 1}
    return [bottom.get(kind, level) for level, kind in zip(levels, kinds, strict=True)]


def spread(children: list[list[int]], widths: list[int], gap: int) -> tuple[list[int], int]:
    """The middle of every item, and the width of the whole.

    Every subtree has columns of its own, `gap` apart; a parent stands half-way between its first
    and its last child.
    """
    left = [width // 2 for width in widths]  # what an item's subtree needs left of its middle
    right = [width - width // 2 for width in widths]
    place = [0] * len(widths)  # an item's middle, seen from its parent's
    for item in reversed(range(len(widths))):
        if below := children[item]:
            column = 0
            for child in below:
                place[child] = column + left[child]
                column += left[child] + right[child] + gap
            middle = _middle([place[child] for child in below])
            for child in below:
                place[child] -= middle
            left[item] = max(left[item], middle)
            right[item] = max(right[item], column - gap - middle)
    place[0] = left[0]
    for item, below in enumerate(children):
        for child in below:
            place[child] += place[item]
    return place, left[0] + right[0]


def _middle(columns: list[int]) -> int:
    """Half-way between first and last, or right above an inner column that is next to that."""
    middle = (columns[0] + columns[-1]) // 2
    return next((column for column in columns[1:-1] if abs(column - middle) <= 1), middle)


# For the terminal


def _lines(tree: Tree, width: int | None) -> list[list[Piece]]:
    if width is None:
        width = shutil.get_terminal_size(fallback=(100, 24)).columns
    flat = tree.flat()
    shape = shape_of(flat)
    if max(shape.levels) <= MAX_LEVELS:
        cells = [max(1, _cells(text)) for text in shape.texts]
        for gap in (2, 1):
            middles, total = spread(shape.children, cells, gap)
            if total <= width:
                return [_filled(row) for row in _top_down(shape, cells, middles)]
    return list(_indented(flat, shape))


def _cells(text: str) -> int:
    """How many columns of a terminal the text takes."""
    return len(text) if text.isascii() else sum(map(character_cells, text))


@lru_cache(maxsize=1 << 14)
def character_cells(character: str) -> int:
    """How many columns of a terminal a character takes."""
    if unicodedata.category(character) in {"Mn", "Me", "Cf"}:
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def _top_down(shape: Shape, cells: list[int], middles: list[int]) -> list[Row]:
    """Rows of text and, between them, rows of lines."""
    rows: list[Row] = [[] for _ in range(2 * max(shape.levels) + 1)]
    for item, (text, kind, below, level) in enumerate(zip(*shape, strict=True)):
        rows[2 * level].append((middles[item] - cells[item] // 2, text, kind))
        if below:
            columns = [middles[child] for child in below]
            rows[2 * level + 1].append((columns[0], _branches(middles[item], columns), "line"))
        for child in below:
            for row in rows[2 * level + 2 : 2 * shape.levels[child]]:
                row.append((middles[child], "│", "line"))
    return rows


def _branches(parent: int, children: list[int]) -> str:
    """The line between a parent and its children, from the first child's column to the last's."""
    if len(children) == 1:
        return "│"
    first = children[0]
    marks = ["─"] * (children[-1] - first + 1)
    for column in children:
        marks[column - first] = "┬"
    marks[0], marks[-1] = "┌", "┐"
    marks[parent - first] = "┼" if marks[parent - first] == "┬" else "┴"
    return "".join(marks)


def _filled(row: Row) -> list[Piece]:
    """A row's pieces from left to right, with the space between them."""
    line: list[Piece] = []
    column = 0
    for start, text, kind in sorted(row):
        line += [(" " * (start - column), "line"), (text, kind)]
        column = start + _cells(text)
    return line


def _indented(flat: Flat, shape: Shape) -> Iterator[list[Piece]]:
    """Lines of text: one for every phrase, and one for every tag with its word."""
    todo = [(0, 0, "", "")]  # item, depth, what comes before it, what comes before its children
    while todo:
        item, depth, before, indent = todo.pop()
        line: list[Piece] = [(before, "line"), (shape.texts[item], shape.kinds[item])]
        below = shape.children[item]
        if shape.kinds[item] == "tag":
            line += [(" ", "line"), (shape.texts[below[0]], "word")]
        elif below and depth == MAX_LEVELS:
            line[1] = (printable_line(str(Tree._view(flat, item))), "label")
        else:
            for child in reversed(below):
                last = child == below[-1]
                mark, rest = ("└── ", "    ") if last else ("├── ", "│   ")
                todo.append((child, depth + 1, indent + mark, indent + rest))
        yield line
