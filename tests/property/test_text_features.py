"""Native features of texts equal those of their Python twin."""

from hypothesis import example, given
from hypothesis import strategies as st
from twins.problem import decoded, encode
from twins.text_features import features

from runoff.data.nbest import Candidate, NBest
from runoff.features.extract import find_extractors
from runoff.features.text import text
from runoff.problem.build.build import build_problem

LETTERS = "ab é漢字かﬀ\u0085\u00a0\u1680\u200a\u200b\u2028\u3000\x1c\x1f\t\n\ud800\U00020000🗳"
TEXTS = st.text(LETTERS, max_size=12)
OUTPUTS = TEXTS | st.lists(TEXTS, max_size=4) | st.sampled_from([None, {"a": 1}, ["a b", "c"]])


def lists_with(logprobs):
    candidates = st.builds(Candidate, output=OUTPUTS, logprob=logprobs)
    return st.builds(
        NBest, id=st.none(), input=OUTPUTS, candidates=st.lists(candidates, max_size=5)
    )


LOGPROBS = st.floats(-50, 50)
LISTS = st.lists(lists_with(LOGPROBS), max_size=4) | st.lists(lists_with(st.none()), max_size=4)
SAME = NBest(candidates=[Candidate("a vote a"), Candidate("a vote a")])
ALONE = NBest(input="a b", candidates=[Candidate(["a", "b c"], -2.0)])


@given(lists_with(st.none() | LOGPROBS))
@example(SAME)
@example(ALONE)
@example(NBest(candidates=[Candidate(["a b", "c"]), Candidate(["a", "b c"])]))
def test_native_equals_twin(nbest):
    assert text(nbest) == features(nbest)


@given(LISTS, st.sampled_from([(), (1,), (1, 2, 4)]), st.integers(0, 2))
@example([SAME, SAME], (1, 2), 0)
@example([NBest(candidates=[Candidate("a", -0.09999999), Candidate("b", -2.0)])], (), 1)
def test_problems_equal_those_of_the_twin(lists, thresholds, bins):
    """The fast way through arrays, and the slow one through names, lead to one problem."""
    problem, space = build_problem(
        lists, find_extractors(["text"]), min_lists=1, thresholds=thresholds, bins=bins
    )
    names, encoded = encode([features(nbest) for nbest in lists], 1, thresholds, bins)
    assert space.names == names
    assert decoded(problem, space) == encoded
