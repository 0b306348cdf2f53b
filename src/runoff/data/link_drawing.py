"""Drawing linkages as text: arcs with labels above the words."""

from __future__ import annotations

from collections.abc import Sequence

from runoff.data.links import Link
from runoff.data.text.printable import printable_line
from runoff.data.treebank.draw import character_cells

WALL_WORD = "|||"


def draw_links(words: Sequence[str], links: Sequence[Link]) -> list[str]:
    r"""The lines of a drawing, arcs first, the words last.

    Examples
    --------
    >>> drawn = draw_links(["We", "won", "."], [(0, 1, "Wd"), (0, 3, "Xp"), (1, 2, "Sp")])
    >>> print("\n".join(drawn))
     ┌─────Xp─────┐
     ├─Wd─┬─Sp─┐  │
    |||  We   won .
    """
    shown = [WALL_WORD if any(left == 0 for left, *_ in links) else ""]
    shown += [printable_line(word) for word in words]
    centres = _centres(shown, links)
    levels = _levels(links)
    width = max(centres, default=0) + 1
    rows = [[" "] * width for _ in range(max(levels, default=0))]
    for (left, right, label), level in sorted(
        zip(links, levels, strict=True), key=lambda one: -one[1]
    ):
        first, last = centres[left], centres[right]
        row = rows[level - 1]
        middle = printable_line(label).center(last - first - 1, "─")
        row[first + 1 : last] = middle[: last - first - 1]
        row[first] = _joined(row[first], "┌")
        row[last] = _joined(row[last], "┐")
        for below in rows[: level - 1]:
            for column in (first, last):
                below[column] = _joined(below[column], "│")
    lines = ["".join(row).rstrip() for row in reversed(rows)]
    return [*lines, _words(shown, centres)]


_JOINS = {
    ("┌", "┐"): "┬",
    ("┐", "┌"): "┬",
    ("│", "┌"): "├",
    ("│", "┐"): "┤",
    ("├", "┐"): "┼",
    ("┤", "┌"): "┼",
    ("─", "│"): "┼",
}


def _joined(old: str, new: str) -> str:
    return new if old == " " else _JOINS.get((old, new), old)


def _levels(links: Sequence[Link]) -> list[int]:
    """The height of each arc: above all that it encloses or overlaps, from 1."""
    levels = [0] * len(links)
    order = sorted(range(len(links)), key=lambda i: (links[i][1] - links[i][0], links[i]))
    placed: list[int] = []
    for number in order:
        left, right, _ = links[number]
        under = (levels[i] for i in placed if links[i][0] < right and left < links[i][1])
        levels[number] = 1 + max(under, default=0)
        placed.append(number)
    return levels


def _centres(words: Sequence[str], links: Sequence[Link]) -> list[int]:
    """The column of each word's middle, far enough apart for the labels between neighbours."""
    needed = {(left, right): len(label) + 3 for left, right, label in links}
    sizes = [sum(map(character_cells, word)) for word in words]
    centres: list[int] = []
    for number, size in enumerate(sizes):
        if not number:
            centres.append(size // 2)
            continue
        column = centres[-1] + (sizes[number - 1] + 1) // 2 + 1 + size // 2
        for left in range(number):
            if (left, number) in needed:
                column = max(column, centres[left] + needed[left, number])
        centres.append(column)
    return centres


def _words(words: Sequence[str], centres: Sequence[int]) -> str:
    line, at = "", 0
    for word, centre in zip(words, centres, strict=True):
        size = sum(map(character_cells, word))
        start = max(centre - size // 2, at)
        line += " " * (start - at) + word
        at = start + size
    return line.rstrip()
