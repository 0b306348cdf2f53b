"""Language models word by word: as a whole, and as KenLM has it."""

import pytest

from runoff.ngrams.estimate import estimate
from runoff.tasks.lm.model import LanguageModel
from runoff.tasks.lm.prefixes import KenlmScorer, LanguageModelScorer, is_kenlm

TEXT = [line.split() for line in ("we count the votes", "they count ballots", "we vote")] * 3


def by_words(scorer, words):
    state, score = scorer.start(), 0.0
    for number, word in enumerate(words, 1):
        state, score = scorer.read(state, word, number == len(words))
    return score


@pytest.mark.parametrize("text", ["we count ballots", "boats", ""])
def test_words_add_up_to_the_sentence(text):
    model = LanguageModel(estimate(TEXT, order=3).model, True, {})
    scorer = LanguageModelScorer(model)
    assert by_words(scorer, scorer.pieces(text)) == pytest.approx(model.score(text), abs=1e-5)
    assert scorer.whole(scorer.pieces(text)) == pytest.approx(model.score(text), abs=1e-5)


def test_kenlm_says_the_same(tmp_path):
    pytest.importorskip("kenlm", reason="kenlm is not installed")
    model = LanguageModel(estimate(TEXT, order=3).model, True, {})
    model.write_arpa(tmp_path / "m.arpa")
    theirs = KenlmScorer(tmp_path / "m.arpa")
    for text in ("we count ballots", "they vote boats"):
        assert by_words(theirs, theirs.pieces(text)) == pytest.approx(model.score(text), abs=1e-4)
    assert not is_kenlm(tmp_path / "m.arpa")
