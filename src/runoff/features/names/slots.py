"""Slots of names, what fills them, and how likely that makes a type of name.

For every slot, such as the first character of a name, it is counted how often what fills it fills
the slot of a name of each type, out of all times that it occurs there.
"""

from __future__ import annotations

import math
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from runoff.data.schemes import Chunk

LONGEST = 12
"""Tokens of the longest name that is looked for in text."""

LOWEST, HIGHEST = -8, 5

NEW = "new"
"""In place of a likelihood, where nothing was counted."""

NOTHING: Counter[str] = Counter()

Names: TypeAlias = Sequence[Chunk]
Counted: TypeAlias = dict[tuple[str, ...], Counter[str]]
"""By some texts, such as a slot and what fills it, how often names of each type were counted."""


class Slot(NamedTuple):
    """A place in or beside a name, and what fills it."""

    name: str
    filler: str


def log_odds(part: float, total: float) -> int:
    """The logarithm of the odds to base 2, rounded, and kept between -8 and 5.

    Half a count is added on either side, so that what was seldom seen is never sure.

    Examples
    --------
    >>> log_odds(3, 4), log_odds(0, 1000), log_odds(0, 0)
    (1, -8, 0)
    """
    odds = math.log2((part + 0.5) / (total - part + 0.5))
    return max(LOWEST, min(HIGHEST, round(odds)))


def plain(words: Iterable[str]) -> tuple[str, ...]:
    """The words as they are counted: full- and half-width forms are the same.

    Examples
    --------
    >>> plain(["１９９８", "年"])
    ('1998', '年')
    """
    return tuple(map(_plain, words))


def joined(words: Sequence[str]) -> str:
    """Some tokens as a text: characters stand together, words have spaces between them.

    Examples
    --------
    >>> joined("天津"), joined(["New", "York"])
    ('天津', 'New York')
    """
    return ("" if all(len(word) == 1 for word in words) else " ").join(words)


def stretches(words: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    """Where all stretches are that may be names, and their texts, of two characters or more.

    Examples
    --------
    >>> list(stretches(["A", "B", "Lee"]))
    [(0, 2, 'AB'), (0, 3, 'A B Lee'), (1, 3, 'B Lee'), (2, 3, 'Lee')]
    """
    for start in range(len(words)):
        text, short = "", True
        for end in range(start + 1, min(start + LONGEST, len(words)) + 1):
            word = words[end - 1]
            if short and len(word) == 1:
                text += word
            else:
                text = " ".join(words[start:end]) if short else f"{text} {word}"
                short = False
            if len(text) > 1:
                yield start, end, text


@lru_cache(maxsize=1 << 16)
def _plain(word: str) -> str:
    return unicodedata.normalize("NFKC", word)
