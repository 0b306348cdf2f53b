"""Every feature of a native set has a place, and it is the right one."""

import pytest

import runoff as ro
from runoff.features.extract import find_extractors
from runoff.features.places import places_of
from runoff.features.templates import TEMPLATES, template_of
from runoff.problem.extractor import extract

TREE = (
    "(TOP (S (NP (DT the) (NN clerk)) (VP (VBD saw) "
    "(NP (NP (NNS votes)) (PP (IN of) (NP (NNP Rome))))) (. .)))"
)


def nbest(*outputs, given=None):
    return ro.NBest("s", given, [ro.Candidate(output) for output in outputs])


@pytest.mark.parametrize("name", ["parse", "parse-small", "parse-rich"])
def test_places_are_those_of_the_features(name):
    found = places_of(nbest(TREE), 0, find_extractors(name))
    (features,) = extract(nbest(TREE), find_extractors(name))
    assert {place.feature for place in found} == set(features)
    assert {template_of(feature) for feature in features} <= TEMPLATES[name].keys()


@pytest.mark.parametrize(
    ("feature", "span", "label"),
    [
        ("rule: PP -> IN NP", (4, 6), "PP"),
        ("rule: NP -> NP PP", (3, 6), "NP"),
        ("length: VP 4", (2, 6), "VP"),
        ("word: Rome NNP", (5, 6), "NNP"),
        ("right-branch: on", (0, 7), "TOP"),
    ],
)
@pytest.mark.parametrize("tree", [TREE, TREE[5:-1]])
def test_a_place_is_a_node_of_the_brackets(tree, feature, span, label):
    places = places_of(nbest(tree), 0, find_extractors("parse-rich"))
    (place,) = (place for place in places if place.feature == feature)
    assert (place.start, place.stop) == span
    flat = ro.Tree.parse(tree).flat()
    if place.node is not None:
        assert flat.labels[place.node] == label
    else:
        assert label == "TOP"


def test_trees_with_empty_elements_have_spans_only():
    tree = "(S (NP (-NONE- *)) (VP (VB vote)))"
    places = places_of(nbest(tree), 0, find_extractors("parse"))
    assert places
    assert {place.node for place in places} == {None}


def test_what_is_no_tree_has_no_places():
    assert places_of(nbest("no (tree"), 0, find_extractors("parse")) == []


def test_words_and_phrases_have_places():
    found = places_of(nbest("a vote"), 0, find_extractors("text"))
    assert ("bigram: a vote", 0, 2, None) in found
    words = [["we", "PRP"], ["voted", "VBD"]]
    tagged = nbest(["B-NP", "B-VP"], given=words)
    found = places_of(tagged, 0, find_extractors("phrases"))
    assert ("words: VP voted", 1, 2, None) in found
