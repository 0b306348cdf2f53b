"""
Native routines of Runoff: arrays and plain values in, arrays and plain values out.
"""

from typing import Annotated

import numpy
from numpy.typing import NDArray


class BracketScanner:
    """Reads bracketed trees from bytes that arrive in pieces."""

    def __init__(self) -> None: ...

    def feed(self, piece: bytes) -> list[tuple[tuple[str, ...], tuple[int, ...], tuple[int, ...], tuple[int, ...], tuple[str, ...]]]:
        """
        Columns (labels, ends, starts, stops, words) of every tree this piece completes.
        """

    def finish(self) -> None:
        """Raises ValueError if a tree is still open."""

    @property
    def line(self) -> int:
        """The line reached, or the line of the error."""

class Problem:
    """The arrays of a ranking problem, checked; nothing is copied."""

    def __init__(self, list_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], feature_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], feature_ids: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], feature_values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, logprobs: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], n_features: int) -> None: ...

def linear_scores(problem: Problem, weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], logprob_weight: float, scores: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')]) -> None:
    """Writes the score of every candidate under a linear model."""

def argmax_lists(list_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], keys: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], second: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], places: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')]) -> None:
    """
    Writes the place of each list's highest key; ties by the second key, then the lower place.
    """

def shuffled(seed: int, order: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')]) -> None:
    """Writes a permutation that depends on the seed alone."""

def feature_scales(problem: Problem, order: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], scales: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')]) -> None:
    """
    Writes the spread of every real-valued feature within its lists, 1 for the others.
    """

def perceptron_epoch(problem: Problem, qualities: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], best: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], order: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], scales: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], w: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], u: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], t: int, wrong_picks: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')] | None = None) -> tuple[int, int]:
    """One pass of the averaged perceptron: (lists that were wrong, steps)."""

def add_votes(problem: Problem, update_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], update_ids: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], update_values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], update_logprobs: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], survivals: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], scores: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], votes: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')]) -> None:
    """
    Adds the votes of all weight vectors; scores move from the first vector's to the last's.
    """
