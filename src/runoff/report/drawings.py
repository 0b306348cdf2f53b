"""Candidates drawn for reports and notebooks, with what another one has not in colour."""

from __future__ import annotations

from difflib import SequenceMatcher
from html import escape
from typing import Any

from runoff.data.nbest import Candidate
from runoff.data.schemes import decode
from runoff.data.tree import Tree
from runoff.data.treebank.svg import draw_svg
from runoff.errors import FormatError
from runoff.report.blocks import draw_svg as draw_blocks
from runoff.report.blocks import translation_of

WINNER, RIVAL = "#1d7a38", "#b04a00"


def pair(
    winner: Candidate,
    rival: Candidate,
    given: Any = None,
    names: tuple[str, str] = ("winner", "rival"),
) -> str:
    """Winner and rival drawn side by side; trees are drawn one above the other."""
    sides = (("winner", names[0], winner, rival), ("rival", names[1], rival, winner))
    drawn = [
        f'<div><b class="{side}-name">{escape(name)}</b>{drawing(own, other, given, side)}</div>'
        for side, name, own, other in sides
    ]
    wide = isinstance(winner.output, str) and _tree(winner.output) is not None
    return "".join(drawn) if wide else f'<div class="pair">{"".join(drawn)}</div>'


def drawing(candidate: Candidate, rival: Candidate, given: Any, side: str) -> str:
    """A candidate drawn, with what another one has not in colour.

    It is a tree, a text, a translation with its blocks, tags or clusters.
    """
    output, other = candidate.output, rival.output
    if isinstance(output, str):
        tree = _tree(output)
        if tree is not None:
            return draw_svg(tree, _own_nodes(tree, other), WINNER if side == "winner" else RIVAL)
        words = _words(output.split(), str(other).split(), side)
        return words + _grid(candidate, rival, given, side)
    if isinstance(output, list) and all(isinstance(one, str) for one in output):
        return _tagged(output, other, given, side)
    if isinstance(output, list) and all(isinstance(one, list) for one in output):
        return _clusters(output, other, side)
    return f'<p class="text">{escape(str(output))}</p>'


def _grid(candidate: Candidate, rival: Candidate, given: Any, side: str) -> str:
    """The blocks of a translation, if it says what they are."""
    found = translation_of(given, candidate)
    if found is None:
        return ""
    other = translation_of(given, rival)
    if other is None:  # nothing to compare them with
        return draw_blocks(*found)
    theirs = other.alike()
    marked = [place for place, one in enumerate(found.alike()) if one not in theirs]
    return draw_blocks(*found, marked, WINNER if side == "winner" else RIVAL)


def _clusters(output: list[list[Any]], other: Any, side: str) -> str:
    """The clusters that another clustering has not, and how many it has too."""
    others = {frozenset(map(str, one)) for one in other} if isinstance(other, list) else set()
    own = [one for one in output if frozenset(map(str, one)) not in others]
    items = (
        f'<li class="only-{side}">{"".join(_span("span", "record", str(i)) for i in one)}</li>'
        for one in own
    )
    same = len(output) - len(own)
    rest = f"and {same:,} cluster{'' if same == 1 else 's'} that both have"
    said = f'<p class="faint">{rest}</p>' if same else ""
    return f'<ul class="clusters">{"".join(items)}</ul>{said}'


def _tree(text: str) -> Tree | None:
    if not text.lstrip().startswith("("):
        return None
    try:
        return Tree.parse(text)
    except FormatError:
        return None


def _own_nodes(tree: Tree, other: Any) -> list[int]:
    """Nodes of a tree that another tree does not have: label, words, and how many of them."""
    rival = _tree(other) if isinstance(other, str) else None
    if rival is None:
        return []
    left = _brackets(rival)
    found = []
    for node, key in enumerate(_brackets(tree)):
        if key in left:
            left.remove(key)
        else:
            found.append(node)
    return found


def _brackets(tree: Tree) -> list[tuple[str, int, int]]:
    flat = tree.flat()
    return list(zip(flat.labels, flat.starts, flat.stops, strict=True))


def _words(words: list[str], others: list[str], side: str) -> str:
    own = [True] * len(words)
    for start, _, size in SequenceMatcher(
        None, words, others, autojunk=False
    ).get_matching_blocks():
        own[start : start + size] = [False] * size
    spans = (
        _span("span", f"only-{side}" if only else "", word)
        for word, only in zip(words, own, strict=True)
    )
    return f'<p class="text">{" ".join(spans)}</p>'


def _tagged(tags: list[str], other: Any, given: Any, side: str) -> str:
    words = [one[0] if isinstance(one, list) else str(one) for one in given or tags]
    try:
        chunks, rivals = decode(tags), decode(other if isinstance(other, list) else [])
    except FormatError:
        return _words(tags, list(map(str, other or [])), side)
    found, at = [], 0
    for chunk in chunks:
        found += [escape(word) for word in words[at : chunk.span.start]]
        text = " ".join(words[chunk.span.start : chunk.span.end])
        kind = f"span phrase{f' only-{side}' if chunk not in rivals else ''}"
        found.append(f'<span class="{kind}">{escape(text)}<sub>{escape(chunk.type)}</sub></span>')
        at = chunk.span.end
    found += [escape(word) for word in words[at:]]
    return f'<p class="text">{" ".join(found)}</p>'


def _span(element: str, kind: str, text: str) -> str:
    named = f' class="{kind}"' if kind else ""
    return f"<{element}{named}>{escape(text)}</{element}>"
