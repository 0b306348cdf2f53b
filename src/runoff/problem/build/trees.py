"""Building ranking problems of trees; labels are the features of their space."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from runoff import _native
from runoff.data.nbest import NBest
from runoff.data.numbering import Numbering, offsets_of
from runoff.data.treebank.heads import native_heads
from runoff.errors import UsageError
from runoff.metrics.base import Metric
from runoff.problem.batch_features import CandidateError, fingerprints
from runoff.problem.brackets import bracket_bytes, refuse_no_tree
from runoff.problem.build.batch import ListBatch, extract_batch
from runoff.problem.build.passes import KnownSpacePass
from runoff.problem.build.spool import Spool
from runoff.problem.extractor import Extractor, TreeSource, failure, results_of
from runoff.problem.problem import RankingProblem
from runoff.problem.space import FeatureSpace
from runoff.problem.trees import ReadTrees, Trees


class TreeBatch(NamedTuple):
    """The trees of some lists, labels under numbers of the batch's own."""

    lists: ListBatch
    names: list[str]
    list_counts: NDArray[np.int64]  # lists in which each label occurs
    node_counts: NDArray[np.int64]  # of each tree
    labels: NDArray[np.int64]
    depths: NDArray[np.uint16]


def only_tree_maker(extractors: Sequence[Extractor], *, cut_off: bool) -> Extractor:
    """The extractor that makes trees; trees go with nothing else."""
    if len(extractors) > 1:
        names = ", ".join(extractor.name for extractor in extractors)
        raise UsageError(f"trees do not go with other features: {names}", hint="give one of them")
    if cut_off:
        raise UsageError("thresholds and bins are for numbers, and trees have none")
    return extractors[0]


def read_tree_batch(
    numbered: tuple[int, Sequence[NBest]], *, maker: Extractor, metric: Metric | None
) -> TreeBatch:
    """Read the trees of some lists, and their qualities if there is a metric."""
    batch = extract_batch(numbered, extractors=(), metric=metric, thresholds=())
    symbols, node_counts, labels, depths = _read(numbered, maker)
    lists = np.repeat(np.arange(len(batch.list_sizes)), batch.list_sizes)
    present = np.zeros((len(batch.list_sizes), len(symbols)), dtype=np.bool_)
    present[np.repeat(lists, node_counts), labels] = True
    list_counts = present.sum(axis=0)
    used = list_counts > 0
    names = [symbol for symbol, is_used in zip(symbols, used.tolist(), strict=True) if is_used]
    numbers = np.cumsum(used) - 1
    return TreeBatch(batch, names, list_counts[used], node_counts, numbers[labels], depths)


def _read(numbered: tuple[int, Sequence[NBest]], maker: Extractor) -> ReadTrees:
    first, lists = numbered
    source = maker.trees or TreeSource()
    try:
        if source.read is not None:
            return source.read([nbest.without_gold() for nbest in lists])
        return _read_brackets(numbered, maker, native_heads() if source.lexical else None)
    except CandidateError as error:
        where = lists[error.list_index], first + error.list_index, error.candidate_index
        raise failure(maker, *where, ValueError(error.message)) from None


def _read_brackets(
    numbered: tuple[int, Sequence[NBest]], maker: Extractor, heads: _native.HeadTable | None
) -> ReadTrees:
    first, lists = numbered
    texts = [
        [bracket_bytes(tree) for tree in results_of(maker, nbest.without_gold(), number)]
        for number, nbest in enumerate(lists, start=first)
    ]
    try:
        return _native.read_trees([text for candidates in texts for text in candidates], heads)
    except ValueError:
        refuse_no_tree(texts, lambda text: _native.read_trees([text], heads))


def tree_problem(
    batches: Iterable[TreeBatch],
    space: FeatureSpace | None,
    min_lists: int,
    metric: Metric | None,
) -> tuple[RankingProblem, FeatureSpace]:
    """The ranking problem of trees that were read, and the space of their labels.

    Where no space is given it has the labels that occur in `min_lists` lists.
    """
    first_pass, labels = KnownSpacePass(FeatureSpace([])), _Labels()
    node_counts, depths, numbers = Spool(np.int64), Spool(np.uint16), Spool(np.uint32)
    for batch in batches:
        first_pass.add(batch.lists)
        node_counts.append(batch.node_counts)
        depths.append(batch.depths)
        numbers.append(labels.number(batch)[batch.labels].astype(np.uint32))
    result = first_pass.result()
    if space is None:
        space = FeatureSpace(labels.frequent(min_lists))
    in_space = labels.numbers_in(space)
    problem = RankingProblem(
        list_offsets=result.list_offsets,
        feature_offsets=result.feature_offsets,
        feature_ids=result.ids,
        feature_values=None,
        logprobs=result.logprobs,
        qualities=None if metric is None else result.qualities,
        n_features=len(space),
        given_logprobs=result.given_logprobs,
        statistics=None if metric is None else result.statistics,
        metric=metric,
        trees=Trees(offsets_of(node_counts.array()), in_space[numbers.array()], depths.array()),
    )
    return problem, space


class _Labels:
    """Labels as they come, and in how many lists they occur."""

    def __init__(self) -> None:
        self.numbers = Numbering()
        self.list_counts: list[int] = []

    def number(self, batch: TreeBatch) -> NDArray[np.int64]:
        """The number of each label of a batch, which is counted."""
        for name, count in zip(batch.names, batch.list_counts.tolist(), strict=True):
            number = self.numbers[name]
            if number == len(self.list_counts):
                self.list_counts.append(0)
            self.list_counts[number] += count
        return np.array([self.numbers[name] for name in batch.names], dtype=np.int64)

    def frequent(self, min_lists: int) -> list[str]:
        """The labels that occur in at least `min_lists` lists, sorted."""
        counted = zip(self.numbers, self.list_counts, strict=True)
        return sorted(name for name, count in counted if count >= min_lists)

    def numbers_in(self, space: FeatureSpace) -> NDArray[np.uint32]:
        """The number in a space of each label, the length of the space where it has none."""
        numbers = space.find(fingerprints(self.numbers)[0])
        return np.where(numbers < 0, len(space), numbers).astype(np.uint32)
