"""Clusters of documents, worked out by hand."""

import math

import pytest

from runoff.features.names.clusters import PRIOR, clusters

DOCUMENTS = [{"李明": 1.0, "天津": 1.0}, {"上海": 2.0}, {"李明": 1.0}]
USUAL = {"李明": 2 / 5, "天津": 1 / 5, "上海": 2 / 5}


def by_hand(cluster, document):
    """H(T, d) as the paper has it, with the smoothing of ours."""
    total, size = sum(cluster.values()), sum(document.values()) + PRIOR
    return -sum(
        count / total * math.log((document.get(name, 0) + PRIOR * USUAL[name]) / size)
        for name, count in cluster.items()
    )


def test_a_document_joins_below_the_threshold_and_not_at_it():
    entropy = by_hand(DOCUMENTS[0], DOCUMENTS[2])
    assert entropy == pytest.approx(-(math.log(1.4 / 2) + math.log(0.2 / 2)) / 2)
    for threshold, expected in ((entropy + 1e-9, [[0, 2], [1]]), (entropy - 1e-9, [[0], [1], [2]])):
        assert [one.documents for one in clusters(DOCUMENTS, threshold)] == expected


def test_a_document_joins_the_nearest_cluster_as_it_has_grown():
    made = [{"a": 1.0}, {"b": 1.0}, {"a": 1.0, "b": 3.0}, {"b": 1.0}]
    found = clusters(made, 2.0)
    assert [one.documents for one in found] == [[0], [1, 2, 3]]


def test_related_documents_widen_clusters_and_begin_none():
    (first, second) = clusters(DOCUMENTS[:2], 2.0, [*DOCUMENTS[2:], {"北京": 1.0}])
    assert (first.documents, first.related) == ([0], [0])
    assert (second.documents, second.related) == ([1], [])


def test_documents_without_names_are_alone():
    assert [one.documents for one in clusters([{}, {}, {"a": 1.0}], 99.0)] == [[0], [1], [2]]
    assert clusters([], 1.0) == []
