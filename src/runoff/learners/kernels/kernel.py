"""Kernels over trees and tagged sentences: numbers, and matrices for other learners.

A matrix, `ro.kernels.trees(parses)`, is what `sklearn.svm.SVC(kernel="precomputed")` learns from.

Examples
--------
>>> import runoff as ro
>>> ro.kernels.tree("(S (NP we) (VP vote))", "(S (NP we) (VP vote))", lam=1.0)
6.0
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from runoff import _native
from runoff.data.numbering import offsets_of
from runoff.data.tree import Tree
from runoff.errors import FormatError, UsageError
from runoff.features.tagging import tagging_tree
from runoff.problem.batch_features import CandidateError
from runoff.problem.brackets import bracket_bytes, refuse_no_tree
from runoff.problem.trees import Trees

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Tagging = Sequence[tuple[str, str]]
"""Words with their tags."""

TREES_PER_BLOCK = 64
"""Rows of a matrix that are computed at once: what they share is compared once."""

NONE = np.uint32(0xFFFFFFFF)  # no tree


class Kernel(NamedTuple):
    """A kernel with its parameters.

    Parameters
    ----------
    kind : `tree`, `tagging`, or `plain-tagging`, which does not know the shapes of words.
    lam : above 0 and at most 1; lower values let larger fragments weigh less.
    normalised : divide by sqrt(K(a, a) K(b, b)), so that no value is above 1.
    """

    kind: str
    lam: float = 0.5
    normalised: bool = False

    def check(self) -> None:
        """Raise an error for a lam that makes no sense."""
        if not 0 < self.lam <= 1:
            raise UsageError(f"lam must be above 0 and at most 1, not {self.lam}")

    def lists(
        self, offsets: Integers, trees: Trees, n_labels: int, logprobs: Floats, *, threads: int = 1
    ) -> _native.TreeLists:
        """Lists of trees as native code takes them, with what makes the kernel normalised."""
        scales = self.scales(trees, n_labels, threads=threads) if self.normalised else None
        return _native.TreeLists(offsets, *trees, n_labels, logprobs, scales)

    def scales(self, trees: Trees, n_labels: int, *, threads: int = 1) -> Floats:
        """What the kernel multiplies each tree by: 1, or the inverse of its norm."""
        scales = np.ones(trees.n_trees)
        if self.normalised:
            offsets = np.array([0, trees.n_trees])
            lists = _native.TreeLists(offsets, *trees, n_labels, np.zeros(trees.n_trees), None)
            _native.self_kernels(lists, self.kind, self.lam, scales, threads)
            np.divide(1.0, np.sqrt(scales), out=scales, where=scales > 0)
        return scales

    def model(
        self,
        trees: Trees,
        n_labels: int,
        better: NDArray[np.uint32],
        worse: NDArray[np.uint32],
        weights: Floats,
    ) -> _native.KernelModel:
        """A weighted sum of differences of trees, which are given by their numbers."""
        n = trees.n_trees
        lists = self.lists(np.array([0, n]), trees, n_labels, np.zeros(n))
        return _native.KernelModel(lists, self.kind, self.lam, better, worse, weights)

    def matrix(self, trees: Trees, n_labels: int, n_rows: int) -> Floats:
        """The kernels of the first trees with the others, or of all trees with each other."""
        self.check()
        first = n_rows if n_rows < trees.n_trees else 0
        columns = np.arange(first, trees.n_trees, dtype=np.uint32)
        none = np.full_like(columns, NONE)
        model = self.model(trees, n_labels, columns, none, np.ones(len(columns)))
        rows, out = trees.take(np.arange(n_rows)), np.empty(n_rows * len(columns))
        offsets = np.append(np.arange(0, n_rows, TREES_PER_BLOCK), n_rows)
        with finite_kernels():
            model.products(self.lists(offsets, rows, n_labels, np.zeros(n_rows)), out)
        return out.reshape(n_rows, len(columns))


def tree(a: str | Tree, b: str | Tree, *, lam: float = 0.5, normalised: bool = False) -> float:
    """The tree kernel of two trees: the sum over fragments of lam^size times both counts.

    A fragment is a part of a tree that has a node's children all or not at all; its size is how
    many nodes have them. Only nodes with the same production are compared.

    References
    ----------
    Collins and Duffy (2002), section 4.

    Examples
    --------
    >>> tree("(NP (DT the) (NN vote))", "(NP (DT the) (NN vote))", lam=1.0)
    6.0
    >>> tree("(NP (DT the) (NN vote))", "(NP (DT a) (NN vote))", lam=0.5)
    1.25
    """
    return float(trees([a], [b], lam=lam, normalised=normalised)[0, 0])


def trees(
    rows: Sequence[str | Tree],
    columns: Sequence[str | Tree] | None = None,
    *,
    lam: float = 0.5,
    normalised: bool = False,
) -> Floats:
    """Tree kernels of all rows with all columns, or among the rows.

    Time is that of comparing each row's subtrees with the distinct subtrees of all columns.

    Examples
    --------
    >>> trees(["(A b)", "(A c)", "(A b)"], lam=0.5)
    array([[0.5, 0. , 0.5],
           [0. , 0.5, 0. ],
           [0.5, 0. , 0.5]])
    """
    return _matrix(Kernel("tree", lam, normalised), rows, columns)


def tagging(
    a: Tagging, b: Tagging, *, lam: float = 0.5, normalised: bool = False, shapes: bool = True
) -> float:
    """The tagging kernel of two tagged sentences, given as pairs of word and tag.

    Fragments are runs of tags, of which each may come with its word or the shape of its word
    (`runoff.features.tagging.shape`), both of half weight. Without shapes it is the plain kernel of
    the paper: each tag may come with its word.

    References
    ----------
    Collins and Duffy (2002), section 5.

    Examples
    --------
    >>> tagging([("Ann", "B"), ("won", "O")], [("Bob", "B"), ("won", "O")], lam=0.5)
    5.0
    >>> tagging([("Ann", "B"), ("won", "O")], [("Bob", "B"), ("won", "O")], lam=0.5, shapes=False)
    4.0
    """
    return float(taggings([a], [b], lam=lam, normalised=normalised, shapes=shapes)[0, 0])


def taggings(
    rows: Sequence[Tagging],
    columns: Sequence[Tagging] | None = None,
    *,
    lam: float = 0.5,
    normalised: bool = False,
    shapes: bool = True,
) -> Floats:
    """Tagging kernels of all rows with all columns, or among the rows.

    Examples
    --------
    >>> taggings([[("Ann", "B")]], [[("Ann", "B")], [("Bo", "B")], [("x", "B")], [("Ann", "O")]])
    array([[2. , 1.5, 1. , 0. ]])
    """
    return _matrix(
        Kernel(tagging_kind(shapes=shapes), lam, normalised),
        [_as_tree(one) for one in rows],
        None if columns is None else [_as_tree(one) for one in columns],
    )


def tagging_kind(*, shapes: bool) -> str:
    """The kind of the tagging kernel, with or without shapes of words."""
    return "tagging" if shapes else "plain-tagging"


def _as_tree(tagged: Tagging) -> str:
    return tagging_tree([word for word, _ in tagged], [tag for _, tag in tagged])


def _matrix(
    kernel: Kernel, rows: Sequence[str | Tree], columns: Sequence[str | Tree] | None
) -> Floats:
    if columns is not None and not len(columns):
        return np.zeros((len(rows), 0))
    brackets = [bracket_bytes(one) for one in (*rows, *(columns or ()))]
    try:
        names, counts, labels, depths = _native.read_trees(brackets, None)
    except ValueError:
        try:
            refuse_no_tree([brackets], lambda text: _native.read_trees([text], None))
        except CandidateError as error:
            raise FormatError(f"tree {error.candidate_index}: {error.message}") from None
    return kernel.matrix(Trees(offsets_of(counts), labels, depths), len(names), len(rows))


@contextmanager
def finite_kernels() -> Iterator[None]:
    """Add a hint to the error for a kernel that is too large for a float."""
    try:
        yield
    except OverflowError as error:
        raise UsageError(str(error), hint="choose a lower lam") from None
