"""Tags of what people write online."""

from runoff.data.nbest import Candidate
from runoff.tasks.tagging.online import (
    online_tag,
    with_online_choices,
    with_online_tags,
)


def test_the_first_tag_that_is_known():
    assert online_tag(":)", ("NN", "UH")) == "UH"
    assert online_tag(":)", ("NFP", "UH")) == "NFP"
    assert online_tag("a.b@votes.org", ("NN",)) is None
    assert online_tag("vote", ("NN", "NFP")) is None


def test_candidates_that_become_the_same_are_one():
    given = [Candidate(["NN", "IN"], -1.0), Candidate(["NN", "NN"], -2.0)]
    (one,) = with_online_tags(["yes", "!!!"], given, ("NN", "IN", "."))
    assert one == Candidate(["NN", "."], -1.0)
    assert with_online_tags(["yes", "no"], given, ("NN", "IN", ".")) is given


def test_choices_are_fixed():
    rows = [[("NN", 0.7), ("IN", 0.3)], [("VB", 1.0)]]
    assert with_online_choices(["yes", "@ann"], rows, ("NN", "NNP")) == [rows[0], [("NNP", 1.0)]]
