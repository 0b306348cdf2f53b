import math

import numpy as np
import pytest

from runoff.errors import UsageError
from runoff.search.hypergraph import Derivation, Hypergraph


def chain(length):
    """Each node joins the one below to a leaf that has two derivations."""
    first, tails = [0, 2], [(-1, -1), (-1, -1)]
    for node in range(1, length):
        first.append(first[-1] + 1)
        tails.append((node - 1, 0))
    weights = [-0.5, -1.0] + [0.0] * (length - 1)
    return Hypergraph(first, weights, tails)


def test_a_deep_graph_with_more_derivations_than_can_be_counted():
    found = chain(5000).k_best(50)
    assert [d.weight for d in found] == [-2500.0] + [-2500.5] * 49
    assert len(set(found)) == 50
    assert all(len(d.edges) == 4999 * 2 + 1 for d in found)


def test_more_can_be_asked_for_than_there_are():
    assert len(chain(3).k_best(1000)) == 8
    assert chain(3).k_best(0) == chain(3).k_best(-1) == []


def test_any_node_can_be_the_root():
    assert chain(3).k_best(1, root=0) == [Derivation(-0.5, (0,))]
    assert chain(3).outside(0, best=True).tolist() == [0.0, -math.inf, -math.inf]


def test_an_edge_joins_any_number_of_nodes():
    graph = Hypergraph([0, 2, 4, 5], [-1, -2, -1, -4, 0], [(), (), (), (), (0, 1, 0, 0, 1)])
    assert graph.k_best(3) == [
        Derivation(-5.0, (4, 0, 2, 0, 0, 2)),
        Derivation(-6.0, (4, 0, 2, 0, 1, 2)),
        Derivation(-6.0, (4, 0, 2, 1, 0, 2)),
    ]
    assert len(graph.k_best(100)) == 2**5
    assert graph.inside(best=True).tolist() == [-1.0, -1.0, -5.0]
    assert graph.outside(best=True).tolist() == [-4.0, -4.0, 0.0]


def test_classes_end_the_search_where_nearly_all_derivations_are_alike():
    """Of 2^5000 derivations by 5000 choices, there are as many sums as there are choices."""
    found = chain(5000).k_best(10, classes=lambda edge, *below: sum(below) + (edge == 1))
    assert [d.weight for d in found] == [-2500.0 - n / 2 for n in range(10)]
    assert len({d.edges for d in found}) == 10


def test_what_the_classes_raise():
    with pytest.raises(ZeroDivisionError):
        chain(3).k_best(3, classes=lambda edge, *_: 1 // (edge - 1))


@pytest.mark.parametrize("root", [-1, 3])
def test_a_root_that_is_not_there(root):
    with pytest.raises(UsageError, match=f"the root {root} is not one of the 3 nodes"):
        chain(3).k_best(1, root)


@pytest.mark.parametrize(
    ("first", "weights", "tails", "problem"),
    [
        ([0, 1], [0.0], [(0, -1)], "tails must be nodes that come before the head"),
        ([0, 1], [math.nan], [(-1, -1)], "weights must be numbers below"),
        ([0, 2], [0.0], [(-1, -1)], "first must rise"),
        ([], [], [], "first must rise"),
        ([0, 1], [0.0], [(-1, -1), (-1, -1)], "one entry per edge"),
        ([0, 1], [0.0], [-1], "has no len"),
        ([0, 1], [0.0], np.array([-1]), "incompatible function arguments"),
        ([0, 1, 2], [0.0, 0.0], [(), (0, -1, 0)], "an edge with more than two tails has them all"),
        ([0, 1, 2], [0.0, 0.0], [(), (0, 0, 1)], "tails must be nodes that come before the head"),
        ([0, 1, 2], [0.0, 0.0], [(), (-1, 0)], "an edge with one tail has it on the left"),
    ],
)
def test_what_is_not_a_hypergraph(first, weights, tails, problem):
    with pytest.raises(UsageError, match=f"not a hypergraph: .*{problem}"):
        Hypergraph(first, weights, tails)


def test_a_graph_without_nodes_has_no_root():
    graph = Hypergraph([0], [], np.empty((0, 2)))
    assert graph.inside().tolist() == []
    with pytest.raises(UsageError, match="the root -1 is not one of the 0 nodes"):
        graph.k_best(1)
