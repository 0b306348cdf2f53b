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

def linear_scores(problem: Problem, weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], logprob_weight: float, scores: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], threads: int = 1) -> None:
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

def perceptron_epoch(problem: Problem, qualities: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], best: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], order: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], scales: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], w: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], u: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], t: int) -> tuple[int, int]:
    """One pass of the averaged perceptron: (lists that were wrong, steps)."""

class FeatureIndex:
    """
    Where each feature of a problem occurs, and in the last row the log-probabilities.
    """

    def __init__(self, problem: Problem, order: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def gradient(self, coefficients: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], gradient: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], threads: int = 1) -> None:
        """Writes, per row, the sum of value times coefficient."""

    def scatter(self, row: int, values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')]) -> None:
        """Writes the values of a row to the places of its candidates."""

def log_loss(list_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], targets: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], scores: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], losses: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], coefficients: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], threads: int = 1) -> None:
    """
    Writes each list's -sum of target * log p, and its derivative by each score.
    """

def sample_loss(list_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], signs: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], scores: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], losses: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], coefficients: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], threads: int = 1) -> None:
    """
    Writes each list's mean of log(1 + exp(-sign * score)), and its derivatives.
    """

def list_maxima(problem: Problem) -> tuple[Annotated[NDArray[numpy.int64], dict(shape=(None,))], Annotated[NDArray[numpy.uint32], dict(shape=(None,))]]:
    """
    (feature_offsets, feature_ids) of the features that are at their list's maximum.
    """

def feature_ranges(problem: Problem, ranges: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')]) -> None:
    """
    Writes the largest range of every feature within a list, 1 for those that never vary.
    """

class CrucialPairs:
    """Pairs of candidates of one list, one better than the other."""

    def __init__(self, list_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], qualities: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], logprobs: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], kept: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], list_numbers: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], closest: float, largest: float, closest_logprob: float, subsets: int, subset: int, seed: int) -> None: ...

def pair_logistic_loss(pairs: CrucialPairs, scores: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], losses: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], coefficients: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], threads: int = 1) -> None:
    """
    Writes each list's mean of log(1 + exp(-margin)) over its pairs, and its derivatives.
    """

def pair_hinge_loss(pairs: CrucialPairs, scores: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], losses: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], coefficients: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], threads: int = 1) -> None:
    """
    Writes each list's mean of max(0, 1 - margin)^2 over its pairs, and its derivatives.
    """

def slope_loss(pairs: CrucialPairs, scores: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], slope: float, target: float, losses: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], first: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], second: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], threads: int = 1) -> None:
    """
    Writes how badly a sigmoid of this slope fits each list's pairs, and its derivatives.
    """

def push_loss(pairs: CrucialPairs, p: float, scores: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], losses: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], coefficients: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], threads: int = 1) -> None:
    """Writes the logarithm of each list's p-norm push, and its derivatives."""

def push_line(pairs: CrucialPairs, p: float, lists: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], scores: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], direction: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], losses: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], first: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], second: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], threads: int = 1) -> None:
    """
    Writes the logarithm of the push of some lists, and its derivatives along a direction.
    """

def prune_and_select(list_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], scores: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], better: float, worse: float, beta: int, kept: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu')]) -> None:
    """
    Writes 1 for the candidates that remain when those that lose by enough are discarded.
    """

def add_votes(list_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], scores: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], slope: float, votes: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')]) -> None:
    """
    Adds the log-probabilities that a candidate is better than each other of its list.
    """
