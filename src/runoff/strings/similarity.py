"""Similarities of two values, each a number from 0 to 1, one by one or for many pairs at once.

Text is compared in lower case, without accents and punctuation. Where a value is missing, or has
no number or year, every similarity is 0, except `missing`, which is 1, and `initials`, which is 1
unless something speaks against it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np

from runoff.errors import import_extra, unknown_choice
from runoff.strings.tokens import chunks, shared_tokens, token_cosine
from runoff.strings.values import (
    Floats,
    Integers,
    Name,
    Value,
    may_be_one,
    middle_names_conflict,
    name_of,
    number_of,
    text_of,
    year_of,
)

Pairs: TypeAlias = Callable[[Sequence[Value], Integers, Integers], Floats]


def equal(a: Value, b: Value) -> float:
    """1 if both are there and are the same plain text.

    Examples
    --------
    >>> equal("ICML '94", "icml 94"), equal(None, None)
    (1.0, 0.0)
    """
    return _one("equal", a, b)


def missing(a: Value, b: Value) -> float:
    """1 if one of them is missing.

    Examples
    --------
    >>> missing("1994", None), missing("1994", "1995")
    (1.0, 0.0)
    """
    return _one("missing", a, b)


def ratio(a: Value, b: Value) -> float:
    """Share of characters that need no edit: rapidfuzz's `ratio`, which counts no substitutions.

    Examples
    --------
    >>> round(ratio("neural networks", "neural network"), 3)
    0.966
    """
    return _one("ratio", a, b)


def token_sort_ratio(a: Value, b: Value) -> float:
    """`ratio` of the words in alphabetical order.

    Examples
    --------
    >>> token_sort_ratio("Wei Li", "Li, Wei")
    1.0
    """
    return _one("token_sort_ratio", a, b)


def token_set_ratio(a: Value, b: Value) -> float:
    """`ratio` of the different words in order; 1 where all of one are among the other's.

    Examples
    --------
    >>> token_set_ratio("learning to rank", "learning to rank with trees")
    1.0
    """
    return _one("token_set_ratio", a, b)


def partial_ratio(a: Value, b: Value) -> float:
    """`ratio` of the shorter text and the part of the longer one that it fits best.

    Examples
    --------
    >>> partial_ratio("rank", "learning to rank with trees")
    1.0
    """
    return _one("partial_ratio", a, b)


def token_overlap(a: Value, b: Value) -> float:
    """Shared tokens as a share of the smaller set; the tokens of a list are its items.

    Examples
    --------
    >>> token_overlap(["A. Wu", "B. Roth"], ["b roth", "C. Ng", "D. Ito"])
    0.5
    """
    return _one("token_overlap", a, b)


def cosine(a: Value, b: Value) -> float:
    """Cosine of the tokens, weighted by their rarity in the two values; see `pairs` for many.

    Examples
    --------
    >>> cosine("rank lists", "rank lists"), cosine("rank lists", "parse trees")
    (1.0, 0.0)
    """
    return _one("cosine", a, b)


def number_equal(a: Value, b: Value) -> float:
    """1 if the first numbers in both are equal.

    Examples
    --------
    >>> number_equal("vol. 12", "12"), number_equal("12", "13")
    (1.0, 0.0)
    """
    return _one("number_equal", a, b)


def number_close(a: Value, b: Value) -> float:
    """1 minus the difference of the first numbers, as a share of the one farther from 0.

    Examples
    --------
    >>> number_close("100", "90")
    0.9
    """
    return _one("number_close", a, b)


def year_equal(a: Value, b: Value) -> float:
    """1 if the first years in both are equal.

    Examples
    --------
    >>> year_equal("(June 1994)", "1994."), year_equal("1994", "no year")
    (1.0, 0.0)
    """
    return _one("year_equal", a, b)


def year_close(a: Value, b: Value) -> float:
    """1 / (1 + the years between the first years in both).

    Examples
    --------
    >>> year_close("1994", "1995")
    0.5
    """
    return _one("year_close", a, b)


def initials(a: Value, b: Value) -> float:
    """1 if two names may be one person's: equal last names, and no first or middle name against it.

    Examples
    --------
    >>> initials("W. Li", "Li, Wei"), initials("W. Li", "Anna Li"), initials("Li", "Wei Li")
    (1.0, 0.0, 1.0)
    """
    return _one("initials", a, b)


def middle_conflict(a: Value, b: Value) -> float:
    """1 if both names have middle names and some two in the same position cannot be one.

    Examples
    --------
    >>> middle_conflict("David R. Miller", "D. S. Miller"), middle_conflict("D. Miller", "D. S. M.")
    (1.0, 0.0)
    """
    return _one("middle_conflict", a, b)


def pairs(name: str, values: Sequence[Value], left: Integers, right: Integers) -> Floats:
    """A similarity of many pairs of values, from 0 to 1, shape (pairs,).

    Values are prepared once each. `cosine` weighs a token by log(1 + N / n), where n of the N
    values that are not missing have it.

    Parameters
    ----------
    name : one of `SIMILARITIES`.
    values : text, lists of texts, or None.
    left, right : indices into the values, one pair each.

    Examples
    --------
    >>> pairs("ratio", ["rank", "ranks", None], np.array([0, 0]), np.array([1, 2])).round(3)
    array([0.889, 0.   ])
    """
    if name not in SIMILARITIES:
        raise unknown_choice("similarity", name, SIMILARITIES)
    left, right = (np.asarray(side, dtype=np.int64) for side in (left, right))
    return SIMILARITIES[name](values, left, right)


def _one(name: str, a: Value, b: Value) -> float:
    first, second = np.array([0]), np.array([1])
    return float(SIMILARITIES[name]([a, b], first, second)[0])


def _equal(values: Sequence[Value], left: Integers, right: Integers) -> Floats:
    codes: dict[str, int] = {}
    found = np.array([codes.setdefault(text_of(v), len(codes)) for v in values], dtype=np.int64)
    empty = codes.get("", -1)
    return np.where((found[left] == found[right]) & (found[left] != empty), 1.0, 0.0)


def _missing(values: Sequence[Value], left: Integers, right: Integers) -> Floats:
    absent = np.array([not value for value in values], dtype=bool)
    return np.where(absent[left] | absent[right], 1.0, 0.0)


def _fuzzy(scorer: str) -> Pairs:
    """A similarity of rapidfuzz."""

    def compare(values: Sequence[Value], left: Integers, right: Integers) -> Floats:
        process = import_extra("rapidfuzz.process", "identity")
        score = getattr(import_extra("rapidfuzz.fuzz", "identity"), scorer)
        texts = np.full(len(values), "", dtype=object)
        used = np.zeros(len(values), dtype=bool)
        used[left] = used[right] = True
        for place in np.flatnonzero(used).tolist():
            texts[place] = text_of(values[place])
        equal = texts[left] == texts[right]
        found: Floats = equal.astype(np.float64)
        there = texts != ""
        found[~there[left]] = 0.0
        for places in chunks(np.flatnonzero(there[left] & there[right] & ~equal)):
            ours, theirs = (texts[side[places]] for side in (left, right))
            scores = process.cpdist(ours, theirs, scorer=score, dtype=np.float64)
            found[places] = scores / 100
        return found

    return compare


def _numbers(read: Callable[[Value], float], close: Callable[[Floats, Floats], Floats]) -> Pairs:
    """A similarity of the numbers in values; of values without one it is 0."""

    def compare(values: Sequence[Value], left: Integers, right: Integers) -> Floats:
        found = np.array([read(value) for value in values], dtype=np.float64)
        return np.nan_to_num(close(found[left], found[right]), nan=0.0)

    return compare


def _same_number(a: Floats, b: Floats) -> Floats:
    return np.where(a == b, 1.0, 0.0)


def _relative(a: Floats, b: Floats) -> Floats:
    largest = np.maximum(np.abs(a), np.abs(b))
    return np.clip(1 - np.abs(a - b) / np.where(largest > 0, largest, 1), 0, 1)


def _nearness(a: Floats, b: Floats) -> Floats:
    return 1 / (1 + np.abs(a - b))


def _names(agree: Callable[[Name, Name], bool]) -> Pairs:
    """A similarity of names; every two different names are compared once."""

    def compare(values: Sequence[Value], left: Integers, right: Integers) -> Floats:
        codes: dict[Name, int] = {}
        own = np.array([codes.setdefault(name_of(v), len(codes)) for v in values], dtype=np.int64)
        keys, where = np.unique(own[left] * len(codes) + own[right], return_inverse=True)
        names = list(codes)
        known = (divmod(key, len(names)) for key in keys.tolist())
        found = np.array([agree(names[a], names[b]) for a, b in known], dtype=np.float64)
        return found[where]

    return compare


SIMILARITIES: dict[str, Pairs] = {
    "cosine": token_cosine,
    "equal": _equal,
    "initials": _names(may_be_one),
    "middle_conflict": _names(middle_names_conflict),
    "missing": _missing,
    "number_close": _numbers(number_of, _relative),
    "number_equal": _numbers(number_of, _same_number),
    "partial_ratio": _fuzzy("partial_ratio"),
    "ratio": _fuzzy("ratio"),
    "token_overlap": shared_tokens,
    "token_set_ratio": _fuzzy("token_set_ratio"),
    "token_sort_ratio": _fuzzy("token_sort_ratio"),
    "year_close": _numbers(year_of, _nearness),
    "year_equal": _numbers(year_of, _same_number),
}
"""Name of a similarity -> the function that compares many pairs of values."""
