"""Statements as native code takes them: columns of values, aggregates, what follows from them."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from runoff._native import RecordSets
from runoff.proposers.identity.columns import Columns, Floats, Places
from runoff.proposers.identity.language import MATCH, WHOLE, Call, Expression, evaluate
from runoff.proposers.identity.statements import APART, RECORDS, Statement

FOLDS = {"min": 0, "max": 1, "sum": 2, "number": 3}
SAYINGS = {
    name: number
    for number, name in enumerate(
        (
            "extreme",
            "mean",
            "all",
            "some",
            "count",
            "distinct",
            "size",
            "apart",
            "apart_between",
            "always",
        )
    )
}

MOST = 10.0
"""Log-odds of pairs are cut here: no pair is more certain."""

Key = TypeVar("Key", bound=Hashable)


def _number(known: dict[Key, int], key: Key) -> int:
    return known.setdefault(key, len(known))


@dataclass(frozen=True)
class Program:
    """Statements compiled: which columns they need, and what native code is told.

    The last statement is that which always holds: its weight is what every set begins with.
    """

    pair_columns: dict[Expression, int] = field(default_factory=dict)
    record_columns: dict[Expression, int] = field(default_factory=dict)
    labels: dict[str, int] = field(default_factory=dict)
    folds: dict[tuple[str, int, int], int] = field(default_factory=dict)
    rows: list[tuple[int, Any, Any, int, float]] = field(default_factory=list)

    @classmethod
    def of(cls, statements: Sequence[Statement]) -> Program:
        """The program of statements."""
        program = cls()
        for one in statements:
            program._add(one)
        program.rows.append((SAYINGS["always"], 0, 0, 0, 0.0))
        return program

    def _add(self, one: Statement) -> None:
        test = 0 if one.above is None and one.below is None else 1 if one.below is None else 2
        threshold = one.above if test == 1 else one.below if test == 2 else 0.0
        saying, first, second = self._said(one)
        self.rows.append((SAYINGS[saying], first, second, test, float(threshold or 0.0)))

    def _said(self, one: Statement) -> tuple[str, Any, Any]:
        if isinstance(one.of, str):
            if one.quantifier == "distinct":
                return "distinct", _number(self.labels, one.of), 0
            apart = "apart_between" if one.over == "between" else "apart"
            return {RECORDS: "size", APART: apart}[one.of], 0, 0
        columns = self.record_columns if one.over == "records" else self.pair_columns
        source = "records" if one.over == "records" else "pairs"
        column = _number(columns, one.of)

        def fold(how: str) -> tuple[str, int]:
            key = (source, column, FOLDS[how])
            self.folds.setdefault(key, sum(over == source for over, _, _ in self.folds))
            return one.over, self.folds[key]

        if one.quantifier in ("min", "max"):
            found = fold(one.quantifier)
            return "extreme", found, found
        if one.quantifier in ("mean", "all"):
            return one.quantifier, fold("sum"), fold("number")
        return one.quantifier, fold("sum"), fold("sum")

    def _aggregates(self, over: str) -> tuple[Places, NDArray[np.uint8]]:
        own = [(column, how) for where, column, how in self.folds if where == over]
        columns = np.array([column for column, _ in own], dtype=np.uint32)
        return columns, np.array([how for _, how in own], dtype=np.uint8)

    def sets(
        self,
        columns: Columns,
        left: Places,
        right: Places,
        copies: Places,
    ) -> tuple[RecordSets, Floats]:
        """The sets of records with the values of all pairs, ready for agglomeration; and the values of the pairs.

        Parameters
        ----------
        copies : how many equal records each one stands for.
        """
        pair_aggregates, record_aggregates = self._aggregates("pairs"), self._aggregates("records")
        pairs, records = len(pair_aggregates[0]), len(record_aggregates[0])
        skip = {"pairs": 0, "records": pairs, "between": pairs + records}

        def place(given: Any) -> int:
            return given if isinstance(given, int) else given[1] + skip[given[0]]

        sayings, first, second, tests, thresholds = zip(*self.rows, strict=True)
        said = (
            np.array(sayings, dtype=np.uint8),
            np.array([place(one) for one in first], dtype=np.uint32),
            np.array([place(one) for one in second], dtype=np.uint32),
            np.array(tests, dtype=np.uint8),
            np.array(thresholds, dtype=np.float64),
        )
        several = np.flatnonzero(copies > 1).astype(np.uint32)
        labels = [columns.field(name).labels for name in self.labels]
        values = self.pair_values(columns, left, right)
        own_values = self.pair_values(columns, several, several)
        if self.match is not None:
            own_values.reshape(-1, len(self.pair_columns))[:, self.match] = MOST
        sets = RecordSets(
            (*pair_aggregates, *record_aggregates),
            said,
            (len(self.pair_columns), len(self.record_columns), len(self.labels)),
            left,
            right,
            values,
            copies,
            own_values,
            _interleaved([evaluate(e, columns.single) for e in self.record_columns], np.float32),
            _interleaved(labels, np.uint32),
        )
        return sets, values.reshape(-1, len(self.pair_columns))

    @property
    def match(self) -> int | None:
        """The column of what the model of pairs says."""
        return self.pair_columns.get(Call(MATCH, WHOLE))

    def pair_values(self, columns: Columns, left: Places, right: Places) -> Floats:
        """The values of every column for pairs of records, pair by pair."""
        known: dict[Any, Floats] = {}

        def values(call: Any) -> Floats:
            if call.function == MATCH:
                return np.zeros(len(left), dtype=np.float32)
            if call not in known:
                known[call] = columns.pairs(call, left, right)
            return known[call]

        found = np.empty((len(left), len(self.pair_columns)), dtype=np.float32)
        for expression, place in self.pair_columns.items():
            found[:, place] = evaluate(expression, values)
        return found.ravel()


def _interleaved(columns: Sequence[NDArray[Any]], kind: Any) -> NDArray[Any]:
    if not columns:
        return np.empty(0, dtype=kind)
    return np.ascontiguousarray(np.stack(columns, axis=1), dtype=kind).ravel()
