"""Building ranking problems: in parallel, and in memory that does not grow with the features.

Two passes. The first extracts features list by list, by the workers of an
engine, and spools them to disk under provisional ids; it counts in how many lists each feature
occurs. The second drops what is too rare and renumbers the rest in the order of their names. Where
the feature space is known, the first pass is all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from functools import partial

from runoff import _native
from runoff.data.nbest import NBest
from runoff.engine import ALONE, Engine, chunked
from runoff.metrics.base import Metric
from runoff.problem.build.batch import extract_batch
from runoff.problem.build.cut_offs import check_cut_offs, choose_features, source_numbers
from runoff.problem.build.passes import (
    CountingPass,
    KnownSpacePass,
    PassResult,
    encoded_blocks,
)
from runoff.problem.build.spool import EntrySpool
from runoff.problem.build.trees import only_tree_maker, read_tree_batch, tree_problem
from runoff.problem.extractor import Extractor, kept_together
from runoff.problem.problem import Integers, RankingProblem
from runoff.problem.space import FeatureSpace

LISTS_PER_CHUNK = 64


def build_problem(
    lists: Iterable[NBest],
    extractors: Sequence[Extractor],
    *,
    metric: Metric | None = None,
    space: FeatureSpace | None = None,
    min_lists: int = 1,
    thresholds: Sequence[int] = (),
    bins: int = 0,
    engine: Engine = ALONE,
) -> tuple[RankingProblem, FeatureSpace]:
    """The lists as a ranking problem, and its feature space.

    Parameters
    ----------
    metric : gives the qualities; without one the problem has none.
    space : the feature space to use; without one it is made from these lists.
    min_lists : a feature is kept if it occurs in at least this many lists (Collins & Koo use 5).
    thresholds : turn counts into binary features, see `FeatureSpace`.
    bins : turn each feature that is not a count into this many binary features, or fewer if it has
        few values, see `runoff.problem.build.bins`; `min_lists` counts the lists whose candidates
        such a feature tells apart.
    engine : extracts the features of batches of lists.

    Examples
    --------
    >>> from runoff.data.nbest import Candidate
    >>> from runoff.features.extract import find_extractors
    >>> lists = [NBest("a", None, [Candidate("yes", -1.0), Candidate("no", -2.0)])]
    >>> problem, space = build_problem(lists, find_extractors(["text"]))
    >>> space.names[:3]
    ['base rank', 'bigram: <s> no', 'bigram: <s> yes']
    """
    if space is None:
        check_cut_offs(min_lists, thresholds, bins)
    batches = _numbered(chunked(lists, LISTS_PER_CHUNK, kept_together(extractors)))
    if any(extractor.trees is not None for extractor in extractors):
        maker = only_tree_maker(extractors, cut_off=bool(thresholds or bins))
        read_trees = partial(read_tree_batch, maker=maker, metric=metric)
        with closing(engine.map(read_trees, batches)) as read:
            return tree_problem(read, space, min_lists, metric)
    work = partial(extract_batch, extractors=extractors, metric=metric, thresholds=thresholds)
    with closing(engine.map(work, batches)) as extracted:
        if space is None:
            counting = CountingPass(min_lists, len(thresholds) or 1)
            result = counting.all(extracted)
            _native.trim_memory()  # the allocator holds on to much of what a pass took
            space = choose_features(counting, result, min_lists, thresholds, bins)
            result = _encoded(result, space, source_numbers(counting, space))
            _native.trim_memory()
        else:
            result = KnownSpacePass(space).all(extracted)
    problem = RankingProblem(
        list_offsets=result.list_offsets,
        feature_offsets=result.feature_offsets,
        feature_ids=result.ids,
        feature_values=result.values,
        logprobs=result.logprobs,
        qualities=None if metric is None else result.qualities,
        n_features=len(space),
        given_logprobs=result.given_logprobs,
        statistics=None if metric is None else result.statistics,
        metric=metric,
    )
    return problem, space


def _numbered(batches: Iterable[list[NBest]]) -> Iterator[tuple[int, list[NBest]]]:
    """Each batch with the number of its first list, from 1."""
    number = 1
    for batch in batches:
        yield number, batch
        number += len(batch)


def _encoded(result: PassResult, space: FeatureSpace, sources: Integers) -> PassResult:
    """What a pass found, with the features of a space."""
    spool = EntrySpool()
    for _, entries in encoded_blocks(result, space, sources):
        spool.append(*entries)
    return result.with_entries(spool)
