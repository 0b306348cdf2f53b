"""Chunk F1 against figures worked by hand from conlleval's rules, and against seqeval; accuracy."""

from __future__ import annotations

import random

import pytest
from helpers.strategies.texts import noisy_tags, random_tags
from nltk.metrics import accuracy as nltk_accuracy
from seqeval.metrics import f1_score, precision_score, recall_score

from runoff.metrics import metric
from runoff.metrics.chunks import figures_by_type

# Worked by hand with startOfChunk and endOfChunk of conlleval (Tjong Kim Sang, 2004-01-26):
# gold, output, chunks correct, in gold, in output, tags right
HAND = [
    ("B-NP I-NP O B-VP", "B-NP I-NP O B-VP", 2, 2, 2, 4),
    ("B-NP I-NP O B-VP", "B-NP O O B-VP", 1, 2, 2, 3),
    ("B-NP I-NP I-NP", "B-NP B-NP I-NP", 0, 1, 2, 2),
    ("O B-NP I-NP", "O I-NP I-NP", 1, 1, 1, 2),  # I behind O begins a chunk
    ("B-NP I-NP", "B-NP I-VP", 0, 1, 2, 1),  # so does a change of type
    ("I-NP I-NP B-NP", "I-NP I-NP I-NP", 0, 2, 1, 2),  # IOB1
    ("I-NP E-NP I-NP", "I-NP E-NP E-NP", 2, 2, 2, 2),  # IOE1 against IOE2
    ("S-NP B-NP E-NP", "B-NP B-NP I-NP", 2, 2, 2, 1),  # IOBES against IOB2
    ("U-PER O B-LOC L-LOC", "B-PER O B-LOC I-LOC", 2, 2, 2, 2),  # BILOU against IOB2
    ("O O", "O B-NP", 0, 0, 1, 1),
    ("B-A-B I-A-B", "B-A-B I-A-B", 1, 1, 1, 2),  # hyphens in types
    ("B I O", "B I O", 1, 1, 1, 3),  # no types
]


@pytest.mark.parametrize("case", HAND, ids=lambda case: f"{case[0]} / {case[1]}")
def test_counts_worked_by_hand(case):
    gold, output, *counts = case
    row = metric("chunk-f1").statistics([output], gold)[0]
    assert row.tolist() == [*counts, len(gold.split())]


def test_figures_of_the_whole_set_worked_by_hand():
    measure = metric("chunk-f1")
    totals = sum(measure.statistics([case[1]], case[0])[0] for case in HAND[:5])
    figures = {name: round(float(value), 2) for name, value in measure.figures(totals).items()}
    # 4 of 7 in gold, of 9 found; 12 of 16 tags
    assert figures == {"F1": 50.0, "precision": 44.44, "recall": 57.14, "accuracy": 75.0}


def test_figures_by_type_worked_by_hand():
    outputs, golds = [case[1] for case in HAND[:5]], [case[0] for case in HAND[:5]]
    by_type = figures_by_type(outputs, golds)
    assert list(by_type) == ["NP", "VP"]
    assert by_type["NP"][3:] == (6, 5)
    assert by_type["NP"].precision == pytest.approx(100 * 2 / 6)
    assert by_type["VP"].recall == 100.0
    assert by_type["VP"].precision == pytest.approx(200 / 3)


@pytest.mark.parametrize("prefixes", ["BIO", "IEO", "BIESO"])
def test_agrees_with_seqeval_on_broken_taggings(prefixes):
    rng = random.Random(11)
    golds = [random_tags(rng, rng.randint(1, 20), prefixes) for _ in range(2000)]
    outputs = [noisy_tags(rng, gold, prefixes) for gold in golds]
    measure = metric("chunk-f1")
    pairs = zip(outputs, golds, strict=True)
    figures = measure.figures(sum(measure.statistics([o], g)[0] for o, g in pairs))
    assert figures["F1"] == pytest.approx(100 * f1_score(golds, outputs), abs=1e-9)
    assert figures["precision"] == pytest.approx(100 * precision_score(golds, outputs), abs=1e-9)
    assert figures["recall"] == pytest.approx(100 * recall_score(golds, outputs), abs=1e-9)
    assert 30 < figures["F1"] < 90


def test_token_accuracy_agrees_with_nltk():
    rng = random.Random(3)
    gold = random_tags(rng, 2000)
    output = noisy_tags(rng, gold)
    measure = metric("accuracy")
    figures = measure.figures(measure.statistics([output], gold)[0])
    assert figures["accuracy"] == pytest.approx(100 * nltk_accuracy(gold, output))
    assert figures["accuracy"] < 99
