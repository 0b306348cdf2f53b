"""The functions of statements: how alike two records are in a field, and what one record has."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from runoff._native import token_products
from runoff.data.records.records import Records
from runoff.proposers.identity.language import WHOLE, Call
from runoff.strings import similarity
from runoff.strings.values import (
    Name,
    may_be_one,
    middle_names_conflict,
    name_of,
    number_of,
    text_of,
    tokens_of,
    year_of,
)

Floats: TypeAlias = NDArray[np.float32]
Places: TypeAlias = NDArray[np.uint32]


class Tokens(NamedTuple):
    """The tokens of a field, as sparse vectors.

    Parameters
    ----------
    offsets : where the tokens of each record begin, and end.
    ids : numbers of tokens, in ascending order for each record.
    weights : tf-idf, every vector of length 1.
    n : how many different tokens there are.
    """

    offsets: NDArray[np.int64]
    ids: Places
    weights: Floats
    n: int

    @property
    def sizes(self) -> NDArray[np.int64]:
        """How many tokens each record has."""
        return np.diff(self.offsets)

    def products(self, weights: Floats, left: Places, right: Places) -> Floats:
        """The products of the vectors of pairs, with these weights."""
        return token_products(self.offsets, self.ids, weights, left, right, self.n)


@dataclass(frozen=True, eq=False)
class Field:
    """The values of a field in the forms that functions need, made when they are asked for.

    Parameters
    ----------
    parts : the fields of which the whole record is made.
    """

    values: Sequence[Any]
    parts: Sequence[Field] = ()

    @cached_property
    def given(self) -> NDArray[np.bool_]:
        """Which records have the field."""
        return np.array([bool(text) for text in self.texts], dtype=np.bool_)

    @cached_property
    def texts(self) -> list[str]:
        """Plain texts; empty where there is none."""
        if self.parts:
            rows = zip(*(part.texts for part in self.parts), strict=True)
            return [" ".join(filter(None, row)) for row in rows]
        return [text_of(value) for value in self.values]

    @cached_property
    def labels(self) -> Places:
        """A number for each distinct value, the greatest one where there is none."""
        numbers: dict[str, int] = {}
        found = [numbers.setdefault(text, len(numbers)) if text else -1 for text in self.texts]
        return np.array(found, dtype=np.int64).astype(np.uint32)

    @cached_property
    def numbers(self) -> Floats:
        """The first number of each text."""
        return np.array([number_of(value) for value in self.values], dtype=np.float32)

    @cached_property
    def years(self) -> Floats:
        """The first year of each text."""
        return np.array([year_of(value) for value in self.values], dtype=np.float32)

    @cached_property
    def tokens(self) -> Tokens:
        """The tokens as sparse vectors."""
        numbers: dict[str, int] = {}
        rows = [
            sorted(
                numbers.setdefault(token, len(numbers))
                for token in dict.fromkeys(
                    sorted(tokens_of(one)) if isinstance(one, list) else text.split()
                )
            )
            for one, text in zip(self.values, self.texts, strict=True)
        ]
        sizes = np.array([len(row) for row in rows], dtype=np.int64)
        offsets = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(sizes)])
        ids = np.fromiter((t for row in rows for t in row), dtype=np.uint32, count=offsets[-1])
        seen = np.bincount(ids, minlength=max(len(numbers), 1))
        idf = np.log1p(len(rows) / np.maximum(seen, 1))[ids]
        owners = np.repeat(np.arange(len(rows)), sizes)
        norms = np.sqrt(np.bincount(owners, idf * idf, minlength=len(rows)))
        weights = (idf / norms[owners]).astype(np.float32)
        return Tokens(offsets, ids, weights, len(numbers))

    @cached_property
    def names(self) -> list[Name]:
        """The parts of each person's name."""
        known: dict[Any, Name] = {}
        keys = (tuple(value) if isinstance(value, list) else value for value in self.values)
        return [known[key] if key in known else known.setdefault(key, name_of(key)) for key in keys]

    @cached_property
    def name_labels(self) -> NDArray[np.int64]:
        """A number for each different name."""
        numbers: dict[Name, int] = {}
        found = [numbers.setdefault(name, len(numbers)) for name in self.names]
        return np.array(found, dtype=np.int64)


def _raw(value: Any) -> str:
    return " ".join(value) if isinstance(value, list) else value or ""


def _initials(a: Name, b: Name) -> float:
    return float(may_be_one(a, b)) if a.first and b.first else np.nan


def _middle(a: Name, b: Name) -> float:
    return float(middle_names_conflict(a, b)) if a.middle and b.middle else np.nan


def _edits(name: str) -> Callable[[Field, Places, Places], Floats]:
    def compare(field: Field, left: Places, right: Places) -> Floats:
        return similarity.pairs(name, field.texts, left, right).astype(np.float32)

    return compare


def _cosine(field: Field, left: Places, right: Places) -> Floats:
    return np.minimum(field.tokens.products(field.tokens.weights, left, right), np.float32(1))


def _shared(field: Field, left: Places, right: Places) -> Floats:
    ones = np.ones(len(field.tokens.ids), dtype=np.float32)
    return field.tokens.products(ones, left, right)


def _overlap(field: Field, left: Places, right: Places) -> Floats:
    sizes = field.tokens.sizes
    fewer = np.maximum(np.minimum(sizes[left], sizes[right]), 1)
    return (_shared(field, left, right) / fewer).astype(np.float32)


def _by_name(
    judge: Callable[[Name, Name], float],
) -> Callable[[Field, Places, Places], Floats]:
    def compare(field: Field, left: Places, right: Places) -> Floats:
        names, labels = field.names, field.name_labels
        _, first, places = np.unique(
            labels[left] << 32 | labels[right], return_index=True, return_inverse=True
        )
        pairs = zip(left[first].tolist(), right[first].tolist(), strict=True)
        found = np.array([judge(names[a], names[b]) for a, b in pairs], dtype=np.float32)
        return found[places]

    return compare


Compared: TypeAlias = Callable[[Field, Places, Places], Floats]

PAIR_FUNCTIONS: Mapping[str, Compared] = {
    "equal": lambda f, a, b: (f.labels[a] == f.labels[b]).astype(np.float32),
    "ratio": _edits("ratio"),
    "token_sort": _edits("token_sort_ratio"),
    "token_set": _edits("token_set_ratio"),
    "partial": _edits("partial_ratio"),
    "overlap": _overlap,
    "shared": _shared,
    "cosine": _cosine,
    "years": lambda f, a, b: np.abs(f.years[a] - f.years[b]),
    "number": lambda f, a, b: np.abs(f.numbers[a] - f.numbers[b]),
    "initials": _by_name(_initials),
    "middle": _by_name(_middle),
    "missing": lambda f, a, b: 1 - (f.given[a] & f.given[b]).astype(np.float32),
}
"""Functions of two records' values of a field; NaN where one has none."""

RECORD_FUNCTIONS: Mapping[str, Callable[[Field], Floats]] = {
    "missing": lambda f: 1 - f.given.astype(np.float32),
    "number": lambda f: f.numbers,
    "year": lambda f: f.years,
    "words": lambda f: np.where(f.given, f.tokens.sizes, np.nan).astype(np.float32),
}
"""Functions of one record's value of a field."""


class Columns:
    """The fields of records, and the values that functions of them have."""

    def __init__(self, records: Records) -> None:
        self.records = records
        self._fields: dict[str, Field] = {}

    def field(self, name: str) -> Field:
        """A field, or all of them together."""
        if name not in self._fields:
            self._fields[name] = (
                Field(self._whole(), [self.field(one) for one in self.records.fields])
                if name == WHOLE
                else Field(self.records.column(name))
            )
        return self._fields[name]

    def _whole(self) -> list[Any]:
        columns = [self.records.column(name) for name in self.records.fields]
        return [" ".join(_raw(value) for value in row) for row in zip(*columns, strict=True)]

    def pairs(self, call: Call, left: Places, right: Places) -> Floats:
        """The values of a function for pairs of records."""
        field = self.field(call.field)
        found = PAIR_FUNCTIONS[call.function](field, left, right)
        if call.function != "missing":
            found[~(field.given[left] & field.given[right])] = np.nan
        return found

    def single(self, call: Call) -> Floats:
        """The values of a function for each record."""
        return RECORD_FUNCTIONS[call.function](self.field(call.field))
