"""What a fit says of development lists: figures of the metric, wins, baselines, warnings."""

import json

import pytest
from helpers.command import runoff

import runoff as ro
from runoff.metrics import metric
from runoff.tasks.ranking.results.judged import judge


def lists(n, start=0, best=1):
    words = ["ice cream", "I scream", "eyes scream loud"]
    heard = [ro.Candidate(text, -1.0 - i) for i, text in enumerate(words)]
    return [ro.NBest(i, None, heard, words[best]) for i in range(start, start + n)]


def test_figures_are_those_of_evaluate():
    dev = [*lists(8, 10), *lists(2, 20, best=0)]
    reranker = ro.fit(lists(6), dev=dev, metric="wer")
    judged = judge(reranker, dev, metric("wer"))
    evaluated = ro.evaluate(list(ro.rerank(reranker, dev)), "wer").figures
    for name in ("base", "picked", "oracle"):
        assert judged.figures[name] == pytest.approx(evaluated[name]["WER"])
    assert (judged.won, judged.lost) == (8, 2)
    base, picked = judged.figures["base"], judged.figures["picked"]
    assert judged.closed == pytest.approx((base - picked) / base)
    assert judged.figures["longest"] > judged.figures["shortest"] == judged.figures["majority"]


def test_what_is_doubtful_is_said():
    same = lists(6)
    reranker = ro.fit(same, dev=same, metric="wer")
    assert "the development lists are the training lists" in judge(
        reranker, same, metric("wer")
    ).warnings[0]  # fmt: skip
    dev = lists(3, 10, best=0)
    lost = judge(ro.fit(lists(6), dev=dev, metric="wer"), dev, metric("wer")).warnings
    assert "nothing was won over the base system on the development lists" in lost
    assert "always taking the shortest candidate would be better" in lost
    dev = lists(3, 10)
    few = judge(ro.fit(lists(6), dev=dev, metric="wer"), dev, metric("wer")).warnings
    assert any("3 development lists may be chance" in one for one in few)
    odd = [ro.NBest(9, None, list(reversed(dev[0].candidates)), "I scream"), *lists(9, 10)]
    mixed = judge(ro.fit(lists(6), dev=odd, metric="wer"), odd, metric("wer")).warnings
    assert any("1 of 10 development lists are not in the order" in one for one in mixed)


def test_the_command_prints_it_for_people_and_programs(tmp_path):
    ro.write_nbest(lists(6), tmp_path / "train.jsonl")
    ro.write_nbest(lists(8, 10), tmp_path / "dev.jsonl")
    how = ("fit", "train.jsonl", "--dev", "dev.jsonl", "--metric", "wer", "-o", "m", "--no-cache")
    printed = runoff(*how, cwd=tmp_path)[0]
    assert "on 8 development lists" in printed
    assert "won 8, lost 0, 100% of the way to the oracle, p 0.0" in printed
    told = json.loads(runoff(*how, "--json", cwd=tmp_path)[0])["on dev"]
    assert told["figures"]["picked"] == 0.0


@pytest.mark.parametrize("arguments", [("-V",), ("--version",)])
def test_the_version(arguments):
    assert runoff(*arguments)[0] == f"runoff {ro.__version__}\n"


def test_help_names_a_verb():
    assert runoff("help", "why")[0] == runoff("why", "--help")[0]
    assert runoff("help")[0] == runoff("--help")[0]
