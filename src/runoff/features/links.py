"""A feature set for linkages: labels, lengths, words at both ends, nesting, crossing.

All features of a link are those of its right word, so a linkage can be read word by word.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

from runoff.data.links import Link, links_of
from runoff.data.nbest import Candidate
from runoff.features.extract import read_by_pieces

_KIND = re.compile("[A-Z]*")
_BOUNDS = (2, 3, 4, 5, 6, 8, 11, 16, 26)


def words_of(input: Any) -> list[str]:
    """The words of an input: a list of them, or a text with spaces between them."""
    if isinstance(input, str):
        return input.split()
    if isinstance(input, list | tuple) and all(isinstance(word, str) for word in input):
        return list(input)
    raise ValueError(f"expected words as the input of a linkage, not {input!r:.60}")


def linked_words(input: Any, candidate: Candidate) -> list[tuple[Link, ...]]:
    """The links that end at each word, those from the nearest word first."""
    words = words_of(input)
    found: list[list[Link]] = [[] for _ in words]
    for link in links_of(candidate.output, len(words)):
        found[link[1] - 1].append(link)
    return [tuple(sorted(own, key=lambda link: (-link[0], link[2]))) for own in found]


def link_pieces(input: Any, candidate: Candidate) -> Iterator[list[str]]:
    """The features that each word of a linkage adds."""
    words = ["<wall>", *(word.lower() for word in words_of(input))]
    lefts: list[int] = []  # left ends of the links so far, in order
    ends: list[tuple[int, int]] = []
    for own in linked_words(input, candidate):
        yield list(word_features(words, own, lefts, ends))


def word_features(
    words: Sequence[str], own: Sequence[Link], lefts: list[int], ends: list[tuple[int, int]]
) -> Iterator[str]:
    """The features of the links that end at a word, which are added to those so far."""
    yield f"links to the left: {min(len(own), 4)}"
    labels = [_KIND.match(label)[0] for *_, label in own]  # type: ignore[index]
    yield f"labels to the left: {' '.join(labels)}"
    for (left, right, label), kind in zip(own, labels, strict=True):
        inside = len(lefts) - bisect_left(lefts, left)
        crossed = sum(a < left < b < right for a, b in ends)
        lefts.insert(bisect_left(lefts, left), left)
        ends.append((left, right))
        yield from _of_link(words, (left, right, label), kind)
        yield f"nesting: {kind} {_bin(inside)}"
        if crossed:
            yield f"crossing: {kind}"


def _of_link(words: Sequence[str], link: Link, kind: str) -> Iterator[str]:
    left, right, label = link
    first, last, size = words[left], words[right], _bin(right - left)
    yield f"label: {label}"
    yield f"kind: {kind}"
    yield f"length: {size}"
    yield f"kind and length: {kind} {size}"
    yield f"left word: {first} {kind}"
    yield f"right word: {kind} {last}"
    yield f"words: {first} {kind} {last}"
    yield f"word pair: {first} {last}"
    yield f"endings: {first[-3:]} {kind} {last[-3:]}"
    yield f"endings and length: {first[-2:]} {last[-2:]} {size}"


def _bin(number: int) -> str:
    """How large a number is, in steps that grow."""
    return str(next((bound - 1 for bound in _BOUNDS if number < bound), _BOUNDS[-1]))


@read_by_pieces(link_pieces, length=lambda input, candidate: len(words_of(input)))
def links(input: Any, candidate: Candidate) -> dict[str, float]:
    """The features of a linkage; the input is the words.

    Examples
    --------
    >>> found = links(["we", "won"], Candidate([[0, 1, "Wd"], [1, 2, "Sp"]]))
    >>> found["words: we S won"], found["kind and length: W 1"]
    (1, 1)
    """
    return dict(Counter(chain.from_iterable(link_pieces(input, candidate))))
