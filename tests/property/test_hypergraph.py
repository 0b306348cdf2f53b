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
            left = draw(below)
            tails.append((left, draw(below) if left >= 0 else -1))
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
