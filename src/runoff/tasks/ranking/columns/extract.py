"""What Runoff extracts from lists, as a matrix for other learners."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runoff.data.files import FilePath, check_target, write_pieces
from runoff.data.formats import write_nbest
from runoff.data.lists import Lists, open_lists
from runoff.data.nbest import Candidate, NBest
from runoff.engine import ALONE, AnyEngine, Engine
from runoff.errors import FormatError, UsageError, import_extra
from runoff.features.extract import AnyExtractors, find_extractors
from runoff.metrics import AnyMetric
from runoff.metrics import metric as find_metric
from runoff.problem.build.build import build_problem
from runoff.problem.problem import RankingProblem
from runoff.tasks.ranking.reranker import Reranker

MOST_COLUMNS = 20_000
"""Columns that a table may have; a sparse matrix may have any number."""


@dataclass(frozen=True)
class Columns:
    """A row for every candidate, lists end to end, and a column for every feature.

    Parameters
    ----------
    names : of the columns; where the lists have log-probabilities, the last is `logprob`.
    ids : of the lists.
    """

    problem: RankingProblem
    names: list[str]
    ids: list[str | int]

    def csr(self) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.int64]]:
        """Values, column numbers and row offsets of the matrix, as scipy's `csr_matrix` takes."""
        problem = self.problem
        values = problem.feature_values
        values = np.ones(len(problem.feature_ids)) if values is None else values
        ids, offsets = problem.feature_ids.astype(np.int64), problem.feature_offsets
        if not problem.given_logprobs:
            return np.asarray(values, dtype=np.float64), ids, offsets
        ends = offsets[1:]
        column = np.full(problem.n_candidates, problem.n_features)
        return (
            np.insert(values, ends, problem.logprobs),
            np.insert(ids, ends, column),
            offsets + np.arange(len(offsets)),
        )


def extract(
    lists: Lists,
    *,
    features: AnyExtractors = ("given", "text"),
    metric: AnyMetric | None = None,
    reranker: Reranker | None = None,
    min_lists: int = 1,
    engine: AnyEngine = ALONE,
) -> Columns:
    """The features of lists.

    Parameters
    ----------
    metric : gives qualities; without one, those that lists carry are taken, or none.
    reranker : the features to extract are its own; by default, all there are of `features`.
    min_lists : features that occur in fewer lists are left out.
    """
    extractors = find_extractors(features) if reranker is None else reranker.extractors
    if any(one.trees is not None for one in extractors):
        raise UsageError("trees are no features, and cannot be written as columns")
    given = list(open_lists(lists))
    ids = [number if nbest.id is None else nbest.id for number, nbest in enumerate(given)]
    carried = all(one.quality is not None for nbest in given for one in nbest.candidates)
    named = "quality" if metric is None and carried else metric
    found = None if named is None else find_metric(named, allow_code=True)
    problem, space = build_problem(
        given,
        extractors,
        metric=found,
        space=None if reranker is None else reranker.space,
        min_lists=min_lists,
        engine=Engine.of(engine),
    )
    if problem.n_candidates == 0:
        raise FormatError("there are no candidates to extract features from")
    last = ["logprob"] if problem.given_logprobs else []
    return Columns(problem, [*space.names, *last], ids)


def write_columns(columns: Columns, path: FilePath) -> None:
    """Write features to a file; the ending of its name tells how: .svmlight, .npz or .parquet."""
    writer = writer_of(path)
    writer(columns, path)


def writer_of(path: FilePath) -> Callable[[Columns, FilePath], None]:
    """What writes a file of this name; an error if nothing does."""
    check_target(path)
    suffix = Path(path).suffix
    if suffix not in WRITERS:
        raise UsageError(
            f"{path}: features are written to files that end in {', '.join(WRITERS)}",
            hint="e.g. -o features.npz",
        )
    return WRITERS[suffix]


def _write_svmlight(columns: Columns, path: FilePath) -> None:
    write_nbest(_named(columns), path, "svmlight")


def _named(columns: Columns) -> Iterator[NBest]:
    values, ids, offsets = columns.csr()
    qualities = columns.problem.qualities
    for number, (first, last) in enumerate(pairwise(columns.problem.list_offsets.tolist())):
        candidates = []
        for row in range(first, last):
            place = slice(offsets[row], offsets[row + 1])
            names = (columns.names[column] for column in ids[place].tolist())
            features = dict(zip(names, values[place].tolist(), strict=True))
            quality = 0.0 if qualities is None else float(qualities[row])
            candidates.append(Candidate(quality=quality, features=features))
        yield NBest(columns.ids[number], None, candidates)


def _write_npz(columns: Columns, path: FilePath) -> None:
    values, ids, offsets = columns.csr()
    problem = columns.problem
    arrays: dict[str, Any] = {
        "format": np.bytes_(b"csr"),
        "shape": np.array([problem.n_candidates, len(columns.names)]),
        "data": values,
        "indices": ids.astype(np.int32),
        "indptr": offsets.astype(np.int64),
        "names": np.array(columns.names),
        "qid": problem.owners,
        "ids": np.array([str(one) for one in columns.ids]),
    }
    if problem.qualities is not None:
        arrays["quality"] = problem.qualities
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **arrays)
    write_pieces([buffer.getvalue()], path)


def _write_parquet(columns: Columns, path: FilePath) -> None:
    if len(columns.names) > MOST_COLUMNS:
        raise UsageError(
            f"a table of {len(columns.names):,} columns is too wide",
            hint="write .npz, which is sparse, or leave out rare features with --min-lists",
        )
    arrow, parquet = (import_extra(name, "arrow") for name in ("pyarrow", "pyarrow.parquet"))
    buffer = io.BytesIO()
    parquet.write_table(arrow.table(_dense(columns)), buffer)
    write_pieces([buffer.getvalue()], path)


def _dense(columns: Columns) -> dict[str, Any]:
    values, ids, offsets = columns.csr()
    problem = columns.problem
    rows = np.repeat(np.arange(problem.n_candidates), np.diff(offsets))
    order = np.argsort(ids, kind="stable")
    bounds = np.searchsorted(ids[order], np.arange(len(columns.names) + 1))
    table: dict[str, Any] = {"qid": problem.owners}
    if problem.qualities is not None:
        table["quality"] = problem.qualities
    for number, name in enumerate(columns.names):
        column = np.zeros(problem.n_candidates)
        chosen = order[bounds[number] : bounds[number + 1]]
        column[rows[chosen]] = values[chosen]
        table[_free(name, table)] = column
    return table


def _free(name: str, taken: dict[str, Any]) -> str:
    """The name, or one like it that is not taken."""
    return name if name not in taken else _free(f"{name} (feature)", taken)


WRITERS: dict[str, Callable[[Columns, FilePath], None]] = {
    ".svmlight": _write_svmlight,
    ".npz": _write_npz,
    ".parquet": _write_parquet,
}
