"""Translations drawn: which source words each block of the target comes from, as text or SVG."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple
from xml.sax.saxutils import escape

import msgspec

from runoff.data.nbest import Candidate
from runoff.data.text.printable import printable_line
from runoff.data.treebank.draw import character_cells

CELL, MARGIN = 24, 12
COLOURS = ("#2f78c4", "#2e8540", "#a8621b", "#8a4baf", "#b03a48")
UNMARKED = "#8c959f"
FONTS = "system-ui, 'Segoe UI', 'Helvetica Neue', Arial, 'Noto Sans', sans-serif"

Blocks = Sequence[tuple[Sequence[int], Sequence[int]]]
"""Source places and target places of each block."""

Ends = tuple[int, int]


class Translation(NamedTuple):
    """The words of both sides of a translation, and its blocks."""

    source: list[str]
    target: list[str]
    blocks: list[tuple[range, range]]

    def alike(self) -> list[tuple[range, str]]:
        """What tells blocks of two translations apart: source places and target words."""
        return [(own, " ".join(self.target[i] for i in other)) for own, other in self.blocks]


def translation_of(given: object, candidate: Candidate) -> Translation | None:
    """The blocks of a candidate that says which words they were translated from, or None."""
    try:
        words = msgspec.convert(candidate.extra.get("words"), list[str])
        ends = msgspec.convert(candidate.extra.get("blocks"), list[tuple[Ends, Ends]])
    except msgspec.ValidationError:
        return None
    source = given.split() if isinstance(given, str) else []
    if not all(0 <= a <= b < len(source) and 0 <= c <= d < len(words) for (a, b), (c, d) in ends):
        return None
    blocks = [(range(a, b + 1), range(c, d + 1)) for (a, b), (c, d) in ends]
    return Translation(source, words, blocks) if blocks else None


def draw_text(source: Sequence[str], target: Sequence[str], blocks: Blocks) -> str:
    """A grid with a row for each target word and a column for each source word.

    Examples
    --------
    >>> print(draw_text(["a", "red", "car"], ["une", "voiture", "rouge"],
    ...                 [([0], [0]), ([2], [1]), ([1], [2])]))
            a  red  car
    une     #
    voiture         #
    rouge      #
    """
    source, target = [printable_line(w) for w in source], [printable_line(w) for w in target]
    filled = {(i, j) for own, other in blocks for i in own for j in other}
    widths = [max(_cells(word), 1) + 2 for word in source]
    left = max((_cells(word) for word in target), default=0) + 1
    lines = [" " * left + "".join(_padded(w, n) for w, n in zip(source, widths, strict=True))]
    for j, word in enumerate(target):
        marks = ("#" if (i, j) in filled else " " for i in range(len(source)))
        row = "".join(_padded(mark, n) for mark, n in zip(marks, widths, strict=True))
        lines.append(_padded(word, left) + row)
    return "\n".join(line.rstrip() for line in lines)


def _cells(text: str) -> int:
    return sum(map(character_cells, text))


def _padded(text: str, width: int) -> str:
    return text + " " * (width - _cells(text))


def draw_svg(
    source: Sequence[str],
    target: Sequence[str],
    blocks: Blocks,
    marked: Collection[int] | None = None,
    colour: str = "#c2410c",
) -> str:
    """The same grid as a stand-alone SVG picture; every block is a rectangle.

    Parameters
    ----------
    marked : blocks that are drawn in the colour, and the others in none; without it, every block
        has a colour.

    Examples
    --------
    >>> draw_svg(["a"], ["une"], [([0], [0])]).count("<rect")
    1
    """
    source, target = [printable_line(w) for w in source], [printable_line(w) for w in target]
    left = MARGIN + 9 * max((_cells(word) for word in target), default=0) + 8
    top = MARGIN + 9 * max((_cells(word) for word in source), default=0) + 8
    width, height = left + CELL * len(source) + MARGIN, top + CELL * len(target) + MARGIN
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" role="img">',
        f"<title>{escape(' '.join(source))}</title>",
        f"<desc>{escape(' '.join(target))}</desc>",
    ]
    for number, (own, other) in enumerate(blocks):
        fill = COLOURS[number % len(COLOURS)]
        if marked is not None:
            fill = colour if number in marked else UNMARKED
        if own and other:
            parts.append(
                f'<rect x="{left + CELL * min(own) + 1}" y="{top + CELL * min(other) + 1}" '
                f'width="{CELL * len(own) - 2}" height="{CELL * len(other) - 2}" rx="4" '
                f'fill="{fill}" fill-opacity="0.75"/>'
            )
    parts.append(f'<g font-family="{FONTS}" font-size="14" fill="#888">')
    for i, word in enumerate(source):
        x, y = left + CELL * i + CELL // 2 + 5, top - 6
        parts.append(f'<text transform="translate({x} {y}) rotate(-90)">{escape(word)}</text>')
    for j, word in enumerate(target):
        y = top + CELL * j + CELL // 2 + 5
        parts.append(f'<text x="{left - 8}" y="{y}" text-anchor="end">{escape(word)}</text>')
    return "\n".join([*parts, "</g>", "</svg>"])
