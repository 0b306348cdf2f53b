"""Files of ranking problems, which are memory-mapped when they are read."""

from __future__ import annotations

from typing import Any

import numpy as np

from runoff.data.files import FilePath
from runoff.errors import ModelError
from runoff.problem.problem import TREE_ARRAYS, Floats, RankingProblem
from runoff.problem.space import FeatureSpace
from runoff.problem.trees import Trees
from runoff.store.arrays import take
from runoff.store.file import Arrays, checking, load, save


def save_problem(path: FilePath, problem: RankingProblem, space: FeatureSpace) -> None:
    """Write a problem and its feature space to one file."""
    header = {
        "lists": problem.n_lists,
        "given_logprobs": problem.given_logprobs,
        "data": problem.data,
    }
    save(path, "problem", header, problem.arrays() | space.arrays())


def load_problem(path: FilePath) -> tuple[RankingProblem, FeatureSpace]:
    """Open a problem file; its arrays stay on disk until they are read. It has no metric."""
    _, header, arrays = load(path, kind="problem")
    with checking(path):
        space = FeatureSpace.from_arrays(arrays)
        absent = {name for name in _OPTIONAL if name not in arrays}
        absent |= set() if any(name in arrays for name in TREE_ARRAYS) else set(TREE_ARRAYS)
        columns: dict[str, Any] = {
            name: None if name in absent else take(arrays, name, dtype, finite=False)
            for name, dtype in _COLUMNS.items()
        }
        given = header.get("given_logprobs") is True
        nodes = [columns.pop(name) for name in TREE_ARRAYS]
        try:
            trees = None if nodes[0] is None else Trees(*nodes)
            problem = RankingProblem(
                **columns,
                n_features=len(space),
                given_logprobs=given,
                trees=trees,
                statistics=_statistics(arrays, len(columns["logprobs"])),
                data=header.get("data"),
            )
            _ = problem.native
            if problem.documents is not None and len(problem.documents) != problem.n_lists:
                raise ValueError("documents must have one entry per list")
            if trees is not None:
                trees.check(len(space), len(problem.logprobs))
            if problem.qualities is not None:
                problem.picks(problem.qualities)  # checks that there is one for each candidate
        except ValueError as error:
            raise ModelError(f"the ranking problem is broken: {error}") from None
    return problem, space


def _statistics(arrays: Arrays, n_candidates: int) -> Floats | None:
    if "statistics" not in arrays:
        return None
    return take(arrays, "statistics", np.float64, (n_candidates, None))


_COLUMNS = {
    "list_offsets": np.int64,
    "feature_offsets": np.int64,
    "feature_ids": np.uint32,
    "feature_values": np.float64,
    "logprobs": np.float64,
    "qualities": np.float64,
    "documents": np.int64,
    "node_offsets": np.int64,
    "node_labels": np.uint32,
    "node_depths": np.uint16,
}
_OPTIONAL = ("feature_values", "qualities", "documents")
