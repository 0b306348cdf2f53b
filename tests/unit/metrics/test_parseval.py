"""PARSEVAL: what is scored, what is not, and what cannot be."""

from __future__ import annotations

import numpy as np
import pytest

from runoff.data.tree import Tree
from runoff.errors import UsageError
from runoff.metrics.base import MeasureError
from runoff.metrics.brackets import RULES, Gold, Labels
from runoff.metrics.parseval import Parseval

GOLD = "(TOP (S (NP (PRP we)) (VP (VBD voted) (NP (NN today))) (. .)))"


def counts(output, gold=GOLD, **parameters):
    """Matched, gold and output brackets."""
    return Parseval(**parameters).statistics([output], gold)[0, :3].tolist()


def test_figures_worked_by_hand():
    output = "(TOP (S (NP (PRP we)) (VP (VBD voted) (NN today)) (. .)))"
    metric = Parseval()
    figures = metric.figures(metric.statistics([output], GOLD)[0])
    assert figures["LR"] == 75
    assert figures["LP"] == 100
    assert figures["F1"] == pytest.approx(600 / 7)
    assert (figures["exact"], figures["0CB"], figures["tags"]) == (0, 100, 100)


def test_quality_is_f1_times_gold_brackets():
    metric = Parseval()
    output = "(TOP (S (NP (PRP we)) (VP (VBD voted) (NN today)) (. .)))"
    statistics = metric.statistics(
        [GOLD, output, "(TOP (PRP we) (VBD voted) (NN today) (. .))"], GOLD
    )
    assert metric.quality(statistics) == pytest.approx([4, 4 * 6 / 7, 0])


@pytest.mark.parametrize(
    ("output", "matched"),
    [
        ("(TOP (S (NP-SBJ (PRP we)) (VP=1 (VBD voted) (NP-TMP-2 (NN today))) (. .)))", 4),
        ("(TOP (S (NP (PRP we)) (VP (VBD voted) (NP (NN today)) (. .))))", 4),
        ("(TOP (S (NP (PRP we)) (VP (VBD voted) (ADVP (NN today))) (. .)))", 3),
        ("(S1 (S (NP (PRP we)) (VP (VBD voted) (NP (NN today))) (. .)))", 4),
        ("( (S (NP (PRP we)) (VP (VBD voted) (NP (NN today))) (. .)))", 4),
    ],
    ids=["function tags", "punctuation elsewhere", "other label", "other root", "no root label"],
)
def test_matches(output, matched):
    assert counts(output)[0] == matched


def test_particles_are_adverbs_with_collins_only():
    gold = "(TOP (VP (VB give) (PRT (RP up))))"
    output = "(TOP (VP (VB give) (ADVP (RP up))))"
    assert counts(output, gold)[0] == 2
    assert counts(output, gold, parameters="plain")[0] == 1


def test_plain_deletes_the_root_only():
    for root in ("TOP", "ROOT", ""):
        tree = f"({root} (NP (NN vote) (. .)))"
        assert counts(tree, tree, parameters="plain") == [1, 1, 1]
    statistics = Parseval(parameters="plain").statistics([GOLD], GOLD)
    assert statistics[0, 7] == 4  # the full stop is a word


def test_traces_go_with_everything_above_them():
    gold = "(TOP (S (NP-SBJ (-NONE- *)) (VP (VB vote) (SBAR (-NONE- 0) (S (-NONE- *T*-1))))))"
    output = "(TOP (S (VP (VB vote))))"
    assert counts(output, gold) == [2, 2, 2]
    assert counts(gold, output) == [2, 2, 2]


def test_repeated_brackets_match_as_often_as_both_have_them():
    gold = "(TOP (NP (NP (NP (NN vote)))))"
    assert counts("(TOP (NP (NP (NN vote))))", gold) == [2, 3, 2]
    assert counts("(TOP (NP (NP (NP (NP (NN vote))))))", gold) == [3, 3, 4]


def test_gold_tags_decide_what_is_punctuation():
    gold = "(TOP (S (NP (NN vote)) (VP (VBZ counts)) ('' ') (. .)))"
    output = "(TOP (S (NP (NN vote)) (VP (VBZ counts) (POS ')) (. .)))"
    assert Parseval().statistics([output], gold)[0].tolist() == [3, 3, 3, 1, 0, 1, 1, 2, 2, 1]
    assert Parseval().statistics([gold], output)[0, 7] == 3


def test_lost_punctuation_is_forgiven_as_evalb_does():
    assert counts("(TOP (S (NP (PRP we)) (VP (VBD voted) (NP (NN today)))))") == [4, 4, 4]


def test_crossing_brackets_are_counted_on_the_output():
    gold = "(TOP (S (NP (A a) (B b) (C c)) (D d)))"
    output = "(TOP (S (A a) (X (B b) (Y (C c) (D d)))))"
    row = Parseval().statistics([output], gold)[0]
    assert row[4:7].tolist() == [2, 0, 1]


def test_longer_sentences_add_nothing():
    metric = Parseval(max_length=3)
    assert not metric.statistics([GOLD, "(TOP (X other))"], GOLD).any()
    assert Parseval(max_length=4).statistics([GOLD], GOLD)[0, 9] == 1
    traced = GOLD.replace("(VBD voted)", "(VBD voted) (-NONE- *)")
    assert Parseval(max_length=4).statistics([GOLD], traced)[0, 9] == 1


def test_shorter_sentences_add_nothing():
    assert not Parseval(min_length=5).statistics([GOLD], GOLD).any()
    assert Parseval(min_length=4).statistics([GOLD], GOLD)[0, 9] == 1
    assert Parseval(min_length=4, max_length=4).statistics([GOLD], GOLD)[0, 9] == 1
    traced = GOLD.replace("(VBD voted)", "(VBD voted) (-NONE- *)")
    assert Parseval().length(traced) == Parseval().length(Tree.parse(GOLD)) == 4
    assert not Parseval(min_length=5).statistics([GOLD], traced).any()


def test_trees_and_brackets_are_one():
    metric = Parseval()
    both = metric.statistics([GOLD, Tree.parse(GOLD)], Tree.parse(GOLD))
    assert np.array_equal(both[0], both[1])


def test_a_subtree_counts_its_own_words():
    inner = Tree("X", [Tree("NN", ["a"]), Tree.parse(GOLD)]).children[1]
    assert counts(inner) == [4, 4, 4]


@pytest.mark.parametrize(
    ("output", "problem"),
    [
        ("(TOP (S (NP (PRP we))))", "outputs[1]: has 1 words, gold has 4"),
        (GOLD.replace("voted", "vote"), "outputs[1]: word 2 is 'vote', gold has 'voted'"),
        ("(TOP (S", "outputs[1]: not a bracketed tree ("),
        (7, "outputs[1]: expected a tree or its brackets, not 7"),
    ],
)
def test_what_cannot_be_compared_is_named(output, problem):
    with pytest.raises(MeasureError) as caught:
        Parseval().statistics([GOLD, output], GOLD)
    assert str(caught.value).startswith(problem)


def test_parameters_are_checked():
    with pytest.raises(
        UsageError, match="unknown parameters 'colins'; choose from: collins, plain"
    ):
        Parseval(parameters="colins")
    with pytest.raises(UsageError, match="max_length must be at least 1, not 0"):
        Parseval(max_length=0)
    with pytest.raises(UsageError, match="min_length must be at least 1, not -2"):
        Parseval(min_length=-2)


def test_signature():
    assert Parseval().signature() == "parseval|prm:collins|len:all"
    assert Parseval(parameters="plain", max_length=40).signature() == "parseval|prm:plain|len:<=40"
    assert Parseval(min_length=6).signature() == "parseval|prm:collins|len:>5"
    both = Parseval(min_length=6, max_length=40)
    assert both.signature() == "parseval|prm:collins|len:>5,<=40"


def test_brackets_by_label_add_up_to_all():
    gold = Tree.parse("(TOP (S (NP (DT the) (NN vote)) (VP (VBZ counts) (ADVP (RB now))) (. .)))")
    text = "(TOP (S (NP (DT the)) (NP (NN vote)) (VP (VBZ counts) (NP (NN now)) (. .))))"
    labels = Labels(RULES["collins"])
    counts = Gold(gold.flat(), labels).by_label(Tree.parse(text).flat())
    assert counts == {"S": [1, 1, 1], "NP": [0, 1, 3], "VP": [1, 1, 1], "ADVP": [0, 1, 0]}
    figures = Parseval().figures(Parseval().statistics([text], gold)[0])
    assert figures["LR"] == 100 * sum(one[0] for one in counts.values()) / 4
