"""Check, inspect, convert and evaluate on small lists worked by hand."""

import gzip
import json
from dataclasses import astuple

import pytest

import runoff as ro
from runoff.errors import FormatError, ModelError
from runoff.store.file import load, save
from runoff.tasks.inspect import inspect_model
from runoff.tasks.ranking.check import check
from runoff.tasks.ranking.convert import attach, convert
from runoff.tasks.ranking.evaluate import evaluate
from runoff.tasks.ranking.inspect import inspect


def lines(path, *values):
    texts = [value if isinstance(value, str) else json.dumps(value) for value in values]
    path.write_text("".join(text + "\n" for text in texts))
    return path


def problems(path, format=None):
    return [astuple(problem) for problem in check(path, format).problems]


GOOD = {"id": "a", "gold": "x", "candidates": [{"output": "x", "logprob": -1.0}]}


def test_a_sound_file_has_no_problems(tmp_path):
    found = check(lines(tmp_path / "a.jsonl", GOOD, "", {**GOOD, "id": "b"}))
    assert (found.lists, found.candidates, found.problems) == (2, 2, [])


def test_every_problem_is_named_with_line_and_key(tmp_path):
    path = lines(
        tmp_path / "a.jsonl",
        GOOD,
        '{"id": "b", "gold": "x", "candidates": [{"output": "x", "logprob": NaN}, {"logprob": 1}]}',
        "{not json",
        GOOD,
        {"id": "c", "gold": "x", "candidates": [{"output": "y", "logprob": -1}] * 2},
        {"id": "d", "gold": "x", "candidates": [{"output": "y", "logprob": -1}, {"output": "z"}]},
        {"id": "e", "candidates": [{"output": "y", "logprob": -1}]},
        {"id": "f", "gold": "x", "candidates": []},
    )
    assert problems(path) == [
        (2, "candidates[0].logprob", "not a finite number: nan"),
        (2, "candidates[1]", "has neither output nor features"),
        (3, None, "broken JSON at column 2: expecting property name enclosed in double quotes"),
        (4, "id", "'a' is also the id of line 1"),
        (
            6,
            "candidates[1].logprob",
            "missing, and other candidates of the list have it (1 do not)",
        ),
        (8, "candidates", "must not be empty"),
        (None, "gold", "1 of 5 lists have none, the first is line 7"),
    ]


def test_a_truncated_file_is_checked_as_far_as_it_goes(tmp_path):
    whole = gzip.compress(
        b"".join(json.dumps({**GOOD, "id": i}).encode() + b"\n" for i in range(9999))
    )
    path = tmp_path / "a.jsonl.gz"
    path.write_bytes(whole[:-2000])
    found = check(path)
    assert 0 < found.lists < 9999
    (problem,) = found.problems
    assert problem.line >= found.lists
    assert "truncated" in problem.message


def test_other_formats_name_the_list(tmp_path):
    path = tmp_path / "a.moses"
    path.write_text("0 ||| x ||| LM= -1 ||| -1\n0 ||| x ||| LM= -2 ||| -2\n1 ||| y ||| LM= ||| z\n")
    option = "it was read as moses; name another format: --format NAME"
    assert problems(path) == [(3, "total", f"not a number: 'z'; {option}")]
    (remark,) = check(path).remarks
    assert astuple(remark) == (
        None,
        "list 1: candidates[1].output",
        "the same as candidates[0]",
        1,
    )


def test_keys_that_come_twice_are_problems(tmp_path):
    path = lines(
        tmp_path / "a.jsonl",
        '{"id": "a", "candidates": [{"output": "x"}, {"output": "y", "output": "z"}], "id": "b"}',
        '{"id": "c", "candidates": [{"output": "x", "features": {"a": 1, "b": 2, "a": 3}}]}',
    )
    once = "comes more than once in its object, and only the last one counts"
    assert problems(path)[:3] == [
        (1, "candidates[1].output", once),
        (1, "id", once),
        (2, "candidates[0].features.a", once),
    ]
    assert check(path).lists == 2


def test_what_is_odd_is_remarked_once_and_counted(tmp_path):
    path = lines(
        tmp_path / "a.jsonl",
        GOOD,
        {"id": "b", "gold": "x", "candidates": [{"output": "y", "logprob": -1}] * 3},
        {"id": "c", "gold": "x", "candidates": [{"output": "y", "logprob": 0.5}]},
        {"id": "d", "gold": "x", "candidates": [{"output": "y", "logprob": 0}] * 2},
    )
    found = check(path)
    assert found.problems == []
    assert [astuple(remark) for remark in found.remarks] == [
        (2, "candidates[1].output", "the same as candidates[0]", 3),
        (3, "candidates[0].logprob", "0.5 is positive, which no log-probability is", 1),
    ]


@pytest.mark.parametrize("key", ["prob", "log_prob", "logProb", "score", "LogLikelihood"])
def test_a_key_that_may_be_a_log_probability(tmp_path, key):
    path = lines(tmp_path / "a.jsonl", {"candidates": [{"output": "x", key: -1.0}]})
    found = check(path)
    assert found.problems == []
    (remark,) = found.remarks
    assert (remark.line, remark.key) == (1, f"candidates[0].{key}")
    assert "called logprob" in remark.message
    path = lines(tmp_path / "b.jsonl", {"candidates": [{"output": "x", key: -1.0, "logprob": -1}]})
    assert check(path).remarks == []


def test_lists_of_a_reranker_have_scores_and_no_log_probabilities(tmp_path):
    candidate = {"output": "x", "score": 0.3, "rank": 0, "beam": 4}
    assert check(lines(tmp_path / "a.jsonl", {"candidates": [candidate]})).remarks == []


def test_an_empty_file_and_a_missing_one(tmp_path):
    assert problems(lines(tmp_path / "a.jsonl")) == [(None, None, "the file has no lists")]
    with pytest.raises(FormatError, match="no such file"):
        check(tmp_path / "none.jsonl")


@pytest.mark.parametrize("verb", [evaluate, inspect])
@pytest.mark.parametrize("metric", ["wer", "quality"])
def test_no_lists_have_no_figures(tmp_path, verb, metric):
    path = lines(tmp_path / "none.jsonl")
    with pytest.raises(FormatError, match="none.jsonl: there are no lists"):
        verb(path, metric)
    with pytest.raises(FormatError, match="there are no lists"):
        verb([], metric)


def test_no_lists_are_nothing_to_learn_from_or_to_choose_by(tmp_path):
    some, none = lines(tmp_path / "a.jsonl", GOOD, GOOD), lines(tmp_path / "none.jsonl")
    with pytest.raises(FormatError, match="none.jsonl: there are no lists to learn from"):
        ro.fit(none, metric="wer")
    for learner in ("perceptron", "maxent", "base"):
        with pytest.raises(FormatError, match="none.jsonl: there are no lists to choose by"):
            ro.fit(some, dev=none, metric="wer", learner=learner)
    with pytest.raises(FormatError, match="there are no candidates to learn from"):
        ro.fit([ro.NBest("u1", gold="x")], metric="wer")


def scored(name, gold, *outputs):
    """A list whose candidates have log-probabilities -1, -2, ... and no scores."""
    return ro.NBest(
        name,
        None,
        [ro.Candidate(output, -1.0 - place) for place, output in enumerate(outputs)],
        gold=gold,
    )


LISTS = [scored("a", "x x", "x y", "x x", "y y"), scored("b", "x", "y", "z", "x")]


def test_inspection_worked_by_hand():
    found = inspect(LISTS, "wer")
    assert (found.lists, found.candidates, found.shortest, found.longest) == (2, 6, 3, 3)
    assert (found.duplicates, found.ties, found.out_of_order) == (0, 0, 0)
    assert found.parts == {"id": 2, "gold": 2, "output": 2, "logprob": 2}
    by_n = {row.n: row for row in found.by_n}
    assert by_n[1].one_best["WER"] == pytest.approx(100 * 2 / 3)
    assert by_n[2].oracle["WER"] == pytest.approx(100 * 1 / 3)
    assert by_n[3].oracle["WER"] == 0.0
    assert by_n[3].worst["WER"] == pytest.approx(100.0)
    assert by_n[3].random["WER"] == pytest.approx(100 * (3 / 3 + 2 / 3) / 3)


def test_inspection_counts_ties_duplicates_and_disorder():
    found = inspect([ro.NBest(1, None, [ro.Candidate("x", -2.0), *[ro.Candidate("y", -1.0)] * 2])])
    assert (found.duplicates, found.ties, found.out_of_order, found.by_n) == (1, 1, 1, [])


def test_inspection_uses_the_qualities_that_lists_carry():
    lists = [ro.NBest(1, None, [ro.Candidate("x", quality=0.2), ro.Candidate("y", quality=0.9)])]
    found = inspect(lists)
    assert found.by_n[-1].oracle["quality"] == 0.9


def test_a_model_is_inspected(tmp_path):
    lists = [
        ro.NBest(i, None, [ro.Candidate("a", -1.0), ro.Candidate("b", -1.0)], "b") for i in "12"
    ]
    ro.fit(lists, metric="wer").save(tmp_path / "m.runoff")
    found = inspect_model(tmp_path / "m.runoff", top=3)
    assert found.kind == "reranker"
    assert found.header["metric"] == "wer|unit:word"
    assert found.weights[0][0] == "log-probability"
    sizes = [abs(weight) for _, weight in found.weights[1:]]
    assert len(sizes) == 3
    assert sizes == sorted(sizes, reverse=True)


@pytest.mark.parametrize("learner", ["svm-rank", "voted-perceptron"])
def test_a_model_without_one_weight_per_feature_is_inspected(learner, tmp_path):
    ro.fit(LISTS, metric="wer", learner=learner).save(tmp_path / "m.runoff")
    assert inspect_model(tmp_path / "m.runoff").weights == []


@pytest.mark.parametrize("name", ["weights", "logprob_weight"])
def test_broken_weights_are_refused(name, tmp_path):
    ro.fit(LISTS, metric="wer").save(tmp_path / "m.runoff")
    kind, header, arrays = load(tmp_path / "m.runoff")
    for wrong in (arrays[name][:0], arrays[name].reshape(-1, 1)):
        save(tmp_path / "b.runoff", kind, header, {**arrays, name: wrong})
        with pytest.raises(ModelError, match=f"b.runoff: the array '{name}' must be"):
            inspect_model(tmp_path / "b.runoff")


def test_evaluation_worked_by_hand():
    assert evaluate(LISTS, "wer").figures.keys() == {"base", "oracle"}
    ranked = [
        ro.NBest(
            "a",
            None,
            [ro.Candidate("x y", -1.0, score=0.5), ro.Candidate("x x", -2.0, score=2)],
            "x x",
        ),
        ro.NBest(
            "b", None, [ro.Candidate("y", -1.0, score=1.0), ro.Candidate("x", -2.0, score=0)], "x"
        ),
    ]
    found = evaluate(ranked, "wer")
    assert found.figures["base"]["WER"] == pytest.approx(100 * 2 / 3)
    assert found.figures["picked"]["WER"] == pytest.approx(100 * 1 / 3)
    assert found.figures["oracle"]["WER"] == 0
    assert found.signature == f"wer|unit:word|lists:2|n:2|v:{ro.__version__}"
    assert [round(one.difference, 3) for one in found.comparisons] == [-33.333, -33.333]


def test_two_rankings_are_compared_list_by_list():
    def ranked(name, pick):
        first, second = (ro.Candidate(o, -1.0, score=float(o == pick)) for o in "xy")
        return ro.NBest(name, None, [first, second], "x")

    mine = [ranked(i, "x") for i in range(30)]
    other = [ranked(i, "y") for i in range(30)]
    found = evaluate(mine, "wer", against=reversed(other))
    assert found.figures["other"]["WER"] == 100
    assert found.figures["picked"]["WER"] == 0
    assert all(one.difference == -100 and one.p_value < 0.01 for one in found.comparisons)
    with pytest.raises(
        FormatError, match="do not hold the same lists: 1 are missing from the second"
    ):
        evaluate(mine, "wer", against=other[1:])


def test_convert_says_first_what_is_lost(tmp_path):
    source = lines(tmp_path / "a.jsonl", {**GOOD, "x": 1}, {**GOOD, "id": "b", "input": "q"})
    lost = []
    target = tmp_path / "a.tsv"

    def told(parts):
        assert not target.exists()
        lost.append(parts)

    convert(source, target, on_loss=told)
    assert lost == [{"id": 2, "gold": 2, "extra.x of the list": 1, "input": 1}]
    assert target.read_text().splitlines()[0] == "-1.0\tx"


def test_references_are_attached_by_number(tmp_path):
    gold = tmp_path / "refs.txt"
    gold.write_text("zero\none\ntwo\n")
    moses = [ro.NBest(2, None, [ro.Candidate("x")]), ro.NBest(0, None, [ro.Candidate("y")])]
    assert [nbest.gold for nbest in attach(moses, gold=gold)] == ["two", "zero"]
    named = [ro.NBest("u9"), ro.NBest("u5")]
    assert [nbest.gold for nbest in attach(named, gold=gold)] == ["zero", "one"]
    with pytest.raises(FormatError, match="refs.txt: has no line for list 3: its lines are 0 to 2"):
        list(attach([ro.NBest(3)], gold=gold))
