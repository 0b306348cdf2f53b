import pytest

from runoff.data.nbest import Candidate, NBest
from runoff.metrics.bleu import Bleu
from runoff.tasks.translation.reranked import with_gains

LISTS = [
    NBest(1, "s", [Candidate("a b c d e", -2.0), Candidate("a b c d", -1.0)], "a b c d e f"),
    NBest(2, "t", [Candidate("g h i j", -1.0), Candidate("g h i j k", -3.0)], "g h i j k"),
]


def test_qualities_are_what_the_whole_text_gains():
    metric = Bleu(tokenize="none")
    picked = [["a b c d", "g h i j"], ["a b c d e", "g h i j"], ["a b c d", "g h i j k"]]
    base, first, second = (
        float(
            metric.figures(
                sum(
                    metric.statistics([output], nbest.gold)[0]
                    for output, nbest in zip(outputs, LISTS, strict=True)
                )
            )["BLEU"]
        )
        for outputs in picked
    )
    made = with_gains(LISTS, metric)
    assert [one.quality for one in made[0].candidates] == pytest.approx([2 * (first - base), 0])
    assert [one.quality for one in made[1].candidates] == pytest.approx([0, 2 * (second - base)])
    assert first > base < second


def test_words_that_one_sentence_misses_are_made_up_for_by_another():
    metric = Bleu(tokenize="none")
    long = NBest(3, "u", [Candidate("l m n o p q r", -1.0), Candidate("l m n o p q", -2.0)], "l m")
    alone, together = (
        [one.quality for one in with_gains(lists, metric)[0].candidates]
        for lists in ([LISTS[0]], [LISTS[0], long])
    )
    assert alone[0] > together[0]  # there are words enough: only precision counts
