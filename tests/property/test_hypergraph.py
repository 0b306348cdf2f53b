"""K-best derivations, inside and outside values equal those of enumerated derivations."""

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from twins import hypergraph as twin

from runoff.search.hypergraph import Hypergraph

WEIGHTS = st.sampled_from([0.0, -0.5, -1.0, -2.0, 1.0, 0.1, -0.3, -math.inf])
MOST = 3000


@st.composite
def graphs(draw):
    """`first`, weights and tails of a small acyclic hypergraph with many ties."""
    first, weights, tails = [0], [], []
    for node in range(draw(st.integers(1, 6))):
        below = st.integers(-1, node - 1)
        for _ in range(draw(st.integers(0, 3))):
            row = draw(st.lists(below, max_size=draw(st.sampled_from([2, 4]))))
            tails.append(tuple(tail for tail in row if tail >= 0))
            weights.append(draw(WEIGHTS))
        first.append(len(weights))
    return first, weights, tails


def enumerated(graph):
    """The twin's derivations, where they are not too many."""
    first, _, tails = graph
    counts = []
    for node in range(len(first) - 1):
        own = [tails[edge] for edge in range(first[node], first[node + 1])]
        counts.append(sum(math.prod(counts[t] for t in pair if t >= 0) for pair in own))
        assume(counts[-1] <= MOST)
    return twin.derivations(*graph)


@given(graphs())
def test_the_k_best_are_the_first_k_of_all(graph):
    native = Hypergraph(*graph)
    for node, expected in enumerate(enumerated(graph)):
        assert native.k_best(len(expected) + 1, node) == expected
        for k in range(min(len(expected), 6)):
            assert native.k_best(k, node) == expected[:k]
        assert len(set(expected)) == len(expected)


@given(graphs(), st.lists(st.sampled_from(["", "a", "b"]), min_size=18, max_size=18))
def test_only_the_best_of_each_class(graph, texts):
    """Derivations that write the same text are one, at every node."""

    def text(edge, *below):
        return texts[edge] + "".join(below)

    enumerated(graph)  # not too many
    native = Hypergraph(*graph)
    for node, expected in enumerate(twin.derivations(*graph, text)):
        assert native.k_best(len(expected) + 1, node, classes=text) == expected
        assert native.k_best(2, node, classes=text) == expected[:2]


@given(graphs(), st.lists(st.sampled_from(["", "a", "b"]), min_size=18, max_size=18))
def test_the_best_of_each_class_are_the_best_of_all(graph, texts):
    """What is left out at a node is never missed above it."""
    nodes, native = enumerated(graph), Hypergraph(*graph)

    def text(edge, *below):
        return texts[edge] + "".join(below)

    def written(edges):
        return "".join(texts[edge] for edge in edges)

    for node, all_of_them in enumerate(nodes):
        best = {}
        for weight, edges in all_of_them:
            best[written(edges)] = max(weight, best.get(written(edges), -math.inf))
        found = native.k_best(len(all_of_them), node, classes=text)
        assert {written(d.edges): d.weight for d in found} == pytest.approx(best)


@given(graphs())
def test_inside_values(graph):
    weights = [[weight for weight, _ in node] for node in enumerated(graph)]
    best, total = Hypergraph(*graph).inside(best=True), Hypergraph(*graph).inside()
    assert best.tolist() == [max(node, default=-math.inf) for node in weights]
    assert total.tolist() == pytest.approx([twin.log_sum(node) for node in weights])


@given(graphs(), st.data())
def test_outside_values(graph, data):
    nodes, native = enumerated(graph), Hypergraph(*graph)
    root = data.draw(st.integers(0, len(nodes) - 1))
    assume(nodes[root])
    heads = np.repeat(np.arange(len(nodes)), np.diff(graph[0])).tolist()
    for node in (n for n in range(root) if nodes[n]):
        for best, combine in ((True, max), (False, twin.log_sum)):
            expected = twin.outside(nodes, heads, root, node, combine)
            assert native.outside(root, best=best)[node] == pytest.approx(expected, abs=1e-9)
