"""The functions of statements: how alike two records are in a field, and what one record has."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TypeAlias

import numpy as np

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
"""Functions of two values of a field; NaN where one is missing."""

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
        field = self.field(call.field)
        a, b = field.codes[left], field.codes[right]
        found = PAIR_FUNCTIONS[call.function](field, a, b)
        if call.function != "missing":
            found[~(field.given[a] & field.given[b])] = np.nan
        return found

    def single(self, call: Call) -> Floats:
        """The values of a function for each record."""
        field = self.field(call.field)
        return RECORD_FUNCTIONS[call.function](field)[field.codes]

    def labels(self, name: str) -> Places:
        """A number for the text of each record, the greatest one where there is none."""
        field = self.field(name)
        return field.labels[field.codes]
