"""The passive of Huang, Knight & Joshi (2006, Figures 3 and 4), with a sentence of our own."""

import math

import pytest
from helpers.made.trees_to_strings import learned

from runoff.data.treebank.rules import Rule
from runoff.ngrams.estimate import estimate
from runoff.proposers.translation.trees.decoder import DIRECT, TreeDecoder, TreeSearch
from runoff.proposers.translation.trees.source import Parse

TREE = (
    "(S (NP (DT The) (NN cat)) (VP (VBD was) (VP (VBN painted) (PP (IN by) (NP (DT the) "
    "(NN mayor))))) (. .))"
)
RULES = [
    "S(x1:NP x2:VP .(.)) -> x1 x2 。 ||| count=1",
    "NP(DT(the) NN(cat)) -> 猫 ||| count=1",
    "VP(VBD(was) VP(x1:VBN PP(IN(by) x2:NP))) -> 被 x2 x1 ||| count=3",
    "VBN(painted) -> 漆 了 ||| count=1",
    "NP(DT(the) NN(mayor)) -> 市长 ||| count=1",
    "VP(VBD(was) VP(x1:VBN x2:PP)) -> x2 x1 ||| count=1",
    "PP(IN(by) x1:NP) -> 被 x1 ||| count=1",
]
"""r1 to r7; the third has the verb and its doer change places, the last two do it in two steps."""


@pytest.fixture(scope="module")
def decoder():
    symbols, words, found = learned([(TREE, [], [])], added=map(Rule.parse, RULES))
    return TreeDecoder(symbols, words, found.table, estimate([["猫", "。"]], 2).model)


def translated(decoder, **how):
    (found,) = decoder.translate([[Parse(TREE)]], DIRECT, TreeSearch(search="direct"), **how)
    return found.derivations


def test_the_doer_is_put_before_the_verb_in_five_steps(decoder):
    (best,) = translated(decoder)
    assert best.words == "猫 被 市长 漆 了 。".split()
    rules = [decoder.table.rule(s.block, decoder.symbols, decoder.target) for s in best.steps]
    assert [RULES.index(str(rule).partition(" prob=")[0]) + 1 for rule in rules] == [1, 2, 3, 4, 5]
    assert [" ".join(best.words[i] for i in step.target) for step in best.steps] == [
        "猫 被 市长 漆 了 。", "猫", "被 市长 漆 了", "漆 了", "市长",
    ]  # fmt: skip
    # Each of r2 and r5 is one of two rules with the label NP, r3 was seen in three of four VP.
    assert math.exp(-best.cost) == pytest.approx(1 / 2 * 3 / 4 * 1 / 2)


def test_two_derivations_write_one_string(decoder):
    one, other = translated(decoder, n=10, distinct=False)
    assert one.words == other.words
    assert [len(found.steps) for found in (one, other)] == [5, 6]
    assert math.exp(-other.cost) == pytest.approx(1 / 2 * 1 / 4 * 1 / 2)
    assert len(translated(decoder, n=10)) == 1
