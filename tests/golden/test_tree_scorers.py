"""PARSEVAL against EVALB's own output, against PYEVALB, and on real trees."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
from helpers.strategies.texts import perturbed, random_tree, random_words
from PYEVALB import parser, scorer

from runoff.data.tree import Tree, read_trees
from runoff.metrics.parseval import Parseval

HERE = Path(__file__).parent
# status, matched, gold, test, crossing, words, tags; our columns that hold the same
EVALB_COLUMNS = [0, 1, 2, 4, 7, 8]


def evalb_rows(mode):
    lines = (HERE / "evalb.tsv").read_text().splitlines()
    for line in lines:
        if not line.startswith("#"):
            gold, output, collins, plain = line.split("\t")
            yield gold, output, [int(n) for n in (collins if mode == "collins" else plain).split()]


@pytest.mark.parametrize("mode", ["collins", "plain"])
def test_every_sentence_is_counted_as_evalb_counts_it(mode):
    metric = Parseval(parameters=mode)
    for gold, output, (status, *counts) in evalb_rows(mode):
        row = metric.statistics([output], gold)[0]
        assert row[EVALB_COLUMNS].tolist() == counts, output
        assert row[9] == (status == 0)


def test_summary_is_what_evalb_prints():
    pairs = [(gold, output) for gold, output, _ in evalb_rows("collins")]
    metric = Parseval()
    totals = sum(metric.statistics([output], gold)[0] for gold, output in pairs)
    printed = dict(F1=72.94, LR=77.50, LP=68.89, exact=33.33, CB=0.44, tags=92.31, sentences=9)
    printed |= {"0CB": 77.78, "2CB": 88.89}
    figures = metric.figures(totals)
    assert {name: round(float(figures[name]), 2) for name in printed} == printed


def pyevalb_counts(gold, output):
    trees = [parser.create_from_bracket_string(str(tree)) for tree in (gold, output)]
    result = scorer.Scorer().score_trees(*trees)
    return [
        result.matched_brackets,
        result.gold_brackets,
        result.test_brackets,
        result.cross_brackets,
        result.words,
        result.correct_tags,
    ]


def has_twins(tree):
    """Whether two brackets have one label and one span; PYEVALB then counts one match less."""
    flat = [(node.label, node.span) for node in tree.nodes() if not node.is_preterminal]
    return len(set(flat)) < len(flat)


def test_plain_agrees_with_pyevalb():
    # PYEVALB counts the root, keeps function tags and splits words at brackets: none of it here
    rng, metric, compared, crossing = random.Random(5), Parseval(parameters="plain"), 0, 0
    while compared < 3000:
        words = [w for w in random_words(rng, rng.randint(3, 25)) if w[1] != "("] or [("NN", "a")]
        gold = random_tree(rng, words).children[0]
        output = perturbed(rng, gold, rng.randint(0, 6))
        if rng.random() < 0.5:
            output = random_tree(rng, words).children[0]
        trees = [
            Tree.parse(str(t).replace("-SBJ", "").replace("=2", "").replace("-1", ""))
            for t in (gold, output)
        ]
        if any(t.is_preterminal or has_twins(t) for t in trees):
            continue
        ours = metric.statistics([trees[1]], trees[0])[0]
        assert ours[EVALB_COLUMNS].tolist() == pyevalb_counts(*trees)
        compared, crossing = compared + 1, crossing + ours[4]
    assert crossing > 100


def test_real_trees_are_perfect_against_themselves_and_worse_when_changed(data):
    path, metric = data / "craft" / "dev.clean.mrg.gz", Parseval(max_length=40)
    rng = random.Random(2)
    rows, scored = [], 0
    for tree in read_trees(path):
        tags = {node.label for node in tree.preterminals()}
        scored += len(tree.words) <= 40 and not tags <= {",", ":", "``", "''", "."}
        changed = perturbed(rng, tree, 5, retag=0)
        rows.append(metric.statistics([str(tree), changed], tree))
    totals = np.sum(rows, axis=0)
    same, changed = (
        {name: float(value[i]) for name, value in metric.figures(totals).items()} for i in (0, 1)
    )
    assert (same["F1"], same["exact"], same["CB"], same["tags"]) == (100, 100, 0, 100)
    assert same["sentences"] == changed["sentences"] == scored > 2000
    assert 60 < changed["F1"] < 95
