"""IGTree: a trie over symbolic features in the order of their information gain.

Classification follows matching values down from the root and gives the most frequent class of the
node where matching fails, so it backs off from the least informative feature to the most
informative one (Daelemans, Van den Bosch & Weijters 1997; Van den Bosch 2006, section 2.3).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from runoff import _native
from runoff.data.numbering import offsets_of, sizes_of
from runoff.errors import ModelError, NotFittedError, UsageError
from runoff.fitting.run import ALONE, Run
from runoff.store.arrays import take
from runoff.store.file import Arrays, checking

Numbers = NDArray[np.uint32]

Nodes = dict[str, Numbers]
"""The arrays of a tree, by name."""

Shard = tuple[int, int]
"""The values of the first feature, from one to below another, that a part of a tree tests."""

NODE_ARRAYS = ("values", "children", "totals", "kinds", "entries", "classes", "counts")
"""What a tree is made of; `cpp/runoff/words/igtree.hpp` says what each holds."""


class Windows(NamedTuple):
    """Examples as windows over an array of symbols, which are numbers.

    Parameters
    ----------
    cells : the symbols.
    places : where the class of each example is.
    shifts : how far from there the value of each feature is.
    """

    cells: Numbers
    places: Numbers
    shifts: NDArray[np.int32]

    @classmethod
    def of_table(cls, values: ArrayLike, classes: ArrayLike | None = None) -> Windows:
        """The rows of a table of symbols, shape (examples, features), and their classes.

        Examples
        --------
        >>> Windows.of_table([[5, 6], [5, 7]], [1, 2]).cells.tolist()
        [1, 5, 6, 2, 5, 7]
        """
        table = np.asarray(values, dtype=np.uint32)
        if table.ndim != 2:
            raise UsageError(f"expected a table with rows and columns, not {table.ndim} dimensions")
        labels = np.zeros(len(table)) if classes is None else classes
        column = np.asarray(labels, dtype=np.uint32)
        if column.shape != (len(table),):
            raise UsageError(f"there are {len(table)} examples, but {column.size} classes")
        cells = np.column_stack([column, table]).reshape(-1)
        width = table.shape[1] + 1
        places = np.arange(0, len(cells), width, dtype=np.uint32)
        return cls(np.ascontiguousarray(cells), places, np.arange(1, width, dtype=np.int32))

    @classmethod
    def of_text(
        cls, sequences: Sequence[Numbers], left: int, right: int, only: Numbers | None = None
    ) -> Windows:
        """Every symbol of the sequences with its neighbours; around a sequence there are zeros.

        Parameters
        ----------
        left, right : how many neighbours on either side are features.
        only : the classes whose windows are wanted, if not all.

        Examples
        --------
        >>> Windows.of_text([np.array([3, 4, 5], dtype=np.uint32)], 1, 1).places.tolist()
        [1, 2, 3]
        """
        gap = np.zeros(max(left, right), dtype=np.uint32)
        parts = [gap]
        for sequence in sequences:
            parts += [sequence, gap]
        return cls.of_cells(np.concatenate(parts), left, right, only)

    @classmethod
    def of_cells(
        cls, cells: Numbers, left: int, right: int, only: Numbers | None = None
    ) -> Windows:
        """Windows over sequences that are laid end to end, with enough zeros around each."""
        wanted = cells != 0 if only is None else np.isin(cells, only)
        shifts = [*range(-left, 0), *range(1, right + 1)]
        places = np.flatnonzero(wanted).astype(np.uint32)
        return cls(cells, places, np.array(shifts, dtype=np.int32))


class ClassLists(NamedTuple):
    """The most probable classes of examples, laid end to end."""

    offsets: NDArray[np.int64]
    classes: Numbers
    probabilities: NDArray[np.float64]


@dataclass(kw_only=True)
class IGTree:
    """A tree of symbols; the classes it gives are symbols too.

    Of classes that are equally frequent at a node, the one that is more frequent overall wins, then
    the one that was seen first. Trees are those of TiMBL (`-a IGTREE -w ig`), node for node.

    Parameters
    ----------
    top : how many classes a node keeps; n-best lists are made of them.
    prune : leave out ends that say what the node above them says; classification is the same.
    min_count : leave out nodes of fewer examples, below which there are only such.

    Examples
    --------
    >>> tree = IGTree(top=2).fit(Windows.of_table([[1, 3], [1, 4], [2, 3]], [5, 6, 6]))
    >>> tree.order_.tolist(), len(tree)
    ([0, 1], 3)
    >>> tree.predict(Windows.of_table([[1, 3], [1, 9], [9, 3]])).tolist()
    [5, 6, 6]
    """

    top: int = 1
    prune: bool = True
    min_count: int = 1

    order_: Numbers = field(init=False, repr=False, compare=False)
    gains_: NDArray[np.float64] = field(init=False, repr=False, compare=False)
    nodes_: Nodes = field(init=False, repr=False, compare=False)

    def fit(self, windows: Windows, *, run: Run = ALONE) -> Self:
        """Grow the tree; time and memory are linear in the examples."""
        return self.weigh(windows, run=run).take(self.grow(windows))

    def weigh(self, windows: Windows, *, run: Run = ALONE) -> Self:
        """Put the features in the order of their information gain."""
        if self.top < 1:
            raise UsageError(f"top must be at least 1, not {self.top}")
        if not len(windows.places):
            raise UsageError("there are no examples to learn from")
        self.gains_ = _native.information_gain(*windows, _symbols(windows), run.threads)
        self.order_ = np.argsort(-self.gains_, kind="stable").astype(np.uint32)
        return self

    def grow(self, windows: Windows, shard: Shard | None = None) -> Nodes:
        """The nodes of the tree, or of one shard of it, which `igtree.shards` joins."""
        symbols = _symbols(windows)
        grown = _native.grow_igtree(
            *windows, self.order_, symbols, self.top, self.prune, shard or (0, symbols)
        )
        return _frequent(dict(zip(NODE_ARRAYS, grown, strict=True)), self.min_count)

    def take(self, nodes: Nodes) -> Self:
        """Use these nodes as the tree."""
        self.nodes_ = nodes
        self.__dict__.pop("native", None)
        return self

    def __len__(self) -> int:
        return len(self._nodes()["values"])

    @cached_property
    def native(self) -> _native.IGTree:
        """The tree in native code, which shares its arrays."""
        return _native.IGTree(**self._nodes(), order=self.order_)

    def predict(self, windows: Windows, *, threads: int = 1) -> Numbers:
        """The class of every example."""
        nodes, classes = (np.empty(len(windows.places), dtype=np.uint32) for _ in range(2))
        with checking():
            self.native.classify(*windows, nodes, classes, threads)
        return classes

    def n_best(
        self, windows: Windows, n: int, *, discount: float = 0.5, threads: int = 1
    ) -> ClassLists:
        """At most n classes of every example with probabilities, the most probable first.

        Probabilities blend the nodes from the matching one up to the root by absolute discounting,
        so the first class may be another one than that of `predict`.

        Parameters
        ----------
        discount : what each class of a node loses to the node above it, from 0 to 1; with 0 only
            the matching node speaks.
        """
        if n < 1 or not 0 <= discount <= 1:
            raise UsageError(
                f"n must be at least 1 and discount from 0 to 1, not {n} and {discount}"
            )
        with checking():
            return ClassLists(*self.native.n_best(*windows, n, discount, threads))

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The learned tree as arrays for a model file."""
        return {**self._nodes(), "order": self.order_, "gains": self.gains_}

    def restore(self, arrays: Arrays) -> Self:
        """Restore the tree from arrays of a model file; nodes are checked when they are used."""
        order = take(arrays, "order", np.uint32)
        if sorted(order.tolist()) != list(range(len(order))):
            raise ModelError("the order of the features is broken")
        self.order_, self.gains_ = order, take(arrays, "gains", np.float64, order.shape)
        self.take({name: take(arrays, name, np.uint32) for name in NODE_ARRAYS})
        with checking():
            _ = self.native
        return self

    def _nodes(self) -> Nodes:
        if not hasattr(self, "nodes_"):
            raise NotFittedError("this IGTree has not been fitted")
        return self.nodes_


def _frequent(nodes: Nodes, min_count: int) -> Nodes:
    """The root, and the nodes of enough examples; what is above one of these has as many."""
    kept = nodes["totals"] >= min_count
    kept[0] = True
    if kept.all():
        return nodes
    before = offsets_of(kept)
    children = sizes_of(before[nodes["children"]])[kept]
    entries = sizes_of(nodes["entries"])
    of_kept = np.repeat(kept, entries)
    return {
        **{name: nodes[name][kept] for name in ("values", "totals", "kinds")},
        **{name: nodes[name][of_kept] for name in ("classes", "counts")},
        "children": (1 + offsets_of(children)).astype(np.uint32),
        "entries": offsets_of(entries[kept]).astype(np.uint32),
    }


def _symbols(windows: Windows) -> int:
    return int(windows.cells.max()) + 1
