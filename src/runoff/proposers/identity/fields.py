"""The fields of records in the forms that functions of statements need.

A column is kept as its different values and a code for each record, so that a value is made plain,
split into words or read as a name once, however many records have it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import chain, count
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from runoff._native import (
    Vocabulary,
    different_words,
    joined_words,
    name_pairs,
    token_products,
    word_rarity,
)
from runoff.strings.values import name_of, number_of, text_of, tokens_of, year_of

Floats: TypeAlias = NDArray[np.float32]
Places: TypeAlias = NDArray[np.uint32]
Offsets: TypeAlias = NDArray[np.int64]

SIMILARITIES = ("ratio", "token_sort", "token_set")
"""Similarities of words that are native, by their numbers there."""


class Coded(NamedTuple):
    """A column: its different values in the order of what they say, and which one each record has.

    Examples
    --------
    >>> Coded.of(["b", None, "b"])
    Coded(values=[None, 'b'], codes=array([1, 0, 1], dtype=uint32))
    """

    values: list[Any]
    codes: Places

    @classmethod
    def of(cls, column: Sequence[Any]) -> Coded:
        """The different values of a column."""
        if list in set(map(type, column)):
            column = [tuple(value) if isinstance(value, list) else value for value in column]
        values = sorted(dict.fromkeys(column), key=_key)
        numbers = {value: number for number, value in enumerate(values)}
        codes = np.fromiter(map(numbers.__getitem__, column), np.uint32, len(column))
        return cls([list(v) if isinstance(v, tuple) else v for v in values], codes)

    def take(self, places: NDArray[np.int64]) -> Coded:
        """The column of some of the records."""
        return Coded(self.values, self.codes[places])


def _key(value: Any) -> str:
    """A value as text that sorts: nothing where it is missing, and lists apart from texts."""
    return "\0".join(["", *value]) if isinstance(value, tuple) else value or ""


class Words(NamedTuple):
    """Texts as words: where those of each text begin, and the number of each word."""

    offsets: Offsets
    ids: Places


class Lexicon:
    """The words of all columns, numbered in alphabetical order."""

    def __init__(self, columns: Mapping[str, Coded]) -> None:
        self._values = {name: column.values for name, column in columns.items()}

    @cached_property
    def texts(self) -> dict[str, list[str]]:
        """The plain text of each different value, by column."""
        return {name: [text_of(one) for one in values] for name, values in self._values.items()}

    @cached_property
    def _read(self) -> tuple[list[str], dict[str, Words]]:
        """The different words in alphabetical order, and the words of each column."""
        numbers: dict[str, int] = defaultdict(count().__next__)
        found = {}
        for name, texts in self.texts.items():
            sizes = np.fromiter(
                (text.count(" ") + bool(text) for text in texts), np.int64, len(texts)
            )
            words = " ".join(texts).split()  # not a list for each text
            ids = np.fromiter(map(numbers.__getitem__, words), np.uint32, len(words))
            found[name] = Words(_ends(sizes), ids)
        words = sorted(numbers)
        ranks = np.empty(len(words), dtype=np.uint32)
        ranks[np.fromiter(map(numbers.__getitem__, words), np.int64, len(words))] = np.arange(
            len(words)
        )
        return words, {name: Words(one.offsets, ranks[one.ids]) for name, one in found.items()}

    def __len__(self) -> int:
        return len(self._read[0])

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """The words with their letters, for native code."""
        words = self._read[0]
        sizes = np.fromiter(map(len, words), np.int64, len(words))
        letters = "".join(words).encode("utf-32-le", "surrogatepass")
        return Vocabulary(_ends(sizes), np.frombuffer(letters, dtype=np.uint32))

    def words(self, name: str) -> Words:
        """The words of each different value of a column."""
        return self._read[1][name]


def _ends(sizes: NDArray[np.int64]) -> Offsets:
    return np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(sizes, dtype=np.int64)])


def _numbered(rows: Sequence[Sequence[str]], numbers: Mapping[str, int]) -> Words:
    offsets = _ends(np.fromiter(map(len, rows), np.int64, len(rows)))
    ids = np.fromiter(map(numbers.__getitem__, chain.from_iterable(rows)), np.uint32, offsets[-1])
    return Words(offsets, ids)


class Tokens(NamedTuple):
    """The tokens of a field, as sparse vectors.

    Parameters
    ----------
    offsets : where the tokens of each value begin, and end.
    ids : numbers of tokens, in ascending order for each value.
    weights : tf-idf, every vector of length 1.
    n : a number that is greater than all of them.
    """

    offsets: Offsets
    ids: Places
    weights: Floats
    n: int

    @property
    def sizes(self) -> NDArray[np.int64]:
        """How many tokens each value has."""
        return np.diff(self.offsets)

    def products(self, weights: Floats, left: Places, right: Places) -> Floats:
        """The products of the vectors of pairs, with these weights."""
        return token_products(self.offsets, self.ids, weights, left, right, self.n)


class Field:
    """The different values of a field, in forms that are made when they are asked for.

    Parameters
    ----------
    codes : which value each record has.
    """

    def __init__(self, name: str, column: Coded, lexicon: Lexicon) -> None:
        self.name, self.lexicon = name, lexicon
        self.codes, self._values = column.codes, column.values

    @cached_property
    def values(self) -> list[Any]:
        """The different values, in the order of what they say."""
        return self._values

    @cached_property
    def counts(self) -> Places:
        """How many records have each value."""
        return np.bincount(self.codes, minlength=len(self.values)).astype(np.uint32)

    @cached_property
    def texts(self) -> list[str]:
        """Plain texts; empty where there is none."""
        return self.lexicon.texts[self.name]

    @cached_property
    def words(self) -> Words:
        """The words of each text, in its order."""
        return self.lexicon.words(self.name)

    @cached_property
    def given(self) -> NDArray[np.bool_]:
        """Which values say something."""
        return np.diff(self.words.offsets) > 0

    @cached_property
    def several(self) -> NDArray[np.bool_]:
        """Which values have several words."""
        return np.diff(self.words.offsets) > 1

    @cached_property
    def mostly_words(self) -> bool:
        """Whether nine of ten values are single words."""
        return bool(10 * np.sum(self.several) < len(self.several))

    @cached_property
    def labels(self) -> Places:
        """A number for each different text, the greatest one where there is none."""
        numbers: dict[str, int] = {}
        found = [numbers.setdefault(text, len(numbers)) if text else -1 for text in self.texts]
        return np.array(found, dtype=np.int64).astype(np.uint32)

    @cached_property
    def numbers(self) -> Floats:
        """The first number of each value."""
        return np.array([number_of(value) for value in self.values], dtype=np.float32)

    @cached_property
    def years(self) -> Floats:
        """The first year of each value."""
        return np.array([year_of(value) for value in self.values], dtype=np.float32)

    @property
    def has_lists(self) -> bool:
        """Whether some value is a list."""
        return any(isinstance(value, list) for value in self.values)

    @cached_property
    def tokens(self) -> Tokens:
        """The tokens as sparse vectors: words, or the items of a list."""
        if self.has_lists:
            rows = [sorted(tokens_of(value)) for value in self.values]
            numbers = {one: n for n, one in enumerate(sorted({t for row in rows for t in row}))}
            (offsets, ids), n = _numbered(rows, numbers), len(numbers)
        else:
            (offsets, ids), n = different_words(*self.words), len(self.lexicon)
        return Tokens(offsets, ids, word_rarity(offsets, ids, self.counts, n), n)

    @cached_property
    def _names(self) -> tuple[Places, Places, Offsets, Places, Places, Places]:
        names = [name_of(value) for value in self.values]
        numbers = {"": 0}
        for one in names:
            for part in (one.first, one.last, *one.middle):
                numbers.setdefault(part, len(numbers))
        middle = _numbered([one.middle for one in names], numbers)
        return (
            np.array([numbers[one.first] for one in names], dtype=np.uint32),
            np.array([numbers[one.last] for one in names], dtype=np.uint32),
            *middle,
            np.array([len(part) for part in numbers], dtype=np.uint32),
            np.array([ord(part[0]) if part else 0 for part in numbers], dtype=np.uint32),
        )

    def name_pairs(self, left: Places, right: Places, *, conflicts: bool) -> Floats:
        """Whether pairs of names may be one, or whether their middle names conflict."""
        return name_pairs(conflicts, *self._names, left, right)

    def similarities(self, name: str, left: Places, right: Places) -> Floats:
        """One of `SIMILARITIES` for pairs of texts."""
        how = SIMILARITIES.index(name)
        return self.lexicon.vocabulary.similarities(how, *self.words, left, right)


class Whole(Field):
    """All fields of records together, each record a value of its own."""

    def __init__(self, fields: Sequence[Field], size: int, lexicon: Lexicon) -> None:
        self.fields, self.lexicon = fields, lexicon
        self.codes = np.arange(size, dtype=np.uint32)

    @cached_property
    def counts(self) -> Places:
        """One of each."""
        return np.ones(len(self.codes), dtype=np.uint32)

    @cached_property
    def values(self) -> list[Any]:
        """What records say, in a line."""
        return self._lines([[_raw(value) for value in one.values] for one in self.fields])

    @cached_property
    def texts(self) -> list[str]:
        """Plain texts; empty where there is none."""
        return [" ".join(line.split()) for line in self._lines([one.texts for one in self.fields])]

    @property
    def has_lists(self) -> bool:
        """What is in a line is no list."""
        return False

    def _lines(self, texts: Sequence[list[str]]) -> list[str]:
        columns = (
            map(own.__getitem__, field.codes.tolist())
            for own, field in zip(texts, self.fields, strict=True)
        )
        return list(map(" ".join, zip(*columns, strict=True)))

    @cached_property
    def words(self) -> Words:
        """The words of all fields."""
        if not self.fields:
            return Words(np.zeros(len(self.codes) + 1, dtype=np.int64), self.codes[:0])
        return Words(*joined_words([(one.codes, *one.words) for one in self.fields]))


def _raw(value: Any) -> str:
    return " ".join(value) if isinstance(value, list) else value or ""
