"""A fit that is made of fits: each is kept when it has finished."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from runoff.fitting.record import Record, record_columns, record_rows
from runoff.fitting.run import Run
from runoff.learners.base import Ranker
from runoff.problem.problem import RankingProblem


class NestedFits:
    """Fits rankers one after the other; a resumed run restores the finished ones.

    Examples
    --------
    >>> from runoff.data.nbest import Candidate, NBest
    >>> from runoff.problem.build.build import build_problem
    >>> from runoff.learners import make_ranker
    >>> problem, _ = build_problem([NBest(candidates=[Candidate("a"), Candidate("b")])], [])
    >>> ranker = make_ranker("base")
    >>> NestedFits(Run()).fit("stage 1", ranker, problem, None)
    >>> ranker.logprob_weight_
    1.0
    """

    def __init__(self, run: Run) -> None:
        self.run = run
        self._saved = run.saved()
        self._finished: dict[str, NDArray[Any]] = {}

    def fit(
        self, name: str, ranker: Ranker, problem: RankingProblem, dev: RankingProblem | None
    ) -> None:
        """Fit a ranker, or restore it if an earlier, interrupted run had finished it."""
        learned, table = f"{name} learned: ", f"{name} table: "
        arrays = self._named(learned)
        if arrays:
            ranker.restore(arrays, problem.n_features).record_ = _record(self._named(table))
        else:
            finished = {**self.run.finished, **self.run.named(self._finished)}
            ranker.fit(problem, dev, run=self.run.part(name, finished))
        self._finished |= {learned + key: array for key, array in ranker.arrays().items()}
        self._finished |= {table + key: array for key, array in _columns(ranker.record_).items()}
        self.run.keep(self._finished.copy)

    def _named(self, prefix: str) -> dict[str, NDArray[Any]]:
        return {k.removeprefix(prefix): a for k, a in self._saved.items() if k.startswith(prefix)}


_SEPARATOR = " / "


def _columns(record: Record) -> dict[str, NDArray[Any]]:
    """The tables of a record as arrays, each named by its title and column, if it has one."""
    return {
        title + _SEPARATOR + key: array
        for title, rows in record.items()
        for key, array in (record_columns(rows) or {"": np.zeros(0)}).items()
    }


def _record(columns: dict[str, NDArray[Any]]) -> Record:
    tables: dict[str, dict[str, NDArray[Any]]] = {}
    for name, array in columns.items():
        title, _, key = name.rpartition(_SEPARATOR)
        tables.setdefault(title, {})[key] = array
    return {title: record_rows(table) for title, table in tables.items()}
