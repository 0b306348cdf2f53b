"""Statements as native code takes them: columns of values, aggregates, what follows from them."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from runoff._native import RecordSets
from runoff.proposers.identity.columns import Columns, Pairs
from runoff.proposers.identity.fields import Floats, Places
from runoff.proposers.identity.language import (
    MATCH,
    WHOLE,
    Call,
    Compare,
    Expression,
    calls,
    evaluate,
)
from runoff.proposers.identity.statements import APART, RECORDS, Statement

FOLDS = {"min": 0, "max": 1, "sum": 2, "number": 3}
COMPARED = ["", "<", "<=", ">", ">=", "="]
SAYINGS = "extreme mean all some count distinct size apart apart_between always joined".split()

MOST = 10.0
"""Log-odds of pairs are cut here: no pair is more certain."""
OUTSIDE = 5.0
"""What a pair that no canopy has is worth to the model of pairs, as log-odds against it."""

CHUNK = 1 << 17
"""Pairs that are compared at once."""

Key = TypeVar("Key", bound=Hashable)
Row = tuple[int, Any, Any, int, float]


class Fold(NamedTuple):
    """An aggregate of a column: of pairs or records, how, and what a sum counts."""

    source: str
    column: int
    how: int
    compared: int = 0
    threshold: float = 0.0


class Table(NamedTuple):
    """Records with the values of their pairs; see `Table` of `cpp/runoff/identity/sets.hpp`.

    Parameters
    ----------
    left, right : the pairs that are compared, smaller index first.
    pairs : the values of each pair, one per column.
    copies : how many equal records each one stands for.
    own : of records with copies, the values of a pair of them.
    singles, labels : the values, and the numbers of distinct values, of each record.
    """

    left: Places
    right: Places
    pairs: Floats
    copies: Places
    own: Floats
    singles: Floats
    labels: Places

    def take(self, chosen: NDArray[np.bool_]) -> Table:
        """Some of the records, and the pairs of them."""
        kept = chosen[self.left] & chosen[self.right]
        place = (np.cumsum(chosen) - 1).astype(np.uint32)
        return Table(
            place[self.left[kept]],
            place[self.right[kept]],
            self.pairs[kept],
            self.copies[chosen],
            self.own[chosen[self.copies > 1]],
            self.singles[chosen],
            self.labels[chosen],
        )


@dataclass(frozen=True)
class Program:
    """Statements compiled: which columns they need, and what native code is told.

    Two rows follow those of the statements: the sum of what the model of pairs says about the
    pairs that a merge joins, which is all that PAIRS looks at, and what always holds, whose weight
    every set begins with.
    """

    pair_columns: dict[Expression, int] = field(default_factory=dict)
    record_columns: dict[Expression, int] = field(default_factory=dict)
    labels: dict[str, int] = field(default_factory=dict)
    folds: dict[Fold, int] = field(default_factory=dict)
    rows: list[Row] = field(default_factory=list)

    @classmethod
    def of(cls, statements: Sequence[Statement]) -> Program:
        """The program of statements."""
        program = cls()
        for one in statements:
            program._add(one)
        column = _number(program.pair_columns, Call(MATCH, WHOLE))
        match = program._fold("between", column, "sum")
        program.rows.append((SAYINGS.index("joined"), match, match, 0, OUTSIDE))
        program.rows.append((SAYINGS.index("always"), 0, 0, 0, 0.0))
        return program

    def __len__(self) -> int:
        return len(self.rows)

    def _add(self, one: Statement) -> None:
        test = 0 if one.above is None and one.below is None else 1 if one.below is None else 2
        threshold = one.above if test == 1 else one.below if test == 2 else 0.0
        saying, first, second = self._said(one)
        self.rows.append((SAYINGS.index(saying), first, second, test, float(threshold or 0.0)))

    def _said(self, one: Statement) -> tuple[str, Any, Any]:
        if isinstance(one.of, str):
            if one.quantifier == "distinct":
                return "distinct", _number(self.labels, one.of), 0
            apart = "apart_between" if one.over == "between" else "apart"
            return {RECORDS: "size", APART: apart}[one.of], 0, 0
        columns = self.record_columns if one.over == "records" else self.pair_columns
        if one.quantifier in ("min", "max"):
            found = self._fold(one.over, _number(columns, one.of), one.quantifier)
            return "extreme", found, found
        of, counted = _counted(one.of)
        column = _number(columns, of)
        total = self._fold(one.over, column, "sum", counted)
        if one.quantifier in ("mean", "all"):
            return one.quantifier, total, self._fold(one.over, column, "number")
        return one.quantifier, total, total

    def _fold(
        self, over: str, column: int, how: str, counted: tuple[int, float] = (0, 0.0)
    ) -> tuple[str, int]:
        """An aggregate: of what, and its number among those of pairs, or of records."""
        source = "records" if over == "records" else "pairs"
        key = Fold(source, column, FOLDS[how], *counted)
        self.folds.setdefault(key, sum(one.source == source for one in self.folds))
        return over, self.folds[key]

    @property
    def match(self) -> int:
        """The column of what the model of pairs says."""
        return self.pair_columns[Call(MATCH, WHOLE)]

    def table(
        self,
        columns: Columns,
        left: Places,
        right: Places,
        copies: Places,
        certain: NDArray[np.float64] | None = None,
    ) -> Table:
        """The values of records and pairs, chunk by chunk.

        Parameters
        ----------
        certain : weights of the model of pairs, which then says what `match(*)` is; pairs that
            speak no less against it than those that no canopy has are left out like these.
        """
        several = np.flatnonzero(copies > 1).astype(np.uint32)
        own = self._pair_values(columns, several, several)
        own[:, self.match] = MOST
        singles = [evaluate(one, columns.single) for one in self.record_columns]
        labels = [columns.labels(name) for name in self.labels]
        n = len(copies)
        parts = (copies, own, _beside(singles, n), _beside(labels, n, np.uint32))
        # memory that nothing is written to is not taken
        pairs = np.empty((len(left), len(self.pair_columns)), dtype=np.float32)
        kept, done = np.zeros(len(left), dtype=np.bool_), 0
        for start in range(0, len(left), CHUNK):
            chunk = slice(start, start + CHUNK)
            values = self._pair_values(columns, left[chunk], right[chunk])
            here = kept[chunk]
            here[:] = True
            if certain is not None:
                table = Table(left[chunk], right[chunk], values, *parts)
                scores = self.sets(table).pair_scores(certain)
                self.set_match(values, scores)
                here[:] = scores > -OUTSIDE
            found = values[here]
            pairs[done : done + len(found)] = found
            done += len(found)
        return Table(left[kept], right[kept], pairs[:done], *parts)

    def _pair_values(self, columns: Columns, left: Places, right: Places) -> Floats:
        values = Pairs(columns, left, right).values
        found = np.zeros((len(left), len(self.pair_columns)), dtype=np.float32)
        for expression, place in self.pair_columns.items():
            if not _has_match(expression):
                found[:, place] = evaluate(expression, values)
        return found

    def set_match(self, pairs: Floats, scores: Floats) -> None:
        """Write what the model of pairs says, and what follows from it, into values of pairs."""
        match = np.clip(scores, -MOST, MOST)
        for expression, place in self.pair_columns.items():
            if _has_match(expression):
                pairs[:, place] = evaluate(expression, lambda call: match)

    @cached_property
    def _told(self) -> tuple[Any, Any, Any]:
        def aggregates(source: str) -> tuple[Places, Any, Any, Floats]:
            own = [one for one in self.folds if one.source == source]
            return (
                np.array([one.column for one in own], dtype=np.uint32),
                np.array([one.how for one in own], dtype=np.uint8),
                np.array([one.compared for one in own], dtype=np.uint8),
                np.array([one.threshold for one in own], dtype=np.float32),
            )

        pairs, records = aggregates("pairs"), aggregates("records")
        skip = {"pairs": 0, "records": len(pairs[0]), "between": len(pairs[0]) + len(records[0])}

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
        sizes = (len(self.pair_columns), len(self.record_columns), len(self.labels))
        return (pairs, records), said, sizes

    def sets(self, table: Table) -> RecordSets:
        """The sets of records of a table; they share its memory."""
        return RecordSets(
            *self._told,
            table.left,
            table.right,
            table.pairs.reshape(-1),
            table.copies,
            table.own.reshape(-1),
            table.singles.reshape(-1),
            table.labels.reshape(-1),
        )


def _counted(expression: Expression) -> tuple[Expression, tuple[int, float]]:
    """What a sum is over: of a comparison its operand, whose values are counted where it holds."""
    if isinstance(expression, Compare) and isinstance(expression.operand, Call):
        return expression.operand, (COMPARED.index(expression.operator), expression.number)
    return expression, (0, 0.0)


def _has_match(expression: Expression) -> bool:
    return any(call.function == MATCH for call in calls(expression))


def _number(known: dict[Key, int], key: Key) -> int:
    return known.setdefault(key, len(known))


def _beside(columns: Sequence[NDArray[Any]], n: int, kind: Any = np.float32) -> NDArray[Any]:
    """Columns as a matrix of `n` rows, row by row."""
    if not columns:
        return np.empty((n, 0), dtype=kind)
    return np.ascontiguousarray(np.stack(columns, axis=1), dtype=kind)
