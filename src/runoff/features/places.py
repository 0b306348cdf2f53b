"""Where the features of a candidate are: words of it, or a node of its tree.

The page lights up the places of a term, and the terms of a place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from runoff.data import schemes
from runoff.data.nbest import NBest
from runoff.data.tree import Tree
from runoff.errors import FormatError
from runoff.features.parse import native_features
from runoff.features.phrases import phrase_names, phrase_windows
from runoff.features.tagged_input import tags_of, words_and_tags
from runoff.features.text import tokens
from runoff.problem.batch_features import Names
from runoff.problem.brackets import bracket_bytes
from runoff.problem.extractor import Extractor


class Place(NamedTuple):
    """A feature, the words it is about, and the node of the tree, in preorder, if there is one."""

    feature: str
    start: int
    stop: int
    node: int | None = None


def places_of(nbest: NBest, candidate: int, extractors: Sequence[Extractor]) -> list[Place]:
    """The places of a candidate's features; those about the whole of it have none.

    Examples
    --------
    >>> from runoff.data.nbest import Candidate
    >>> from runoff.features.extract import find_extractors
    >>> nbest = NBest(candidates=[Candidate("a vote")])
    >>> places_of(nbest, 0, find_extractors("text"))[1]
    Place(feature='word: vote', start=1, stop=2, node=None)
    """
    found = [PLACES[one.name](nbest, candidate) for one in extractors if one.name in PLACES]
    return [place for places in found for place in places]


def _text(nbest: NBest, candidate: int) -> Iterator[Place]:
    words = tokens(nbest.candidates[candidate].output)
    for place, word in enumerate(words):
        yield Place(f"word: {word}", place, place + 1)
    for place, (first, second) in enumerate(pairwise(["<s>", *words, "</s>"])):
        yield Place(f"bigram: {first} {second}", max(0, place - 1), min(len(words), place + 1))


def _phrases(nbest: NBest, candidate: int) -> Iterator[Place]:
    given, tags = words_and_tags(nbest.input)
    words = [word.lower() for word in given]
    output = tags_of(nbest.candidates[candidate].output, len(words))
    for window in phrase_windows(schemes.phrases(output)):
        start, stop = window[1].span
        for name in phrase_names(window, words, tags):
            yield Place(name, start, stop)


def _parse(nbest: NBest, candidate: int, *, kind: str) -> Iterator[Place]:
    """The places of native features; nodes are numbered as the brackets, if none is left out."""
    brackets = bracket_bytes(nbest.candidates[candidate].output)
    try:
        written = len(Tree.parse(brackets.decode(errors="surrogatepass")).flat().labels)
        symbols, named, offsets, features, nodes, starts, stops = native_features(kind).places(
            brackets
        )
    except (FormatError, ValueError):
        return
    names = Names(symbols, named, offsets).at(np.arange(len(offsets) - 1))
    added = len(starts) - written  # 1 if the tree has no root of its own
    spans = list(zip(starts.tolist(), stops.tolist(), strict=True))
    seen = dict.fromkeys(zip(features.tolist(), nodes.tolist(), strict=True))
    for feature, node in seen:
        own = node - added if added in (0, 1) and node >= added else None
        start, stop = spans[node]
        yield Place(names[feature], start, stop, own)


PLACES: Mapping[str, Callable[[NBest, int], Iterator[Place]]] = {
    "text": _text,
    "phrases": _phrases,
    "parse": partial(_parse, kind="full"),
    "parse-small": partial(_parse, kind="small"),
    "parse-rich": partial(_parse, kind="rich"),
}
"""Feature sets whose features have places."""
