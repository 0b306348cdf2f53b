"""The functions of statements: how alike two records are in a field, and what one record has."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from runoff.data.records.records import Records
from runoff.proposers.identity.fields import Coded, Field, Floats, Lexicon, Places, Whole
from runoff.proposers.identity.language import WHOLE, Call
from runoff.strings import similarity


def _edits(name: str) -> Callable[[Field, Places, Places], Floats]:
    return lambda field, left, right: field.similarities(name, left, right)


def _partial(field: Field, left: Places, right: Places) -> Floats:
    return similarity.pairs("partial_ratio", field.texts, left, right).astype(np.float32)


def _cosine(field: Field, left: Places, right: Places) -> Floats:
    return np.minimum(field.tokens.products(field.tokens.weights, left, right), np.float32(1))


def _shared(field: Field, left: Places, right: Places) -> Floats:
    ones = np.ones(len(field.tokens.ids), dtype=np.float32)
    return field.tokens.products(ones, left, right)


def _overlap(field: Field, left: Places, right: Places) -> Floats:
    sizes = field.tokens.sizes
    fewer = np.maximum(np.minimum(sizes[left], sizes[right]), 1)
    return (_shared(field, left, right) / fewer).astype(np.float32)


Compared: TypeAlias = Callable[[Field, Places, Places], Floats]

PAIR_FUNCTIONS: Mapping[str, Compared] = {
    "equal": lambda f, a, b: (f.labels[a] == f.labels[b]).astype(np.float32),
    "ratio": _edits("ratio"),
    "token_sort": _edits("token_sort"),
    "token_set": _edits("token_set"),
    "partial": _partial,
    "overlap": _overlap,
    "shared": _shared,
    "cosine": _cosine,
    "years": lambda f, a, b: np.abs(f.years[a] - f.years[b]),
    "number": lambda f, a, b: np.abs(f.numbers[a] - f.numbers[b]),
    "initials": lambda f, a, b: f.name_pairs(a, b, conflicts=False),
    "middle": lambda f, a, b: f.name_pairs(a, b, conflicts=True),
    "missing": lambda f, a, b: 1 - (f.given[a] & f.given[b]).astype(np.float32),
}
"""Functions of two values of a field, where neither is missing."""

RECORD_FUNCTIONS: Mapping[str, Callable[[Field], Floats]] = {
    "missing": lambda f: 1 - f.given.astype(np.float32),
    "number": lambda f: f.numbers,
    "year": lambda f: f.years,
    "words": lambda f: np.where(f.given, f.tokens.sizes, np.nan).astype(np.float32),
}
"""Functions of one value of a field."""


class Columns:
    """The fields of records, and the values that functions of them have."""

    def __init__(self, columns: Mapping[str, Coded], size: int) -> None:
        self.columns, self.size = columns, size
        self._lexicon = Lexicon(columns)
        self._fields: dict[str, Field] = {}

    @classmethod
    def of(cls, records: Records) -> Columns:
        """The fields of records."""
        coded = {name: Coded.of(records.column(name)) for name in records.fields}
        return cls(coded, len(records))

    def __len__(self) -> int:
        return self.size

    def field(self, name: str) -> Field:
        """A field, or all of them together."""
        if name == WHOLE:
            return self._whole
        if name not in self._fields:
            self._fields[name] = Field(name, self.columns[name], self._lexicon)
        return self._fields[name]

    @cached_property
    def _whole(self) -> Whole:
        return Whole([self.field(one) for one in self.columns], self.size, self._lexicon)

    def pairs(self, call: Call, left: Places, right: Places) -> Floats:
        """The values of a function for pairs of records."""
        return Pairs(self, left, right).values(call)

    def single(self, call: Call) -> Floats:
        """The values of a function for each record."""
        field = self.field(call.field)
        return RECORD_FUNCTIONS[call.function](field)[field.codes]

    def labels(self, name: str) -> Places:
        """A number for the text of each record, the greatest one where there is none."""
        field = self.field(name)
        return field.labels[field.codes]


class Pairs:
    """Pairs of records, and the values of functions of them, each of which is computed once."""

    def __init__(self, columns: Columns, left: Places, right: Places) -> None:
        self.columns, self.left, self.right = columns, left, right
        self._sides: dict[str, tuple[Places, Places, NDArray[np.bool_]]] = {}
        self._known: dict[Call, Floats] = {}

    def values(self, call: Call) -> Floats:
        """The values of a function; NaN where it has none."""
        if call not in self._known:
            self._known[call] = self._computed(call)
        return self._known[call]

    def _sides_of(self, field: Field, name: str) -> tuple[Places, Places, NDArray[np.bool_]]:
        """The values of both records, and whether either is missing."""
        if name not in self._sides:
            a, b = field.codes[self.left], field.codes[self.right]
            self._sides[name] = a, b, ~(field.given[a] & field.given[b])
        return self._sides[name]

    def _computed(self, call: Call) -> Floats:
        field = self.columns.field(call.field)
        a, b, absent = self._sides_of(field, call.field)
        if call.function == "missing":
            return absent.astype(np.float32)
        if call.function == "token_set" and field.mostly_words:
            found = self.values(Call("token_sort", call.field)).copy()  # equal for two words
            several = np.flatnonzero(field.several[a] | field.several[b])
            found[several] = PAIR_FUNCTIONS[call.function](field, a[several], b[several])
        else:
            found = PAIR_FUNCTIONS[call.function](field, a, b)
        found[absent] = np.nan
        return found
