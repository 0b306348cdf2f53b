"""Sentences of characters, for writing that has no spaces between words."""

from __future__ import annotations

import re
from collections.abc import Iterable

from runoff.data.sentence import Sentence

HAN = (
    r"\u2e80-\u2fdf\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    r"\U00020000-\U0003ffff"
)
"""Characters of Chinese and Japanese, for regular expressions."""

FULL_WIDTH = (
    r"\u3001-\u3003\u3008-\u3011\u3014-\u301f\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65"
)
"""Punctuation as wide as they are."""

_BETWEEN = re.compile(rf"(?<=[{HAN}{FULL_WIDTH}]) (?=[{HAN}{FULL_WIDTH}])")


def standing_together(text: str) -> str:
    """The text without the spaces between two characters of Chinese or Japanese.

    Examples
    --------
    >>> standing_together("他 在 [LOC 北 京] 。")
    '他在 [LOC 北京] 。'
    """
    return _BETWEEN.sub("", text)


def in_characters(sentence: Sentence) -> Sentence:
    """The sentence with every character of its words as a word; name tags in IOB2 go along.

    Parts of speech belong to words, and are left out.

    Examples
    --------
    >>> words = Sentence(("北京", "在", "哪里"), gold=("B-LOC", "O", "O"), starts=(4, 6, 7))
    >>> in_characters(words).gold
    ('B-LOC', 'I-LOC', 'O', 'O', 'O')
    >>> in_characters(words).starts
    (4, 5, 6, 7, 8)
    """
    starts, gold = sentence.starts, sentence.gold
    sizes = [len(word) for word in sentence.words]
    return Sentence(
        tuple("".join(sentence.words)),
        gold=None if gold is None else tuple(_spread(gold, sizes)),
        starts=None
        if starts is None
        else tuple(
            start + i for start, size in zip(starts, sizes, strict=True) for i in range(size)
        ),
        document=sentence.document,
    )


def _spread(tags: Iterable[str], sizes: Iterable[int]) -> Iterable[str]:
    """The tags of characters: what begins with a word goes on with its other characters."""
    for tag, size in zip(tags, sizes, strict=True):
        yield from (tag if i == 0 or tag[0] != "B" else "I" + tag[1:] for i in range(size))
