"""The JSON of speech recognisers: ESPnet's and mlm-scoring's layouts."""

import json

import pytest

from runoff.data.formats import read_nbest, write_nbest
from runoff.data.nbest import Candidate, NBest
from runoff.errors import FormatError

ESPNET = {
    "utts": {
        "4k2c0308": {
            "output": [
                {
                    "name": "target1[1]",
                    "rec_text": "ONE TWO<eos>",
                    "score": -1.25,
                    "text": "ONE TWO",
                },
                {"name": "target1[2]", "rec_text": "ONE TOO<eos>", "score": -2, "text": "ONE TWO"},
            ],
            "utt2spk": "4k2",
        }
    }
}
MLM = {
    "u1": {
        "hyp_10": {"score": -20.5, "text": "worst"},
        "hyp_1": {"score": -1.5, "text": " best", "lm": -3},
        "hyp_2": {"score": -2, "text": "second"},
        "ref": "best",
    },
    "utts": {"hyp_1": {"score": -1, "text": "a name like any other"}},
}


def lists_of(value, tmp_path, format=None):
    path = tmp_path / "data.json"
    path.write_text(json.dumps(value, indent=1))
    return list(read_nbest(path, format))


def test_espnet_layout(tmp_path):
    candidates = [
        Candidate("ONE TWO", -1.25, extra={"name": "target1[1]"}),
        Candidate("ONE TOO", -2.0, extra={"name": "target1[2]"}),
    ]
    expected = NBest("4k2c0308", None, candidates, "ONE TWO", {"utt2spk": "4k2"})
    assert lists_of(ESPNET, tmp_path) == [expected]


def test_mlm_scoring_layout(tmp_path):
    assert lists_of(MLM, tmp_path) == [
        NBest(
            "u1",
            None,
            [
                Candidate(" best", -1.5, extra={"lm": -3}),
                Candidate("second", -2.0),
                Candidate("worst", -20.5),
            ],
            "best",
        ),
        NBest("utts", None, [Candidate("a name like any other", -1.0)]),
    ]


def test_mlm_scoring_layout_is_written(tmp_path):
    path = tmp_path / "out.json"
    write_nbest(lists_of(MLM, tmp_path), path)
    written = json.loads(path.read_text())
    assert list(written) == ["u1", "utts"]
    assert written["u1"]["hyp_3"] == {"score": -20.5, "text": "worst"}
    assert written["u1"]["ref"] == "best"


def test_no_lists_are_an_empty_object(tmp_path):
    path = tmp_path / "out.json"
    write_nbest([], path)
    assert json.loads(path.read_text()) == {}
    assert list(read_nbest(path)) == []


WRONG = [
    ([], "expected dict, got list"),
    ({"u1": 3}, "u1: expected dict, got int"),
    ({"u1": {"ref": "a"}}, "u1: the utterance has no hypotheses"),
    ({"u1": {"hyp_1": {"score": 1}}}, "u1.hyp_1.text: expected str, got NoneType"),
    ({"u1": {"hyp_1": {"text": "a", "score": "x"}}}, "u1.hyp_1.score: expected a number, got str"),
    (
        {"u1": {"hyp_1": {"text": "a", "score": 10**400}}},
        "u1.hyp_1.score: the number is out of range",
    ),
    ({"utts": {"u1": {"output": []}}}, "utts.u1: the utterance has no hypotheses"),
    (
        {"utts": {"u1": {"output": [[{}]]}}},
        "utts.u1.output[0]: several speakers; split the file by speaker",
    ),
]


@pytest.mark.parametrize(("value", "problem"), WRONG)
def test_wrong_files_name_the_key(value, problem, tmp_path):
    with pytest.raises(FormatError) as caught:
        lists_of(value, tmp_path, "espnet")
    assert str(caught.value) == f"{tmp_path}/data.json: {problem}"


def test_broken_json_names_line_and_column(tmp_path):
    path = tmp_path / "a.json"
    path.write_text('{"u1":\n {"hyp_1" 3}}')
    with pytest.raises(FormatError, match=r"a\.json:2: broken JSON at column 11: expecting ':'"):
        list(read_nbest(path))
