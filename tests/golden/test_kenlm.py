"""KenLM reads our ARPA files, and gives every word the probability that we give it."""

import math

import pytest
from helpers.made.text import TEXT

from runoff.ngrams.arpa import write_arpa
from runoff.ngrams.estimate import estimate

kenlm = pytest.importorskip("kenlm", reason="needs KenLM: pip install 'runoff[lm]'")

SENTENCES = [line.split() for line in TEXT.splitlines() if line.strip()]
ASKED = [*SENTENCES, [], ["new"], "the new words of a new list".split(), SENTENCES[0][::-1]]


@pytest.mark.parametrize("order", [2, 3, 4, 5, 6])
def test_every_probability_is_the_same(order, tmp_path):
    model = estimate(SENTENCES, order).model
    write_arpa(model, tmp_path / "ours.arpa")
    judge = kenlm.Model(str(tmp_path / "ours.arpa"))
    names = model.vocabulary.strings()
    for grams in model.grams():
        for gram in grams.tolist():
            words = [names[i] for i in gram]
            if words[-1] != "<s>":
                assert ours(model, words) == pytest.approx(theirs(judge, words), abs=1e-6)
    for words in ASKED:
        expected = [score for score, _, _ in judge.full_scores(" ".join(words))]
        found = (model.word_scores(words) / math.log(10)).tolist()
        assert found == pytest.approx(expected, abs=1e-6)


def ours(model, words):
    """The log10 of the probability of the last of some words; the first is <s>, or anything."""
    if words[0] == "<s>":
        state, rest = model.start, words[1:]
    else:
        _, state = model.step(model.step(model.start, "</s>")[1], words[0])
        rest = words[1:]
        if not rest:
            return model.next_scores(["</s>"])[model.vocabulary.numbered[words[0]]] / math.log(10)
    for word in rest:
        score, state = model.step(state, word)
    return score / math.log(10)


def theirs(judge, words):
    state, other = kenlm.State(), kenlm.State()
    judge.BeginSentenceWrite(state)
    rest = words[1:] if words[0] == "<s>" else ["</s>", *words]
    for word in rest:
        score = judge.BaseScore(state, word, other)
        state, other = other, state
    return score
