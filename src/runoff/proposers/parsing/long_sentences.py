"""Sentences to parse, cut into pieces where they are too long, and their trees put together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from runoff.data.nbest import Candidate
from runoff.data.sentence import Sentence
from runoff.data.tree import Tree
from runoff.errors import UsageError
from runoff.proposers.base import Choices
from runoff.proposers.parsing.headed_trees import TOP

FLAT_LOGPROB = -25.0  # for each word of a tree without structure: a tag and a word never seen


class Piece(NamedTuple):
    """A sentence to parse, or a piece of a long one, and the tags that each word may have."""

    words: tuple[str, ...]
    choices: Choices | None


def whole(sentence: Sentence, choices: Choices | None) -> Piece:
    """A sentence in one piece; tags that came with its words are the only choice."""
    if choices is None:
        given = sentence.tags
        return Piece(sentence.words, None if given is None else [((tag, 1.0),) for tag in given])
    if len(choices) != len(sentence):
        raise UsageError(f"there are {len(sentence)} words, but choices of tags for {len(choices)}")
    if not all(0 <= p <= 1.001 for row in choices for _, p in row):  # sums may be rounded
        raise UsageError("the probability of a tag lies between 0 and 1")
    return Piece(sentence.words, choices)


_BREAKS: tuple[Callable[[str], bool], ...] = (
    lambda word: word in {".", "!", "?", ";", ":", "--"},
    lambda word: word == ",",
    lambda word: True,
)


def cut_sentence(sentence: Piece, limit: int) -> list[Piece]:
    """The sentence, or pieces of at most `limit` words, cut after punctuation where that can be."""
    words = sentence.words
    if len(words) <= limit:
        return [sentence]
    middle = len(words) // 2
    for breaks in _BREAKS:
        places = [n + 1 for n, word in enumerate(words[:-1]) if breaks(word)]
        places = [place for place in places if len(words) // 4 <= place <= 3 * len(words) // 4]
        if places:
            break
    cut = min(places, key=lambda place: abs(place - middle))
    choices = sentence.choices
    parts = (slice(None, cut), slice(cut, None))
    halves = [Piece(words[part], None if choices is None else choices[part]) for part in parts]
    return [piece for half in halves for piece in cut_sentence(half, limit)]


def join_pieces(
    pieces: Sequence[Piece], found: Sequence[list[Candidate]], n: int
) -> list[Candidate]:
    """The proposals for a sentence from those for its pieces, which are taken as independent."""
    if len(found) == 1:
        return found[0]
    best = [("", 0.0)]
    for candidates in found:
        texts = [_inside_top(one.output) for one in candidates]
        sums = np.add.outer(
            [logprob for _, logprob in best], [one.logprob or 0.0 for one in candidates]
        )
        places = np.argsort(-sums, axis=None, kind="stable")[:n]  # texts are made for these alone
        pairs = (divmod(place, len(texts)) for place in places.tolist())
        best = [(f"{best[one][0]} {texts[other]}", float(sums[one, other])) for one, other in pairs]
    extra: dict[str, Any] = {"pieces": len(pieces)}
    for candidates in found:
        extra |= candidates[0].extra or {}
    return [Candidate(f"({TOP} (FRAG{text}))", logprob, extra=extra) for text, logprob in best]


def _inside_top(brackets: str) -> str:
    return brackets.removeprefix(f"({TOP} ").removesuffix(")")


def flat_tree(sentence: Piece) -> Candidate:
    """A tree without structure, for a sentence that the grammar has none for; it says so.

    Its log-probability is no model's, but a number that lists on disk and rankers can have.
    """
    choices = sentence.choices or [()] * len(sentence.words)
    tags = [row[0][0] if row else "NN" for row in choices]
    try:
        leaves = [Tree(tag, [word]) for tag, word in zip(tags, sentence.words, strict=True)]
    except ValueError as error:
        raise UsageError(str(error)) from None
    logprob = FLAT_LOGPROB * len(leaves)
    return Candidate(str(Tree(TOP, [Tree("FRAG", leaves)])), logprob, extra={"flat": True})
