"""Moses, BLLIP, TSV and SVMlight: real-looking files, and what is wrong with others."""

import pytest

from runoff.data.formats import read_nbest, write_nbest
from runoff.data.nbest import Candidate, NBest
from runoff.errors import FormatError


def lists_of(text, format, tmp_path):
    path = tmp_path / "file"
    path.write_text(text)
    return list(read_nbest(path, format))


def test_moses(tmp_path):
    text = (
        "0 ||| this is  ||| LR0= -1.8 0 Distortion0= 0 LM0= -14.2 ||| -101.9 ||| 0=0 ||| 0-0 1-1\n"
        "0 |||  ||| lm=-1 tm_0=2 ||| -102\n"
        "1 ||| a ||| d: 0 w: 1 2 ||| 3.5\n"
        "007 ||| b|||c ||| ||| -4\n"
    )
    features = {"LR0_0": -1.8, "LR0_1": 0.0, "Distortion0": 0.0, "LM0": -14.2}
    first = Candidate("this is", -101.9, features=features, extra={"columns": ["0=0", "0-0 1-1"]})
    assert lists_of(text, "moses", tmp_path) == [
        NBest(0, None, [first, Candidate("", -102.0, features={"lm": -1.0, "tm_0": 2.0})]),
        NBest(1, None, [Candidate("a", 3.5, features={"d": 0.0, "w_0": 1.0, "w_1": 2.0})]),
        NBest("007", None, [Candidate("b|||c", -4.0)]),
    ]


def test_moses_groups_are_written_as_moses_writes_them(tmp_path):
    text = "0 ||| a b ||| LR0= -1.8 0.0 LM_1= 2.5 X_0= 1.0 ||| -101.9 ||| 0-0\n"
    path = tmp_path / "out.moses"
    write_nbest(lists_of(text, "moses", tmp_path), path)
    assert path.read_text() == text


def test_moses_names_that_look_like_groups_come_back(tmp_path):
    for names in (["_0", "_1"], ["a", "a_1"], ["a_1", "a_0"], ["a_0", "a_1", "a"], ["a_0"], ["="]):
        lists = [NBest(0, None, [Candidate("x", -1.0, features=dict.fromkeys(names, 2.0))])]
        write_nbest(lists, tmp_path / "a.moses")
        assert list(read_nbest(tmp_path / "a.moses")) == lists


def test_bllip(tmp_path):
    text = (
        "2 wsj_2300.1\n-29.6\n(S1 (NP (DT This)))\n-31.25\n(S1 (X (DT This)))\n\n"
        "1\t7\n1.5 -3\n(S1 (A a))\n"
    )
    parses = [Candidate("(S1 (NP (DT This)))", -29.6), Candidate("(S1 (X (DT This)))", -31.25)]
    assert lists_of(text, "bllip", tmp_path) == [
        NBest("wsj_2300.1", None, parses),
        NBest(7, None, [Candidate("(S1 (A a))", -3.0, score=1.5)]),
    ]


def test_tsv(tmp_path):
    assert lists_of("-4.2\tI scream\n-5\tice\tcream\n\n\n \t\n0\t\n", "tsv", tmp_path) == [
        NBest(candidates=[Candidate("I scream", -4.2), Candidate("ice\tcream", -5.0)]),
        NBest(candidates=[Candidate("", 0.0)]),
    ]


def test_svmlight(tmp_path):
    text = "# made by hand\n3 qid:1 1:1 2:0.5 # 1A\n2 qid:1\n\n1 qid:q2 7:1\n"
    assert lists_of(text, "svmlight", tmp_path) == [
        NBest(
            1,
            None,
            [
                Candidate(quality=3.0, features={"1": 1.0, "2": 0.5}, extra={"comment": "1A"}),
                Candidate(quality=2.0, features={}),
            ],
        ),
        NBest("q2", None, [Candidate(quality=1.0, features={"7": 1.0})]),
    ]


def test_svmlight_gives_numbers_to_names_and_says_so(tmp_path):
    path = tmp_path / "out.svmlight"
    lists = [NBest("s1", None, [Candidate(quality=0.5, features={"lm": 2.0, "a b": 1.0})])]
    write_nbest(lists, path)
    notes = "# qid 1 s1\n# feature 1 lm\n# feature 2 a b\n"
    assert path.read_text() == notes + "0.5 qid:1 1:2.0 2:1.0\n"
    assert list(read_nbest(path)) == lists


def test_svmlight_features_are_written_in_the_order_of_their_numbers(tmp_path):
    features = {"10": 1.0, "2": 0.5}
    write_nbest([NBest(4, None, [Candidate(quality=0.5, features=features)])], tmp_path / "a.svm")
    assert (tmp_path / "a.svm").read_text() == "0.5 qid:4 2:0.5 10:1.0\n"


WRONG = [
    ("moses", "0 ||| a ||| 1\n", "1: too few columns"),
    ("moses", "0 ||| a |||  ||| nan\n", "1: total: not a finite number: 'nan'"),
    ("moses", "0 ||| a ||| LM= x ||| 1\n", "1: LM: not a number: 'x'"),
    ("moses", "0 ||| a ||| 1 2 ||| 1\n", "1: expected the name of a feature, found '1'"),
    ("moses", "0 ||| a ||| L= 1 L= 2 ||| 1\n", "1: feature 'L' occurs twice"),
    (
        "moses",
        "0 ||| a ||| ||| 1\n1 ||| a ||| ||| 1\n0 ||| a ||| ||| 1\n",
        "3: sentence '0' was here before; its lines must stand together",
    ),
    ("bllip", "x\n", "1: expected the number of parses and an id, found 'x'"),
    ("bllip", "0 s1\n\n", "1: sentence 's1' has no parses"),
    ("bllip", "2 s1\n-1\n(A a)\n\n", "4: sentence 's1' has fewer parses than line 1 promises"),
    ("bllip", "1 s1\n-inf\n(A a)\n", "2: logprob: not a finite number: '-inf'"),
    ("bllip", "1 s1\n1 2 3\n(A a)\n", "2: expected a log-probability, found '1 2 3'"),
    ("bllip", "1 s1\n-1\n(A a) (B b)\n", "3: expected one tree, found 2"),
    ("tsv", "-1 a\n", "1: expected `score TAB text`"),
    ("tsv", "-1\ta\n1_0\tb\n", "2: score: not a number: '1_0'"),
    ("tsv", "x" * 99 + "\tb\n", f"1: score: not a number: '{'x' * 40}...'"),
    ("svmlight", "1 1:2\n", "1: expected `target qid:N number:value ...`, found '1 1:2'"),
    ("svmlight", "1 qid:1 x\n", "1: expected `number:value`, found 'x'"),
    ("svmlight", "1 qid:1 1:2 1:3\n", "1: feature '1' occurs twice"),
    ("svmlight", "nan qid:1 1:2\n", "1: target: not a finite number: 'nan'"),
    (
        "svmlight",
        "1 qid:1\n1 qid:2\n1 qid:1\n",
        "3: query '1' was here before; its lines must stand together",
    ),
]


@pytest.mark.parametrize(("format", "text", "problem"), WRONG)
def test_wrong_files_say_what_and_where(format, text, problem, tmp_path):
    with pytest.raises(FormatError) as caught:
        lists_of(text, format, tmp_path)
    assert caught.value.message == f"{tmp_path}/file:{problem}"


UNWRITABLE = [
    ("moses", Candidate("a", None), "without logprob"),
    ("moses", Candidate("a ||| b", -1.0), "the column mark"),
    ("moses", Candidate("a\nb", -1.0), "cannot hold"),
    ("moses", Candidate(["a"], -1.0), "not text but list"),
    ("moses", Candidate("a", -1.0, features={"a b": 1.0}), "has spaces: 'a b'"),
    ("bllip", Candidate("(A a", -1.0), "is not a tree"),
    ("tsv", Candidate("a\r", -1.0), "cannot hold"),
    ("tsv", Candidate("a", float("-inf")), "not finite"),
    ("tsv", Candidate("\ud800", -1.0), "an unpaired surrogate"),
    ("svmlight", Candidate("a", features={"1": 1.0}), "without quality"),
    ("svmlight", Candidate("a", quality=1.0), "without features"),
    ("svmlight", Candidate(quality=1.0, features={"1": 1.0, "b": 2.0}), "mixes a feature"),
]


@pytest.mark.parametrize(("format", "candidate", "problem"), UNWRITABLE)
def test_what_a_format_cannot_hold_is_not_written(format, candidate, problem, tmp_path):
    with pytest.raises(FormatError, match="list 2") as caught:
        write_nbest(
            [NBest(1, None, [SOUND[format]]), NBest(2, None, [candidate])], tmp_path / "x", format
        )
    assert problem in str(caught.value)
    assert list(tmp_path.iterdir()) == []


SOUND = {
    "moses": Candidate("a", -1.0),
    "bllip": Candidate("(A a)", -1.0),
    "tsv": Candidate("a", -1.0),
    "svmlight": Candidate(quality=1.0, features={}),
}


@pytest.mark.parametrize("format", ["moses", "svmlight", "espnet"])
def test_an_id_that_comes_twice_is_not_written(format, tmp_path):
    lists = [NBest(1, None, [Candidate("a", -1.0, 1.0, {"1": 1.0})])] * 2
    with pytest.raises(FormatError, match="of an earlier list"):
        write_nbest(lists, tmp_path / "x", format)
