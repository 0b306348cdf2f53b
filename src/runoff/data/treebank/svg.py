"""Trees drawn as SVG, for notebooks and pages."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import lru_cache
from xml.sax.saxutils import escape

from runoff.data.text.printable import printable_line
from runoff.data.tree import Tree
from runoff.data.treebank.draw import Kind, Shape, character_cells, shape_of, spread

LEVEL_HEIGHT, MARGIN, WORD_GAP = 48, 12, 16  # pixels
SIZES: dict[Kind, int] = {"label": 15, "tag": 13, "word": 16}
COLOURS: dict[Kind, str] = {"label": "#2f78c4", "tag": "#2e8540", "word": "#a8621b", "line": "#999"}
"""Half-way between black and white, so that they can be read on either."""

FONTS = "system-ui, 'Segoe UI', 'Helvetica Neue', Arial, 'Noto Sans', sans-serif"


def draw_svg(tree: Tree, marked: Collection[int] = (), colour: str = "#c2410c") -> str:
    """The tree as a stand-alone SVG picture, for light and dark backgrounds.

    Its title is the sentence and its description the brackets, for those who listen to it.

    Parameters
    ----------
    marked : nodes, in preorder, that are drawn in the colour with the lines that lead to them.

    Examples
    --------
    >>> print(draw_svg(Tree.parse("(NN vote)")).splitlines()[1])
    <title>vote</title>
    """
    flat = tree.flat()
    shape = shape_of(flat)
    sizes = [SIZES[kind] for kind in shape.kinds]
    widths = [_pixels(text, size) for text, size in zip(shape.texts, sizes, strict=True)]
    middles, total = spread(shape.children, widths, WORD_GAP)
    xs = [middle + MARGIN for middle in middles]
    width, height = total + 2 * MARGIN, max(shape.levels) * LEVEL_HEIGHT + 2 * MARGIN + 20
    title = printable_line(" ".join(tree.words) or tree.label)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" role="img">',
        f"<title>{escape(title)}</title>",
        f"<desc>{escape(printable_line(str(tree)))}</desc>",
        f'<path d="{_svg_lines(shape, xs)}" fill="none" stroke="{COLOURS["line"]}" '
        'stroke-opacity="0.7" stroke-linejoin="round"/>',
        *_svg_marks(shape, xs, marked, colour),
        f'<g font-family="{FONTS}" text-anchor="middle">',
        *_svg_texts(shape, xs, marked, colour),
        "</g>",
        "</svg>",
    ]
    return "\n".join(parts)


def _baseline(level: int) -> int:
    return MARGIN + 16 + level * LEVEL_HEIGHT


def _svg_lines(shape: Shape, xs: list[int]) -> str:
    """From every parent down, across with round corners, and down to its children: one path."""
    strokes: list[str] = []
    for item, below in enumerate(shape.children):
        if not below:
            continue
        top = _baseline(shape.levels[item]) + 6
        turn = top + 9
        ends = [(xs[child], _baseline(shape.levels[child]) - 16) for child in below]
        first, last = ends[0], ends[-1]
        if len(ends) == 1:
            strokes.append(f"M{xs[item]} {top}V{first[1]}")
            continue
        strokes.append(f"M{xs[item]} {top}V{turn}")
        strokes.append(f"M{first[0]} {first[1]}V{turn + 5}q0 -5 5 -5")
        strokes.append(f"H{last[0] - 5}q5 0 5 5V{last[1]}")
        strokes.extend(f"M{x} {turn}V{y}" for x, y in ends[1:-1])
    return "".join(strokes)


def _svg_marks(shape: Shape, xs: list[int], marked: Collection[int], colour: str) -> Iterator[str]:
    """The lines to marked nodes, over the others."""
    strokes = [
        f"M{xs[item]} {_baseline(level) + 6}v9H{xs[child]}V{_baseline(shape.levels[child]) - 16}"
        for item, (level, below) in enumerate(zip(shape.levels, shape.children, strict=True))
        for child in below
        if child in marked
    ]
    if strokes:
        yield f'<path d="{"".join(strokes)}" fill="none" stroke="{colour}" stroke-width="2"/>'


def _svg_texts(shape: Shape, xs: list[int], marked: Collection[int], colour: str) -> Iterator[str]:
    for kind, size in SIZES.items():
        weight = ' font-weight="600"' if kind == "label" else ""
        yield f'<g font-size="{size}" fill="{COLOURS[kind]}"{weight}>'
        for item, text in enumerate(shape.texts):
            if shape.kinds[item] == kind:
                y = _baseline(shape.levels[item])
                fill = f' fill="{colour}"' if item in marked else ""
                yield f'<text x="{xs[item]}" y="{y}"{fill}>{escape(text)}</text>'
        yield "</g>"


def _pixels(text: str, size: int) -> int:
    """About how wide the text is in a sans-serif face; rather too wide than too narrow."""
    return max(1, round(size * sum(map(_character_width, text))))


@lru_cache(maxsize=1 << 14)
def _character_width(character: str) -> float:
    if character in "fijlrtI.,:;'|!()[]-`":
        return 0.4
    if character in "mwMW@%":
        return 0.95
    narrow = 0.72 if character.isupper() else 0.62
    return (0.0, narrow, 1.0)[character_cells(character)]
