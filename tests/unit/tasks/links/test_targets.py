"""The paper's target functions: what is read word by word equals what the whole gives."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runoff.data.nbest import Candidate, NBest
from runoff.features.links import links
from runoff.tasks.links.targets import NAMES, reading

WORDS = ["a", "b", "c", "d", "e", "f"]

pairs = st.tuples(st.integers(0, 5), st.integers(1, 6), st.sampled_from(["A", "B", "Cs"]))
linkages = st.lists(pairs.filter(lambda one: one[0] < one[1]), max_size=9, unique=True)


def recomputed(drawn, words, weights):
    """The four target functions by their definitions."""
    found = [one for one in drawn if one[1] <= words]
    n = max(1, len(found))
    length = sum(right - left for left, right, _ in found) / n
    nesting = 0
    ordered = sorted(found, key=lambda one: (one[1], -one[0], one[2]))
    for place, (left, _, _) in enumerate(ordered):
        nesting += sum(other[0] >= left for other in ordered[:place])
    features = links(WORDS[:words], Candidate([list(one) for one in found]))
    regressor = sum(weights.get(name, 0) * value for name, value in features.items())
    return [regressor, -length, -nesting / n, len(found) / words]


@given(linkages)
def test_each_target_function_equals_its_value_on_the_whole(drawn):
    weights = {"kind: A": 0.5, "length: 2": -1.0, "nesting: B 1": 2.0, "links to the left: 0": 0.25}
    nbest = NBest(1, WORDS, [Candidate([list(one) for one in drawn])])
    (one,) = reading(nbest, weights).alone()
    for words in range(1, 7):
        assert one.scores == pytest.approx(recomputed(drawn, words, weights))
        if words < 6:
            (one,) = one.advance()
    assert one.completion == 1
    assert len(NAMES) == len(one.scores)
