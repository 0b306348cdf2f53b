"""Native features of what changed equal those of their Python twin."""

from hypothesis import example, given
from hypothesis import strategies as st
from twins.change_features import features

from runoff.data.nbest import Candidate, NBest
from runoff.features.changes import changes

LETTERS = "aabeits '-TSé漢\u0130\t"
TEXTS = st.text(LETTERS, max_size=9)
OUTPUTS = TEXTS | st.sampled_from(["the first of all", "first the of of all", None, ["a"]])


@given(
    st.builds(
        NBest,
        id=st.none(),
        input=st.none() | TEXTS,
        candidates=st.lists(st.builds(Candidate, output=OUTPUTS), max_size=4),
    )
)
@example(NBest(None, "recieve", [Candidate("receive"), Candidate("Recieve"), Candidate("re-cede")]))
@example(NBest(None, "alot", [Candidate("a lot"), Candidate("allot"), Candidate("A-lot's")]))
@example(NBest(None, "x" * 101, [Candidate("y" * 101), Candidate("x" * 100)]))
def test_native_equals_twin(nbest):
    assert changes(nbest) == features(nbest)
