"""JSON Lines: what is read, what is refused and in which words, what is written."""

import json

import numpy as np
import pytest

from runoff.data.formats import read_nbest, write_nbest
from runoff.data.formats.jsonl import decode_line
from runoff.data.nbest import Candidate, NBest
from runoff.errors import FormatError

FULL = (
    '{"id":"s1","input":"in","gold":["g"],"candidates":[{"output":"a","logprob":-1.5,"quality":0.5,'
    '"features":{"len":9,"lm":-2.5},"score":2.0,"rank":1,"beam":{"x":null}},{"output":"b"}],'
    '"speaker":7,"extra":1}\n'
)


def test_every_part_is_read(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text(FULL)
    first = Candidate("a", -1.5, 0.5, {"len": 9.0, "lm": -2.5}, 2.0, 1, {"beam": {"x": None}})
    expected = NBest("s1", "in", [first, Candidate("b")], ["g"], {"speaker": 7, "extra": 1})
    assert list(read_nbest(path)) == [expected]


def test_what_is_written_is_what_was_read(tmp_path):
    path, copy = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    path.write_text(FULL)
    write_nbest(read_nbest(path), copy)
    assert copy.read_text() == FULL


def test_blank_lines_and_a_byte_order_mark_are_skipped(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"\xef\xbb\xbf\n  \r\n" + FULL.encode() + b"\n\n")
    assert len(list(read_nbest(path))) == 1


WRONG = {
    "[1]": "expected one JSON object, a list",
    "{}": "candidates: must not be empty",
    '{"candidates": []}': "candidates: must not be empty",
    '{"candidates": 3}': "candidates: expected array, got int",
    '{"candidates": [{"output": 1}, 7]}': "candidates[1]: expected object, got int",
    '{"candidates": [{"logprob": -1}]}': "candidates[0]: has neither output nor features",
    '{"candidates": [{"output": null}]}': "candidates[0]: has neither output nor features",
    '{"candidates": [{"output": "a", "logprob": "x"}]}': (
        "candidates[0].logprob: expected float, got str"
    ),
    '{"candidates": [{"output": "a", "rank": 1.5}]}': "candidates[0].rank: expected int, got float",
    '{"candidates": [{"features": {"a": 1, "b": "c"}}]}': (
        "candidates[0].features.b: expected float, got str"
    ),
    '{"candidates": [{"output": "a", "logprob": NaN}]}': (
        "candidates[0].logprob: not a finite number: nan"
    ),
    '{"candidates": [{"output": "a"}, {"output": "b", "quality": -Infinity}]}': (
        "candidates[1].quality: not a finite number: -inf"
    ),
    '{"candidates": [{"output": "a", "score": 1e999}]}': (
        "candidates[0].score: not a finite number: inf"
    ),
    '{"candidates": [{"features": {"lm": NaN}}]}': (
        "candidates[0].features.lm: not a finite number: nan"
    ),
    '{"candidates": [{"output": [1, [NaN]]}]}': (
        "candidates[0].output[1][0]: not a finite number: nan"
    ),
    '{"candidates": [{"output": "\\ud800"}]}': (
        "candidates[0].output: an unpaired surrogate: '\\ud800'"
    ),
    '{"id": 1.5, "candidates": [{"output": 1}]}': "id: expected int | str, got float",
    '{"candidates": [{"output": "a"}}': "broken JSON at column 32: expecting ',' delimiter",
    '{"candidates": [{"output": "a': "broken JSON at column 28: unterminated string starting at",
    '{"id": 1} {"id": 2}': "broken JSON at column 11: extra data",
    '{"candidates": [{"output": 1' + "0" * 5000 + "}]}": "a number has too many digits",
    '{"candidates": [{"output": "a", "logprob": 1' + "0" * 400 + "}]}": (
        "candidates[0].logprob: number out of range"
    ),
    "[" * 100_000: "the JSON is nested too deeply",
}


@pytest.mark.parametrize("line", WRONG, ids=lambda line: line[:60])
def test_wrong_lines_say_what_and_where(line):
    with pytest.raises(FormatError) as caught:
        decode_line(line.encode(), "a.jsonl", 12)
    assert str(caught.value) == f"a.jsonl:12: {WRONG[line]}"


def test_numbers_json_can_hold_are_kept():
    huge = 10**40
    line = json.dumps({"id": huge, "candidates": [{"output": huge, "logprob": huge, "rank": 2}]})
    nbest = decode_line(line.encode())
    assert nbest.id == nbest.candidates[0].output == huge
    assert nbest.candidates[0].logprob == 1e40


def test_the_last_of_two_equal_keys_counts():
    assert decode_line(b'{"candidates":[{"output":"a","output":"b"}]}').candidates[0].output == "b"


def test_a_file_that_looks_like_nothing_is_quoted_and_formats_are_offered(tmp_path):
    path = tmp_path / "nbest.txt"
    path.write_text("once upon a time\n")
    with pytest.raises(FormatError, match="begins with 'once upon a time'") as caught:
        list(read_nbest(path))
    assert caught.value.hint.startswith("name it: --format jsonl, moses, ")


def test_texts_flags_and_numbers_as_text_are_taken():
    line = b"""{"candidates": ["a", {"output": "b", "logprob": "-1.5", "quality": true,
        "features": {"lm": "2", "ok": false}}]}"""
    assert decode_line(line.replace(b"\n", b"")).candidates == [
        Candidate("a"),
        Candidate("b", -1.5, 1.0, {"lm": 2.0, "ok": 0.0}),
    ]


def test_numpy_numbers_are_written(tmp_path):
    path = tmp_path / "a.jsonl"
    candidate = Candidate(
        "a", np.float64(-1.5), quality=np.float32(0.5), features={"n": np.int64(3)}
    )
    write_nbest([NBest(candidates=[candidate])], path)
    expected = Candidate("a", -1.5, quality=0.5, features={"n": 3.0})
    assert list(read_nbest(path)) == [NBest(candidates=[expected])]


UNWRITABLE = {
    "has no candidates": NBest("x"),
    "has a candidate with neither output nor features": NBest("x", None, [Candidate()]),
    "has an extra key with the name of a field: id": NBest(
        "x", None, [Candidate("a")], extra={"id": 3}
    ),
    "has an extra key with the name of a field: rank": NBest(
        "x", None, [Candidate("a", extra={"rank": 3})]
    ),
    "candidates[1].logprob: not a finite number: nan": NBest(
        "x", None, [Candidate("a"), Candidate("b", float("nan"))]
    ),
    "candidates[0].features.f: not a finite number: inf": NBest(
        "x", None, [Candidate(features={"f": float("inf")})]
    ),
    "not a finite number: nan": NBest("x", None, [Candidate("a", np.float32("nan"))]),
    "gold[0]: an unpaired surrogate: '\\udfff'": NBest("x", None, [Candidate("a")], ["\udfff"]),
    "object is not a JSON value": NBest("x", object(), [Candidate("a")]),
}


@pytest.mark.parametrize("problem", UNWRITABLE)
def test_what_json_cannot_hold_is_not_written(problem, tmp_path):
    path = tmp_path / "a.jsonl"
    with pytest.raises(FormatError) as caught:
        write_nbest([UNWRITABLE[problem]], path)
    assert str(caught.value) == f"list 1, id 'x': {problem}"
    assert list(tmp_path.iterdir()) == []
