"""Learning by BLEU: the quality of a candidate is what the whole text gains by it."""

import pytest

from runoff.data.nbest import Candidate, NBest
from runoff.metrics.bleu import Bleu
from runoff.tasks.ranking.fit import problems

METRIC = Bleu(tokenize="none")
LISTS = [
    NBest(1, "s", [Candidate("a b c d e", -2.0), Candidate("a b c d", -1.0)], "a b c d e f"),
    NBest(2, "t", [Candidate("g h i j", -1.0), Candidate("g h i j k", -3.0)], "g h i j k"),
]


def qualities(lists, metric=METRIC):
    cut_offs = {"min_lists": 1, "thresholds": (), "bins": 0}
    made, dev = problems(lists, lists, features=["text"], metric=metric, cut_offs=cut_offs)
    assert dev.qualities.tolist() == made.qualities.tolist()
    return made.qualities.tolist()


def bleu(outputs):
    pairs = zip(outputs, LISTS, strict=True)
    rows = [METRIC.statistics([output], nbest.gold)[0] for output, nbest in pairs]
    return float(METRIC.figures(sum(rows))["BLEU"])


def test_qualities_are_what_the_whole_text_gains():
    base = bleu(["a b c d", "g h i j"])
    first, second = bleu(["a b c d e", "g h i j"]), bleu(["a b c d", "g h i j k"])
    wanted = [2 * (first - base), 0, 0, 2 * (second - base)]
    assert qualities(LISTS) == pytest.approx(wanted)
    assert first > base < second


def test_words_that_one_sentence_misses_are_made_up_for_by_another():
    long = NBest(3, "u", [Candidate("l m n o p q r", -1.0), Candidate("l m n o p q", -2.0)], "l m")
    alone, together = qualities(LISTS[:1]), qualities([LISTS[0], long])
    assert alone[0] > together[0]  # there are words enough: only precision counts


def test_other_metrics_judge_each_candidate_by_itself():
    assert qualities(LISTS, "wer") == [-1, -2, -1, 0]
