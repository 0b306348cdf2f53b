"""Kernels equal the listing of all fragments; learning with them equals learning the fragments."""

from dataclasses import replace

import numpy as np
import pytest
from helpers.strategies.problems import forest_problem, random_trees
from hypothesis import given, reject, settings
from hypothesis import strategies as st
from twins import kernels as twin

from runoff.data.numbering import offsets_of
from runoff.learners import make_ranker
from runoff.learners.kernels.kernel import Kernel
from runoff.problem.trees import Trees

KINDS = ["tree", "tagging", "plain-tagging"]
SEEDS = st.integers(0, 10**6)


def flat_trees(random, n, n_labels, most=4):
    """Taggings drawn at random; some tags, words and shapes are unknown, or not there."""
    rows = []
    for _ in range(n):
        row = [("root", 0)]
        for _ in range(random.integers(0, most + 1)):
            below = [(str(random.integers(0, n_labels + 1)), 2) for _ in range(2)]
            row += [(str(random.integers(0, n_labels + 1)), 1), *below[: random.integers(0, 3)]]
        rows.append(row)
    return Trees.of(rows, [str(label) for label in range(n_labels)])


def drawn(kind, seed, n, n_labels=2):
    random = np.random.default_rng(seed)
    if kind != "tree":
        return flat_trees(random, n, n_labels)
    return random_trees(random, n, n_labels=n_labels, most_nodes=9)


@pytest.mark.parametrize("lam", [0.3, 0.5, 1.0])
@pytest.mark.parametrize("kind", KINDS)
def test_kernels_are_those_of_all_fragments(kind, lam):
    for seed in range(8):
        trees = drawn(kind, seed, 20)
        matrix = Kernel(kind, lam).matrix(trees, 2, 20)
        expected = [[twin.kernel(trees, a, b, kind, 2, lam) for b in range(20)] for a in range(20)]
        assert matrix == pytest.approx(np.array(expected), rel=1e-12, abs=1e-12)
        assert (matrix > 0).any()


@given(st.sampled_from(KINDS), SEEDS, st.sampled_from([0.2, 0.5, 1.0]), st.booleans())
@settings(max_examples=40)
def test_matrices_are_symmetric_and_positive_semidefinite(kind, seed, lam, normalised):
    matrix = Kernel(kind, lam, normalised).matrix(drawn(kind, seed, 30), 2, 30)
    assert matrix == pytest.approx(matrix.T, rel=1e-12)
    values = np.linalg.eigvalsh((matrix + matrix.T) / 2)
    assert values.min() >= -1e-9 * max(1.0, values.max())
    if normalised:
        own = np.diag(matrix)
        assert own[own > 0] == pytest.approx(1.0)


@given(st.sampled_from(KINDS), SEEDS, st.sampled_from([0.3, 1.0]), st.booleans())
@settings(max_examples=40)
def test_one_graph_equals_the_sum_of_kernels_one_by_one(kind, seed, lam, normalised):
    random = np.random.default_rng(seed)
    trees, kernel = drawn(kind, seed, 24), Kernel(kind, lam, normalised)
    better, worse = (random.integers(0, 16, 12).astype(np.uint32) for _ in range(2))
    weights = random.normal(0, 1, 12)
    model = kernel.model(trees, 2, better, worse, weights)
    asked = trees.take(np.arange(16, 24))
    scores, products = np.empty(8), np.empty(8 * 12)
    lists = kernel.lists(np.array([0, 3, 3, 8]), asked, 2, np.zeros(8))
    model.scores(lists, scores)
    model.products(lists, products)
    matrix = kernel.matrix(trees, 2, 24)[16:]
    differences = matrix[:, better] - matrix[:, worse]
    assert products.reshape(8, 12) == pytest.approx(differences, rel=1e-9, abs=1e-9)
    assert scores == pytest.approx(differences @ weights, rel=1e-9, abs=1e-9)


def ranker_of(kind, options):
    """A ranker with such a kernel."""
    if kind == "plain-tagging":
        return make_ranker("tagging-kernel", {**options, "shapes": False})
    return make_ranker(f"{kind}-kernel", options)


def problem_of(kind, seed, lists):
    """Lists of trees or taggings; at the end of all candidates of a list there is the same part."""
    problem, random = forest_problem(seed, lists=lists, most_nodes=5), np.random.default_rng(seed)
    own, shared = problem.trees, random_trees(random, lists, most_nodes=5)
    if kind != "tree":
        own, shared = (flat_trees(random, n, 3, most=2) for n in (problem.n_candidates, lists))
    parts, first = [], 0 if kind == "tree" else 1  # a tagging has one root
    for number, size in enumerate(np.diff(problem.list_offsets).tolist()):
        end = shared.take(np.array([number]))
        for _ in range(size):
            begin = own.take(np.array([len(parts)]))
            labels = [[0], begin.labels[first:], end.labels[first:]]
            depths = [[0], *(part.depths[first:] + (1 - first) for part in (begin, end))]
            parts.append((np.concatenate(labels), np.concatenate(depths)))
    trees = Trees(
        offsets_of([len(labels) for labels, _ in parts]),
        np.concatenate([labels for labels, _ in parts] or [[]]).astype(np.uint32),
        np.concatenate([depths for _, depths in parts] or [[]]).astype(np.uint16),
    )
    return replace(problem, trees=trees)


def primal_scores(problem, other, first, *, epochs, chunks, seed):
    """Scores of other lists in every form, and the number of voters, by a primal perceptron."""
    lists = [i for i in problem.canonical_order() if np.diff(problem.list_offsets)[i] > 0]
    parts = np.array_split(np.array(lists, dtype=np.int64), min(chunks, max(1, len(lists))))
    runs = [twin.learn(problem, part, epochs, seed, first) for part in parts]
    voters = [voter for run in runs for voter in run]

    def all_scores(those):
        found = [[voter.score(other, j) for j in range(other.n_candidates)] for voter in those]
        return np.array(found).reshape(len(those), other.n_candidates)

    forms = {
        "plain": all_scores([run[-1] for run in runs if run]).sum(axis=0),
        "averaged": all_scores(voters).mean(axis=0) if voters else None,
        "voted": np.array(twin.votes(other, voters)),
    }
    return forms, len(voters)


@given(
    st.sampled_from(KINDS),
    SEEDS,
    st.booleans(),
    st.integers(1, 3),
    st.integers(1, 3),
    st.integers(0, 2),
)
@settings(max_examples=100)
def test_the_dual_form_equals_the_primal_one(kind, seed, normalised, epochs, chunks, order_seed):
    """Halves and quarters are exact, so ties are ties in both; square roots have near ties."""
    problem, other = problem_of(kind, seed, 7), problem_of(kind, seed + 1, 3)
    order = {"epochs": epochs, "chunks": chunks, "seed": order_seed}
    first = twin.Primal(kind, 0.5, 0.25, 3, normalised)
    try:
        expected, voters = primal_scores(problem, other, first, **order)
    except twin.NearTie:
        reject()
    options = {"lam": 0.5, "beta": 0.25, "normalised": normalised, **order}
    for form, scores in expected.items() if voters else ():
        ranker = ranker_of(kind, {**options, "form": form}).fit(problem)
        assert ranker.scores(other) == pytest.approx(scores, rel=1e-9, abs=1e-9)
        assert ranker.support_.survivals.sum() == voters


@given(st.sampled_from(KINDS), SEEDS)
@settings(max_examples=20)
def test_dev_lists_choose_the_last_of_the_best_passes(kind, seed):
    problem, dev = problem_of(kind, seed, 6), problem_of(kind, seed + 1, 4)
    ranker = ranker_of(kind, {"epochs": 3}).fit(problem, dev)
    record = ranker.record_["epochs"]
    best = max(row["dev quality"] for row in record)
    assert dev.picked_quality(ranker.scores(dev)) == best
    last = max(number for number, row in enumerate(record, 1) if row["dev quality"] == best)
    alone = ranker_of(kind, {"epochs": last}).fit(problem)
    assert alone.scores(dev).tobytes() == ranker.scores(dev).tobytes()
