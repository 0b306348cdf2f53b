"""BLEU against sacrebleu, error rates against nltk's edit distance."""

from __future__ import annotations

import random

import pytest
import sacrebleu
from helpers.strategies.texts import noisy_sentence, random_sentence
from nltk.metrics import edit_distance

from runoff.metrics import metric


def pairs(seed, count, longest=25):
    rng = random.Random(seed)
    for _ in range(count):
        gold = random_sentence(rng, rng.randint(1, longest))
        yield " ".join(noisy_sentence(rng, gold, rng.choice([0, 0.2, 0.8]))), " ".join(gold)


def test_corpus_bleu_is_sacrebleus():
    outputs, golds = zip(*pairs(1, 800), strict=True)
    measure = metric("bleu")
    totals = sum(measure.statistics([o], g)[0] for o, g in zip(outputs, golds, strict=True))
    theirs = sacrebleu.corpus_bleu(list(outputs), [list(golds)])
    figures = measure.figures(totals)
    assert figures["BLEU"] == pytest.approx(theirs.score, abs=1e-10)
    assert figures["BP"] == pytest.approx(theirs.bp, abs=1e-12)
    assert theirs.bp < 1


def test_quality_is_sacrebleus_sentence_bleu():
    measure = metric("bleu")
    for output, gold in [*pairs(2, 500), ("", "a b"), ("x", "y"), ("a b", "a b")]:
        ours = measure.quality(measure.statistics([output], gold))[0]
        theirs = sacrebleu.sentence_bleu(output, [gold], smooth_method="exp")
        assert ours == pytest.approx(theirs.score, abs=1e-10), output


def test_corpus_bleu_without_four_grams_is_zero():
    measure = metric("bleu")
    totals = measure.statistics(["we vote"], "we vote")[0]
    assert (
        measure.figures(totals)["BLEU"] == sacrebleu.corpus_bleu(["we vote"], [["we vote"]]).score
    )
    assert measure.figures(totals)["BLEU"] == 0


def test_several_references():
    outputs = ["we vote today on it", "they saw the list"]
    golds = [["we voted today on it", "we vote on it"], ["they saw a list", "they saw it"]]
    measure = metric("bleu")
    totals = sum(measure.statistics([o], g)[0] for o, g in zip(outputs, golds, strict=True))
    theirs = sacrebleu.corpus_bleu(outputs, [list(refs) for refs in zip(*golds, strict=True)])
    assert measure.figures(totals)["BLEU"] == pytest.approx(theirs.score, abs=1e-10)


def test_signature_is_sacrebleus():
    theirs = sacrebleu.BLEU()
    theirs.corpus_score(["a"], [["a"]])
    body = theirs.get_signature().format().partition("|")[2]  # without the number of references
    assert metric("bleu").signature() == f"bleu|{body}"


def test_lower_case_and_tokenizer():
    measure = metric("bleu", lowercase=True, tokenize="char")
    assert measure.quality(measure.statistics(["WE VOTE"], "we vote"))[0] == pytest.approx(100)
    assert "case:lc|eff:no|tok:char" in measure.signature()


@pytest.mark.parametrize("name", ["wer", "cer"])
def test_number_of_errors_is_nltks_edit_distance(name):
    measure = metric(name)
    for output, gold in pairs(4, 300, longest=12):
        units = (output.split(), gold.split()) if name == "wer" else (output, gold)
        row = measure.statistics([output], gold)
        assert -measure.quality(row)[0] == edit_distance(*units)
        assert row[0, 3] == len(units[1])
