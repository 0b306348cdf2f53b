"""Hypothesis strategies for ranking problems."""

from dataclasses import replace

import numpy as np
from hypothesis import strategies as st

from runoff.problem.problem import RankingProblem
from runoff.problem.trees import Trees

QUARTERS = st.integers(-12, 12).map(lambda n: n / 4)  # exact in binary: sums do not round


@st.composite
def problems(draw, max_lists=6, max_candidates=5, n_features=6, binary=False):
    """A small problem with quarter-valued numbers; lists may be empty or all alike."""
    sizes = draw(st.lists(st.integers(0, max_candidates), min_size=1, max_size=max_lists))
    n = sum(sizes)
    ids = st.lists(st.integers(0, n_features - 1), unique=True, max_size=n_features).map(sorted)
    rows = draw(st.lists(ids, min_size=n, max_size=n))
    count = sum(map(len, rows))
    values = None
    if not binary and draw(st.booleans()):
        values = np.array(draw(st.lists(QUARTERS, min_size=count, max_size=count)), dtype=float)
    numbers = st.lists(QUARTERS, min_size=n, max_size=n)
    return RankingProblem(
        list_offsets=np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
        feature_offsets=np.concatenate([[0], np.cumsum([len(r) for r in rows])]).astype(np.int64),
        feature_ids=np.array([k for row in rows for k in row], dtype=np.uint32),
        feature_values=values,
        logprobs=np.array(draw(numbers), dtype=float),
        qualities=np.array(draw(numbers), dtype=float),
        n_features=n_features,
    )


def random_problem(*, lists, candidates, n_features, seed, density=0.3):
    """A binary problem drawn at random; its best candidates tend to have the odd features."""
    random = np.random.default_rng(seed)
    n = lists * candidates
    present = random.random((n, n_features)) < density
    truth = np.where(np.arange(n_features) % 2, 1.0, -1.0) * random.random(n_features)
    qualities = present @ truth + random.normal(0, 1, n)
    rows = [np.flatnonzero(row) for row in present]
    return RankingProblem(
        list_offsets=np.arange(0, n + 1, candidates, dtype=np.int64),
        feature_offsets=np.concatenate([[0], np.cumsum([len(r) for r in rows])]).astype(np.int64),
        feature_ids=np.concatenate(rows).astype(np.uint32),
        feature_values=None,
        logprobs=qualities + random.normal(0, 2, n),
        qualities=qualities,
        n_features=n_features,
    )


def take_lists(problem, order):
    """The problem with its lists in another order."""
    candidates = np.concatenate(
        [np.arange(*problem.list_offsets[i : i + 2]) for i in order] + [np.zeros(0)]
    ).astype(np.int64)
    features = np.concatenate(
        [np.arange(*problem.feature_offsets[j : j + 2]) for j in candidates] + [np.zeros(0)]
    ).astype(np.int64)

    def offsets(counts):
        return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)

    values = problem.feature_values
    return replace(
        problem,
        list_offsets=offsets(np.diff(problem.list_offsets)[order]),
        feature_offsets=offsets(np.diff(problem.feature_offsets)[candidates]),
        feature_ids=problem.feature_ids[features],
        feature_values=None if values is None else values[features],
        logprobs=problem.logprobs[candidates],
        qualities=problem.qualities[candidates],
        trees=take_trees(problem.trees, candidates),
    )


def take_trees(trees, order):
    """The trees in another order, if there are any."""
    if trees is None:
        return None
    nodes = np.concatenate(
        [np.arange(*trees.offsets[j : j + 2]) for j in order] + [np.zeros(0)]
    ).astype(np.int64)
    sizes = np.diff(trees.offsets)[np.array(order, dtype=np.int64)]
    offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    return Trees(offsets, trees.labels[nodes], trees.depths[nodes])


def kept_labels(trees, kept):
    """The trees, if there are any, in a space of some of their labels."""
    if trees is None:
        return None
    labels = np.where(np.isin(trees.labels, kept), np.searchsorted(kept, trees.labels), len(kept))
    return trees._replace(labels=labels.astype(np.uint32))


def random_trees(random, n, *, n_labels=3, most_nodes=8):
    """So many trees drawn at random, of one to so many nodes; some labels are unknown ones."""
    sizes = random.integers(1, most_nodes + 1, n)
    depths = []
    for size in sizes:
        own = [0]
        while len(own) < size:
            own.append(int(random.integers(1, own[-1] + 2)))
        depths += own
    labels = np.minimum(random.integers(0, 4 * n_labels, len(depths)) // 3, n_labels)
    offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    return Trees(offsets, labels.astype(np.uint32), np.array(depths, dtype=np.uint16))


def with_trees(problem, seed):
    """The problem with trees drawn at random in place of its features; its space is of labels."""
    return replace(
        problem,
        feature_offsets=np.zeros(problem.n_candidates + 1, dtype=np.int64),
        feature_ids=np.zeros(0, dtype=np.uint32),
        feature_values=None,
        trees=random_trees(
            np.random.default_rng(seed), problem.n_candidates, n_labels=problem.n_features
        ),
    )


def forest_problem(seed, *, lists=5, candidates=4, n_labels=3, most_nodes=8):
    """Lists of trees drawn at random."""
    random = np.random.default_rng(seed)
    sizes = random.integers(0, candidates + 1, lists)
    n = int(sizes.sum())
    return RankingProblem(
        list_offsets=np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
        feature_offsets=np.zeros(n + 1, dtype=np.int64),
        feature_ids=np.zeros(0, dtype=np.uint32),
        feature_values=None,
        logprobs=random.integers(-8, 1, n) / 4,
        qualities=random.integers(0, 4, n) / 4,
        n_features=n_labels,
        trees=random_trees(random, n, n_labels=n_labels, most_nodes=most_nodes),
    )
