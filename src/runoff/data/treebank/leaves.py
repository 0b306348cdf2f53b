"""Words as the leaves of trees."""

from __future__ import annotations

import re

from msgspec.structs import replace

from runoff.data.sentence import Sentence

REPLACEMENT = "\N{REPLACEMENT CHARACTER}"

_NOT_IN_TREES = re.compile(r"[ \t\n\r\v\f\ud800-\udfff]")


def as_leaves(sentence: Sentence) -> Sentence:
    """The sentence with words as trees can hold them.

    `-LRB-` and `-RRB-` are brackets wherever they come from. White space and halves of surrogate
    pairs, which a file with columns or a Python string may have, become replacement characters, and
    so does a word without any.

    Examples
    --------
    >>> as_leaves(Sentence(("-LRB-", "New York", ")"))).words
    ('(', 'New�York', ')')
    """
    words = tuple(map(_leaf, sentence.words))
    return sentence if words == sentence.words else replace(sentence, words=words, starts=None)


def _leaf(word: str) -> str:
    plain = word.replace("-LRB-", "(").replace("-RRB-", ")") if "RB" in word else word
    return _NOT_IN_TREES.sub(REPLACEMENT, plain) or REPLACEMENT
