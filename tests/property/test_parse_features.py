"""Native features of parse trees equal those of their Python twin."""

from helpers.strategies.trees import treebank_trees, trees
from hypothesis import example, given
from hypothesis import strategies as st
from twins.parse_features import features
from twins.problem import decoded, encode

from runoff.data.nbest import Candidate, NBest
from runoff.data.tree import Tree
from runoff.features.extract import find_extractors
from runoff.features.parse import parse, parse_rich, parse_small
from runoff.problem.build.build import build_problem
from runoff.problem.extractor import extract

TREES = treebank_trees() | trees(12)
LISTS = st.lists(st.lists(TREES, max_size=4), max_size=4)


def nbests(lists):
    return [NBest(None, None, [Candidate(str(t), -1.0) for t in some]) for some in lists]


@given(st.lists(TREES, min_size=1, max_size=4))
@example([Tree.parse("()")])
@example([Tree.parse("(NN vote)"), Tree.parse("(TOP vote)")])
@example([Tree.parse("(TOP (S (-NONE- *)) (NP (NP (-NONE- *T*)) (NN vote)))")])
@example([Tree.parse("(S (NP (NN a) (, ,) (NN b) (CC and) (NP (DT the) (NN c))) (VP (VBZ is)))")])
def test_native_equals_twin(several):
    nbest = NBest(candidates=[Candidate(tree) for tree in several])
    for extractor, name in ((parse_small, "small"), (parse, "full"), (parse_rich, "rich")):
        assert extractor(nbest) == [features(str(tree), kind=name) for tree in several]


@given(
    LISTS,
    st.sampled_from(["parse", "parse-rich", "parse-small"]),
    st.sampled_from([(), (1,), (1, 2, 4)]),
)
def test_problems_equal_those_of_mappings(lists, name, thresholds):
    """The fast way through arrays, and the slow one through names, lead to one problem."""
    extractors = find_extractors([name])
    mappings = [extract(nbest, extractors) for nbest in nbests(lists)]
    problem, space = build_problem(nbests(lists), extractors, min_lists=2, thresholds=thresholds)
    names, encoded = encode(mappings, 2, thresholds, 0)
    assert space.names == names
    assert decoded(problem, space) == encoded
    again, _ = build_problem(nbests(lists), extractors, space=space)
    assert decoded(again, space) == encoded
