import pytest

from runoff.data.nbest import Candidate, NBest
from runoff.errors import RunoffError
from runoff.features.extract import find_extractors
from runoff.features.phrases import phrases
from runoff.problem.extractor import extract

WORDS = [["He", "PRP"], ["said", "VBD"], ["that", "IN"], ["votes", "NNS"], ["count", "VBP"]]
GOOD = "B-NP B-VP B-SBAR B-NP B-VP".split()
BAD = "B-NP B-VP B-PP B-NP B-VP".split()


def features_of(*outputs, words=WORDS):
    return phrases(NBest(1, words, [Candidate(output) for output in outputs]))


def test_phrases_are_seen_whole_and_in_runs():
    good, bad = features_of(GOOD, BAD)
    assert good["words: SBAR that"] == good["tags: SBAR IN"] == 1
    assert good["types: SBAR NP VP"] == good["types: NP VP SBAR NP"] == 1
    assert good["closed: VP SBAR/that NP VP"] == 1
    assert good["next two: SBAR/that NP NNS VP VBP"] == 1
    assert bad["closed: PP/that NP VP"] == 1
    assert "words: PP that" not in good


def test_what_all_candidates_share_is_left_out():
    good, bad = features_of([*GOOD, *GOOD], [*GOOD, *BAD], words=WORDS + WORDS)
    assert good["words: NP he"] == 1  # of two, the one that has another phrase near
    assert good["words: SBAR that"] == bad["words: PP that"] == 1
    assert features_of(GOOD, GOOD) == [{}, {}]
    assert features_of(GOOD) == [{}]
    assert features_of() == []
    assert features_of([], [], words=[]) == [{}, {}]


def test_schemes_and_text_make_no_difference():
    iobes = "S-NP S-VP S-SBAR S-NP S-VP".split()
    assert features_of(GOOD, BAD) == features_of(iobes, " ".join(BAD))


def test_words_may_come_without_tags():
    good, _ = features_of(GOOD, BAD, words=[word for word, _ in WORDS])
    assert good["words: SBAR that"] == 1


def test_long_phrases_lose_their_middle():
    words = [[letter, "NN"] for letter in "abcdefgh"]
    long, _ = features_of(["B-NP", *["I-NP"] * 7], ["O"] * 8, words=words)
    assert long["words: NP a b c ... f g h"] == 1
    assert long["length: NP 7"] == 1


@pytest.mark.parametrize(
    ("words", "output", "problem"),
    [
        (None, GOOD, "the input is a list"),
        ("text", GOOD, "the input is a list"),
        ([["a", "b", "c"]], ["O"], "neither text nor a pair"),
        (WORDS, ["O"], "1 tags for 5 words"),
        ([["a", "X"]], ["NN"], "unknown tag 'NN'"),
    ],
)
def test_what_cannot_be_read_is_said(words, output, problem):
    nbest = NBest(7, words, [Candidate(output), Candidate(output)])
    with pytest.raises(RunoffError, match=rf"extractor 'phrases' failed on list 7.*{problem}"):
        extract(nbest, find_extractors(["phrases"]))
