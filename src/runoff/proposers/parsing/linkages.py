"""Linkages, as the program of Link Grammar prints them, and how they lie over words of ours."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from runoff.data.links import WALL, Link
from runoff.errors import FormatError


class Linkage(NamedTuple):
    """One analysis of a sentence.

    Parameters
    ----------
    words : the words as Link Grammar cut and marked them, without walls: `binds.v`, `actin[!].n`,
        `[of]` for one that is linked to nothing.
    links : between words, numbered from 1; the wall is 0.
    unused, disjuncts, length : its three costs: words without a link, the sum of the costs of
        disjuncts, the sum of lengths of links.
    """

    words: tuple[str, ...]
    links: tuple[Link, ...]
    unused: int
    disjuncts: float
    length: int


_NUMBER = "([0-9]{1,9})"
_COSTS = re.compile(
    rf"cost vector = \(UNUSED=\s*{_NUMBER} DIS=\s*(-?[0-9]{{1,9}}(?:\.[0-9]+)?) LEN=\s*{_NUMBER}\)"
)
_LINK = re.compile(rf"\[{_NUMBER} {_NUMBER} -?[0-9]+ \(([^()\[\] ]+)\)\]")
_WALLS = ("LEFT-WALL", "RIGHT-WALL")


def read_linkages(text: str) -> Iterator[Linkage]:
    r"""The linkages that `link-parser -postscript=1` prints for one sentence.

    Raises
    ------
    FormatError : a linkage that is not complete, or has a link to a word that is not there.

    Examples
    --------
    >>> text = "cost vector = (UNUSED=0 DIS= 0.16 LEN=4)\n[(LEFT-WALL)(we)(won.v)]\n"
    >>> next(read_linkages(text + "[[0 2 0 (WV)][1 2 1 (Sp)]]\n[0]\n")).links
    ((0, 2, 'WV'), (1, 2, 'Sp'))
    """
    starts = list(_COSTS.finditer(text))
    for place, costs in enumerate(starts):
        end = starts[place + 1].start() if place + 1 < len(starts) else len(text)
        yield _linkage(costs, text[costs.end() : end])


def _linkage(costs: re.Match[str], body: str) -> Linkage:
    opened, closed = body.find("[("), body.find("\n[[")
    if closed < 0:  # a linkage without any link
        closed = body.find("\n[]")
    if not 0 <= opened < closed:
        raise FormatError("a linkage that link-parser did not print to its end")
    words = body[opened + 2 : closed].replace("\n", "").removesuffix(")]").split(")(")
    links = [(int(m[1]), int(m[2]), m[3]) for m in _LINK.finditer(body, closed)]
    if words[:1] != [_WALLS[0]]:
        words, links = ["", *words], [(left + 1, right + 1, label) for left, right, label in links]
    if words[-1] == _WALLS[1]:
        words.pop()
        links = [link for link in links if link[1] < len(words)]
    if any(not left < right < len(words) for left, right, _ in links):
        raise FormatError("a linkage with a link to a word that is not there")
    figures = int(costs[1]), float(costs[2]), int(costs[3])
    return Linkage(tuple(words[1:]), tuple(sorted(links)), *figures)


def lay_over(linkage: Linkage, words: Sequence[str]) -> tuple[Link, ...] | None:
    """The links of a linkage between words of ours, which may be cut in another way.

    A word of Link Grammar is the first of ours that it has a character of. Links within a word are
    left out. None if the words of the linkage are not those of the sentence.

    Examples
    --------
    >>> linkage = Linkage(("we", "didn't.v-d", "win.v"), ((1, 2, "Sp"), (2, 3, "I")), 0, 0.0, 2)
    >>> lay_over(linkage, ["We", "did", "n't", "win"])
    ((1, 2, 'Sp'), (2, 4, 'I'))
    """
    lowered = [word.lower() for word in words]  # some letters become two
    owners = [number for number, word in enumerate(lowered, 1) for _ in word]
    text = "".join(lowered)
    places, at = [WALL], 0
    for marked in linkage.words:
        size = next((len(w) for w in _spellings(marked) if text.startswith(w, at)), 0)
        if size == 0:
            return None
        places.append(owners[at])
        at += size
    if at != len(text):
        return None
    found = {(places[left], places[right], label) for left, right, label in linkage.links}
    return tuple(sorted(link for link in found if link[0] != link[1]))


_MARKS = re.compile(r"\[[!?~&]*\]")


def _spellings(marked: str) -> Iterator[str]:
    """What a marked word may be in the text, the longest first."""
    if marked.startswith("[") and marked.endswith("]") and len(marked) > 2:
        yield marked[1:-1].lower()
    bare = _MARKS.sub("", marked).lower()
    if bare:
        yield bare
        stem = bare.rpartition(".")[0]
        if stem:
            yield stem
