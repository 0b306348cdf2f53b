"""Stand-in until the branch `records` is merged: what similarities look at in a value."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from itertools import zip_longest
from typing import NamedTuple, TypeAlias

Value: TypeAlias = str | Sequence[str] | None

_NUMBER = re.compile(r"[-+]?\d+(?:\.\d+)?")
_YEAR = re.compile(r"(?<!\d)(?:1[5-9]|20)\d\d(?!\d)")


def plain(text: str) -> str:
    """The words of a text in lower case, without accents and punctuation."""
    if not text.isascii():
        parts = unicodedata.normalize("NFKD", text)
        text = "".join(c for c in parts if not unicodedata.combining(c))
    return re.sub(r"[\W_]+", " ", re.sub("['’`]", "", text).casefold()).strip()


def text_of(value: Value) -> str:
    """The plain text of a value."""
    if value is None:
        return ""
    return plain(value) if isinstance(value, str) else " ".join(filter(None, map(plain, value)))


def tokens_of(value: Value) -> set[str]:
    """The different words of a text, or the items of a list."""
    if value is None:
        return set()
    return set(plain(value).split() if isinstance(value, str) else map(plain, value)) - {""}


def number_of(value: Value) -> float:
    """The first number in a value, or NaN."""
    found = _NUMBER.search(_joined(value))
    return float(found[0]) if found else float("nan")


def year_of(value: Value) -> float:
    """The first year in a value, or NaN."""
    found = _YEAR.search(_joined(value))
    return float(found[0]) if found else float("nan")


class Name(NamedTuple):
    """The parts of a person's name."""

    first: str
    middle: tuple[str, ...]
    last: str


def name_of(value: Value) -> Name:
    """The parts of a name."""
    text = value if isinstance(value, str) else (value or ("",))[0]
    last, comma, given = text.partition(",")
    if not comma:
        *words, last = text.split() or [""]
        given = " ".join(words)
    names = [plain(word) for word in re.split(r"[\s.\-]+", given) if plain(word)] or [""]
    return Name(names[0], tuple(names[1:]), plain(last))


def may_be_one(a: Name, b: Name) -> bool:
    """Whether two names may be one person's."""
    if a.last and b.last and a.last != b.last:
        return False
    return _compatible(a.first, b.first) and not middle_names_conflict(a, b)


def middle_names_conflict(a: Name, b: Name) -> bool:
    """Whether some two middle names cannot be one."""
    return any(not _compatible(x, y) for x, y in zip_longest(a.middle, b.middle, fillvalue=""))


def _compatible(a: str, b: str) -> bool:
    return a == b or (min(len(a), len(b)) <= 1 and (a.startswith(b) or b.startswith(a)))


def _joined(value: Value) -> str:
    return value if isinstance(value, str) else " ".join(value or ())
