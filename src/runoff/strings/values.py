"""What similarities look at in a value: its text, tokens, number, year, and the parts of a name."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from itertools import zip_longest
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

Value: TypeAlias = str | Sequence[str] | None
"""A field of a record: text, several texts, or None where it is missing."""

Floats: TypeAlias = NDArray[np.float64]
Integers: TypeAlias = NDArray[np.integer[Any]]

SHORT = 40
"""Characters of texts that are remembered once they are plain: names and towns come again."""

_NUMBER = re.compile(r"[-+]?\d+(?:\.\d+)?")
_YEAR = re.compile(r"(?<!\d)(?:1[5-9]|20)\d\d(?!\d)")
_APOSTROPHES = re.compile("['’`]")
_NOT_A_WORD = re.compile(r"[\W_]+")


def plain(text: str) -> str:
    """The words of a text in lower case, without accents and punctuation, one space between them.

    Examples
    --------
    >>> plain("Müller-Lüdenscheidt,  J.")
    'muller ludenscheidt j'
    """
    return _plain_short(text) if len(text) <= SHORT else _plain(text)


def _plain(text: str) -> str:
    if text.isascii() and text.isalnum():
        return text.lower()
    if not text.isascii():
        parts = unicodedata.normalize("NFKD", text)
        text = "".join(c for c in parts if not unicodedata.combining(c))
    return _NOT_A_WORD.sub(" ", _APOSTROPHES.sub("", text).casefold()).strip()


_plain_short = lru_cache(maxsize=1 << 16)(_plain)


def text_of(value: Value) -> str:
    """The plain text of a value; the items of a list follow each other.

    Examples
    --------
    >>> text_of(["A. Wu", "B. Roth"]), text_of(None)
    ('a wu b roth', '')
    """
    if value is None:
        return ""
    return plain(value) if isinstance(value, str) else " ".join(filter(None, map(plain, value)))


def tokens_of(value: Value) -> set[str]:
    """The different words of a text, or the items of a list, each as plain text.

    Examples
    --------
    >>> sorted(tokens_of("Networks of networks")), sorted(tokens_of(["A. Wu", "B. Roth"]))
    (['networks', 'of'], ['a wu', 'b roth'])
    """
    if value is None:
        return set()
    found = plain(value).split() if isinstance(value, str) else map(plain, value)
    return set(found) - {""}


def number_of(value: Value) -> float:
    """The first number in a value, NaN if there is none.

    Examples
    --------
    >>> number_of("vol. 12(3)"), number_of(None)
    (12.0, nan)
    """
    found = _NUMBER.search(_joined(value))
    return float(found[0]) if found else float("nan")


def year_of(value: Value) -> float:
    """The first year from 1500 to 2099 in a value, NaN if there is none.

    Examples
    --------
    >>> year_of("(June 1994)"), year_of("pp. 10-1994832")
    (1994.0, nan)
    """
    found = _YEAR.search(_joined(value))
    return float(found[0]) if found else float("nan")


class Name(NamedTuple):
    """The parts of a person's name as plain text; first and last are empty where they are missing.

    Examples
    --------
    >>> name_of("Miller, David R.")
    Name(first='david', middle=('r',), last='miller')
    """

    first: str
    middle: tuple[str, ...]
    last: str


def name_of(value: Value) -> Name:
    """The parts of a name: `First M. Last`, or `Last, First M.`; of a list, of its first name.

    Capitals that stand together are initials: `DR Miller` has two.

    Examples
    --------
    >>> name_of("DR Miller"), name_of("Li")
    (Name(first='d', middle=('r',), last='miller'), Name(first='', middle=(), last='li'))
    """
    text = value if isinstance(value, str) else (value or ("",))[0]
    last, comma, given = text.partition(",")
    if not comma:
        *given_words, last = text.split() or [""]
        given = " ".join(given_words)
    names = [part for word in re.split(r"[\s.\-]+", given) for part in _initials(word)]
    first, *middle = filter(None, map(plain, names)) if any(map(plain, names)) else [""]
    return Name(first, tuple(middle), plain(last))


def _initials(word: str) -> list[str]:
    """The letters of a word that is two or three capitals, or else the word."""
    return list(word) if word.isupper() and 2 <= len(word) <= 3 else [word]


def may_be_one(a: Name, b: Name) -> bool:
    """Whether two names may be one person's: nothing in them is different."""
    if a.last and b.last and a.last != b.last:
        return False
    return _compatible(a.first, b.first) and not middle_names_conflict(a, b)


def middle_names_conflict(a: Name, b: Name) -> bool:
    """Whether some two middle names in the same position cannot be one."""
    return any(not _compatible(x, y) for x, y in zip_longest(a.middle, b.middle, fillvalue=""))


def _compatible(a: str, b: str) -> bool:
    """Whether two names may be one: equal, or one is missing or the other's initial."""
    return a == b or (min(len(a), len(b)) <= 1 and (a.startswith(b) or b.startswith(a)))


def _joined(value: Value) -> str:
    return value if isinstance(value, str) else " ".join(value or ())
